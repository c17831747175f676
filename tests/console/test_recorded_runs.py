"""`replay --runs`: each run of a game beside the best that there was, in every title."""

import os
from pathlib import Path

import msgspec
import pytest

from contracts.events import RoutesRun
from contracts.ids import TableId
from services.console.recorded_runs import PlayedAndBest, recorded_runs
from services.histories.export import read
from services.histories.replay import replay
from services.histories.translate import HISTORY
from tests.console.calls import ROOT, minutebook
from tests.play.played import GAMES, MORE_TITLES, played

FOLDER = Path(os.environ.get("MINUTEBOOK_HISTORIES", ROOT.parent / "shared" / "histories"))
HISTORIES = [path for path in sorted(FOLDER.glob("*/*.json")) if ".setup" not in path.name]
needs_histories = pytest.mark.skipif(
    not HISTORIES, reason=f"no games in {FOLDER}; set MINUTEBOOK_HISTORIES to the folder with them"
)
KEYS = (
    *("step", "company", "trains", "played", "played_subsidy"),
    *("best", "best_subsidy", "proven", "milliseconds"),
)


def lines_of(records, table=HISTORY):
    """The lines, one for each run, none of which is below what was played."""
    lines = recorded_runs(TableId(table), records, lambda _done, _of: None)
    ran = [event for record in records for event in record.events if isinstance(event, RoutesRun)]
    assert [(line.company, line.played, line.played_subsidy) for line in lines] == [
        (run.company, run.revenue, run.subsidy) for run in ran
    ]
    for line in lines:
        assert (line.best, line.best_subsidy) >= (line.played, line.played_subsidy), line
        assert line.trains, line
    return lines


@pytest.mark.slow
@needs_histories
@pytest.mark.parametrize("file", HISTORIES, ids=lambda path: path.stem)
def test_no_run_of_a_history_beats_the_best_which_is_proven(file):
    lines = lines_of(replay(read(file)).records)
    assert lines
    assert all(line.proven for line in lines)


@pytest.mark.parametrize("game", [GAMES[0], MORE_TITLES[0]], ids=lambda game: game[0])
def test_no_run_of_house_players_beats_the_best_and_some_earn_it(game):
    found = played(*game)
    assert found.failure is None, found.failure
    # What an undo has taken back was played too.
    lines = lines_of(found.records, found.plan.name)
    assert any(line.best == line.played > 0 for line in lines)


@pytest.mark.slow
@needs_histories
def test_the_file_has_a_line_of_json_for_each_run(tmp_path):
    out = tmp_path / "runs.jsonl"
    called = minutebook(tmp_path, "replay", HISTORIES[0], "--runs", out)
    assert called.code == 0, called.errors
    lines = out.read_bytes().splitlines()
    assert lines
    for line in lines:
        assert tuple(msgspec.json.decode(line)) == KEYS
        assert msgspec.json.decode(line, type=PlayedAndBest).milliseconds >= 0
