"""Games to measure with: recorded ones where they are at hand, else ones that house players play.

Recorded games are not ours to pass on. `MINUTEBOOK_HISTORIES` names the folder that has them, by
default `shared/histories` beside the project.
"""

import os
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from contracts import events as e
from contracts.commands import OpenTable, Order
from contracts.ids import CommandId, Party, PlayerId, TableId, TitleId
from contracts.pieces import Seat
from contracts.records import FIRST_DIGEST, Record, Sealed, seal
from contracts.rejections import Rejection
from contracts.titles.load import titles
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import Ruleset, ruleset_for
from services.engine.table.fold import applied
from services.engine.table.state import Table, new_table
from services.histories.export import read
from services.histories.replay import replay
from services.players.play import next_order

ROOT: Final = Path(__file__).resolve().parents[1]
SEED: Final = 7
NAMES: Final = ("ann", "bob", "cyd", "dan")
QUICK: Final = 60
"""Records of a game where it is to be quick."""


class Game(Struct, frozen=True):
    """A game with its records; none of them goes back."""

    name: str
    title: TitleId
    ruleset: Ruleset
    records: tuple[Record, ...]

    @property
    def events(self) -> int:
        """How many events it has."""
        return sum(len(record.events) for record in self.records)

    def tables(self) -> list[Table]:
        """The table before each record, and after the last."""
        found = [new_table(self.records[0].order.table)]
        for record in self.records:
            found.append(applied(found[-1], record))
        return found


def games(*, quick: bool) -> list[Game]:
    """The recorded games at hand, and for a title without any one that house players play."""
    if quick:
        return [played(titles()[0], QUICK)]
    found = recorded()
    with_one = {game.title for game in found}
    return [*found, *(played(title) for title in titles() if title not in with_one)]


def longest(*, quick: bool) -> Game:
    """The game with most records."""
    return max(games(quick=quick), key=lambda game: len(game.records))


@cache
def _recorded() -> tuple[Game, ...]:
    folder = Path(os.environ.get("MINUTEBOOK_HISTORIES", ROOT.parent / "shared" / "histories"))
    found: list[Game] = []
    for title in titles():
        for file in sorted((folder / title).glob("*.json")):
            if file.name.endswith(".setup.json"):
                continue
            records = tuple(replay(read(file)).records)
            command = records[0].order.command
            assert isinstance(command, OpenTable)  # every game begins with its opening
            found.append(Game(f"{title}: {file.stem}", title, ruleset_by(command), records))
    return tuple(found)


def recorded() -> list[Game]:
    """The recorded games at hand."""
    return list(_recorded())


@cache
def played(title: TitleId, records_most: int = 10_000) -> Game:
    """A game that house players play, the same each time."""
    seats = tuple(Seat(PlayerId(Party(name)), name.title()) for name in NAMES)
    command = OpenTable(title, seats, SEED)
    ruleset = ruleset_by(command)
    id = TableId("played")
    table = new_table(id)
    records: list[Record] = []
    order: Order | None = Order(id, CommandId("open"), "house", seats[0].player, command)
    while order is not None and len(records) < records_most:
        events = decide(ruleset, table, order)
        assert not isinstance(events, Rejection)  # a house player does what is listed
        record = Record(table.version + 1, table.version, "bench", order, events)
        records.append(record)
        table = applied(table, record)
        order = next_order(ruleset, table, SEED)
    return Game(f"{title}: house players", title, ruleset, tuple(records))


def ruleset_by(command: OpenTable) -> Ruleset:
    """The ruleset that an opening asks for."""
    found = ruleset_for(command)
    assert not isinstance(found, Rejection)  # what is opened here can be
    return found


def lengthened(records: Sequence[Record], count: int) -> list[Record]:
    """A book of so many records: the game is undone to its opening and played again, and again."""
    found: list[Record] = []
    while len(found) < count:
        for record in records[1 if found else 0 :]:
            found.append(replace(record, version=len(found) + 1))
        by = records[-1].order.player
        found.append(replace(records[-1], version=len(found) + 1, events=(e.Undone(1, by),)))
    return found[:count]


def sealed(table: TableId, records: Iterable[Record]) -> list[Sealed]:
    """The records as they lie in the book of a table."""
    digest, found = FIRST_DIGEST, []
    for record in records:
        id = CommandId(f"{record.order.id}-{record.version}")
        order = replace(record.order, table=table, id=id)
        one = seal(digest, replace(record, order=order))
        found.append(one)
        digest = one.digest
    return found
