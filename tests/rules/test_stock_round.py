"""How a stock round goes round and ends: 3.2.1, 3.2.10, 4.2."""

from contracts import events as e
from contracts.commands import BuyShares, Pass, SellShares
from contracts.frames import Round
from contracts.ids import OFFERING
from services.engine.rules.draft import Draft
from services.engine.rules.rounds.stock import STOCK
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_round
from services.engine.table.state import Table
from tests.given import given
from tests.positions import At, at, company, ones, player, position, stock_round

PRR = company("PRR")


def table(*companies: At, turn: str = "ann", cash: dict[str, int] | None = None) -> Table:
    return stock_round(position(companies=companies, cash=cash), turn=turn)


def closing(there: Table, *, passes: tuple[str, ...], dealer: str | None) -> Draft:
    """The end of a round in which these players have just passed."""
    playing = current_round(there)
    assert playing is not None
    names = tuple(map(player, passes))
    last = None if dealer is None else player(dealer)
    over = Round(playing.id, "stock", 2, 1, 1, passes=names, last_dealer=last, turns=len(passes))
    draft = Draft(there)
    assert STOCK.advance(ruleset_of(there), draft, over) == "all passed"
    return draft


ALL = ("ann", "bob", "cid", "dan")


def test_turns_go_round_clockwise_from_the_priority_deal():
    now = given(table(at("PRR", "0,6", director="bob", bob=4), turn="cid")).awaits("cid")
    for who, following in (("cid", "dan"), ("dan", "ann"), ("ann", "bob")):
        now = now.when(who, BuyShares(PRR, OFFERING, ones(1)), Pass()).accepted().awaits(following)


def test_passes_in_a_row_are_broken_by_anything_done():
    now = given(table(at("PRR", "0,6", director="bob", bob=4, dan=2)))
    for who in ("ann", "bob", "cid"):
        now = now.when(who, Pass()).accepted()
    now = now.when("dan", SellShares(PRR, ones(1)), Pass()).accepted().awaits("ann")
    playing = current_round(now.table)
    assert playing is not None
    assert playing.passes == ()


def test_a_player_with_nothing_to_choose_is_passed_over_and_it_is_recorded():
    there = table(at("PRR", "0,6", director="ann", ann=4), cash={"bob": 0, "cid": 0})
    now = given(there).when("ann", Pass()).accepted().awaits("dan")
    ended = [event for event in now.happened() if isinstance(event, e.TurnEnded)]
    assert [(event.who, event.because) for event in ended] == [
        ("ann", "passed"),
        ("bob", "nothing to do"),
        ("cid", "nothing to do"),
    ]


def test_the_priority_deal_goes_left_of_the_last_to_buy_or_sell():
    there = table(at("PRR", "0,6", director="bob", bob=4))
    draft = closing(there, passes=ALL, dealer="bob")
    assert draft.events == [e.OrderSet(there.order, player("cid"))]


def test_the_priority_deal_stays_where_nobody_dealt():
    there = table(at("PRR", "0,6", director="bob", bob=4), turn="cid")
    draft = closing(there, passes=ALL, dealer=None)
    assert draft.events == [e.OrderSet(there.order, player("cid"))]


def test_what_players_hold_wholly_rises_in_operating_order():
    there = table(
        at("PRR", "2,6", director="ann", ann=5, bob=5),
        at("NYC", "1,7", director="ann", ann=5, bob=5),
        at("C&O", "1,8", director="ann", ann=5, bob=4, pool=1),
        at("ERIE", "1,9", director="ann", ann=5, bob=4),
        at("B&M", "0,9", director="ann", ann=5, bob=5),
    )
    draft = closing(there, passes=ALL, dealer="ann")
    moved = [event for event in draft.events if isinstance(event, e.MarkerMoved)]
    assert [(event.company, event.space, event.because) for event in moved] == [
        ("NYC", "0,7", "sold out"),
        ("PRR", "1,6", "sold out"),
    ]


def test_of_two_that_rise_to_one_space_the_first_to_operate_lies_on_top():
    there = table(
        at("PRR", "1,8", director="ann", ann=5, bob=5),
        at("NYC", "1,8", director="ann", ann=5, bob=5),
    )
    draft = closing(there, passes=ALL, dealer="ann")
    assert draft.table.market["0,8"] == ("PRR", "NYC")


def test_one_pass_fewer_does_not_end_the_round():
    there = table(at("PRR", "0,6", director="bob", bob=4))
    now = given(there)
    for who in ALL[:-1]:
        now = now.when(who, Pass()).accepted()
    playing = current_round(now.table)
    assert playing is not None
    assert (playing.kind, playing.passes) == ("stock", ALL[:-1])
