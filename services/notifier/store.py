"""The outbox on Redis; each script is one act.

Letters wait in sorted sets and not in a stream with a group, because each has a time of its own at
which it is to be tried (back-off, a service's pause, quiet hours), and a group hands out entries in
order of arrival.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Final

import msgspec

from contracts import notices as n
from contracts import streams
from contracts.ids import TableId
from contracts.notices import Addressee, Letter, Prompt, State
from services.bus.typed import Client, Script, Sent
from services.notifier.ports import FEED, PROMPTS, Draft, Entry, Reader, Stream, Taken, Work
from services.notifier.telling import Memory, Withdrawn

KEPT_SECONDS: Final = 30 * 24 * 3600
"""How long letters are kept to look at."""
LISTED_MOST: Final = 500
"""Letters that the list of a player or a table shows at most."""
_WRITES_LETTERS: Final = frozenset({"claim", "mark", "again", "settle", "digest", "told"})
_DUE: Final[Mapping[Work, str]] = {"looks": "looks", "letters": "lanes", "digests": "digests"}

_memory = msgspec.msgpack.Decoder(Memory).decode


class Store:
    """The outbox in a store that has been opened."""

    def __init__(self, client: Client, partitions: int) -> None:
        self.partitions = partitions
        self._client = client
        self._note = self._script("note")
        self._settle = self._script("settle")
        self._claim = self._script("claim")
        self._mark = self._script("mark")
        self._again = self._script("again")
        self._digest = self._script("digest")
        self._told = self._script("told")
        self._done = self._script("done")

    def _script(self, name: str) -> Script:
        folder = resources.files("services.notifier")
        before = (folder / "lanes.lua").read_text() if name in _WRITES_LETTERS else ""
        return self._client.register_script(before + (folder / f"{name}.lua").read_text())

    # --- what is to be looked at -------------------------------------------------------------

    async def places(self, partitions: Sequence[int]) -> dict[Stream, str]:
        """How far the streams of some partitions have been read."""
        keys: list[Stream] = [(one, reader) for one in partitions for reader in (FEED, PROMPTS)]
        async with self._client.pipeline(transaction=False) as together:
            for partition, reader in keys:
                together.execute_command("HGET", _places(partition, reader), reader)
            found = await together.execute()
        return {key: place.decode() for key, place in zip(keys, found, strict=True) if place}

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
        """Note what was read and how far; false if the place was not `before`."""
        partition, reader = stream
        at = n.prefix(partition)
        keys = [_places(partition, reader), f"{at}looks", f"{at}marks", f"{at}firsts"]
        arguments: list[Sent] = [at, reader, before, place, now, quiet, most]
        for entry in entries:
            arguments += [entry.table, entry.version, entry.prompt_id, entry.prompt]
        return bool(await self._note(keys, arguments))

    async def pending(self, work: Work, partitions: Sequence[int], now: int) -> list[int]:
        """The partitions in which something is due."""
        async with self._client.pipeline(transaction=False) as together:
            for partition in partitions:
                key = f"{n.prefix(partition)}{_DUE[work]}"
                together.execute_command("ZCOUNT", key, "-inf", now)
            counts = await together.execute()
        return [number for number, count in zip(partitions, counts, strict=True) if count]

    async def looks(self, partition: int, now: int, most: int) -> list[tuple[TableId, int]]:
        """Tables that are to be looked at now, each with the version that is to be seen."""
        at = n.prefix(partition)
        found = await self._client.execute_command(
            "ZRANGEBYSCORE", f"{at}looks", "-inf", now, "LIMIT", 0, most
        )
        if not found:
            return []
        marks = await self._client.execute_command("HMGET", f"{at}marks", *found)
        return [
            (TableId(id.decode()), int(mark or 0)) for id, mark in zip(found, marks, strict=True)
        ]

    async def postpone(self, partition: int, table: TableId, due: int) -> None:
        """Look at a table later, if it is to be looked at."""
        key = f"{n.prefix(partition)}looks"
        await self._client.execute_command("ZADD", key, "XX", due, table)

    async def forget(self, partition: int, table: TableId) -> None:
        """Look at a table no more; what was remembered of it has gone elsewhere."""
        at = n.prefix(partition)
        async with self._client.pipeline(transaction=False) as together:
            together.execute_command("ZREM", f"{at}looks", table)
            for name in ("marks", "firsts", "told"):
                together.execute_command("HDEL", f"{at}{name}", table)
            together.execute_command("DEL", f"{at}prompted:{table}")
            await together.execute()

    async def prompts(self, partition: int, table: TableId) -> dict[str, Prompt]:
        """Prompts that wait to be told at a table, in order of their ids."""
        found = await self._client.hgetall(f"{n.prefix(partition)}prompted:{table}")
        return {id.decode(): n.decode_prompt(body) for id, body in sorted(found.items())}

    # --- what has been told ------------------------------------------------------------------

    async def memory(self, partition: int, table: TableId) -> tuple[bytes, Memory]:
        """What is remembered of a table, as it is stored and as it is."""
        body = await self._client.hget(f"{n.prefix(partition)}told", table)
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
        keys = [f"{at}{name}" for name in ("told", "looks", "marks", "firsts", "dead")]
        arguments: list[Sent] = [at, table, before, n.encode(memory), memory.version, now]
        arguments += [KEPT_SECONDS, LISTED_MOST, again, len(prompts), *prompts, len(drafts)]
        for draft in drafts:
            arguments += [draft.id, draft.notice.id, draft.addressee, draft.channel]
            arguments += [_lane(draft), n.encode(draft.notice), draft.state]
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
        """Take letters that are due, one of a lane."""
        at = n.prefix(partition)
        found = await self._claim([f"{at}lanes"], [at, now, until, most, mark])
        letters = []
        for id, flat in found:
            fields = dict(zip(flat[::2], flat[1::2], strict=True))
            lane = fields[b"l"].decode()
            letters.append(Taken(_letter(id.decode(), fields), lane, mark, bool(fields[b"i"])))
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
        rest: int = 0,
    ) -> bool:
        """Mark what became of a letter; false if somebody else has taken it meanwhile."""
        at = n.prefix(partition)
        arguments: list[Sent] = [at, taken.letter.id, taken.mark, state, again, why, now]
        arguments += [int(is_no_attempt), rest, KEPT_SECONDS, LISTED_MOST]
        return bool(await self._mark([f"{at}dead"], arguments))

    async def letter(self, partition: int, id: str) -> Letter | None:
        """A letter, or None if it is kept no more."""
        fields = await self._client.hgetall(f"{n.prefix(partition)}letter:{id}")
        return _letter(id, fields) if fields else None

    async def letters(self, addressee: str = "", table: str = "") -> list[Letter]:
        """The letters to an addressee, or all about a table, the last first."""
        found: list[Letter] = []
        partitions: Iterable[int] = range(self.partitions)
        if table:
            partitions = (streams.partition_of(TableId(table), self.partitions),)
        for partition in partitions:
            key = f"at:{table}" if table else f"of:{addressee}"
            found += await self._listed(partition, key)
        return sorted(found, key=lambda letter: (-letter.notice.made, letter.id))

    async def dead(self) -> list[tuple[int, Letter]]:
        """The letters that were given up, each with its partition."""
        return [
            (partition, letter)
            for partition in range(self.partitions)
            for letter in await self._listed(partition, "dead")
            if letter.state == "dead"
        ]

    async def _listed(self, partition: int, list_: str) -> list[Letter]:
        """The letters of a list, as far as they are kept."""
        at = n.prefix(partition)
        ids = await self._client.execute_command("ZRANGE", f"{at}{list_}", 0, -1)
        if not ids:
            return []
        async with self._client.pipeline(transaction=False) as together:
            for id in ids:
                together.execute_command("HGETALL", f"{at}letter:{id.decode()}")
            found = await together.execute()
        return [_letter(id.decode(), f) for id, f in zip(ids, found, strict=True) if f]

    async def try_again(self, partition: int, id: str, now: int) -> bool:
        """Have a letter that was given up tried again; false if it was not given up."""
        at = n.prefix(partition)
        return bool(await self._again([f"{at}dead"], [at, id, now]))

    # --- digests -----------------------------------------------------------------------------

    def digest_partition(self, addressee: str) -> int:
        """Where an addressee's digest is gathered, whatever tables it tells of."""
        return streams.partition_of(TableId(addressee), self.partitions)

    async def gather(self, addressee: str, letter: Letter, partition: int, due: int) -> None:
        """Have a letter told by the next digest; once, however often this is asked."""
        at = n.prefix(self.digest_partition(addressee))
        await self._client.hset(f"{at}digest:{addressee}", letter.id, partition)
        await self._client.execute_command("ZADD", f"{at}digests", "NX", due, addressee)

    async def digests(self, partition: int, now: int) -> list[tuple[str, int]]:
        """The addressees whose digest is due, each with when it was."""
        key = f"{n.prefix(partition)}digests"
        found = await self._client.execute_command("ZRANGEBYSCORE", key, "-inf", now, "WITHSCORES")
        if found and isinstance(found[0], bytes):
            # The older protocol has no pairs.
            found = zip(found[::2], found[1::2], strict=True)
        return [(name.decode(), round(float(due))) for name, due in found]

    async def gathered(self, addressee: str) -> dict[str, int]:
        """The letters that an addressee's next digest tells, each with its partition."""
        return await self._partitions_of(f"digest:{addressee}", addressee)

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
        """Write the letters of a digest; what it tells is off the list, and still to be marked."""
        at = n.prefix(self.digest_partition(addressee))
        ids = list(told)
        arguments: list[Sent] = [at, addressee, due, now, KEPT_SECONDS, LISTED_MOST, next_due]
        arguments.append(len(drafts))
        for draft in drafts:
            arguments += [draft.id, draft.notice.id, draft.channel, _lane(draft)]
            arguments.append(n.encode(draft.notice))
        return bool(
            await self._digest(_digest_keys(at, addressee), [*arguments, len(ids), *ids, *over])
        )

    async def told(self, addressee: str) -> dict[str, int]:
        """The letters that a digest told and that are not marked yet, each with its partition."""
        return await self._partitions_of(f"telling:{addressee}", addressee)

    async def _partitions_of(self, key: str, addressee: str) -> dict[str, int]:
        at = n.prefix(self.digest_partition(addressee))
        found = await self._client.hgetall(f"{at}{key}")
        return {id.decode(): int(partition) for id, partition in found.items()}

    async def told_by_digest(self, partition: int, id: str, now: int) -> None:
        """Mark a letter that a digest told; one that was withdrawn meanwhile is corrected."""
        at = n.prefix(partition)
        await self._told([f"{at}letter:{id}"], [at, id, now, KEPT_SECONDS, LISTED_MOST])

    async def digest_done(
        self, addressee: str, letters: Iterable[str], due: int, next_due: int
    ) -> None:
        """The letters that a digest told are marked; the next one is due then, if there is any."""
        at = n.prefix(self.digest_partition(addressee))
        await self._done(_digest_keys(at, addressee), [addressee, due, next_due, *letters])

    # --- addressees and pauses ---------------------------------------------------------------

    async def addressee(self, name: str) -> Addressee:
        """How somebody wants to be told; without any channel if he never said."""
        body = await self._client.hget(n.ADDRESSEES, name)
        return Addressee() if body is None else n.decode_addressee(body)

    async def set_addressee(self, name: str, addressee: Addressee) -> None:
        """Keep how somebody wants to be told."""
        await self._client.hset(n.ADDRESSEES, name, n.encode(addressee))

    async def pause(self, service: str, until: int) -> None:
        """Leave a service alone until then."""
        await self._client.hset(n.PAUSES, service, until)

    async def paused_until(self, services: Sequence[str]) -> int:
        """Until when one of these services is to be left alone; 0 if none is."""
        found = await self._client.execute_command("HMGET", n.PAUSES, *services)
        return max((int(until) for until in found if until is not None), default=0)


def _places(partition: int, reader: Reader) -> str:
    # The feed's readers are known to all, who trim it; prompts have one reader.
    return streams.readers(partition) if reader == FEED else f"{n.prefix(partition)}places"


def _digest_keys(at: str, addressee: str) -> list[str]:
    return [f"{at}digests", f"{at}digest:{addressee}", f"{at}telling:{addressee}"]


def _lane(draft: Draft) -> str:
    """The lane of a letter; each channel has one of its own, unless its account is known."""
    return draft.lane or f"{draft.addressee}/{draft.channel}"


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
