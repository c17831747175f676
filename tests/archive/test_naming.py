"""Another name in place of a person's: wherever he is meant, nowhere else, and back again."""

import msgspec
import pytest

from contracts.clocking import Clocking
from contracts.commands import AssignSeat, LayTile, OpenTable, Order, StartCompany
from contracts.events import SeatTaken, SharesBought
from contracts.ids import FrameId
from contracts.notices import Notice
from contracts.pieces import Seat, Settings
from contracts.records import Record, encode
from contracts.rejections import Code, Rejection
from services.archive.naming import Names, in_words, mark, renamed
from services.clock.reckoning import Due, Running
from services.clock.timers import call
from tests import examples

ANN = Names({"ann": "removed-1"}, {"ann": "removed-1"}, {"Ann": "Removed-1"})


def anew(message, names, kind=None):
    """A message as it is after a renaming."""
    plain = msgspec.msgpack.decode(msgspec.msgpack.encode(message))
    kind = type(message) if kind is None else kind
    return msgspec.msgpack.decode(msgspec.msgpack.encode(renamed(kind, plain, names)), type=kind)


def order(command, player="ann", sender="ann", id="c1"):
    return Order("friday", id, sender, player, command, 3)


def record(command, *events):
    return Record(1, 5, "0.1", order(command), events)


@pytest.mark.parametrize("event", examples.EVENTS, ids=lambda event: type(event).__name__)
def test_no_event_names_her_any_more_and_it_can_be_turned_round(event):
    before = record(examples.COMMANDS[0], event)
    after = anew(before, ANN)
    body = encode(after)
    assert b"\xa3ann" not in body
    assert b"\xa3Ann" not in body
    assert anew(after, ANN.turned_round()) == before


@pytest.mark.parametrize("command", examples.COMMANDS, ids=lambda one: type(one).__name__)
def test_no_command_names_her_any_more_and_it_can_be_turned_round(command):
    before = record(command)
    after = anew(before, ANN)
    assert b"\xa3ann" not in encode(after)
    assert anew(after, ANN.turned_round()) == before


@pytest.mark.parametrize("name", ["H10", "PRR", "57", "pool", "stock", "OpenTable", "all"])
def test_a_person_who_is_called_like_a_piece_leaves_the_pieces_alone(name):
    names = Names({}, {name: "removed-1"}, {})
    lay = record(LayTile("H10", "57", 0), SharesBought("bob", "PRR", "pool", {"1": 1}, {}, ()))
    lay = msgspec.structs.replace(lay, order=order(lay.order.command, "bob", sender=name))
    after = anew(lay, names)
    assert after.order.sender == "removed-1"
    assert after.order.command == lay.order.command
    assert after.events == lay.events


def test_a_seat_keeps_its_own_name_if_another_person_took_it():
    names = Names({}, {"zoe": "removed-1"}, {})
    before = record(AssignSeat("ann", "zoe"), SeatTaken("ann", "zoe", 4))
    after = anew(before, names)
    assert after.order.command == AssignSeat("ann", "removed-1")
    assert after.events == (SeatTaken("ann", "removed-1", 4),)


def test_people_stand_in_seats_settings_and_among_substitutes():
    names = Names({"ann": "removed-1-seat"}, {"x17": "removed-1"}, {"Ann Lee": "Removed-1"})
    opening = OpenTable(
        "1830",
        (Seat("ann", "Ann Lee", "x17"), Seat("bob", "Bob", "x18")),
        7,
        settings=Settings(host="ann", clock=Clocking(substitutes=("x17", "eve"))),
        shuffled=True,
        lots={"seats": ("bob", "ann")},
    )
    after = anew(record(opening), names).order.command
    assert after.seats[0] == Seat("removed-1-seat", "Removed-1", "removed-1")
    assert after.settings.host == "removed-1-seat"
    assert after.settings.clock.substitutes == ("removed-1", "eve")
    assert after.lots == {"seats": ("bob", "removed-1-seat")}


def test_a_program_of_hers_stays_a_program():
    after = anew(record(StartCompany("PRR", 100)), ANN)
    robot = msgspec.structs.replace(record(StartCompany("PRR", 100)).order, sender="ann/robot")
    assert anew(robot, ANN).sender == "removed-1/robot"
    assert after.order.command == StartCompany("PRR", 100)


def test_a_refusal_names_her_no_more_in_its_sentences():
    refusal = Rejection(Code.NOT_YOUR_TURN, "design", "Nobody waits for ann.", "Ask Ann's friend.")
    after = anew(refusal, ANN)
    assert after.sentence == "Nobody waits for removed-1."
    assert after.legal == "Ask Removed-1's friend."


def test_a_notice_names_her_no_more():
    notice = Notice(
        id="friday/7/ann/turn/0",
        table="friday",
        player="ann",
        kind="turn",
        version=7,
        title="1830",
        words="You have to act.",
        made=5,
        happened=("Ann passed.",),
        mentions=("ann", "bob"),
        person="ann",
    )
    body = msgspec.msgpack.encode(anew(notice, ANN))
    assert b"ann" not in body.lower()


def test_an_id_that_a_client_made_of_her_name_is_renamed_as_a_word_only():
    assert ANN.id("ann-17") == "removed-1-17"
    assert ANN.id("channel-annual") == "channel-annual"


def test_the_id_of_the_clocks_call_is_hers_no_more():
    due = Due(Running(FrameId("40.0"), "ann", 41, 5, 0), 40, 100, ())
    after = Due(Running(FrameId("40.0"), "removed-1", 41, 5, 0), 40, 100, ())
    assert mark("ann") in call("friday", due).id
    assert ANN.id(call("friday", due).id) == call("friday", after).id


def test_a_name_in_words_is_the_whole_word():
    assert in_words("Annie and Ann, (Ann)", "Ann", "X") == "Annie and X, (X)"
