"""Deciding: whole games again, order by order, with nothing worked out about their boards."""

import time

from benchmarks.games import Game, games
from benchmarks.measuring import (
    Benchmark,
    Figure,
    calibration,
    cpu_seconds,
    in_calibrations,
    quantile,
)
from services.engine.rules.decide import decide
from services.engine.rules.network import graph, plain
from services.engine.rules.track import surveys
from services.engine.table.fold import applied
from services.engine.table.state import new_table

GOAL = "7,350 to 14,700"
"""Five times what the engine of 18xx.games was measured to do, by the title."""
COMMAND_MILLISECONDS = "200"
"""What no command may take."""


def run(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """Decide every order of each game, and apply its record; the longest single order too."""
    baseline = calibration()
    found: list[Figure] = []
    for game in games(quick=quick):
        count = len(game.records)
        seconds = cpu_seconds(lambda game=game: again(game), most_seconds=3.0)  # type: ignore[misc]
        rate = count / seconds
        name = f"orders of {game.name}"
        found.append(
            in_calibrations(
                name, 1000 * seconds / count, rate, "per second", baseline=baseline, goal=GOAL
            )
        )
        slowest = worst(game)
        for part, words in ((0.99, "99 of 100"), (1.0, "the longest")):
            name = f"an order of {game.name}, {words}"
            took = quantile(slowest, part)
            found.append(
                in_calibrations(
                    name, took, 1000 * took, "ms", baseline=baseline, goal=COMMAND_MILLISECONDS
                )
            )
    return found


def forget() -> None:
    """Forget what has been worked out about boards: a server meets them for the first time."""
    for module in (surveys, graph, plain):
        for kept in vars(module).values():
            clear = getattr(kept, "cache_clear", None)
            if clear is not None:
                clear()


def again(game: Game) -> None:
    """Decide and apply a whole game."""
    forget()
    table = new_table(game.records[0].order.table)
    for record in game.records:
        decide(game.ruleset, table, record.order)
        table = applied(table, record)


def worst(game: Game) -> list[float]:
    """The CPU time of each order, the least of three, in order of time."""
    runs: list[list[float]] = []
    for _ in range(3):
        forget()
        table, took = new_table(game.records[0].order.table), []
        for record in game.records:
            began = time.process_time()
            decide(game.ruleset, table, record.order)
            took.append(time.process_time() - began)
            table = applied(table, record)
        runs.append(took)
    return sorted(map(min, zip(*runs, strict=True)))


DECIDING = Benchmark("decide", "deciding whole games again", run)
