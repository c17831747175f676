"""Hold what people were told against the minute books: once, nobody left out, put right. Pure.

It is worked out from the books alone who was to act after each record, and since when; what the
notifier remembers is not asked.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from contracts import events as e
from contracts.ids import PlayerId, TableId
from contracts.notices import Letter
from contracts.people import NOBODY
from contracts.records import Record
from services.chaos.troubles import MICRO
from services.engine.table.agenda import awaited
from services.engine.table.fold import tables, undone_to
from services.notifier.taking_back import stands

TURN_KINDS: Final = frozenset({"turn", "consent", "undone"})
"""Kinds of notices that may tell somebody that he is to act."""
TO_ACT: Final = "You have to "
"""What such a notice says."""
ARRIVED: Final = frozenset({"sent"})
UNDER_WAY: Final = frozenset({"waiting", "held", "digest", "sending"})
SOON: Final = 10 * MICRO
"""Within so long what was undone may have been put back before anybody looked."""


class Acting(Struct, frozen=True):
    """Who is to act: since which version, who he is, and since when he has had the seat."""

    since: int
    person: str
    seated: int


class Course(Struct, frozen=True):
    """Who was to act after each version (from 0 on), and what was undone: version and target."""

    acting: tuple[Mapping[PlayerId, Acting], ...]
    undos: tuple[tuple[int, int], ...]
    at: tuple[int, ...]

    def key(self, letter: Letter) -> tuple[PlayerId, Acting] | None:
        """The turn that a letter tells of, if it tells of one."""
        notice = letter.notice
        if notice.player is None or notice.kind not in TURN_KINDS or TO_ACT not in notice.words:
            return None
        acting = self.acting[notice.version].get(notice.player)
        return None if acting is None else (notice.player, acting)


def course(table: TableId, book: Sequence[Record]) -> Course:
    """The course of a game, as far as it says who is to act."""
    waiting: list[tuple[PlayerId, ...]] = [()]
    former: list[int] = [0]
    acting: list[Mapping[PlayerId, Acting]] = [{}]
    undos: list[tuple[int, int]] = []
    seated: dict[PlayerId, int] = {}
    people: dict[PlayerId, str] = {}
    for record, after in tables(table, book):
        version, to = record.version, undone_to(record)
        if to is not None:
            undos.append((version, to))
        for event in record.events:
            if isinstance(event, e.SeatTaken) and people.get(event.player) != event.person:
                seated[event.player] = version
        people = dict(after.people)
        waiting.append(awaited(after))
        # What an undo goes back to is what the table rests on from then on.
        former.append(version - 1 if to is None else to)
        acting.append(
            {
                player: Acting(
                    since(player, version if to is None else to, waiting, former),
                    after.people.get(player, player),
                    seated.get(player, 0),
                )
                for player in waiting[version]
            }
        )
    return Course(tuple(acting), tuple(undos), (0, *(record.at for record in book)))


def since(
    player: PlayerId,
    version: int,
    waiting: Sequence[Sequence[PlayerId]],
    former: Sequence[int],
) -> int:
    """Since which version a player has been waited for without a break, along what still counts."""
    first = at = version
    undone = {number for number, one in enumerate(former) if number and one != number - 1}
    while at > 0:
        if at in undone:
            at = former[at]
            continue
        if player not in waiting[at]:
            break
        first, at = at, former[at]
    return first


def told_twice(letters: Sequence[Letter], course: Course) -> Iterator[str]:
    """Turns of which the same person was told by two notices; an undo may have it told again."""
    told: dict[tuple[PlayerId, Acting, str], set[str]] = defaultdict(set)
    reminded: dict[tuple[PlayerId, str, int], set[str]] = defaultdict(set)
    again: dict[tuple[PlayerId, Acting, str], set[str]] = defaultdict(set)
    for letter in letters:
        key, notice = course.key(letter), letter.notice
        if letter.state in ARRIVED and notice.kind == "reminder" and notice.player is not None:
            reminded[notice.player, notice.person, notice.until].add(notice.id)
        if key is None or letter.state not in ARRIVED:
            continue
        by_kind = again if letter.notice.kind == "undone" else told
        by_kind[*key, letter.addressee].add(letter.notice.id)
    for (player, acting, _), ids in told.items():
        if len(ids) > 1:
            yield f"{player}, to act since {acting.since}, was told by {', '.join(sorted(ids))}"
    for (player, _, until), ids in reminded.items():
        if until and len(ids) > 1:
            yield f"{player} was reminded of the end at {until} by {', '.join(sorted(ids))}"
    for (player, acting, _), ids in again.items():
        if len(ids) > len(course.undos):
            yield f"{player}, to act since {acting.since}, was told again {len(ids)} times"


def untold(
    table: TableId, book: Sequence[Record], letters: Sequence[Letter], course: Course
) -> Iterator[str]:
    """Who is to act at the end, and was not told."""
    keys = {
        course.key(letter) for letter in letters if letter.state in ARRIVED | UNDER_WAY | {"dead"}
    }
    for player, acting in course.acting[-1].items():
        is_known = acting.person == NOBODY or (player, acting) in keys
        if not is_known and not knows(player, acting, book):
            yield f"{table}: {acting.person} ({player}) is to act since {acting.since}, untold"


def knows(player: PlayerId, acting: Acting, book: Sequence[Record]) -> bool:
    """Whether somebody is to act because he undid himself, last of all who did."""
    last = next((one for one in reversed(book) if undone_to(one) is not None), None)
    return last is not None and last.order.player == player and last.version > acting.seated


def uncorrected(letters: Sequence[Letter], course: Course) -> Iterator[str]:
    """Turns that were told, and undone while they lasted, and nobody said so."""
    corrected = {letter.notice.corrects for letter in letters if letter.notice.corrects}
    for letter in letters:
        key = course.key(letter)
        if key is None or letter.state not in ARRIVED or letter.notice.id in corrected:
            continue
        player, acting = key
        undo = undone_while_it_lasted(player, acting, letter.notice.version, course)
        if undo is not None and not put_back(player, acting, undo, course):
            yield f"{letter.notice.id}: undone by record {undo}, and not corrected"


def undone_while_it_lasted(
    player: PlayerId, acting: Acting, version: int, course: Course
) -> int | None:
    """The undo that took a turn away from whoever still had it."""
    for undo, _ in course.undos:
        if undo <= version:
            continue
        lasted = course.acting[undo - 1].get(player) == acting
        if not lasted:
            return None
        if not stands(acting.since, undo, course.undos):
            return undo
    return None


def put_back(player: PlayerId, acting: Acting, undo: int, course: Course) -> bool:
    """Whether it was put back so soon that perhaps nobody looked in between."""
    until = course.at[undo] + SOON
    return any(
        course.acting[version].get(player) == acting
        for version in range(undo, len(course.at))
        if course.at[version] <= until
    )


def uncalled(
    table: TableId, book: Sequence[Record], letters: Sequence[Letter], course: Course
) -> Iterator[str]:
    """Calls of time that nobody was told of, or that were told more often than they were made.

    Of several between two looks he is told once.
    """
    calls: dict[tuple[PlayerId, str], list[int]] = defaultdict(list)
    before: Mapping[PlayerId, Acting] = {}
    for record, acting in zip(book, course.acting[1:], strict=True):
        for event in record.events:
            if isinstance(event, e.TimeCalled):
                person = before[event.player].person if event.player in before else ""
                calls[event.player, person].append(record.version)
        before = acting
    told: dict[tuple[PlayerId, str], set[str]] = defaultdict(set)
    for letter in letters:
        notice = letter.notice
        if notice.kind == "time called" and notice.player is not None:
            told[notice.player, notice.person].add(notice.id)
    for (player, person), versions in calls.items():
        standing = [one for one in versions if stands(one, len(book), course.undos)]
        number = len(told[player, person])
        if person != NOBODY and not min(1, len(standing)) <= number <= len(versions):
            yield (
                f"{table}: the time of {person} ({player}) was called {len(versions)} times, "
                f"{len(standing)} of them stand, and {number} were told"
            )
    for key, ids in told.items():
        if key not in calls:
            yield f"{table}: {key[1]} ({key[0]}) was told of {len(ids)} calls that never were"
