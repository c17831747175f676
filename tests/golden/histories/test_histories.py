"""Real games as played on 18xx.games: every action accepted, every state equal, the same end.

The games are not ours to pass on. `MINUTEBOOK_HISTORIES` names the folder that has them (default:
`../shared/histories` beside this project); without it these tests say so and are skipped.
"""

import json
import os
from pathlib import Path

import pytest

from contracts.commands import OpenTable
from contracts.titles.load import titles
from services.histories import compare
from services.histories.export import read
from services.histories.replay import replay, trace_lines
from services.histories.trace import write
from services.histories.translate import Translator

PROJECT = Path(__file__).parents[3]
FOLDER = Path(os.environ.get("MINUTEBOOK_HISTORIES", PROJECT.parent / "shared" / "histories"))
TRACES = ".jsonl.gz"


def histories() -> list[Path]:
    """The histories of titles that have facts."""
    return sorted(
        path
        for title in titles()
        for path in (FOLDER / title).glob("*.json")
        if not path.name.endswith(".setup.json")
    )


def named(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def test_there_are_histories():
    if not histories():
        pytest.skip(f"no histories in {FOLDER}; set MINUTEBOOK_HISTORIES to the folder with them")
    assert all(path.with_suffix(TRACES).exists() for path in histories())


@pytest.mark.parametrize("path", histories(), ids=named)
def test_a_history_is_accepted_to_the_end_with_equal_states(path):
    expected = compare.read(path.with_suffix(TRACES))
    found = replay(read(path), against=expected)
    assert found.first_difference is None
    assert found.accepted == found.steps == len(expected.states) - 1
    assert (found.result, found.reason) == (expected.end["result"], expected.end["reason"])
    assert found.equal


@pytest.mark.parametrize("path", histories(), ids=named)
def test_what_chance_decided_is_drawn_again(path):
    setup = json.loads(path.with_suffix(".setup.json").read_text())
    opening = Translator(read(path)).opening().command
    assert isinstance(opening, OpenTable)
    assert [int(seat.player) for seat in opening.seats] == setup["player_order"]
    drawn = opening.lots
    if "offer_order" not in setup:
        assert not drawn
        return
    playing = drawn["companies"][: len(setup["offer_order"])]
    assert list(playing) == setup["offer_order"]
    assert sorted(drawn["companies"][len(playing) :]) == sorted(setup["discarded"])
    permits = zip(playing, drawn["permits"], strict=False)
    assert {company: [permit] for company, permit in permits} == setup["permits"]


@pytest.mark.parametrize("path", histories(), ids=named)
def test_the_trace_that_we_write_is_read_back_as_the_states_were(path, tmp_path):
    export = read(path)
    found = replay(export, traced=True)
    written = tmp_path / "trace.jsonl.gz"
    write(written, trace_lines(export, found))
    again = compare.read(written)
    for theirs, ours in zip(again.states, found.states, strict=True):
        assert not list(compare.differences(ours, theirs, compare.EVERYTHING))
    assert again.end["result"] == found.result
