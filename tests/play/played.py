"""Games of house players for these tests, each played once however many tests look at it."""

from functools import cache

from contracts.ids import TitleId
from contracts.records import Record
from services.engine.table.fold import tables, undone_to
from services.engine.table.state import Table, new_table
from services.soak.game import Amount, Soaked, soaked
from services.soak.openings import Plan

AMOUNT = Amount(probe=8, thorough=300, ask=50, views=1500, beside=0)
TITLE = TitleId("1830")
GAMES = (
    *((TITLE, 2, seed) for seed in (100, 115)),
    *((TITLE, 3, seed) for seed in (101, 111, 136)),
    *((TITLE, 4, seed) for seed in (117, 132)),
    *((TITLE, 5, seed) for seed in (113, 138)),
    *((TITLE, 6, seed) for seed in (104, 124)),
)
"""Title, players, seed: at least two games of each number of players."""
MORE_TITLES = (
    (TitleId("1862"), 2, 0),
    (TitleId("1862"), 3, 1),
    (TitleId("1862"), 6, 4),
)
"""Games of titles whose searches take longer; the soak of the console plays more of them."""
SPARING = Amount(probe=20, thorough=1000, ask=60, views=1500, beside=0)


@cache
def played(title: TitleId, players: int, seed: int) -> Soaked:
    """A whole game."""
    amount = AMOUNT if title == TITLE else SPARING
    return soaked(Plan(title, players, seed), amount)


@cache
def moments(title: TitleId, players: int, seed: int) -> tuple[tuple[Record, Table, Table], ...]:
    """Each record of a game that goes on, with the table before and after it."""
    game = played(title, players, seed)
    assert game.failure is None, game.failure
    found: list[tuple[Record, Table, Table]] = []
    before = new_table(game.plan.name)
    for record, after in tables(game.plan.name, game.records):
        if undone_to(record) is None:
            found.append((record, before, after))
        before = after
    return tuple(found)
