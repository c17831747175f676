"""Cardboard as events carry it: certificates, trains, charters and markers."""

from typing import Final

from msgspec import Struct

from contracts.clocking import Clocking
from contracts.ids import CertificateKind, Money, Party, PlayerId, TrainId, TrainKind

Certificates = dict[CertificateKind, int]
"""Certificates of one company by kind; only kinds with at least one."""

Holdings = dict[Party, Certificates]
"""Certificates of one company by holder; only holders that have some."""


class Train(Struct, frozen=True, array_like=True):
    """A train card: its id, its kind, the side it runs as where a card has several, warranties.

    A train with warranties outlives its rusting until the last of them is used.
    """

    id: TrainId
    kind: TrainKind
    side: str | None = None
    warranties: int = 0


class Charter(Struct, frozen=True, array_like=True):
    """What a company's charter says.

    `kind` is `public`, `private` or `minor`. `status` runs `waiting` (may not be started yet),
    `open` (may be started), `started` (has a price), `floated` (operates), `closed`. `whole` is the
    number of shares that make the company. `tokens` are those not yet placed. `acting` decides for
    the company: the director, or whoever acts in his place. `column` is the part of the par chart
    that the par stands in, `bound` the player whose duty it is to float the company,
    `last_director` the one before there was none.
    """

    kind: str
    status: str
    whole: int
    tokens: int
    par: Money | None = None
    director: PlayerId | None = None
    acting: PlayerId | None = None
    has_operated: bool = False
    column: str | None = None
    bound: PlayerId | None = None
    last_director: PlayerId | None = None


class CertificateMove(Struct, frozen=True, array_like=True):
    """Some certificates of one kind going from one holder to another."""

    kind: CertificateKind
    number: int
    source: Party
    target: Party


class WorthPart(Struct, frozen=True, array_like=True):
    """One part of a player's worth: `cash`, `shares`, `private` …, of what, and how much."""

    what: str
    of: str
    amount: Money


class Standing(Struct, frozen=True, array_like=True):
    """A player's final worth, part by part; `total` is the sum of the parts."""

    player: PlayerId
    total: Money
    parts: tuple[WorthPart, ...]


class Seat(Struct, frozen=True, array_like=True):
    """A place at the table: the player's id, which is also his account, and the name to show.

    `person` is who alone may act for it (`contracts.people`); None if anybody may.
    """

    player: PlayerId
    name: str
    person: str | None = None


REQUEST_SECONDS: Final = 3 * 86_400
"""How long a request waits at a table whose settings say nothing else: three days."""


class Settings(Struct, frozen=True, array_like=True):
    """How a table is run, apart from the rules of its title.

    `undo` says who may take a move back without asking: `own` (the last mover, until someone else
    has moved), `free` (anybody) or `consent` (nobody). `host` may undo at any time where named: a
    person who does not play, or the person who sits in that seat when the table is opened.
    `imported` tables replay a game that was played elsewhere: the time of a record is what its
    order reports, so that the same import gives the same minute book each time. `clock` says how
    time runs, None if it does not. Where `host_acts` the host may move for every seat.

    A request beside the game waits for `request_seconds` of the server's time, whether anybody's
    own time runs or not; 0 is for ever. Then silence counts as a no, but as a yes to `resume`, or a
    paused game would wait for ever for somebody who has left.
    """

    undo: str = "own"
    host: PlayerId | None = None
    imported: bool = False
    clock: Clocking | None = None
    host_acts: bool = False
    request_seconds: int = REQUEST_SECONDS


class Drawn(Struct, frozen=True, array_like=True):
    """What chance gave: how often was drawn for a purpose, and what came out last."""

    number: int
    outcome: tuple[str, ...]


class Marker(Struct, frozen=True, array_like=True):
    """Where a company's marker lies on the market, and the price there."""

    space: str
    price: Money
