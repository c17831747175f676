"""The lobby at the console: which tables somebody wants to see, and that none of it is stale."""

import json

import msgspec
import pytest

from contracts.views import SeatView, TableLine
from services.console.__main__ import main
from services.console.lobby import picked
from services.console.pictures import lobby
from services.console.screen import plain
from tests.positions import player

ANN, BOB = map(player, ("ann", "bob"))
SEATS = (SeatView(ANN, "Anna", "anna.lee"), SeatView(BOB, "Bob"))


def line(table: str, *waiting, since: int = 0, **more) -> TableLine:
    fields = {"status": "playing", "winners": (), "last_activity": 0, **more}
    return TableLine(
        table=table,
        version=1,
        title="1830",
        title_name="1830",
        seats=SEATS,
        round="stock round 1",
        phase="2",
        waiting=waiting,
        waiting_since=since,
        **fields,
    )


LINES = (
    line("a", BOB, since=3),
    line("b", ANN, since=2),
    line("c", ANN, since=1),
    line("d", BOB, since=4, answering=(ANN,)),
    line("e", status="over", winners=(BOB,)),
)


def names(person=None, *, running=False, finished=False) -> list[str]:
    return [one.table for one in picked(LINES, person, running=running, finished=finished)]


def test_all_tables_are_shown_in_the_order_of_the_lobby():
    assert names() == ["a", "b", "c", "d", "e"]


def test_running_and_finished_tables_may_be_asked_for():
    assert names(running=True) == ["a", "b", "c", "d"]
    assert names(finished=True) == ["e"]


def test_tables_wait_for_a_person_by_his_own_name_or_his_seats_the_longest_waiting_first():
    assert names("anna.lee") == ["c", "b", "d"]
    assert names("bob") == ["a", "d"]
    assert names("ann") == []
    assert names("eve") == []


def test_the_picture_says_who_has_a_request_to_answer():
    text = plain(lobby([msgspec.structs.replace(LINES[3])]))
    assert "bob, ann (to answer)" in text


def test_running_and_finished_together_are_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MINUTEBOOK_DATA", str(tmp_path))
    assert main(["tables", "--running", "--finished"]) == 2
    assert "name one of the two" in capsys.readouterr().err


@pytest.mark.slow
def test_no_line_is_stale_although_each_command_stops_its_projector(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("MINUTEBOOK_DATA", str(tmp_path))
    monkeypatch.delenv("MINUTEBOOK_REDIS", raising=False)

    def told(*call: str) -> str:
        assert main(list(call)) == 0
        return capsys.readouterr().out

    told("open", "1830", "ann", "bob", "--table", "friday", "--seed", "7")
    told("do", "friday", "ann", "bid", "SV", "20")
    found = json.loads(told("tables", "--waiting-for", "bob", "--json"))
    assert (found["table"], found["version"], found["waiting"]) == ("friday", 2, ["bob"])
    listed = [json.loads(one) for one in told("choices", "friday", "ann", "--json").splitlines()]
    assert {one["beside"] for one in listed} == {True}
    shown = told("choices", "friday", "ann")
    assert shown.startswith("Beside the game:\n")
    assert told("show", "friday", "programmes") == "Nobody has left a move to the server.\n"
    assert told("show", "friday", "requests") == "Nobody has asked for anything.\n"
    assert main(["show", "friday", "clock"]) == 1
    assert "has no clock" in capsys.readouterr().err
    assert main(["do", "friday", "ann", "hours Europe/Berlinn from 08:00 to 20:00"]) == 2
    assert "Did you mean Europe/Berlin?" in capsys.readouterr().err
