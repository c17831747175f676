"""When a table must have been looked at, and when it may have been, by the rule of the notices.

"A table is looked at once it has been quiet for ten seconds, or after a minute of moves." Between
two records lies a gap, in which the table shows one version. A gap that lasts, with the services
there, has a look for certain; a short one in a short burst has none for certain; of the others
nobody can tell who does not know how quick the notifier is.
"""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from tests.league.books import Book
from tests.league.plan import MOST_SECONDS, QUIET_SECONDS, SECOND
from tests.league.spans import Span, first_long, meets, united

QUIET: Final = QUIET_SECONDS * SECOND
MOST: Final = MOST_SECONDS * SECOND
PROMPT: Final = SECOND // 20
"""How soon a look comes that is due: the league's time stands still while anybody works."""
AGAIN: Final = 3 * SECOND
"""How soon after a service's return, beyond the quiet that it waits for anew."""


class Gap(Struct, frozen=True):
    """The time in which a table shows one version."""

    version: int
    begin: int
    end: int
    looked_by: int | None
    """By when it was looked at for certain, None if that is not certain."""
    is_possible: bool


def gaps_of(
    book: Book, away: Sequence[Span], clock: Sequence[Span], prompted: Sequence[int], end: int
) -> list[Gap]:
    """The gaps of a book.

    `away` is when nobody could look, `clock` when nobody prompted (what was to be prompted then is
    when the clock is back), `prompted` when looks are due at once beside those for a record.
    """
    back = [(last - PROMPT, last + PROMPT) for _, last in clock]
    unsure = united([*away, *back])
    ends = [*(page.at for page in book.pages[1:]), end]
    found: list[Gap] = []
    first: int | None = book.pages[0].at
    """Since when the table has waited to be looked at; None if that is unknown."""
    for page, until in zip(book.pages, ends, strict=True):
        if found and found[-1].looked_by is not None:
            first = page.at
        due = page.at + QUIET if first is None else min(page.at + QUIET, first + MOST)
        is_prompt = bool(page.called or page.stopped)
        if is_prompt:
            due = page.at
        surely = due if first is not None else page.at
        is_unsure = meets(unsure, page.at - PROMPT, min(until, page.at + QUIET) + PROMPT)
        if is_unsure or (is_prompt and meets(clock, page.at - PROMPT, page.at + PROMPT)):
            looked_by, is_possible = first_long(away, page.at, until, QUIET + AGAIN), True
        elif due + PROMPT <= until:
            looked_by, is_possible = due + PROMPT, True
        else:
            near = any(page.at - PROMPT <= one <= until + PROMPT for one in prompted)
            looked_by, is_possible = None, near or surely - PROMPT <= until
        found.append(Gap(page.version, page.at, until, looked_by, is_possible))
        if looked_by is None and is_possible:
            first = None
    return found


World = tuple[int, bool, tuple[tuple[int, int], ...]]
"""The version last looked at, whether it was seen then, and when it was told: after which look."""


def told(
    gaps: Sequence[Gap], present: set[int], knows: Callable[[int, int], tuple[bool, ...]]
) -> set[tuple[tuple[int, int], ...]]:
    """In which gaps something is told that shows at some versions, in each possible course.

    Each telling is its version with the one that was looked at before. `knows` says of such two
    whether the person knows by himself (both, if it cannot be told).
    """
    first, last = min(present), max(present)
    at = first - 1
    while at > 0 and gaps[at - 1].looked_by is None:
        at -= 1
    worlds: set[World] = {(at, False, ())}
    for gap in gaps[at:]:
        if gap.version > last and all(not seen for _, seen, _ in worlds):
            break
        after: set[World] = set() if gap.looked_by is not None else set(worlds)
        if gap.looked_by is not None or gap.is_possible:
            for before, seen, so_far in worlds:
                if gap.version not in present:
                    after.add((gap.version, False, so_far))
                    continue
                for known in (True,) if seen else knows(before, gap.version):
                    more = so_far if known else (*so_far, (gap.version, before))
                    after.add((gap.version, True, more))
        worlds = after
    return {so_far for _, _, so_far in worlds}


def ends(gaps: Sequence[Gap], present: set[int], version: int) -> tuple[int, int | None]:
    """Until when something holds that was told at a version, and by when its end was seen."""
    until: int | None = None
    for gap in gaps[version:]:
        if gap.version not in present:
            until = gap.begin if until is None else until
            if gap.looked_by is not None:
                return until, gap.looked_by
    return (gaps[-1].end if until is None else until), None
