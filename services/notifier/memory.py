"""The outbox in memory, for tests and simulation; they pass the same tests as the store's.

What lies in it never changes: each attribute is a mapping of partitions (or names) to mappings or
lists of things that are replaced and not written to. So a copy of its containers is a copy of all.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct

from contracts import notices as n
from contracts.ids import TableId
from contracts.notices import Addressee, Letter, Prompt, State
from contracts.streams import partition_of
from services.notifier.ports import Draft, Entry, Stream, Taken, Work
from services.notifier.telling import Memory, Withdrawn

_NOTHING = Memory()
_memory = msgspec.msgpack.Decoder(Memory).decode


class Kept(Struct, frozen=True):
    """A letter as it is kept; `correction` is what corrects it if it turns out to have arrived."""

    letter: Letter
    lane: str
    table: str
    mark: str = ""
    is_withdrawn: bool = False
    correction: n.Notice | None = None


class MemoryOutbox:
    """An outbox that is gone with its process. Tests look at what it keeps."""

    def __init__(self, partitions: int = 1) -> None:
        self.partitions = partitions
        self.read_to: dict[Stream, str] = {}
        self.due_looks: defaultdict[int, dict[TableId, int]] = defaultdict(dict)
        self.marks: defaultdict[int, dict[TableId, int]] = defaultdict(dict)
        self.firsts: defaultdict[int, dict[TableId, int]] = defaultdict(dict)
        self.prompted: defaultdict[TableId, dict[str, bytes]] = defaultdict(dict)
        self.memories: dict[TableId, bytes] = {}
        self.kept: defaultdict[int, dict[str, Kept]] = defaultdict(dict)
        self.in_lanes: defaultdict[int, dict[str, int]] = defaultdict(dict)
        self.rests: defaultdict[int, dict[str, int]] = defaultdict(dict)
        self.to_gather: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.telling: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.due_digests: dict[str, int] = {}
        self.addressees: dict[str, Addressee] = {}
        self.pauses: dict[str, int] = {}

    # --- what is to be looked at -------------------------------------------------------------

    async def places(self, partitions: Sequence[int]) -> dict[Stream, str]:
        """How far the streams of some partitions have been read."""
        return {stream: place for stream, place in self.read_to.items() if stream[0] in partitions}

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
        if self.read_to.get(stream, "") != before:
            return False
        partition = stream[0]
        for entry in entries:
            first = self.firsts[partition].setdefault(entry.table, now)
            due = min(now + quiet, first + most)
            if entry.prompt_id:
                self.prompted[entry.table][entry.prompt_id] = entry.prompt
                due = now
            self.due_looks[partition][entry.table] = due
            marks = self.marks[partition]
            marks[entry.table] = max(marks.get(entry.table, entry.version), entry.version)
        self.read_to[stream] = place
        return True

    async def pending(self, work: Work, partitions: Sequence[int], now: int) -> list[int]:
        """The partitions in which something is due."""
        return [one for one in partitions if any(due <= now for due in self._dues(work, one))]

    def _dues(self, work: Work, partition: int) -> Iterable[int]:
        match work:
            case "looks":
                return self.due_looks[partition].values()
            case "letters":
                return self._lanes(partition).values()
            case "digests":
                here = self._digest_partition
                return [due for name, due in self.due_digests.items() if here(name) == partition]

    async def looks(self, partition: int, now: int, most: int) -> list[tuple[TableId, int]]:
        """Tables that are to be looked at now, each with the version that is to be seen."""
        waiting = sorted((due, id) for id, due in self.due_looks[partition].items() if due <= now)
        return [(id, self.marks[partition].get(id, 0)) for _, id in waiting[:most]]

    async def postpone(self, partition: int, table: TableId, due: int) -> None:
        """Look at a table later, if it is to be looked at."""
        if table in self.due_looks[partition]:
            self.due_looks[partition][table] = due

    async def forget(self, partition: int, table: TableId) -> None:
        """Look at a table no more; what was remembered of it has gone elsewhere."""
        self.due_looks[partition].pop(table, None)
        self.marks[partition].pop(table, None)
        self.firsts[partition].pop(table, None)
        self.prompted.pop(table, None)
        self.memories.pop(table, None)

    async def prompts(
        self,
        partition: int,  # noqa: ARG002 - a table's id says where it lies
        table: TableId,
    ) -> dict[str, Prompt]:
        """Prompts that wait to be told at a table, in order of their ids."""
        found = self.prompted.get(table, {})
        return {id: n.decode_prompt(body) for id, body in sorted(found.items())}

    # --- what has been told ------------------------------------------------------------------

    async def memory(
        self,
        partition: int,  # noqa: ARG002 - as above
        table: TableId,
    ) -> tuple[bytes, Memory]:
        """What is remembered of a table, as it is stored and as it is."""
        body = self.memories.get(table)
        return (b"", _NOTHING) if body is None else (body, _memory(body))

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
        if self.memories.get(table, b"") != before:
            return False
        self.memories[table] = n.encode(memory)
        for id in prompts:
            self.prompted[table].pop(id, None)
        for draft in drafts:
            self._write(partition, draft, table, now)
        for one in withdrawn:
            self._withdraw(partition, one, now)
        if self.marks[partition].get(table, 0) <= memory.version and not self.prompted.get(table):
            for waiting in (self.due_looks, self.marks, self.firsts):
                waiting[partition].pop(table, None)
        else:
            self.firsts[partition][table] = now
            self.due_looks[partition][table] = now + again
        return True

    def _write(self, partition: int, draft: Draft, table: str, now: int) -> None:
        if draft.id in self.kept[partition]:
            return
        letter = Letter(
            *(draft.id, draft.notice, draft.addressee, draft.channel, draft.state, 0, "", now, now)
        )
        lane = draft.lane or f"{draft.addressee}/{draft.channel}"
        self.kept[partition][draft.id] = Kept(letter, lane, table)
        if draft.state == "waiting":
            self.in_lanes[partition][draft.id] = now

    def _withdraw(self, partition: int, one: Withdrawn, now: int) -> None:
        for id, kept in sorted(self.kept[partition].items()):
            if kept.letter.notice.id != one.notice:
                continue
            after, state = kept, kept.letter.state
            if state in {"waiting", "held", "digest", "dead"}:
                after = self._change(partition, id, kept, "withdrawn", now)
                self.in_lanes[partition].pop(id, None)
            if state in {"sending", "digest"}:
                self.kept[partition][id] = msgspec.structs.replace(
                    after, is_withdrawn=True, correction=one.correction
                )
            elif state == "sent" and one.correction is not None:
                self._correct(partition, kept, one.correction, now)

    def _correct(self, partition: int, kept: Kept, correction: n.Notice, now: int) -> None:
        letter = kept.letter
        draft = Draft(correction, letter.addressee, letter.channel, kept.lane)
        self._write(partition, draft, kept.table, now)

    def _change(
        self, partition: int, id: str, kept: Kept, state: State, now: int, **more: object
    ) -> Kept:
        letter = msgspec.structs.replace(kept.letter, state=state, at=now, **more)
        after = msgspec.structs.replace(kept, letter=letter)
        self.kept[partition][id] = after
        return after

    # --- letters -----------------------------------------------------------------------------

    def _lanes(self, partition: int) -> dict[str, int]:
        """When a letter of each lane may be taken."""
        lanes: dict[str, int] = {}
        for id, due in self.in_lanes[partition].items():
            lane = self.kept[partition][id].lane
            lanes[lane] = min(due, lanes.get(lane, due))
        rests = self.rests[partition]
        return {lane: max(due, rests.get(lane, 0)) for lane, due in lanes.items()}

    async def taken(
        self, partition: int, *, now: int, until: int, most: int, mark: str
    ) -> list[Taken]:
        """Take letters that are due, one of a lane."""
        waiting = sorted((due, lane) for lane, due in self._lanes(partition).items() if due <= now)
        found = []
        for _, lane in waiting[:most]:
            kept = self.kept[partition]
            _, id = min(
                (due, id) for id, due in self.in_lanes[partition].items() if kept[id].lane == lane
            )
            attempts = kept[id].letter.attempts + 1
            held = msgspec.structs.replace(kept[id], mark=mark)
            after = self._change(partition, id, held, "sending", now, due=until, attempts=attempts)
            self.rests[partition][lane] = until
            found.append(Taken(after.letter, lane, mark, after.is_withdrawn))
        return found

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
        id = taken.letter.id
        kept = self.kept[partition].get(id)
        if kept is None or kept.mark != taken.mark or kept.letter.state != "sending":
            return False
        if kept.is_withdrawn and state != "sent":
            state = "withdrawn"
        is_waiting = state in {"waiting", "held"}
        due = again if is_waiting else now
        attempts = kept.letter.attempts - is_no_attempt
        unmarked = msgspec.structs.replace(kept, mark="")
        self._change(partition, id, unmarked, state, now, why=why, due=due, attempts=attempts)
        self.rests[partition][kept.lane] = max(rest, now)
        if is_waiting:
            keeps_place = state == "held" and rest >= again
            self.in_lanes[partition][id] = now if keeps_place else again
        else:
            self.in_lanes[partition].pop(id, None)
        if kept.lane not in self._lanes(partition):
            del self.rests[partition][kept.lane]
        if state == "sent" and kept.is_withdrawn and kept.correction is not None:
            self._correct(partition, kept, kept.correction, now)
        return True

    async def letter(self, partition: int, id: str) -> Letter | None:
        """A letter, or None if it is kept no more."""
        kept = self.kept[partition].get(id)
        return None if kept is None else kept.letter

    async def letters(self, addressee: str = "", table: str = "") -> list[Letter]:
        """The letters to an addressee, or all about a table, the last first."""
        found = [
            kept.letter
            for letters in self.kept.values()
            for kept in letters.values()
            if (kept.table == table if table else kept.letter.addressee == addressee)
        ]
        return sorted(found, key=lambda letter: (-letter.notice.made, letter.id))

    async def dead(self) -> list[tuple[int, Letter]]:
        """The letters that were given up, each with its partition."""
        found = [
            (partition, kept.letter)
            for partition, letters in sorted(self.kept.items())
            for kept in letters.values()
            if kept.letter.state == "dead"
        ]
        return sorted(found, key=lambda one: (one[0], one[1].at, one[1].id))

    async def try_again(self, partition: int, id: str, now: int) -> bool:
        """Have a letter that was given up tried again; false if it was not given up."""
        kept = self.kept[partition].get(id)
        if kept is None or kept.letter.state != "dead":
            return False
        self._change(partition, id, kept, "waiting", now, due=now, attempts=0)
        self.in_lanes[partition][id] = now
        return True

    # --- digests -----------------------------------------------------------------------------

    def _digest_partition(self, addressee: str) -> int:
        return partition_of(TableId(addressee), self.partitions)

    async def gather(self, addressee: str, letter: Letter, partition: int, due: int) -> None:
        """Have a letter told by the next digest; once, however often this is asked."""
        self.to_gather[addressee][letter.id] = partition
        self.due_digests.setdefault(addressee, due)

    async def digests(self, partition: int, now: int) -> list[tuple[str, int]]:
        """The addressees whose digest is due, each with when it was."""
        return [
            (name, due)
            for name, due in sorted(self.due_digests.items(), key=lambda one: (one[1], one[0]))
            if due <= now and self._digest_partition(name) == partition
        ]

    async def gathered(self, addressee: str) -> dict[str, int]:
        """The letters that an addressee's next digest tells, each with its partition."""
        return dict(self.to_gather.get(addressee, {}))

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
        if self.due_digests.get(addressee) != due or self.telling.get(addressee):
            return False
        for draft in drafts:
            self._write(self._digest_partition(addressee), draft, "", now)
        for id in told:
            if (partition := self.to_gather[addressee].pop(id, None)) is not None:
                self.telling[addressee][id] = partition
        for id in over:
            self.to_gather[addressee].pop(id, None)
        self._next_digest(addressee, next_due)
        return True

    def _next_digest(self, addressee: str, next_due: int) -> None:
        if self.telling.get(addressee):
            return
        if self.to_gather.get(addressee):
            self.due_digests[addressee] = next_due
        else:
            del self.due_digests[addressee]

    async def told(self, addressee: str) -> dict[str, int]:
        """The letters that a digest told and that are not marked yet, each with its partition."""
        return dict(self.telling.get(addressee, {}))

    async def told_by_digest(self, partition: int, id: str, now: int) -> None:
        """Mark a letter that a digest told; one that was withdrawn meanwhile is corrected."""
        kept = self.kept[partition].get(id)
        if kept is None:
            return
        is_over = kept.letter.state == "withdrawn" and kept.is_withdrawn
        if kept.letter.state == "digest" or is_over:
            open_ = msgspec.structs.replace(kept, is_withdrawn=False)
            self._change(partition, id, open_, "sent", now, why="in a digest")
            if is_over and kept.correction is not None:
                self._correct(partition, kept, kept.correction, now)

    async def digest_done(
        self, addressee: str, letters: Iterable[str], due: int, next_due: int
    ) -> None:
        """The letters that a digest told are marked; the next one is due then, if there is any."""
        for id in letters:
            self.telling[addressee].pop(id, None)
        if self.due_digests.get(addressee) == due:
            self._next_digest(addressee, next_due)

    # --- addressees and pauses ---------------------------------------------------------------

    async def addressee(self, name: str) -> Addressee:
        """How somebody wants to be told; without any channel if he never said."""
        return self.addressees.get(name, Addressee())

    async def set_addressee(self, name: str, addressee: Addressee) -> None:
        """Keep how somebody wants to be told."""
        self.addressees[name] = addressee

    async def pause(self, service: str, until: int) -> None:
        """Leave a service alone until then."""
        self.pauses[service] = until

    async def paused_until(self, services: Sequence[str]) -> int:
        """Until when one of these services is to be left alone; 0 if none is."""
        return max((self.pauses.get(service, 0) for service in services), default=0)
