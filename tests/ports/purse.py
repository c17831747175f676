"""A game of one rule, so that what carries commands is tested apart from what decides them.

A bid takes its amount from the bank. Nobody may bid 0 or take more than the bank has, and a
bid of 666 breaks the rules' own code. `undo` goes back to any version.
"""

from contracts import events as e
from contracts.commands import AnyCommand, Bid, MakeRequest, OpenTable, Order
from contracts.ids import BANK, CommandId, CompanyId, Party, PlayerId, TableId, TitleId
from contracts.money import pay
from contracts.pieces import Seat, Settings
from contracts.rejections import Code, Rejection
from services.engine.table.state import Table

ANN = PlayerId(Party("ann"))
BOB = PlayerId(Party("bob"))
BREAKS = 666


def decide(table: Table, order: Order) -> e.Events | Rejection:
    """What an order leads to."""
    command = order.command
    if isinstance(command, OpenTable):
        return opened(command) if table.version == 0 else refused(Code.TABLE_EXISTS)
    if order.version not in {None, table.version}:
        return Rejection(Code.STALE, "design", "Stale.", version=table.version)
    if isinstance(command, MakeRequest) and command.version is not None:
        return (e.Undone(command.version, order.player),)
    if not isinstance(command, Bid) or command.amount == 0:
        return refused(Code.BID_TOO_LOW)
    if command.amount == BREAKS:
        raise ZeroDivisionError("the rules are broken")
    if table.cash[BANK] < command.amount:
        return refused(Code.TOO_LITTLE_CASH)
    return (e.MoneyPaid("income", pay(BANK, order.player, command.amount)),)


def opened(command: OpenTable) -> e.Events:
    cash: dict[Party, int] = {seat.player: 0 for seat in command.seats}
    return (
        e.TableOpened(command.title, "1", {}, {}, command.settings, command.seats, command.seed),
        e.PiecesSetOut({BANK: 1_000_000, **cash}, {}, {}, {}, {}, (), {}),
    )


def refused(code: Code) -> Rejection:
    return Rejection(code, "design", f"No: {code}.")


def order(
    table: str,
    id: str,
    command: AnyCommand,
    version: int | None = None,
    reported: int | None = None,
) -> Order:
    return Order(TableId(table), CommandId(id), "ann", ANN, command, version, None, reported)


def opening(table: str, id: str = "open", *, imported: bool = False, reported: int | None = None):
    seats = (Seat(ANN, "Ann"), Seat(BOB, "Bob"))
    command = OpenTable(TitleId("purse"), seats, 1, settings=Settings(imported=imported))
    return order(table, id, command, reported=reported)


def bid(table: str, id: str, amount: int, version: int | None = None, reported: int | None = None):
    return order(table, id, Bid(CompanyId(Party("lot")), amount), version, reported)


def undo(table: str, id: str, to: int):
    return order(table, id, MakeRequest("undo", to))
