"""Whole games of house players, with everything that must always hold looked at all the way.

The closing tests ask whether all of them together have reached everything that there is; what they
cannot reach has a test of its own, which is named here with the reason.
"""

import re
from pathlib import Path

import pytest

from services.soak.coverage import Coverage, known
from services.soak.openings import players_of
from tests.architecture.source import ROOT
from tests.play.played import GAMES, MORE_TITLES, TITLE, played
from tests.play.spoken import wanted

KEPT_SEEDS = Path(__file__).parent / "kept_seeds.txt"

DIRECTLY = {
    ("code", "unreadable"): (
        "it is no order at all",
        "tests/ports/test_ports.py",
        "UNREADABLE",
    ),
    ("code", "engine-fault"): (
        "the engine answers so when the rules raise, which they must not",
        "tests/ports/test_ports.py",
        "ENGINE_FAULT",
    ),
    ("code", "no-token-left"): (
        "the step is over by itself for a company that has placed all its tokens",
        "tests/rules/test_placing_tokens.py",
        "NO_TOKEN_LEFT",
    ),
    ("code", "cheapest-train"): (
        "two kinds of train must be on sale while a director has to help: one game in fifty",
        "tests/rules/test_directors_help.py",
        "CHEAPEST_TRAIN",
    ),
    ("code", "home-first"): (
        "the turn begins with a home hex that may be built first, and the company then leaves it",
        "tests/rules/test_first_turns_and_building.py",
        "HOME_FIRST",
    ),
    ("code", "excluded-variants"): (
        "openings are drawn with variants that go together",
        "tests/rules/test_dealing_companies.py",
        "EXCLUDED_VARIANTS",
    ),
    ("question", "ChooseCity"): (
        "others must have built on a company's home before it operates: one game in fifty",
        "tests/rules/test_home_tokens.py",
        "ChooseCity",
    ),
}
"""What random play cannot reach, or too seldom: why, and the test and the word in it that does."""


BESIDE_THE_GAME = {
    "code": ("not-your-seat",),
    "command": (
        *("AssignSeat", "CallTime", "SetProgramme", "ClearProgramme", "SetHours", "TakeLeave"),
        "ExpireRequest",
        "Withdraw",
    ),
    "event": (
        *("SeatTaken", "TimeCalled", "ProgrammeSet", "ProgrammeStopped", "PlayPaused"),
        *("LeaveTaken", "HoursSet"),
    ),
}
"""Seats, clock and programmes are no play: house players do not use them, their own tests do."""

MORE_FROM = 1000
MORE_GAMES_MOST = 6
"""A change of the rules changes every game, so some seed may miss what it had; others have it."""


@pytest.mark.parametrize(("title", "players", "seed"), [*GAMES, *MORE_TITLES])
def test_a_game_is_played_to_its_end_and_everything_holds(title, players, seed):
    game = played(title, players, seed)
    assert game.failure is None, f"seed {seed}, {players} players: {game.failure}"
    assert game.because is not None


def kept_seeds() -> list[tuple[str, int, int]]:
    lines = (line.partition("#")[0].split() for line in KEPT_SEEDS.read_text().splitlines())
    return [(line[0], int(line[1]), int(line[2])) for line in lines if line]


@pytest.mark.slow
@pytest.mark.parametrize(("title", "players", "seed"), kept_seeds())
def test_a_seed_that_failed_once_does_not_fail_again(title, players, seed):
    assert played(title, players, seed).failure is None


def test_every_number_of_players_is_played_twice():
    for players in players_of(TITLE):
        assert sum(players == number for _, number, _ in GAMES) >= 2, players


def lacking(coverage: Coverage) -> set[tuple[str, str]]:
    """What is neither reached nor tried directly."""
    missing = coverage.missing(wanted())
    beside = {(kind, name) for kind, names in BESIDE_THE_GAME.items() for name in names}
    lacks = {(kind, name) for kind, names in missing.items() for name in names}
    return lacks - set(DIRECTLY) - beside


def reached() -> Coverage:
    """What all games together have reached; some more are played while anything is lacking."""
    together = Coverage()
    for title, players, seed in (*GAMES, *MORE_TITLES):
        together.add(played(title, players, seed).coverage)
    for number in range(MORE_GAMES_MOST):
        if not lacking(together):
            break
        together.add(played(TITLE, 2 + number % 5, MORE_FROM + number).coverage)
    return together


def test_all_games_together_reach_everything():
    together = reached()
    assert not lacking(together), sorted(lacking(together))


@pytest.mark.parametrize(("kind", "name"), DIRECTLY, ids=str)
def test_what_play_cannot_reach_has_a_test_of_its_own(kind, name):
    reason, file, word = DIRECTLY[kind, name]
    assert reason
    assert name in known()[kind]
    assert re.search(rf"\b{word}\b", (ROOT / file).read_text()), f"{file} does not speak of {word}"


def test_games_end_as_games_do():
    ends = [played(*game).because for game in GAMES]
    assert {"bank", "bankrupt", "agreed"} == set(ends)
    assert sum(end in {"bank", "bankrupt"} for end in ends) >= 0.6 * len(ends)


def test_the_same_seed_is_the_same_game():
    title, players, seed = GAMES[0]
    again = played.__wrapped__(title, players, seed)
    assert again.records == played(title, players, seed).records
