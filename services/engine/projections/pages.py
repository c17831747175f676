"""Pages: what one record adds to the views, and which pages still stand.

The state of all projections is one page a record, and a page rests on its record and the tables
before and after alone. So it is only ever added to, may be stored page by page, and an undo costs
nothing: which pages stand at a version is found by going back along them, exactly as the table is.
"""

from msgspec import Struct

from contracts.ids import CompanyId, FrameId, Money, Party, PlayerId
from contracts.views import LedgerEntry, Movement, WealthPoint


class Line(Struct, frozen=True, array_like=True):
    """A sentence about an event."""

    event: str
    text: str


class Earning(Struct, frozen=True, array_like=True):
    """What a company ran for (`revenue`), or how that was divided (`dividend` and `kept`)."""

    company: CompanyId
    revenue: Money | None
    subsidy: Money
    bonus: Money
    dividend: Money | None
    kept: Money | None


class Ask(Struct, frozen=True, array_like=True):
    """What a player was asked when the record had been applied."""

    player: PlayerId
    frame: FrameId
    what: str


class Sat(Struct, frozen=True, array_like=True):
    """Who acts for a seat from a record on; None if anybody may."""

    player: PlayerId
    person: str | None


class Page(Struct, frozen=True, array_like=True):
    """What one record adds. `to` is where it goes back to if it is an undo."""

    version: int
    time: int
    player: PlayerId
    to: int | None = None
    lines: tuple[Line, ...] = ()
    opening: dict[Party, Money] | None = None
    entries: tuple[LedgerEntry, ...] = ()
    movements: tuple[Movement, ...] = ()
    points: tuple[WealthPoint, ...] = ()
    earnings: tuple[Earning, ...] = ()
    asks: tuple[Ask, ...] = ()
    sat: tuple[Sat, ...] = ()


def pages_until(pages: tuple[Page, ...], version: int) -> tuple[Page, ...]:
    """The pages of all records up to a version, undone ones too."""
    return pages[:version]


def standing(pages: tuple[Page, ...], version: int) -> list[Page]:
    """The pages that the table at a version rests on, in order; `pages[0]` is version 1."""
    at = version
    chain: list[Page] = []
    while at > 0:
        page = pages[at - 1]
        if page.to is None:
            chain.append(page)
            at -= 1
        else:
            at = page.to
    chain.reverse()
    return chain
