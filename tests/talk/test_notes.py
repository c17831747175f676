"""Private notes: only who wrote them sees them, at any table, and may change them."""

import asyncio

import pytest

from contracts import talk
from contracts.rejections import Code, Rejection
from contracts.talk import Note
from tests.talk.parlour import FRIDAY, Parlour

pytestmark = pytest.mark.anyio


@pytest.fixture
async def parlour(at):
    one = Parlour(at)
    await one.open()
    return one


async def test_notes_are_their_writers_own_and_one_need_not_sit_there(parlour):
    for who in ("Andrea", "Olga"):
        note = await parlour.talk.write_note(FRIDAY, who, f"{who} thinks")
        assert isinstance(note, Note)
        assert (note.version, note.written) == (1, note.changed)
    assert await parlour.notes("Andrea") == ["Andrea thinks"]
    assert await parlour.notes("Olga") == ["Olga thinks"]
    assert await parlour.notes("Boris") == []
    assert await parlour.hears("Andrea") == [], "a note is no line of chat"


async def test_what_a_program_notes_is_its_persons(parlour):
    await parlour.talk.write_note(FRIDAY, "Andrea/robot", "Sold out in phase 4")
    assert await parlour.notes("Andrea") == ["Sold out in phase 4"]
    assert await parlour.talk.remove_note(FRIDAY, "Boris", "x") is False


async def test_a_note_is_changed_in_its_place_and_taken_away(parlour):
    first = await parlour.talk.write_note(FRIDAY, "Andrea", "one", id="a")
    await parlour.talk.write_note(FRIDAY, "Andrea", "two", id="b")
    changed = await parlour.talk.write_note(FRIDAY, "Andrea", "one, better", id="a")
    assert await parlour.notes("Andrea") == ["one, better", "two"]
    assert (changed.written, changed.version) == (first.written, first.version)
    assert changed.changed >= first.changed
    assert await parlour.talk.remove_note(FRIDAY, "Andrea", "a") is True
    assert await parlour.talk.remove_note(FRIDAY, "Andrea", "a") is False
    assert await parlour.notes("Andrea") == ["two"]
    await parlour.talk.remove_note(FRIDAY, "Andrea", "b")
    key = talk.notes(parlour.at.partition_of(FRIDAY), FRIDAY)
    assert await parlour.at.client.hgetall(key) == {}


async def test_notes_of_two_windows_at_once_are_both_kept(parlour):
    writing = [parlour.talk.write_note(FRIDAY, "Andrea", f"{n}", id=f"{n}") for n in range(8)]
    await asyncio.gather(*writing)
    assert sorted(await parlour.notes("Andrea")) == [f"{n}" for n in range(8)]


async def test_notes_have_their_bounds(parlour, monkeypatch):
    async def refused(text: str, **more) -> Code | None:
        found = await parlour.talk.write_note(FRIDAY, "Andrea", text, **more)
        return found.code if isinstance(found, Rejection) else None

    assert await refused(" ") == Code.BAD_TEXT
    assert await refused("x" * (talk.NOTE_MOST + 1)) == Code.BAD_TEXT
    assert await refused("x" * talk.NOTE_MOST) is None
    assert await refused("x", id="") == Code.BAD_TEXT
    monkeypatch.setattr(talk, "NOTES_MOST", 2)
    assert await refused("second", id="2") is None
    assert await refused("third") == Code.TOO_MUCH
    assert await refused("second, changed", id="2") is None
