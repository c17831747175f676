"""Best runs: those of whole games, and of named boards that are harder than games make them."""

import time
from collections.abc import Callable

from benchmarks.games import Game, games
from benchmarks.measuring import (
    Benchmark,
    Figure,
    calibration,
    cpu_seconds,
    in_calibrations,
    quantile,
)
from contracts.events import RoutesRun
from contracts.titles.facts import Facts
from contracts.titles.load import facts as facts_of
from contracts.titles.load import titles
from services.engine.rules.network.best import Best, best
from services.engine.rules.network.readings import readings_of, runs_are_united
from services.engine.rules.track.surveys import running_trains
from tests.network.boards import last_phase, random_board, trains_of, unlimited
from tests.network.recorded_united import runners
from tests.network.united_boards import united_board

GAMES_MILLISECONDS = {0.5: "", 0.95: "50", 1.0: "500"}
HARD_MILLISECONDS = "2000"


def run(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """Search for the best run wherever trains ran in the games, and on the hard boards."""
    baseline = calibration()
    found: list[Figure] = []
    for game in games(quick=quick):
        took = sorted(of_game(game))
        for part, goal in GAMES_MILLISECONDS.items() if took else ():
            words = {0.5: "median", 0.95: "95 of 100", 1.0: "the longest"}[part]
            seconds = quantile(took, part)
            name = f"{words} of {len(took)} runs of {game.name}"
            found.append(
                in_calibrations(name, seconds, 1000 * seconds, "ms", baseline=baseline, goal=goal)
            )
    for name, work in hard(quick=quick):
        answers: list[Best] = []
        seconds = cpu_seconds(lambda work=work, into=answers: into.append(work()), times=2)  # type: ignore[misc]
        proven = "proven" if answers[0].proven else f"at most {answers[0].bound}"
        told = f"{name}: {answers[0].revenue}, {proven}"
        found.append(
            in_calibrations(
                told, seconds, 1000 * seconds, "ms", baseline=baseline, goal=HARD_MILLISECONDS
            )
        )
    return found


def of_game(game: Game) -> list[float]:
    """The CPU time of the search wherever a company ran its trains."""
    took: list[float] = []
    readings = readings_of(game.ruleset.rulings)
    for record, table in zip(game.records, game.tables(), strict=False):
        for event in record.events:
            if isinstance(event, RoutesRun):
                trains = running_trains(game.ruleset, table, event.company)
                began = time.process_time()
                best(
                    game.ruleset.facts,
                    table.board,
                    table.phase,
                    event.company,
                    trains,
                    readings=readings,
                )
                took.append(time.process_time() - began)
    return took


def hard(*, quick: bool) -> list[tuple[str, Callable[[], Best]]]:
    """Named boards, each drawn from a seed, with a search for the best run on it."""
    found: list[tuple[str, Callable[[], Best]]] = []
    for title in titles():
        facts = facts_of(title)
        made = _united(facts, title) if runs_are_united(facts) else _apart(facts, title)
        found += made[:1] if quick else made
    return found


def _apart(facts: Facts, title: str) -> list[tuple[str, Callable[[], Best]]]:
    """Trains that share no track, on dense boards with tiles without end."""
    box = unlimited(facts)
    kinds: dict[str, tuple[int, int, int, tuple[int | None, ...]]] = {
        "a few hexes, four trains": (3, 30, 2, (2, 3, 4, 5)),
        "dense, four long trains": (7, 260, 6, (6, 6, 5, 5)),
        "dense, six trains": (8, 260, 6, (3, 4, 5, 6, 6, 5)),
        "dense, two diesels beside a 5 and a 6": (7, 260, 6, (5, 6, None, None)),
    }

    def search(seed: int, lays: int, radius: int, trains: tuple[int | None, ...]) -> Best:
        board, company = random_board(box, seed, lays, radius)
        return best(box, board, last_phase(box), company, trains_of(*trains))

    return [
        (f"{title}: {name}", lambda kind=kind: search(*kind))  # type: ignore[misc]
        for name, kind in kinds.items()
    ]


def _united(facts: Facts, title: str) -> list[tuple[str, Callable[[], Best]]]:
    """Trains that share track and hang together from home, on boards of the box's own tiles."""
    kinds: dict[str, tuple[int, int, int, tuple[str, ...]]] = {
        "a few hexes, three sides": (1, 40, 2, ("2/3E", "2/3L", "3F")),
        "freights in a chain": (2, 90, 3, ("2F", "3F", "6F", "7F")),
        "locals and an express": (3, 120, 4, ("2L", "2/3L", "2/3L", "3E")),
        "five of all sides": (7, 200, 5, ("2/3E", "3E", "2/3L", "2/3L", "7F")),
        "five freights": (5, 200, 5, ("3F", "3F", "6F", "7F", "7F")),
        "five freights, wider": (9, 200, 5, ("3F", "3F", "6F", "7F", "7F")),
    }

    def search(seed: int, lays: int, radius: int, trains: tuple[str, ...]) -> Best:
        board, company = united_board(facts, seed, lays, radius)
        return best(facts, board, last_phase(facts), company, runners(facts, *trains))

    return [
        (f"{title}: {name}", lambda kind=kind: search(*kind))  # type: ignore[misc]
        for name, kind in kinds.items()
    ]


RUNNING = Benchmark("runs", "searching for the best runs", run)
