"""Small tables, built by hand out of events: short builders for tests that need no rules.

`Story` writes a minute book record by record; `opened()` begins one for Ann, Bob and Cid with two
companies (PRR, NYC) and two privates (SV, CS) of 1830, far fewer pieces than the title has.
"""

from collections.abc import Sequence

from contracts import events as e
from contracts.commands import AnyCommand, MakeRequest, OpenTable, Order, Pass
from contracts.frames import Round, Turn
from contracts.ids import (
    BANK,
    OFFERING,
    SUPPLY,
    CertificateKind,
    CommandId,
    CompanyId,
    FrameId,
    HexId,
    Money,
    Party,
    PhaseId,
    PlayerId,
    Space,
    TableId,
    TileId,
    TitleId,
    TrainId,
    TrainKind,
)
from contracts.money import Payment, pay
from contracts.pieces import CertificateMove, Charter, Seat, Settings, Train
from contracts.placed import Token
from contracts.records import FIRST_DIGEST, Record, Sealed, seal
from services.engine.table.fold import applied, restored, table_at, undone_to
from services.engine.table.state import Table, new_table

TITLE = TitleId("1830")
TABLE = TableId("t1")
ANN, BOB, CID = (PlayerId(Party(name)) for name in ("ann", "bob", "cid"))
PRR, NYC, SV, CS = (CompanyId(Party(name)) for name in ("PRR", "NYC", "SV", "CS"))
DIRECTORS, ONE = CertificateKind("2d"), CertificateKind("1")
SEATS = (Seat(ANN, "Ann"), Seat(BOB, "Bob"), Seat(CID, "Cid"))
SECOND = 1_000_000


def pieces() -> e.PiecesSetOut:
    """All pieces of the small table: 3000 of money, 20 + 2 shares, three trains, four tiles."""
    public = Charter("public", "open", 10, 3)
    private = Charter("private", "open", 1, 0)
    return e.PiecesSetOut(
        cash={BANK: 1200, ANN: 600, BOB: 600, CID: 600, PRR: 0, NYC: 0},
        certificates={
            PRR: {OFFERING: {DIRECTORS: 1, ONE: 8}},
            NYC: {OFFERING: {DIRECTORS: 1, ONE: 8}},
            SV: {OFFERING: {ONE: 1}},
            CS: {OFFERING: {ONE: 1}},
        },
        charters={PRR: public, NYC: public, SV: private, CS: private},
        trains={
            SUPPLY: tuple(
                Train(TrainId(f"{kind}-{number}"), TrainKind(kind))
                for kind, number in (("2", 0), ("2", 1), ("3", 0))
            )
        },
        tiles={TileId("57"): 2, TileId("14"): 1, TileId("9"): 1},
        tokens=(),
        counters={},
    )


def opening(undo: str = "free") -> tuple[e.AnyEvent, ...]:
    """The events of the first record: the table is open and the pieces are out."""
    return (
        e.TableOpened(TITLE, "1", {}, {}, Settings(undo=undo), SEATS, 7),
        e.OrderSet((ANN, BOB, CID), ANN),
        pieces(),
        e.PhaseBegan(PhaseId("2")),
        e.RoundBegan(Round(FrameId("1.4"), "stock", 1, 1, 1)),
        player_turn("1.5", ANN),
    )


def player_turn(id: str, player: PlayerId) -> e.TurnBegan:
    """A player's turn in a stock round."""
    return e.TurnBegan(Turn(FrameId(id), player, ("stock",)))


def company_turn(id: str, company: CompanyId) -> e.TurnBegan:
    """A company's turn in an operating round."""
    steps = ("track", "token", "run", "dividend", "trains")
    return e.TurnBegan(Turn(FrameId(id), company, steps))


def started(
    company: CompanyId, player: PlayerId, price: Money, space: str
) -> tuple[e.AnyEvent, ...]:
    """A company started by a player who is its director from now on."""
    return (
        e.CompanyStarted(
            company,
            player,
            price,
            (CertificateMove(DIRECTORS, 1, OFFERING, player),),
            pay(player, BANK, 2 * price),
        ),
        e.DirectorChanged(company, player, player),
        e.MarkerMoved(company, Space(space), price, 0, "started"),
    )


def bought(player: PlayerId, company: CompanyId, number: int, price: Money) -> e.SharesBought:
    """Single shares bought from the offering, at a price a share."""
    payments = (Payment(player, BANK, number * price),)
    return e.SharesBought(player, company, OFFERING, {ONE: number}, {}, payments)


def token(company: CompanyId, place: str, kind: str = "ordinary", city: int | None = 0) -> Token:
    """A token in the first circle of a city."""
    return Token(company, place, city, None if city is None else 0, kind)


class Story:
    """A minute book that is being written by hand."""

    def __init__(self, id: TableId = TABLE) -> None:
        self.id = id
        self.records: list[Record] = []
        self.tables: list[Table] = [new_table(id)]

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.tables[-1]

    @property
    def version(self) -> int:
        """The number of records."""
        return len(self.records)

    def tell(
        self,
        player: PlayerId,
        *events: e.AnyEvent,
        command: AnyCommand | None = None,
        sender: str | None = None,
    ) -> "Story":
        """Write one record; each comes ten seconds after the one before."""
        version = self.version + 1
        id, sent_by = CommandId(f"c{version}"), sender or player
        order = Order(self.id, id, sent_by, player, command or Pass(), version - 1)
        record = Record(version, version * 10 * SECOND, "by hand", order, events)
        to = undone_to(record)
        before = self.table
        after = applied(before, record) if to is None else restored(before, self.tables[to], record)
        self.records.append(record)
        self.tables.append(after)
        return self

    def undo(self, player: PlayerId, to: int) -> "Story":
        """Take the table back to a version."""
        return self.tell(player, e.Undone(to, player), command=MakeRequest("undo", to))

    def sealed(self) -> list[Sealed]:
        """The records with their digests."""
        return sealed(self.records)

    def again(self, version: int) -> Table:
        """The table at a version, worked out from the records."""
        return table_at(self.id, self.records, version)


def sealed(records: Sequence[Record]) -> list[Sealed]:
    """Records chained by their digests."""
    chain: list[Sealed] = []
    before = FIRST_DIGEST
    for record in records:
        entry = seal(before, record)
        before = entry.digest
        chain.append(entry)
    return chain


def opened(undo: str = "free") -> Story:
    """A story whose table has just been opened: Ann is to deal in the first stock round."""
    return Story().tell(ANN, *opening(undo), command=OpenTable(TITLE, SEATS, 7))


def dealt() -> Story:
    """Three records on: Ann started PRR at 67, Bob NYC at 76, Cid bought two of PRR."""
    return (
        opened()
        .tell(ANN, *started(PRR, ANN, 67, "5,6"), turn_over("1.5", ANN), player_turn("2.4", BOB))
        .tell(BOB, *started(NYC, BOB, 76, "3,6"), turn_over("2.4", BOB), player_turn("3.4", CID))
        .tell(CID, bought(CID, PRR, 2, 67), turn_over("3.4", CID), player_turn("4.2", ANN))
    )


def turn_over(id: str, who: Party, because: str = "done") -> e.TurnEnded:
    """The end of a turn."""
    return e.TurnEnded(FrameId(id), who, because)


def operated() -> Story:
    """Six records on from `dealt`: an operating round in which PRR lays, runs, pays and buys.

    Record 5: Ann buys two more PRR. 6: Bob passes, the round ends, PRR floats and its turn begins.
    7: a tile. 8: no token. 9: it earns 60 and pays out. 10: it buys a train; NYC's turn begins.
    """
    end = e.StepEnded
    turn = FrameId("6.3")
    home = e.TokenPlaced(token(PRR, "H12", "home"), None, ())
    return (
        dealt()
        .tell(ANN, bought(ANN, PRR, 2, 67), turn_over("4.2", ANN), player_turn("5.2", BOB))
        .tell(
            BOB,
            e.Passed(BOB, "chose to"),
            turn_over("5.2", BOB, "passed"),
            e.RoundEnded(FrameId("1.4"), "all passed"),
            e.RoundBegan(Round(FrameId("6.1"), "operating", 1, 1, 1)),
            e.CompanyFloated(PRR, pay(BANK, PRR, 670)),
            company_turn("6.3", PRR),
            home,
        )
        .tell(
            ANN,
            e.TileLaid(
                PRR,
                HexId("F16"),
                TileId("57"),
                1,
                None,
                (),
                None,
                pay(PRR, BANK, 120),
            ),
            end(turn, "track", "done"),
        )
        .tell(ANN, e.Passed(ANN, "chose to"), end(turn, "token", "passed"))
        .tell(ANN, *ran_and_paid(), end(turn, "run", "done"), end(turn, "dividend", "done"))
        .tell(
            ANN,
            e.TrainBought(PRR, Train(TrainId("2-0"), TrainKind("2")), SUPPLY, pay(PRR, BANK, 80)),
            end(turn, "trains", "done"),
            turn_over("6.3", PRR),
            company_turn("10.3", NYC),
        )
    )


def ran_and_paid() -> tuple[e.AnyEvent, ...]:
    """PRR earns 60 and pays them out: six to the holder of each share but those of the bank."""
    payments = (Payment(BANK, ANN, 24), Payment(BANK, CID, 12))
    return (
        e.RoutesRun(PRR, (), (), 60),
        e.EarningsDivided(PRR, 60, 0, 60, 0, payments),
        e.MarkerMoved(PRR, Space("5,7"), 71, 0, "paid"),
    )
