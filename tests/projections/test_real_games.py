"""Whole games as people played them: sound, shown rightly, and taken back at any point.

The games are not ours to pass on; `MINUTEBOOK_HISTORIES` names the folder that has them (default:
`../shared/histories` beside this project). Without it these tests say so and are skipped.
"""

import functools
import os
from pathlib import Path
from typing import Any

import pytest

from contracts import events as e
from contracts.book import read, written
from contracts.commands import MakeRequest, Order
from contracts.ids import CommandId
from contracts.records import Record
from contracts.views import PlayerTables
from services.engine.projections import api
from services.engine.projections.audit import audit
from services.engine.projections.tables import of_player
from services.engine.table.fold import tables
from services.engine.table.state import Table, new_table
from services.histories.export import read as read_export
from services.histories.replay import replay
from tests.projections.projected import plain
from tests.tables import sealed

PROJECT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("MINUTEBOOK_HISTORIES", PROJECT.parent / "shared" / "histories"))
GAMES = [path for path in sorted(FOLDER.glob("1830/*.json")) if ".setup" not in path.name]


def test_there_are_games():
    if not GAMES:
        pytest.skip(f"no games in {FOLDER}; set MINUTEBOOK_HISTORIES to the folder with them")


@functools.cache
def records_of(path: Path) -> tuple[Record, ...]:
    return tuple(replay(read_export(path)).records)


def projected(records: tuple[Record, ...]) -> tuple[api.State, list[Table]]:
    id = records[0].order.table
    state, kept = api.start(id), [new_table(id)]
    for record, after in tables(id, records):
        state = api.project(state, record, kept[-1], after)
        kept.append(after)
    return state, kept


def with_undo(records: tuple[Record, ...], to: int) -> tuple[Record, ...]:
    """The records with one more, which goes back to a version."""
    version, last = len(records) + 1, records[-1]
    player = last.order.player
    order = Order(
        last.order.table, CommandId("undo"), player, player, MakeRequest("undo", to), version - 1
    )
    return (*records, Record(version, last.at, "", order, (e.Undone(to, player),)))


games = pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)


@games
def test_a_real_game_is_sound(path):
    records = records_of(path)
    entries = [(entry.body, entry.digest) for entry in sealed(records)]
    report = audit(records[0].order.table, entries, seal=entries[-1][1])
    assert report.fault is None
    assert report.checks["events"] == sum(len(record.events) for record in records)


@games
def test_wealth_ends_at_what_the_players_ended_with(path):
    records = records_of(path)
    state, kept = projected(records)
    shown = api.view(state, kept[-1], "wealth")
    found = {one.player: one.total for one in shown.players}  # type: ignore[union-attr]
    ending = kept[-1].ending
    assert ending is not None
    assert found == {standing.player: standing.total for standing in ending.standings}
    expected = read_export(path).result
    assert not expected or found == {str(player): total for player, total in expected.items()}


@games
def test_a_real_game_taken_back_shows_what_it_showed(path):
    records = records_of(path)
    _, kept = projected(records)
    step = len(records) // 12
    for to in range(step, len(records), step):
        state, again = projected(with_undo(records, to))
        for name in api.NAMES:
            if name != "minutes":
                undone = shown(api.view(state, again[-1], name))
                assert undone == shown(api.view(state, kept[to], name)), (name, to)


def shown(view: Any) -> dict[str, Any]:
    return plain(view, "version", "last_activity")


@games
def test_a_real_game_is_written_to_a_file_and_read_again(path):
    chain = sealed(records_of(path))
    lines = list(written(chain[0].record.order.table, chain))
    assert list(read(lines).sealed) == chain


@games
def test_operating_order_foretells_who_operates_next(path):
    """Whoever is shown to follow first has the next turn, unless a sale or a float came between."""
    records = records_of(path)
    state, kept = projected(records)
    foretold = right = 0
    for record, before in zip(records, kept, strict=False):
        began = [event.turn.who for event in record.events if isinstance(event, e.TurnBegan)]
        companies = [who for who in began if who in before.charters]
        order = api.view(state, before, "order") if before.version else None
        following: tuple[Any, ...] = getattr(order, "following", ())
        moved = any(isinstance(event, e.MarkerMoved | e.CompanyFloated) for event in record.events)
        if companies and following and not moved:
            foretold += 1
            right += following[0].company == companies[0]
    assert 0 < foretold == right


@games
def test_each_table_waits_for_those_whose_command_came_next(path):
    records = records_of(path)
    state, kept = projected(records)
    answered = 0
    for record, before in zip(records[1:], kept[1:], strict=False):
        lines = [api.view(state, before, "tables")]
        mine = of_player(record.order.player, lines)
        assert isinstance(mine, PlayerTables)
        answered += bool(mine.waiting)
    # A private may be exchanged when it is somebody else's turn, and a game be ended by agreement.
    assert answered >= 0.95 * len(records)
