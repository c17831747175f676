"""Time that is up: the neutral move, and what else the settings may say. Proposals withdrawn."""

from random import Random

import pytest

from contracts import events as e
from contracts.clocking import Clocking
from contracts.commands import Answer, CallTime, OpenTable, Order, Pass, TradePrivate, Withdraw
from contracts.ids import CommandId, FrameId, TableId, TitleId
from contracts.people import CLOCK, NOBODY
from contracts.pieces import Seat, Settings
from contracts.programmes import Held, OnlyChoice
from contracts.records import Record
from contracts.rejections import Code, Rejection
from services.engine.rules.beside.neutral import neutral_command
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_for, ruleset_of
from services.engine.table.agenda import awaited
from services.engine.table.change import changed
from services.engine.table.fold import applied
from services.engine.table.state import Beside, Table, new_table
from services.players.play import next_order
from tests.positions import TABLE, at, company, player, position, stock_round

SV = company("SV")
ANN, BOB, CID, DAN = map(player, ("ann", "bob", "cid", "dan"))


def table(then: str, people: dict | None = None, **more) -> Table:
    there = position(companies=[at("PRR", "0,6", director="bob", bob=4)], privates={"SV": "ann"})
    settings = Settings(clock=Clocking(60, then=then, **more))
    return changed(stock_round(there), settings=settings, beside=Beside(people=people or {}))


def called(there: Table, who: str = "ann", frame: FrameId | None = None, sender: str = CLOCK):
    frame = frame or there.agenda[-1].id
    order = Order(TABLE, CommandId("c"), sender, player(who), CallTime(frame))
    return decide(ruleset_of(there), there, order)


def after(there: Table, who: str, command) -> Table:
    question = there.agenda[-1].id if type(command) is Answer else None
    order = Order(TABLE, CommandId("c"), who, player(who), command, there.version, question)
    events = decide(ruleset_of(there), there, order)
    assert not isinstance(events, Rejection), events
    return applied(there, Record(there.version + 1, 0, "", order, events))


def test_a_call_and_nothing_else():
    frame = table("call").agenda[-1].id
    assert called(table("call")) == (e.TimeCalled(ANN, frame, "call"),)


def test_a_neutral_move_ends_the_turn():
    there = table("neutral")
    events = called(there)
    kinds = [type(event).__name__ for event in events]
    assert kinds[:2] == ["TimeCalled", "Passed"]
    assert events[1].player == ANN
    assert isinstance(events[-1], e.TurnBegan)
    assert events[-1].turn.who == BOB


@pytest.mark.parametrize("then", ["neutral", "call"])
def test_a_question_of_consent_is_refused_for_whoever_does_not_answer(then):
    """Also where time is only called: silence is a no, so that whoever proposed it can go on."""
    there = after(table(then), "ann", TradePrivate(SV, BOB, 30))
    events = called(there, "bob")
    answers = [event.answer for event in events if isinstance(event, e.QuestionAnswered)]
    assert answers == ["no"]
    assert [event.because for event in events if isinstance(event, e.QuestionClosed)] == ["refused"]


def test_beside_seats_that_all_resigned_the_last_players_programme_stops_after_a_round():
    held = Held(FrameId("1.0"), ANN, OnlyChoice())
    people = dict.fromkeys((BOB, CID, DAN), NOBODY)
    there = table("resign", people)
    there = changed(there, beside=Beside(people=people, programmes=(held,)))
    events: e.Events = ()
    while not any(isinstance(event, e.RoundEnded) for event in events):
        assert there.beside.programmes == (held,)
        (waiting,) = awaited(there)
        if waiting == ANN:
            there = after(there, "ann", Pass())
            continue
        found = called(there, waiting)
        assert not isinstance(found, Rejection), found
        events = found
        order = Order(TABLE, CommandId("c"), CLOCK, waiting, CallTime(there.agenda[-1].id))
        there = applied(there, Record(there.version + 1, 0, "", order, events))
    assert [event for event in events if isinstance(event, e.ProgrammeStopped)] == [
        e.ProgrammeStopped(held, "alone", DAN)
    ]
    assert there.beside.programmes == ()


@pytest.mark.parametrize("then", ["call", "neutral", "substitute", "resign"])
def test_time_is_called_only_for_whom_the_table_waits_in_the_frame_that_it_waits_in(then):
    there = table(then)
    for who, frame in (("bob", there.agenda[-1].id), ("ann", there.agenda[0].id)):
        refused = called(there, who, frame)
        assert isinstance(refused, Rejection)
        assert refused.code == Code.QUESTION_CLOSED
    moved = after(there, "ann", Pass())
    late = called(moved, "ann", there.agenda[-1].id)
    assert isinstance(late, Rejection)
    paused = changed(there, beside=changed(there.beside, paused=True))
    assert isinstance(called(paused), Rejection)


def test_the_next_substitute_takes_the_seat_and_after_the_last_the_moves_are_neutral():
    people = {ANN: "Andrea", BOB: "Eva"}
    there = table("substitute", people, substitutes=("Eva", "Frida"))
    events = called(there)
    assert events[1:] == (e.SeatTaken(ANN, "Frida", there.version + 1),)
    none_left = table("substitute", people, substitutes=("Eva",))
    assert isinstance(called(none_left)[1], e.Passed)


def test_no_substitute_takes_a_seat_again_from_one_who_was_named_after_him():
    """Or two who never come would have the seat in turn for ever, and nobody would move."""
    named = {"substitutes": ("Eva", "Frida")}
    there = table("substitute", {ANN: "Frida"}, **named)
    assert isinstance(called(there)[1], e.Passed)
    first = table("substitute", {ANN: "Eva"}, **named)
    assert called(first)[1:] == (e.SeatTaken(ANN, "Frida", first.version + 1),)


def test_whoever_resigns_leaves_a_seat_that_makes_neutral_moves():
    events = called(table("resign", {ANN: "Andrea"}))
    assert e.SeatTaken(ANN, NOBODY, table("resign").version + 1) in events
    assert any(isinstance(event, e.Passed) for event in events)
    again = called(table("resign", {ANN: NOBODY}))
    assert not any(isinstance(event, e.SeatTaken) for event in again)


def test_a_game_ends_that_everybody_has_resigned():
    gone = dict.fromkeys(table("resign").order, NOBODY)
    events = called(table("resign", {**gone, ANN: "Andrea"}))
    assert isinstance(events[-1], e.GameEnded)
    assert events[-1].because == "resigned"


def test_a_proposal_is_withdrawn_by_whoever_made_it_and_by_nobody_else():
    there = after(table("call"), "ann", TradePrivate(SV, BOB, 30))
    question = there.agenda[-1].id
    for who, frame, code in (
        ("bob", question, Code.WRONG_STEP),
        ("cid", question, Code.NOT_YOUR_TURN),
        ("ann", FrameId("0.0"), Code.QUESTION_CLOSED),
    ):
        order = Order(TABLE, CommandId("c"), who, player(who), Withdraw(frame), there.version)
        refused = decide(ruleset_of(there), there, order)
        assert isinstance(refused, Rejection)
        assert refused.code == code, refused
    back = after(there, "ann", Withdraw(question))
    assert awaited(back) == (ANN,)
    # It was not refused, so it may be proposed again.
    assert awaited(after(back, "ann", TradePrivate(SV, BOB, 30))) == (BOB,)


# --- whole games -----------------------------------------------------------------------------

GAMES = [
    ("1830", 4, 1, 1500),
    ("1830", 3, 2, 1500),
    ("1862", 3, 3, 1200),
    ("1862", 5, 4, 1200),
    ("1862", 4, 5, 1200),
]
CALLED_ONE_IN = 8


@pytest.mark.parametrize(("title", "players", "seed", "most"), GAMES)
def test_there_is_a_neutral_move_for_everybody_who_is_waited_for_and_it_is_accepted(
    title, players, seed, most
):
    seats = tuple(Seat(player(n), n) for n in ("ann", "bob", "cid", "dan", "eve")[:players])
    settings = Settings(clock=Clocking(60, then="neutral"))
    command = OpenTable(TitleId(title), seats, seed, settings=settings)
    ruleset = ruleset_for(command)
    assert not isinstance(ruleset, Rejection)
    there = new_table(TableId("t"))
    order = Order(there.id, CommandId("open"), "ann", ANN, command)
    lots, calls = Random(seed), 0
    for _ in range(most):
        events = decide(ruleset, there, order)
        assert not isinstance(events, Rejection), (order, events)
        there = applied(there, Record(there.version + 1, 0, "", order, events))
        if there.ending is not None and there.ending.over:
            break
        for waiting in awaited(there):
            choice = neutral_command(ruleset, there, waiting)
            assert choice is not None
            version = None if choice.question else there.version
            moved = Order(
                there.id, CommandId("n"), "x", waiting, choice.command, version, choice.question
            )
            assert not isinstance(decide(ruleset, there, moved), Rejection), choice
        house = next_order(ruleset, there, seed)
        assert house is not None
        order = house
        if lots.randrange(CALLED_ONE_IN) == 0:
            calls += 1
            order = Order(
                there.id, CommandId("n"), CLOCK, awaited(there)[-1], CallTime(there.agenda[-1].id)
            )
    assert calls > 20
