"""What `status` knows when it has looked: plain facts, of which the words are made.

Moments are microseconds since 1970, UTC. Ages of commands, feeds and leases are told by the store's
clock (`now`), so the clock of this machine may be wrong without making anybody late.
"""

from msgspec import Struct

from contracts.heartbeats import Heartbeat
from services.bus.lag import Behind

NOTHING = Behind()


class Node(Struct, frozen=True):
    """A server of the store. `settings` are what could lose a move; `errors` what went wrong."""

    name: str
    memory_bytes: int
    memory_bytes_most: int
    settings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


class Held(Struct, frozen=True):
    """The lease of a partition: whose, and for how long if it is not renewed; '' for nobody's."""

    holder: str
    seconds_left: float


class Living(Struct, frozen=True):
    """A process that gives signs of life: the last one, and how long ago that was."""

    sign: Heartbeat
    silent_seconds: float = 0.0


class Gone(Struct, frozen=True):
    """A process that ended without a word, or says nothing any more; `at` is when it ran out."""

    service: str
    name: str
    at: int


class Due(Struct, frozen=True):
    """What is to be done at moments: how much is overdue since when, and how much comes later."""

    overdue: int = 0
    oldest: int = 0
    later: int = 0

    def __add__(self, other: "Due") -> "Due":
        """Both together.

        >>> Due(1, 7, 2) + Due(2, 5, 0) + Due()
        Due(overdue=3, oldest=5, later=2)
        """
        oldest = min(filter(None, (self.oldest, other.oldest)), default=0)
        return Due(self.overdue + other.overdue, oldest, self.later + other.later)


class Read(Struct, frozen=True):
    """How far a reader is behind; `unread` partitions he has never begun with."""

    behind: Behind = NOTHING
    unread: int = 0


class Dead(Struct, frozen=True):
    """Commands or letters that were given up: how many, and of the last one when, why and where."""

    number: int = 0
    at: int = 0
    why: str = ""
    table: str = ""


class Tables(Struct, frozen=True):
    """How many tables there are; `unshown` have no line in the lobby yet."""

    playing: int = 0
    finished: int = 0
    archived: int = 0
    unshown: int = 0


class Facts(Struct, frozen=True, kw_only=True):
    """All that was looked at."""

    now: int
    nodes: tuple[Node, ...]
    leases: tuple[Held, ...]
    processes: tuple[Living, ...] = ()
    gone: tuple[Gone, ...] = ()
    commands: tuple[Behind, ...] = ()
    dead_commands: Dead = Dead()
    readers: dict[str, Read] = {}
    prompts: Read = Read()
    timers: Due = Due()
    looks: Due = Due()
    letters: Due = Due()
    dead_letters: Dead = Dead()
    pauses: dict[str, int] = {}
    tables: Tables = Tables()

    def of(self, service: str) -> tuple[Living, ...]:
        """The processes of a service that live."""
        return tuple(one for one in self.processes if one.sign.service == service)
