"""What the notifier needs of the world: tables to look at, an outbox, channels, and the time.

Noticing and delivering know these and nothing else, so that they run the same on a real store and
in memory. Each act is done whole or not at all; whoever dies between two acts leaves what the next
one finds. Times are microseconds since 1970, UTC.

Letters wait in *lanes*: one for each account at a service, or for each channel of which no account
is known. A lane has one letter under way at a time and rests while its service wants to be left
alone, so that thousands of letters to one service keep no letter to another waiting.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from contracts import notices as n
from contracts.ids import PlayerId, TableId
from contracts.notices import Addressee, Deadline, Letter, Notice, Prompt, State
from contracts.records import Sealed
from contracts.views import MinuteLine, TableLine, TurnView
from services.notifier.patience import Reply
from services.notifier.sealing import Target
from services.notifier.telling import Memory, Withdrawn
from services.notifier.wording import Message

Reader = Literal["notices", "prompts"]
FEED: Reader = "notices"
"""What reads the feed; known to all, who trim it."""
PROMPTS: Reader = "prompts"
"""What reads the prompts, which have no other reader."""
assert FEED == n.READER

Stream = tuple[int, Reader]
"""The feed or the prompts of a partition."""
Work = Literal["looks", "letters", "digests"]

Now = Callable[[], int]
"""What time it is: microseconds since 1970, UTC."""
Unread = Callable[[TableId, str], Awaitable[int]]
"""How many lines of a table's chat a person has not read."""
Chance = Callable[[], float]
"""A number from 0 up to 1."""


class Entry(Struct, frozen=True):
    """Something new at a table: a version that is to be seen, or a prompt with its id."""

    table: TableId
    version: int
    prompt_id: str = ""
    prompt: bytes = b""


class News(Struct, frozen=True):
    """An entry of a stream: where it stands, and what it says; None if it cannot be read."""

    place: str
    entry: Entry | None


class Shown(Struct, frozen=True):
    """The views of a table, all at one version."""

    line: TableLine
    turn: TurnView
    lines: tuple[MinuteLine, ...]


class Draft(Struct, frozen=True):
    """A letter that is to be written."""

    notice: Notice
    addressee: str
    channel: str
    lane: str = ""
    state: State = "waiting"

    @property
    def id(self) -> str:
        """The same for the same notice and channel."""
        return f"{self.notice.id}/{self.channel}"


class Taken(Struct, frozen=True):
    """A letter that was taken, with the mark of who took it; its notice may hold no more."""

    letter: Letter
    lane: str
    mark: str
    is_withdrawn: bool


class Books(Protocol):
    """The tables as they are shown, their books, and what is new at them."""

    async def newest(self, partition: int) -> str:
        """The place of the feed's last entry; before the first one if there is none."""

    async def tables(self, partition: int) -> list[TableId]:
        """All tables of a partition, in order of the alphabet."""

    async def after(
        self, places: Mapping[Stream, str], most: int, block_milliseconds: int | None = None
    ) -> list[tuple[Stream, list[News]]]:
        """What some streams have after these places, oldest first; it may be waited for a while."""

    async def trim(self, partition: int, place: str) -> None:
        """Throw away the prompts before a place; the feed is trimmed by others."""

    async def version(self, table: TableId) -> int:
        """The version of a table's last record; 0 if there is none."""

    async def read(self, table: TableId, first: int, last: int) -> list[Sealed]:
        """Records of a table from one to another."""

    async def shown(self, table: TableId) -> Shown | None:
        """A table's views; None as long as it has none."""

    async def deadlines(self, table: TableId) -> dict[PlayerId, Deadline]:
        """Until when whom is waited for at a table."""

    async def is_archived(self, table: TableId) -> bool:
        """Whether a table's book has gone into the archive, and its views with it."""


class Outbox(Protocol):
    """What is to be looked at, what has been told, and letters on their way."""

    @property
    def partitions(self) -> int:
        """How many partitions there are."""

    # --- what is to be looked at -------------------------------------------------------------

    async def places(self, partitions: Sequence[int]) -> dict[Stream, str]:
        """How far the streams of some partitions have been read, those that ever were."""

    async def noted(
        self,
        stream: Stream,
        before: str,
        place: str,
        entries: Iterable[Entry],
        *,
        now: int,
        quiet: int,
        most: int,
    ) -> bool:
        """Note what was read and how far; '' is no place. False if the place was not `before`.

        A table is to be looked at once `quiet` has passed without another entry, or `most` since
        the first; at once if it is prompted. A prompt that waits under its id is not kept twice.
        """

    async def pending(self, work: Work, partitions: Sequence[int], now: int) -> list[int]:
        """The partitions in which something is due."""

    async def looks(self, partition: int, now: int, most: int) -> list[tuple[TableId, int]]:
        """Tables that are to be looked at now, each with the version that is to be seen."""

    async def postpone(self, partition: int, table: TableId, due: int) -> None:
        """Look at a table later, if it is to be looked at."""

    async def forget(self, partition: int, table: TableId) -> None:
        """Look at a table no more; what was remembered of it has gone elsewhere."""

    async def prompts(self, partition: int, table: TableId) -> dict[str, Prompt]:
        """Prompts that wait to be told at a table, in order of their ids."""

    # --- what has been told ------------------------------------------------------------------

    async def memory(self, partition: int, table: TableId) -> tuple[bytes, Memory]:
        """What is remembered of a table, as it is stored (b'' if it is not) and as it is."""

    async def settled(
        self,
        partition: int,
        table: TableId,
        before: bytes,
        memory: Memory,
        *,
        now: int,
        again: int,
        drafts: Sequence[Draft] = (),
        withdrawn: Sequence[Withdrawn] = (),
        prompts: Sequence[str] = (),
    ) -> bool:
        """Write what a look led to; false, and nothing, if `before` is not what is stored.

        A letter that is there already is left alone. One whose notice is withdrawn is not sent any
        more; one that was sent, or is under way, is corrected. The table is looked at once more
        after `again` if there is a later version to see, or another prompt.
        """

    # --- letters -----------------------------------------------------------------------------

    async def taken(
        self, partition: int, *, now: int, until: int, most: int, mark: str
    ) -> list[Taken]:
        """Take letters that are due, one of a lane, from the lanes that have waited longest.

        A letter that is not marked is to be taken again after `until`, and its lane too.
        """

    async def marked(
        self,
        partition: int,
        taken: Taken,
        state: State,
        *,
        now: int,
        again: int = 0,
        why: str = "",
        is_no_attempt: bool = False,
        rest: int = 0,
    ) -> bool:
        """Mark what became of a letter; its lane rests until then. False if somebody else has it.

        A letter whose notice was withdrawn meanwhile is not tried again, and corrected if it was
        sent. `again` is when one that waits or is held is due; one that is held no longer than its
        lane rests keeps its place before letters that come later.
        """

    async def letter(self, partition: int, id: str) -> Letter | None:
        """A letter, or None if it is kept no more."""

    async def letters(self, addressee: str = "", table: str = "") -> list[Letter]:
        """The letters to an addressee, or all about a table, the last first."""

    async def dead(self) -> list[tuple[int, Letter]]:
        """The letters that were given up, each with its partition."""

    async def try_again(self, partition: int, id: str, now: int) -> bool:
        """Have a letter that was given up tried again; false if it was not given up."""

    # --- digests -----------------------------------------------------------------------------

    async def gather(self, addressee: str, letter: Letter, partition: int, due: int) -> None:
        """Have a letter told by the next digest; once, however often this is asked."""

    async def digests(self, partition: int, now: int) -> list[tuple[str, int]]:
        """The addressees whose digest is due, each with when it was."""

    async def gathered(self, addressee: str) -> dict[str, int]:
        """The letters that an addressee's next digest tells, each with its partition."""

    async def write_digest(
        self,
        addressee: str,
        due: int,
        drafts: Sequence[Draft],
        told: Iterable[str],
        over: Iterable[str],
        *,
        now: int,
        next_due: int,
    ) -> bool:
        """Write the letters of a digest; what it tells is off the list, and still to be marked.

        `over` are letters that hold no more. False, and nothing is written, if the digest of `due`
        is not the one that is due, or the one before is not marked yet.
        """

    async def told(self, addressee: str) -> dict[str, int]:
        """The letters that a digest told and that are not marked yet, each with its partition."""

    async def told_by_digest(self, partition: int, id: str, now: int) -> None:
        """Mark a letter that a digest told; one that was withdrawn meanwhile is corrected."""

    async def digest_done(
        self, addressee: str, letters: Iterable[str], due: int, next_due: int
    ) -> None:
        """The letters that a digest told are marked; the next one is due then, if there is any."""

    # --- addressees and pauses ---------------------------------------------------------------

    async def addressee(self, name: str) -> Addressee:
        """How somebody wants to be told; without any channel if he never said."""

    async def set_addressee(self, name: str, addressee: Addressee) -> None:
        """Keep how somebody wants to be told."""

    async def pause(self, service: str, until: int) -> None:
        """Leave a service alone until then."""

    async def paused_until(self, services: Sequence[str]) -> int:
        """Until when the first of these services that is to be left alone longest is; 0 if none."""


class Sender(Protocol):
    """Sends messages."""

    async def send(self, target: Target, message: Message, now: int) -> Reply:
        """Send a message and give what came of it."""


class Opener(Protocol):
    """Opens what channels have sealed."""

    def opened(self, sealed: bytes) -> Target:
        """The target that was sealed; raises `SealError`."""


class Watch(Protocol):
    """Is told what the notifier does, for logs and figures. It must not raise, or wait."""

    def noticed(self, notices: Sequence[Notice], withdrawn: Sequence[Withdrawn]) -> None:
        """A look at a table was written down."""

    def dealt_with(self, what: str, letter: Letter, why: str = "", again: int = 0) -> None:
        """A letter was `sent`, `failed`, `held` until `again`, `given up` or `withdrawn`."""

    def puzzled(self, what: str, about: str, why: str) -> None:
        """Something cannot be read, or a table cannot be told."""
