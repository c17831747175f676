"""Take a person's name out of everything, table by table; begun again, it ends what it began.

Each table is one act, guarded by the version and digest that were read, so a game that goes on is
not in the way, and an engine that has the table in its memory reads it again. Each file is written
anew and put in place of the old one before the store hears of it. Which stand-in was given is kept
as long as the removal lasts, and forgotten with the name at its end.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from contracts import archived as a
from contracts import notices, streams, talk, tokens
from contracts.commands import Order
from contracts.ids import RESERVED, PlayerId, TableId
from contracts.people import PROGRAMME, RESERVED_PEOPLE, is_person
from services.archive import folder as files
from services.archive import resealing
from services.archive.archiving import (
    TRIES,
    Between,
    as_it_was,
    encoded_line,
    folded,
    nothing,
    put_book,
    without_derived,
)
from services.archive.errors import ArchiveError, BusyError, FileError
from services.archive.exchange import Act, Exchange
from services.archive.form import Contents
from services.archive.letters import Letters, prompts_renamed
from services.archive.naming import Names, back, renamed
from services.archive.taking import Taken, head_of, kept_key, taken
from services.bus.archived import all_tombstones, tombstone
from services.bus.errors import DamagedLogError
from services.bus.typed import Client


class Sitting(Struct, frozen=True):
    """A seat of a person at a table that is not over."""

    table: TableId
    seat: PlayerId


class Removed(Struct, frozen=True):
    """What came of a removal; `failed` are sentences, and while there are any it is not done."""

    stand_in: str
    tables: tuple[TableId, ...]
    files: tuple[Path, ...]
    letters: int
    failed: tuple[str, ...]


class Removing:
    """Removes a person from a store that has been opened, and from files of its archive."""

    def __init__(
        self,
        client: Client,
        partitions: int,
        folders: Sequence[Path],
        *,
        between: Between = nothing,
    ) -> None:
        self._client = client
        self._partitions = partitions
        self._folders = tuple(folders)
        self._between = between
        self._exchange = Exchange(client)
        self._letters = Letters(client, partitions)

    # --- who sits where --------------------------------------------------------------------------

    async def sittings(self, name: str) -> list[Sitting]:
        """The seats that a person still has at tables that are not over."""
        found: list[Sitting] = []
        async for one in self._live(name):
            try:
                table = folded(one.contents)
            except ArchiveError:
                # The removal itself will name this table.
                continue
            if table.ending is not None and table.ending.over:
                continue
            found += (
                Sitting(table.id, seat)
                for seat in table.order
                if table.people.get(seat, seat) == name
            )
        return found

    # --- the removal -----------------------------------------------------------------------------

    async def remove(self, name: str, now: int, stand_in: str | None = None) -> Removed:
        """Put a stand-in in place of a person everywhere; raises `ArchiveError`."""
        if name in RESERVED_PEOPLE | RESERVED or name.startswith(PROGRAMME) or not name.strip():
            raise ArchiveError(f"{name!r} is nobody's name.")
        removal = await self._begun(name, now, stand_in)
        self._between("begun")
        failed: list[str] = []
        tables: list[TableId] = []
        async for one in self._live(name, failed):
            try:
                if await self._removed_at(one, name, removal):
                    tables.append(one.contents.table)
            except ArchiveError as error:
                failed.append(str(error))
            self._between("table")
        changed = await self._removed_from_files(name, removal, failed)
        await self._letters.renamed_digests(back({name: removal.stand_in}))
        letters = await self._letters.without(name)
        self._between("letters")
        await self._without_tokens(name)
        await self._without_dead_letters(back({name: removal.stand_in}))
        if not failed:
            await self._client.execute_command("HDEL", a.REMOVING, name)
        return Removed(removal.stand_in, tuple(tables), tuple(changed), letters, tuple(failed))

    async def _begun(self, name: str, now: int, stand_in: str | None) -> a.Removal:
        """The removal that was begun for this person, or a new one."""
        body = await self._client.hget(a.REMOVING, name)
        if body is not None:
            removal = a.decode_removal(body)
            if stand_in not in {None, removal.stand_in}:
                raise ArchiveError(
                    f"{name} is being removed already, and is {removal.stand_in} from now on. Go "
                    "on without --as."
                )
            return removal
        if not await self._is_known(name):
            raise ArchiveError(f"{name} stands nowhere: in no minute book, no chat and no setting.")
        if stand_in is None:
            stand_in = await self._next()
        elif not is_person(stand_in) or stand_in == name:
            raise ArchiveError(f"Nobody can be called {stand_in!r}.")
        elif await self._is_taken(stand_in):
            raise ArchiveError(f"{stand_in} is the name of somebody. Name another with --as.")
        removal = a.Removal(stand_in, now)
        await self._client.hset(a.REMOVING, name, a.encode(removal))
        return removal

    async def _next(self) -> str:
        """A stand-in that was never given; where one is somebody's name, its table gets another."""
        number = await self._client.execute_command("HINCRBY", a.REMOVED, "people", 1)
        return f"removed-{number}"

    async def _is_known(self, name: str) -> bool:
        """Whether a name stands anywhere at all."""
        own = notices.of_player(name)
        if await self._client.hget(notices.ADDRESSEES, own) is not None:
            return True
        held = (await self._client.hgetall(tokens.TOKENS)).values()
        if any(tokens.decode(body).person == name for body in held):
            return True
        return await self._is_taken(name)

    async def _is_taken(self, text: str) -> bool:
        async for _ in self._live(text):
            return True
        return any(
            resealing.occurs(contents, text)
            for path in self._files()
            if (contents := _readable(path)) is not None
        )

    # --- tables in the store ---------------------------------------------------------------------

    async def _live(self, text: str, failed: list[str] | None = None) -> AsyncIterator[Taken]:
        """The tables of the store in whose book, outcomes or talk a text stands somewhere."""
        for partition in range(self._partitions):
            members = await self._client.smembers(streams.tables(partition))
            for id in sorted(member.decode() for member in members):
                table = TableId(id)
                if not await self._stands_in(partition, table, text):
                    continue
                try:
                    yield await taken(self._client, self._partitions, table, 0)
                except (ArchiveError, DamagedLogError) as error:
                    # It was archived meanwhile, or is damaged; without a list nobody minds.
                    if failed is not None:
                        failed.append(f"{error} (`audit {table}` tells more.)")

    async def _stands_in(self, partition: int, table: TableId, text: str) -> bool:
        """Whether a text stands in what the store has of a table; cheap, for there are many."""
        _, _, is_archived, _ = await head_of(self._client, self._partitions, table)
        if is_archived:
            return False
        part = text.encode()
        after = "-"
        while page := await self._client.xrange(streams.log(partition, table), after, "+", 500):
            if any(part in fields.get(streams.LOG_BODY.encode(), b"") for _, fields in page):
                return True
            after = f"({page[-1][0].decode()}"
        outcomes = await self._client.hgetall(streams.outcomes(partition, table))
        if any(part in id or part in body for id, body in outcomes.items()):
            return True
        told = await self._client.hget(f"{notices.prefix(partition)}told", table)
        if told is not None and part in told:
            return True
        for key in talk.keys(partition, table):
            if await self._client.execute_command("EXISTS", key):
                kept = await kept_key(self._client, table, key)
                if resealing.holds(kept.value, part):
                    return True
        return False

    async def _removed_at(self, found: Taken, name: str, removal: a.Removal) -> bool:
        """Take a person out of a table of the store; whether he was there."""
        table = found.contents.table
        for _ in range(TRIES):
            records = (sealed.record for sealed in found.contents.sealed)
            stand_in = resealing.stand_in_at(found.contents, removal.stand_in)
            names = resealing.names_at(records, name, stand_in)
            # What is beside the book goes first: the book knows what a seat was called there.
            await self._letters.renamed_at(table, names)
            after = resealing.without(found.contents, names, removal.at)
            if after is None:
                return False
            act = as_it_was(found)
            prompted = f"{notices.prefix(found.partition)}prompted:{table}"
            prompts_renamed(act, prompted, await self._client.hgetall(prompted), names)
            without_derived(act, found)
            for key in found.dumps:
                act.then("DEL", key)
            put_book(act, found.partition, after)
            if await self._exchange.done(act):
                return True
            found = await taken(self._client, self._partitions, table, 0)
        raise BusyError(f"Table {table} changes all the time. Run this again when it is quiet.")

    # --- tables in the archive -------------------------------------------------------------------

    def _files(self) -> Iterable[Path]:
        return dict.fromkeys(path for folder in self._folders for path in files.files_in(folder))

    async def _removed_from_files(
        self, name: str, removal: a.Removal, failed: list[str]
    ) -> list[Path]:
        changed: list[Path] = []
        stones = await all_tombstones(self._client, self._partitions)
        elsewhere = (files.place_of(stone, self._folders[0]) for stone in stones)
        for path in dict.fromkeys((*self._files(), *elsewhere)):
            try:
                if await self._removed_from(path, name, removal):
                    changed.append(path)
            except ArchiveError as error:
                failed.append(str(error))
            self._between("file")
        return changed

    async def _removed_from(self, path: Path, name: str, removal: a.Removal) -> bool:
        files.expect(path)
        async with files.held(path.parent):
            return await self._rewritten(path, name, removal)

    async def _rewritten(self, path: Path, name: str, removal: a.Removal) -> bool:
        contents = files.contents_of(path)
        records = (sealed.record for sealed in contents.sealed)
        stand_in = resealing.stand_in_at(contents, removal.stand_in)
        names = resealing.names_at(records, name, stand_in)
        after = resealing.without(contents, names, removal.at)
        if after is not None:
            await self._letters.renamed_at(contents.table, names)
            files.write_over(path, after)
            self._between("file written")
        await self._mark_stone(path, contents if after is None else after)
        return after is not None

    async def _mark_stone(self, path: Path, contents: Contents) -> None:
        """Have the store know of a file what it is by now; it may have been written long before."""
        stone = await tombstone(self._client, self._partitions, contents.table)
        if stone is None or files.place_of(stone, self._folders[0]) != path:
            return
        if stone.digest == contents.seal:
            return
        line = encoded_line(contents)
        after = msgspec.structs.replace(stone, digest=contents.seal, line=line)
        partition = streams.partition_of(contents.table, self._partitions)
        act = Act()
        act.expect(a.encode(stone), "HGET", a.tombstones(partition), contents.table)
        act.then("HSET", a.tombstones(partition), contents.table, a.encode(after))
        head = streams.head(partition, contents.table)
        act.then("HSET", head, streams.HEAD_DIGEST, contents.seal)
        if not await self._exchange.done(act):
            raise BusyError(f"Table {contents.table} was restored meanwhile. Run this again.")

    # --- tokens ----------------------------------------------------------------------------------

    async def _without_tokens(self, name: str) -> None:
        for id, body in (await self._client.hgetall(tokens.TOKENS)).items():
            if tokens.decode(body).person == name:
                await self._client.execute_command("HDEL", tokens.TOKENS, id)
                await self._client.execute_command("HDEL", tokens.TOKENS_USED, id)

    async def _without_dead_letters(self, names: Names) -> None:
        """Throw away the orders of a person that could never succeed; nobody can mend them now."""
        for partition in range(self._partitions):
            key = streams.dead(partition)
            for id, fields in await self._client.xrange(key, "-", "+"):
                if _names(fields, names):
                    await self._client.execute_command("XDEL", key, id)


def _names(fields: dict[bytes, bytes], names: Names) -> bool:
    """Whether a dead letter names somebody: its sender, its seat, or why it is dead."""
    why = fields.get(streams.DEAD_WHY.encode(), b"").decode(errors="replace")
    if names.sentence(why) != why:
        return True
    try:
        sent = msgspec.msgpack.decode(fields.get(streams.DEAD_FIELDS.encode(), b""))
        plain = msgspec.msgpack.decode(sent[streams.COMMAND_ORDER.encode()])
        msgspec.convert(plain, Order)
    except (msgspec.MsgspecError, LookupError, TypeError):
        return False
    return bool(renamed(Order, plain, names) != plain)


def _readable(path: Path) -> Contents | None:
    try:
        return files.contents_of(path)
    except FileError:
        return None
