"""The outbox: what is to be looked at, what has been told, and letters on their way, in Redis.

Each script is one act. What a look led to is written together with what is remembered of the
table, so a notice is neither lost nor made twice, wherever the notifier dies. A letter is taken for
a while and marked afterwards; whoever dies in between leaves it to the next, who sends it again
under the same id: at least once.

Letters wait in a sorted set and not in a stream with a group, because each has a time of its own at
which it is to be tried (back-off, a service's pause, quiet hours), and a group hands out entries in
order of arrival.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Final

import msgspec
from msgspec import Struct

from contracts import notices as n
from contracts import streams
from contracts.ids import TableId
from contracts.notices import Addressee, Letter, Notice, Prompt, State
from services.bus.typed import Client, Script, Sent
from services.notifier.telling import Memory, Withdrawn

KEPT_SECONDS: Final = 30 * 24 * 3600
"""How long letters are kept to look at."""
LISTED_MOST: Final = 500
"""Letters that the list of a player or a table shows at most."""
FEED: Final = n.READER
PROMPTS: Final = "prompts"

_memory = msgspec.msgpack.Decoder(Memory).decode


class Entry(Struct, frozen=True):
    """Something new at a table: a version that is to be seen, or a prompt with its id."""

    table: TableId
    version: int
    prompt_id: str = ""
    prompt: bytes = b""


class Draft(Struct, frozen=True):
    """A letter that is to be written."""

    notice: Notice
    addressee: str
    channel: str
    state: State = "waiting"

    @property
    def id(self) -> str:
        """The same for the same notice and channel."""
        return f"{self.notice.id}/{self.channel}"


class Taken(Struct, frozen=True):
    """A letter that was taken, with the mark of who took it; its notice may hold no more."""

    letter: Letter
    mark: str
    is_withdrawn: bool


class Outbox:
    """The outbox in a store that has been opened."""

    def __init__(self, client: Client, partitions: int) -> None:
        self.client = client
        self.partitions = partitions
        self._note = self._script("note")
        self._settle = self._script("settle")
        self._claim = self._script("claim")
        self._mark = self._script("mark")
        self._digest = self._script("digest")

    def _script(self, name: str) -> Script:
        text = (resources.files("services.notifier") / f"{name}.lua").read_text()
        return self.client.register_script(text)

    # --- what is to be looked at -------------------------------------------------------------

    async def place(self, partition: int, reader: str) -> str | None:
        """How far the feed or the prompts of a partition have been read; None if never."""
        place = await self.client.hget(_places(partition, reader), reader)
        return None if place is None else place.decode()

    async def noted(
        self,
        partition: int,
        reader: str,
        before: str,
        place: str,
        entries: Iterable[Entry],
        *,
        now: int,
        quiet: int,
        most: int,
    ) -> bool:
        """Note what was read and how far; false if the place was not `before`."""
        at = n.prefix(partition)
        keys = [_places(partition, reader), f"{at}looks", f"{at}marks", f"{at}firsts"]
        arguments: list[Sent] = [at, reader, before, place, now, quiet, most]
        for entry in entries:
            arguments += [entry.table, entry.version, entry.prompt_id, entry.prompt]
        return bool(await self._note(keys, arguments))

    async def pending(self, what: str, partitions: Sequence[int], now: int) -> list[int]:
        """The partitions in which something is due: `looks`, letters (`due`) or `digests`."""
        async with self.client.pipeline(transaction=False) as together:
            for partition in partitions:
                together.execute_command("ZCOUNT", f"{n.prefix(partition)}{what}", "-inf", now)
            counts = await together.execute()
        return [number for number, count in zip(partitions, counts, strict=True) if count]

    async def looks(self, partition: int, now: int, most: int) -> list[tuple[TableId, int]]:
        """Tables that are to be looked at now, each with the version that is to be seen."""
        at = n.prefix(partition)
        found = await self.client.execute_command(
            "ZRANGEBYSCORE", f"{at}looks", "-inf", now, "LIMIT", 0, most
        )
        if not found:
            return []
        marks = await self.client.execute_command("HMGET", f"{at}marks", *found)
        return [
            (TableId(id.decode()), int(mark or 0)) for id, mark in zip(found, marks, strict=True)
        ]

    async def postpone(self, partition: int, table: TableId, due: int) -> None:
        """Look at a table later."""
        key = f"{n.prefix(partition)}looks"
        await self.client.execute_command("ZADD", key, "XX", due, table)

    async def prompts(self, partition: int, table: TableId) -> dict[str, Prompt]:
        """Prompts that wait to be told at a table, in order of their ids."""
        found = await self.client.hgetall(f"{n.prefix(partition)}prompted:{table}")
        return {id.decode(): n.decode_prompt(body) for id, body in sorted(found.items())}

    # --- what has been told ------------------------------------------------------------------

    async def memory(self, partition: int, table: TableId) -> tuple[bytes, Memory]:
        """What is remembered of a table, as it is stored and as it is."""
        body = await self.client.hget(f"{n.prefix(partition)}told", table)
        return (b"", Memory()) if body is None else (body, _memory(body))

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
        """Write what a look led to; false if another notifier has been here meanwhile."""
        at = n.prefix(partition)
        keys = [f"{at}{name}" for name in ("told", "looks", "marks", "firsts", "due", "dead")]
        arguments: list[Sent] = [at, table, before, n.encode(memory), memory.version, now]
        arguments += [KEPT_SECONDS, LISTED_MOST, again, len(prompts), *prompts, len(drafts)]
        for draft in drafts:
            arguments += [draft.id, draft.notice.id, draft.addressee, draft.channel]
            arguments += [n.encode(draft.notice), draft.state]
        arguments.append(len(withdrawn))
        for one in withdrawn:
            correction = one.correction
            arguments += [one.notice, correction.id if correction else ""]
            arguments.append(n.encode(correction) if correction else b"")
        return bool(await self._settle(keys, arguments))

    # --- letters -----------------------------------------------------------------------------

    async def taken(
        self, partition: int, *, now: int, until: int, most: int, mark: str
    ) -> list[Taken]:
        """Take letters that are due."""
        at = n.prefix(partition)
        found = await self._claim([f"{at}due"], [at, now, until, most, mark])
        letters = []
        for id, flat in found:
            fields = dict(zip(flat[::2], flat[1::2], strict=True))
            letters.append(Taken(_letter(id.decode(), fields), mark, bool(fields.get(b"i"))))
        return letters

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
    ) -> bool:
        """Mark what became of a letter; false if somebody else has taken it meanwhile."""
        at = n.prefix(partition)
        arguments: list[Sent] = [at, taken.letter.id, taken.mark, state, again, why, now]
        arguments += [int(is_no_attempt), KEPT_SECONDS]
        return bool(await self._mark([f"{at}due", f"{at}dead"], arguments))

    async def letter(self, partition: int, id: str) -> Letter | None:
        """A letter, or None if it is kept no more."""
        fields = await self.client.hgetall(f"{n.prefix(partition)}letter:{id}")
        return _letter(id, fields) if fields else None

    async def letters(self, addressee: str = "", table: str = "") -> list[Letter]:
        """The letters to an addressee, or all about a table, the last first."""
        found: list[Letter] = []
        partitions: Iterable[int] = range(self.partitions)
        if table:
            partitions = (streams.partition_of(TableId(table), self.partitions),)
        for partition in partitions:
            at = n.prefix(partition)
            key = f"{at}at:{table}" if table else f"{at}of:{addressee}"
            ids = await self.client.execute_command("ZRANGE", key, 0, -1)
            letters = [await self.letter(partition, id.decode()) for id in ids]
            found += [letter for letter in letters if letter is not None]
        return sorted(found, key=lambda letter: (-letter.notice.made, letter.id))

    async def dead(self) -> list[tuple[int, Letter]]:
        """The letters that were given up, each with its partition."""
        found: list[tuple[int, Letter]] = []
        for partition in range(self.partitions):
            key = f"{n.prefix(partition)}dead"
            for id in await self.client.execute_command("ZRANGE", key, 0, -1):
                letter = await self.letter(partition, id.decode())
                if letter is not None and letter.state == "dead":
                    found.append((partition, letter))
        return found

    async def try_again(self, partition: int, letter: Letter, now: int) -> None:
        """Have a letter that was given up tried again."""
        at = n.prefix(partition)
        async with self.client.pipeline(transaction=False) as together:
            key = f"{at}letter:{letter.id}"
            together.execute_command("HSET", key, "s", "waiting", "a", 0, "t", now, "d", now)
            together.execute_command("ZADD", f"{at}due", now, letter.id)
            together.execute_command("ZREM", f"{at}dead", letter.id)
            await together.execute()

    # --- digests -----------------------------------------------------------------------------

    def digest_partition(self, addressee: str) -> int:
        """Where an addressee's digest is gathered, whatever tables it tells of."""
        return streams.partition_of(TableId(addressee), self.partitions)

    async def gather(self, addressee: str, letter: Letter, partition: int, due: int) -> None:
        """Have a letter told by the next digest; once, however often this is asked."""
        at = n.prefix(self.digest_partition(addressee))
        await self.client.hset(f"{at}digest:{addressee}", letter.id, partition)
        await self.client.execute_command("ZADD", f"{at}digests", "NX", due, addressee)

    async def digests(self, partition: int, now: int) -> list[str]:
        """The addressees whose digest is due."""
        key = f"{n.prefix(partition)}digests"
        found = await self.client.execute_command("ZRANGEBYSCORE", key, "-inf", now)
        return [one.decode() for one in found]

    async def gathered(self, addressee: str) -> dict[str, int]:
        """The letters that an addressee's next digest tells, each with its partition."""
        at = n.prefix(self.digest_partition(addressee))
        found = await self.client.hgetall(f"{at}digest:{addressee}")
        return {id.decode(): int(partition) for id, partition in found.items()}

    async def write_digest(
        self,
        addressee: str,
        notice: Notice,
        channels: Sequence[str],
        letters: Iterable[str],
        *,
        now: int,
        next_due: int,
    ) -> None:
        """Write a digest for each channel and forget what it tells."""
        at = n.prefix(self.digest_partition(addressee))
        keys = [f"{at}digests", f"{at}digest:{addressee}", f"{at}due"]
        arguments: list[Sent] = [at, addressee, now, KEPT_SECONDS, notice.id, n.encode(notice)]
        arguments += [next_due, len(channels), *channels, *letters]
        await self._digest(keys, arguments)

    async def told_by_digest(self, partition: int, id: str, now: int) -> None:
        """Note that a digest told a letter's notice."""
        key = f"{n.prefix(partition)}letter:{id}"
        await self.client.execute_command("HSET", key, "s", "sent", "w", "in a digest", "t", now)

    # --- addressees and pauses ---------------------------------------------------------------

    async def addressee(self, name: str) -> Addressee:
        """How somebody wants to be told; without any channel if he never said."""
        body = await self.client.hget(n.ADDRESSEES, name)
        return Addressee() if body is None else n.decode_addressee(body)

    async def set_addressee(self, name: str, addressee: Addressee) -> None:
        """Keep how somebody wants to be told."""
        await self.client.hset(n.ADDRESSEES, name, n.encode(addressee))

    async def pause(self, service: str, until: int) -> None:
        """Leave a service alone until then."""
        await self.client.hset(n.PAUSES, service, until)

    async def paused_until(self, service: str) -> int:
        """Until when a service is to be left alone."""
        return int(await self.client.hget(n.PAUSES, service) or 0)


def _places(partition: int, reader: str) -> str:
    # The feed's readers are known to all, who trim it; prompts have one reader.
    return streams.readers(partition) if reader == FEED else f"{n.prefix(partition)}places"


def _letter(id: str, fields: Mapping[bytes, bytes]) -> Letter:
    state: State = msgspec.convert(fields[b"s"].decode(), State)
    return Letter(
        id=id,
        notice=n.decode_notice(fields[b"n"]),
        addressee=fields[b"p"].decode(),
        channel=fields[b"c"].decode(),
        state=state,
        attempts=int(fields[b"a"]),
        why=fields[b"w"].decode(),
        at=int(fields[b"t"]),
        due=int(fields[b"d"]),
    )
