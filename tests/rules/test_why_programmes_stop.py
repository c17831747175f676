"""Each reason for which a programme stops, reached by play; and nothing stops for another."""

from collections.abc import Callable
from typing import Final

import pytest

from contracts import events as e
from contracts.clocking import Clocking
from contracts.commands import (
    AssignSeat,
    BuyShares,
    CallTime,
    ClearProgramme,
    ExchangePrivate,
    Order,
    Pass,
    SellShares,
    SetProgramme,
    TradePrivate,
)
from contracts.frames import Auction, Lot
from contracts.ids import OFFERING, CommandId, FrameId
from contracts.people import CLOCK
from contracts.pieces import Settings
from contracts.programmes import REASONS, Buying, OnlyChoice, Passing
from services.engine.rules.beside.programmes import foiled
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.change import changed
from tests.positions import TABLE, at, company, ones, player, position, stock_round
from tests.rules.test_programmes import Play, table

PRR, NYC, SV = map(company, ("PRR", "NYC", "SV"))
ANN, BOB, CID, DAN = map(player, ("ann", "bob", "cid", "dan"))


def passing(turn: str) -> Play:
    """Ann, who holds shares of PRR, passes until something touches them; somebody's turn begins."""
    return Play(table(turn, ann=1000)).do("ann", SetProgramme(Passing()))


def buying(turn: str, most: int = 100) -> Play:
    """Ann buys the NYC, which Dan has begun, until it floats."""
    return Play(table(turn, ann=1000)).do("ann", SetProgramme(Buying(NYC, OFFERING, most)))


def cleared() -> Play:
    play = passing("bob")
    return play.do("ann", ClearProgramme(play.table.beside.programmes[0].id))


def replaced() -> Play:
    return passing("bob").do("ann", SetProgramme(Buying(NYC, OFFERING, 100)))


def moved() -> Play:
    """Ann exchanges a private out of turn."""
    nyc = at("NYC", "0,6", director="dan", dan=3, floated=False)
    there = stock_round(position(companies=[nyc], privates={"MH": "ann"}), turn="bob")
    play = Play(there).do("ann", SetProgramme(Passing()))
    return play.do("ann", ExchangePrivate(company("MH"), NYC, OFFERING))


def round_over() -> Play:
    play = passing("ann")
    for who in ("bob", "cid", "dan"):
        play.do(who, Pass())
    return play


def floated() -> Play:
    play = buying("ann").do("bob", Pass()).do("cid", Pass())
    return play.do("dan", BuyShares(NYC, OFFERING, ones(1))).do("dan", Pass())


def sold() -> Play:
    return passing("bob").do("bob", SellShares(PRR, ones(1)))


def director_changed() -> Play:
    """Cid buys more of the NYC than Dan has, who led it, and Ann has a share of it."""
    there = position(
        companies=[at("NYC", "0,6", director="dan", dan=3, cid=3, ann=1)], cash={"cid": 1000}
    )
    play = Play(stock_round(there, turn="cid")).do("ann", SetProgramme(Passing()))
    return play.do("cid", BuyShares(NYC, OFFERING, ones(1)))


def asked() -> Play:
    return Play(table("bob")).do("ann", SetProgramme(Passing())).do("bob", trade_with_ann())


def trade_with_ann() -> TradePrivate:
    return TradePrivate(company("MH"), ANN, 30)


def price() -> Play:
    return buying("dan", most=99).do("dan", Pass())


def refused() -> Play:
    poor = Play(table("dan", ann=50)).do("ann", SetProgramme(Buying(NYC, OFFERING, 100)))
    return poor.do("dan", Pass())


def seat_taken() -> Play:
    there = changed(table("bob"), settings=Settings(host=CID))
    play = Play(there).do("ann", SetProgramme(Passing()))
    return play.do("cid", AssignSeat(ANN, "dora"))


def time_called() -> Play:
    """A programme that asks its player nothing: he has a choice, and does not come."""
    there = changed(table("ann"), settings=Settings(clock=Clocking(60, then="neutral")))
    play = Play(there).do("ann", SetProgramme(OnlyChoice()))
    frame = play.table.agenda[-1].id
    play.ordered(Order(TABLE, CommandId("c"), CLOCK, ANN, CallTime(frame)))
    return play


STORIES: Final[dict[str, Callable[[], Play]]] = {
    "cleared": cleared,
    "replaced": replaced,
    "moved": moved,
    "round over": round_over,
    "floated": floated,
    "sold": sold,
    "director changed": director_changed,
    "asked": asked,
    "price": price,
    "refused": refused,
    "seat taken": seat_taken,
    "time called": time_called,
}


def test_an_auction_would_stop_it_though_no_title_of_today_begins_one_in_a_stock_round():
    play = passing("bob")
    bidding = Auction(FrameId("99.0"), Lot(SV, 20), (BOB, ANN))
    draft = Draft(play.table)
    draft.emit(e.ProcedureSet(bidding))
    order = Order(TABLE, CommandId("c"), "bob", BOB, Pass())
    [held] = play.table.beside.programmes
    assert foiled(ruleset_of(play.table), draft, held, order) == "auction"


def test_every_reason_is_reached_here_but_one_that_takes_the_whole_table():
    """`alone` is when all programmes stop at once: see `test_programmes`."""
    assert {*STORIES, "auction", "alone"} == set(REASONS)


@pytest.mark.parametrize("because", STORIES)
def test_it_stops_and_says_why(because):
    play = STORIES[because]()
    [(who, why, _)] = [one for one in play.stopped() if one[0] == ANN]
    assert (who, why) == (ANN, because)
    assert REASONS[why]


@pytest.mark.parametrize("because", [one for one in STORIES if one != "replaced"])
def test_once_it_has_stopped_the_server_moves_no_more_for_its_player(because):
    play = STORIES[because]()
    before = len(play.moves(ANN))
    assert [one for one in play.table.beside.programmes if one.player == ANN] == []
    stopped_at = max(
        record.version
        for record in play.records
        if any(isinstance(event, e.ProgrammeStopped) for event in record.events)
    )
    later = [one for one in play.records if one.version > stopped_at]
    assert [one for one in later if one.order.sender.startswith("programme:")] == []
    assert len(play.moves(ANN)) == before


@pytest.mark.parametrize("make", [floated, round_over])
def test_each_automatic_move_names_its_programme_and_a_replay_makes_none(make):
    play = make()
    automatic = [one for one in play.records if one.order.sender.startswith("programme:")]
    assert automatic
    held = [
        event.held.id
        for one in play.records
        for event in one.events
        if isinstance(event, e.ProgrammeSet)
    ]
    assert {one.order.sender.removeprefix("programme:") for one in automatic} <= set(held)
