"""Companies that go bankrupt: at the bottom of the market, or for want of a train (7.12, 8.0)."""

import msgspec

from contracts.commands import ChooseSurvivor, ProposeJoining, SellShares
from contracts.frames import Round
from contracts.ids import FrameId
from services.engine.table.agenda import current_round, current_turn
from services.engine.table.state import Table
from tests.eastern import position, railway, shares
from tests.given import given
from tests.operating import board, turn_of
from tests.positions import company, ones, player, playing_on

EUR, ESR, FDR = company("EUR"), company("ESR"), company("FDR")


def stock_round(table: Table) -> Table:
    """The first turn of a stock round is ann's."""
    first = msgspec.structs.replace(table, first=player("ann"))
    return playing_on(first, Round(FrameId("10.0"), "stock", 2, 1, 1))


def is_blank(table: Table, name: str) -> bool:
    """Whether a company is as it was before it was started."""
    id = company(name)
    charter = table.charters[id]
    return (
        shares(table, name) == {"offering": 10}
        and (charter.status, charter.par, charter.director) == ("open", None, None)
        and not charter.has_operated
        and id not in table.markers
        and table.cash[id] == 0
        and not table.trains.get(id)
        and all(token.company != id for token in table.board.tokens)
    )


def test_a_price_that_falls_to_nothing_in_a_stock_round() -> None:
    """7.12, 4.28: the seller has his money, the others get nothing, and the turn goes on."""
    table = position(
        railway("EUR", 7, director="ann", cash=30, trains=["A local"], ann=5, bob=3, pool=2),
        railway("ESR", 100, director="ann", trains=["A local"], ann=10),
        cash={"ann": 100, "bob": 100},
    )
    table = board(table, {"E12": ("790", 0)}, {"EUR": ["E12"]})
    now = given(stock_round(table)).when("ann", SellShares(EUR, ones(2)))
    assert is_blank(now.table, "EUR")
    assert now.table.cash[player("ann")] == 114
    assert now.table.cash[player("bob")] == 100
    turn = current_turn(now.table)
    assert turn is not None
    assert turn.who == "ann"


def test_trains_of_a_bankrupt_company_are_out_of_the_game() -> None:
    """7.12: removed, not sold again."""
    table = position(
        railway("EUR", 7, director="ann", trains=["A local", "B freight"], ann=5, bob=3, pool=2)
    )
    now = given(stock_round(table)).when("ann", SellShares(EUR, ones(1)))
    assert [train.kind for train in now.table.trains[company("box")]] == ["A", "B"]


def test_without_a_train_holders_get_half_the_price() -> None:
    """7.12, 8.0: it ran nothing, so 71 fell to 65 before; rounded down for each share."""
    table = position(
        railway("EUR", 71, director=None, cash=20, ann=2, bob=1, cid=2, pool=2),
        railway("FDR", 60, director="ann", trains=["A local"], ann=10),
        cash={"ann": 100, "bob": 100, "cid": 100},
    )
    acting = {**table.charters}
    acting[EUR] = msgspec.structs.replace(acting[EUR], acting=player("ann"))
    now = given(in_receivership(msgspec.structs.replace(table, charters=acting)))
    assert is_blank(now.table, "EUR")
    assert [now.table.cash[player(name)] for name in ("ann", "bob", "cid")] == [164, 132, 164]


def in_receivership(table: Table) -> Table:
    """An operating round begins, and the company without a director is first."""
    return playing_on(table, Round(FrameId("10.0"), "operating", 2, 1, 1))


def joined_at(*prices: int, rulings: dict[str, str] | None = None) -> Table:
    """Two companies without trains have merged."""
    table = position(
        railway("EUR", prices[0], director="ann", ann=10),
        railway("ESR", prices[1], director="ann", cash=60, ann=10),
        railway("FDR", 60, director="bob", cash=0, trains=["A local"], bob=10),
        rulings=rulings,
    )
    table = board(table, {"E12": ("790", 0)}, {"EUR": ["E12"], "ESR": ["F11", "E12"]})
    now = given(turn_of(table, "EUR", "merge", operated=("FDR",)))
    now = now.when("ann", ProposeJoining("merge", (EUR, ESR)), ChooseSurvivor(EUR))
    return now.accepted().table


def test_companies_that_join_at_nothing_are_bankrupt() -> None:
    """7.5.3, 7.12: 7 and 7 without trains are 3 and 1, and no price lies between 0 and 7."""
    table = joined_at(7, 7)
    assert is_blank(table, "EUR")
    assert is_blank(table, "ESR")


def test_by_another_ruling_a_price_of_nothing_stands() -> None:
    """The ruling is that of a place where this is played."""
    table = joined_at(7, 7, rulings={"joined at nothing": "stands"})
    assert table.markers[EUR].price == 0
    assert table.charters[EUR].status == "floated"


def test_the_turn_of_a_bankrupt_company_is_over() -> None:
    """7.12: another operates, and the round counts it as having had its turn."""
    table = position(
        railway("EUR", 68, par=54, director="ann", ann=10),
        railway("FDR", 60, director="bob", trains=["A local"], bob=10),
        phase="G",
    )
    kept = {**table.trains}
    supply = company("supply")
    kept[supply] = tuple(train for train in kept[supply] if train.kind == "H")
    now = given(turn_of(msgspec.structs.replace(table, trains=kept), "EUR", "money"))
    playing, turn = current_round(now.table), current_turn(now.table)
    assert is_blank(now.table, "EUR")
    assert playing is not None
    assert turn is not None
    assert (playing.operated, turn.who) == (("EUR",), "FDR")
