"""Applying events: what every reader of a minute book does."""

from collections.abc import Callable

from benchmarks.games import Game, games
from benchmarks.measuring import Benchmark, Figure, calibration, cpu_seconds, in_calibrations
from services.engine.table.evolve import evolve_all
from services.engine.table.state import new_table

LONG = 3000
"""Events of a long game."""


def run(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """Apply the events of each game, and as many as a long one has."""
    baseline = calibration()
    found: list[Figure] = []
    for game in games(quick=quick):
        each = cpu_seconds(applying(game, game.events)) / game.events
        name = f"an event of {game.name}"
        found.append(
            in_calibrations(name, 1000 * each, 1e6 * each, "µs", baseline=baseline, goal="17")
        )
    game = max(games(quick=quick), key=lambda game: game.events)
    seconds = cpu_seconds(applying(game, LONG))
    name = f"{LONG:,} events, as in {game.name}"
    long = in_calibrations(name, seconds, 1000 * seconds, "ms", baseline=baseline, goal="50")
    return [*found, long]


def applying(game: Game, count: int) -> Callable[[], None]:
    """Work that applies so many events of a game, from the opening on; again if it has fewer."""
    events = [event for record in game.records for event in record.events]
    opened = new_table(game.records[0].order.table)

    def work() -> None:
        left = count
        while left > 0:
            evolve_all(opened, events[:left])
            left -= len(events)

    return work


EVOLVING = Benchmark("evolve", "applying events to a table", run)
