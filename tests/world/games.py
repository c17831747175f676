"""What is played in the world: tables of the purse, and games by the rules with house players."""

from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from random import Random

import msgspec

from contracts.commands import MakeRequest, OpenTable, Order
from contracts.events import Events
from contracts.ids import CommandId, Party, PlayerId, TableId
from contracts.pieces import Seat
from contracts.records import Record
from contracts.rejections import Code, Rejection
from contracts.titles.load import titles
from services.engine.catchup import encoded_views
from services.engine.handling import by_the_rules
from services.engine.projections import api
from services.engine.projections.api import State
from services.engine.projections.pages import Page
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.fold import applied
from services.engine.table.state import Table, new_table
from services.players.play import next_order
from tests.ports import purse

GAMES = "game-"
"""How the tables are called that are played by the rules."""


def is_by_the_rules(table: TableId) -> bool:
    return table.startswith(GAMES)


# --- deciding and showing, by the kind of table ---------------------------------------------------


def decide(table: Table, order: Order) -> Events | Rejection:
    """What an order leads to."""
    if is_by_the_rules(table.id):
        return by_the_rules(table, order)
    command = order.command
    if isinstance(command, MakeRequest) and (command.version or 0) >= table.version > 0:
        # The store may have lost what the sender saw.
        return purse.refused(Code.STALE)
    return purse.decide(table, order)


def project(state: State, record: Record, before: Table, after: Table) -> State:
    """The state of the projections one record later."""
    if is_by_the_rules(after.id):
        return api.project(state, record, before, after)
    if record.version != state.version + 1:
        raise api.OutOfOrderError(f"{record.version} after {state.version}")
    mark = int.from_bytes(blake2b(msgspec.msgpack.encode((record, before)), digest_size=6).digest())
    page = Page(record.version, mark, record.order.player)
    return State(state.table, (*state.pages, page))


def bodies(state: State, table: Table) -> Mapping[str, bytes]:
    """All views of a table: of the purse, one that is made of all that was ever there."""
    if is_by_the_rules(table.id):
        return encoded_views(state, table)
    return {"all": blake2b(msgspec.msgpack.encode((state, table)), digest_size=8).digest()}


# --- what is sent ---------------------------------------------------------------------------------


@cache
def script(table: TableId, moves: int) -> tuple[Order, ...]:
    """The orders of a game: the one at place n is made against version n."""
    lots = Random(table)
    seats = tuple(Seat(PlayerId(Party(name)), name.title()) for name in ("ann", "bob", "cyd"))
    command = OpenTable(lots.choice(titles()), seats, lots.randrange(1000))
    order: Order | None = Order(table, CommandId("0"), "house", seats[0].player, command)
    orders: list[Order] = []
    present = new_table(table)
    while order is not None and len(orders) < moves:
        orders.append(order)
        decided = by_the_rules(present, order)
        assert not isinstance(decided, Rejection), decided
        present = applied(present, Record(present.version + 1, 0, "", order, decided))
        order = next_order(ruleset_of(present), present, 1)
    return tuple(orders)


def named(order: Order, id: str) -> Order:
    """The same order under another id."""
    return msgspec.structs.replace(order, id=CommandId(id))


def purse_order(lots: Random, table: TableId, id: str, seen: int) -> Order:
    """Any order for a table of the purse; `seen` is the version that its sender knows of."""
    version = lots.choice((None, None, seen, max(1, seen - 1)))
    kind = lots.random()
    if kind < 0.08 and seen > 1:
        return msgspec.structs.replace(
            purse.undo(table, id, lots.randrange(1, seen)), version=version
        )
    if kind < 0.1:
        return purse.bid(table, id, purse.BREAKS, version)
    if kind < 0.2:
        return purse.bid(table, id, 0, version)
    return purse.bid(table, id, lots.randint(1, 50), version)
