"""`soak`: whole games at random, with everything that must always hold looked at all the way."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from services.console.options import AsJson, Flag

if TYPE_CHECKING:
    from services.soak.coverage import Coverage
    from services.soak.game import Soaked
    from services.soak.openings import Plan

EXAMPLE: Final = "soak --games 20 --seed 7"


def soak(
    *,
    title: str | None = None,
    games: int = 10,
    players: int | None = None,
    seed: int | None = None,
    light: Flag = False,
    keep: Path = Path("soak-failures"),
    as_json: AsJson = False,
) -> int:
    """Play whole games at random and look at everything that must always hold.

    House players play to the end; near-legal orders, undos and requests are thrown in. Game n has
    seed + n and is the same on every machine. What fails is kept as a small minute book with a
    note of how it fails. The exit code is 0 only if nothing failed.

    Parameters
    ----------
    title
        The title; each that can be played in turn if none is named.
    games
        How many games.
    players
        How many players; every number that can play in turn if none is named.
    seed
        The seed of the first game; drawn, and told, if none is given.
    light
        Try less beside the play, to get through more games.
    keep
        The folder for games that failed.
    as_json
        Print one object of JSON.
    """
    from secrets import randbelow

    from services.console.screen import progress, say
    from services.soak.coverage import Coverage
    from services.soak.game import DEFAULT, LIGHT, soaked

    first = randbelow(2**31) if seed is None else seed
    say(f"Seed {first}.")
    coverage = Coverage()
    found: list[Soaked] = []
    with progress(f"playing {games} games") as advance:
        for number, plan in enumerate(_plans(title, games, players, first), 1):
            game = soaked(plan, LIGHT if light else DEFAULT)
            found.append(game)
            coverage.add(game.coverage)
            if game.failure is not None:
                say(f"{plan.name}: {game.failure.check}: {game.failure.sentence}", "red")
                say(f"Kept in {_kept(game, keep)}.")
            advance(number, games)
    failed = [game for game in found if game.failure is not None]
    if as_json:
        _print_json(first, found, coverage)
    else:
        _print(found, coverage)
        say(f"{len(failed)} of {len(found)} games failed.", "red" if failed else "green")
    return 1 if failed else 0


def _plans(title: str | None, games: int, players: int | None, first: int) -> "list[Plan]":
    from contracts.ids import TitleId
    from contracts.titles.load import titles
    from services.console.errors import BadInputError
    from services.soak.openings import Plan, players_of

    if title is not None and title not in titles():
        raise BadInputError(f"{title!r} cannot be played. Titles: {', '.join(titles())}.")
    if games < 1:
        raise BadInputError("--games: at least 1.")
    names = titles() if title is None else (TitleId(title),)
    plans: list[Plan] = []
    for number in range(games):
        name = names[number % len(names)]
        able = players_of(name)
        if players is not None and players not in able:
            raise BadInputError(f"--players: {name} is for {able[0]} to {able[-1]}.")
        seats = able[number // len(names) % len(able)] if players is None else players
        plans.append(Plan(name, seats, first + number))
    return plans


def _kept(game: "Soaked", folder: Path) -> Path:
    """Write the shortest beginning of a game that fails, and how it does."""
    import msgspec

    from contracts.plain import to_plain
    from services.console.books import chained, write_book
    from services.soak.shorten import shortened

    records, failure = shortened(game)
    plan = game.plan
    folder.mkdir(parents=True, exist_ok=True)
    again = f"soak --title {plan.title} --players {plan.players} --games 1 --seed {plan.seed}"
    told = {"failure": to_plain(failure), "again": again, "records": len(records)}
    note = folder / f"{plan.name}.json"
    note.write_bytes(msgspec.json.format(msgspec.json.encode(told)) + b"\n")
    if not records:
        return note
    book = folder / f"{plan.name}.jsonl"
    write_book(book, plan.name, chained(records))
    return book


def _print(found: "list[Soaked]", coverage: "Coverage") -> None:
    from services.console.screen import show, table
    from services.soak.coverage import known

    games = table(("game", "records", "end"), right=("records",))
    for game in found:
        failed = game.failure.check if game.failure else None
        games.add_row(game.plan.name, str(len(game.records)), failed or game.because or "none")
    show(games)
    reached = table(("kind", "reached", "of", "not reached"), right=("reached", "of"))
    missing = coverage.missing()
    for kind, names in known().items():
        lacking = missing.get(kind, [])
        reached.add_row(kind, str(len(names) - len(lacking)), str(len(names)), ", ".join(lacking))
    show(reached)


def _print_json(seed: int, found: "list[Soaked]", coverage: "Coverage") -> None:
    import msgspec

    from contracts.plain import to_plain
    from services.console.screen import data

    told = {
        "seed": seed,
        "games": [
            {
                "game": game.plan.name,
                "records": len(game.records),
                "end": game.because,
                "failure": to_plain(game.failure) if game.failure else None,
            }
            for game in found
        ],
        "reached": coverage.counts,
        "missing": coverage.missing(),
    }
    data(msgspec.json.encode(told).decode())
