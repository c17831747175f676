"""The operating round: income, order, steps of a turn: 3.3 and point 8 of the rules."""

import msgspec

from contracts import events as e
from contracts.commands import Pass, SellShares
from contracts.frames import Round
from contracts.ids import BANK, FrameId
from contracts.money import Payment
from contracts.rejections import Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.settle import begin_round, settle
from services.engine.table.agenda import current_round, current_turn
from services.engine.table.state import Table
from tests.given import Given, given
from tests.operating import board, trains, turn_of
from tests.positions import At, at, company, ones, player, playing_on, position

STOCK = Round(FrameId("9.0"), "stock", 2, 1, 1)


def operating(table: Table, **tallies: tuple[str, ...]) -> Given:
    """The only operating round of a set, as it goes on from these tallies."""
    named = {key: tuple(map(company, value)) for key, value in tallies.items()}
    playing = msgspec.structs.replace(Round(FrameId("10.0"), "operating", 2, 1, 1), **named)
    return given(playing_on(table, playing))


def three(**spaces: str) -> list[At]:
    return [at(name, space, director="ann", ann=6, cash=500) for name, space in spaces.items()]


def who(now: Given) -> str:
    playing = current_turn(now.table)
    assert playing is not None
    return playing.who


def passed(now: Given, name: str = "ann") -> Given:
    """Everything passed until another company's turn."""
    first = who(now)
    for _ in range(10):
        if current_turn(now.table) is None or who(now) != first:
            break
        now = now.when(name, Pass()).accepted()
    return now


def test_each_round_begins_with_the_incomes_of_the_privates():
    table = position(
        companies=three(PRR="0,6"), privates={"SV": "ann", "CS": "bob"}, closed=("CA", "BO")
    )
    draft = Draft(table)
    begin_round(ruleset_of(table), draft, STOCK)
    began, paid = draft.events
    assert isinstance(began, e.RoundBegan)
    assert (began.round.kind, began.round.which, began.round.of) == ("operating", 1, 1)
    assert paid == e.MoneyPaid(
        "income",
        (
            Payment(BANK, player("ann"), 5),
            Payment(BANK, player("bob"), 10),
            Payment(BANK, player("dan"), 15),
            Payment(BANK, player("dan"), 20),
        ),
    )


def test_companies_operate_dearest_first_then_further_right_then_higher():
    # 2.6: of three spaces of 67 in column 6 the higher row is first.
    table = position(companies=three(PRR="6,6", NYC="5,6", CPR="4,5"))
    now = operating(table)
    assert who(now) == "NYC"
    now = passed(now)
    assert who(now) == "PRR"
    assert who(passed(now)) == "CPR"


def test_on_one_space_the_top_of_the_stack_operates_first():
    now = operating(position(companies=three(PRR="0,6", NYC="0,6")))
    assert who(now) == "PRR"
    # PRR earned nothing and went left, NYC still has its turn; nobody has a second one.
    then = passed(now)
    assert who(then) == "NYC"


def test_no_company_operates_twice_however_its_marker_moves():
    table = position(companies=three(PRR="0,6", NYC="1,6"))
    now = operating(table, operated=("PRR",))
    assert who(now) == "NYC"
    after = passed(now)
    playing = current_round(after.table)
    assert playing is not None
    assert playing.kind == "stock"


def test_the_order_is_looked_up_again_after_each_turn():
    # Point 8: Ann sells NYC shares for PRR's train; CPR comes before NYC now.
    table = position(
        companies=[
            at("PRR", "0,6", director="ann", ann=5, pool=5, cash=200),
            at("NYC", "1,6", director="bob", ann=2, bob=6, cash=500),
            at("CPR", "2,6", director="bob", bob=6, cash=500),
        ],
        cash={"ann": 0},
        phase="4",
        closed=("SV", "CS", "DH", "MH", "CA", "BO"),
    )
    lying = board(table, {"H14": ("9", 1), "H16": ("57", 1)}, {"PRR": ["H12"]})
    now = given(turn_of(trains(lying, {}, "4"), "PRR", "trains")).awaits("ann")
    now = now.when("ann", SellShares(company("NYC"), ones(2))).accepted()
    offers = [one.command for one in now.listed("ann") if not one.open]
    done = now.when("ann", offers[0]).accepted()
    assert who(done) == "CPR"
    assert who(passed(done, "bob")) == "NYC"


def test_a_company_that_floats_in_the_round_waits_for_the_next():
    table = position(companies=three(PRR="0,6", NYC="1,6"))
    assert who(operating(table, floated=("PRR",))) == "NYC"


def test_a_round_without_companies_ends_at_once():
    table = position(companies=[at("PRR", "0,6", director="ann", ann=3, floated=False)])
    draft = Draft(msgspec.structs.replace(table, rounds={"stock": 2}))
    begin_round(ruleset_of(table), draft, STOCK)
    settle(ruleset_of(table), draft)
    playing = current_round(draft.table)
    assert playing is not None
    assert (playing.kind, playing.number) == ("stock", 3)


def test_what_a_turn_skips_is_recorded():
    table = position(companies=three(PRR="0,6"))
    lying = board(table, tokens={"PRR": ["H12"]})
    now = given(turn_of(trains(lying), "PRR", "track")).when("ann", Pass()).accepted()
    assert not isinstance(now.outcome, Rejection)
    ended = [(one.step, one.because) for one in now.outcome if isinstance(one, e.StepEnded)]
    assert ended == [
        ("track", "passed"),
        ("token", "nothing to do"),
        ("run", "nothing to do"),
        ("dividend", "nothing to do"),
    ]
