"""Listing choices: all of a stock turn, and all tile lays of a late board."""

from benchmarks.deciding import forget
from benchmarks.games import Game, games
from benchmarks.measuring import Benchmark, Figure, calibration, cpu_seconds, in_calibrations
from contracts.choices import Choice
from contracts.commands import LayTile
from contracts.frames import Turn
from contracts.ids import PlayerId
from services.engine.rules.decide import choices
from services.engine.table.agenda import awaited, top
from services.engine.table.state import Table

STOCK_MILLISECONDS, LAYS_MILLISECONDS = "5", "100"


def run(quick: bool) -> list[Figure]:  # noqa: FBT001 - as all benchmarks
    """The choices of the stock turn that has most, and of the last board that tiles are laid on."""
    baseline = calibration()
    found: list[Figure] = []
    for game in games(quick=quick):
        tables = game.tables()
        turns = [table for table in tables if step_of(table) == "stock"]
        boards = [table for table in tables if step_of(table) == "track"]
        if turns:
            widest = max(turns, key=lambda table: len(listed(game, table)))
            found.append(_figure(game, widest, "stock turn", STOCK_MILLISECONDS, baseline))
        if boards:
            latest = max(boards, key=lambda table: (len(table.board.tiles), lays(game, table)))
            name = f"{lays(game, latest)} tile lays"
            found.append(_figure(game, latest, name, LAYS_MILLISECONDS, baseline))
    return found


def step_of(table: Table) -> str:
    """The step of a turn that is waited for, or nothing."""
    frame = top(table)
    return frame.steps[0] if isinstance(frame, Turn) and frame.steps else ""


def listed(game: Game, table: Table) -> tuple[Choice, ...]:
    """The choices of the player who is awaited."""
    player: PlayerId = awaited(table)[0]
    return choices(game.ruleset, table, player)


def lays(game: Game, table: Table) -> int:
    """How many tile lays there are to choose from."""
    return sum(isinstance(choice.command, LayTile) for choice in listed(game, table))


def _figure(game: Game, table: Table, what: str, goal: str, baseline: float) -> Figure:
    def work() -> None:
        forget()
        listed(game, table)

    seconds = cpu_seconds(work, times=15)
    name = f"{what} at version {table.version} of {game.name}"
    return in_calibrations(name, seconds, 1000 * seconds, "ms", baseline=baseline, goal=goal)


CHOOSING = Benchmark("choices", "listing all that a player may do", run)
