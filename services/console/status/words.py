"""What the facts mean, in sentences, as a good colleague would say them. Pure.

Each sentence is either well or not; the last one is the verdict over all. Something that was given
up, or that could be lost, is said without being a failure: nothing stands still because of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from contracts import notices
from contracts.streams import CLOCK_READER, VIEWS_READER
from services.bus.lag import Behind
from services.console.status.facts import Dead, Facts, Living, Read

COMMANDS_SECONDS_MOST: Final = 5.0
"""A command that waits for longer means that the engine does not keep up."""
READERS_SECONDS_MOST: Final = 10.0
"""A record that waits for longer means that its reader does not keep up."""
TIMERS_SECONDS_MOST: Final = 5.0
NOTICES_SECONDS_MOST: Final = 60.0
"""Looks and letters that are overdue for longer: a busy minute is no trouble."""
PROGRESS_SECONDS_MOST: Final = 60.0
"""What lives and is ready goes on with its work, or has none."""
SILENT_SECONDS_MOST: Final = 10.0
"""A process that lives gives a sign every two seconds."""
TROUBLE_SECONDS: Final = 3600
"""Troubles are told for so long."""
MEMORY_SHARE_MOST: Final = 0.9

SERVICES: Final = ("engine", "projector", "clock", "notifier")
WITHOUT: Final = {
    "engine": "nothing is decided",
    "projector": "views stay as they are, and nobody is told of new turns",
    "clock": "nobody's time is called",
    "notifier": "nobody is told anything",
}
"""What it means that a service does not run."""


class Sentence(Struct, frozen=True):
    """Something about one group, and whether all is well as far as it goes."""

    about: str
    words: str
    is_well: bool = True


class Report(Struct, frozen=True):
    """All sentences, and the verdict."""

    sentences: tuple[Sentence, ...]
    verdict: str
    is_well: bool


def report(facts: Facts) -> Report:
    """What there is to say."""
    sentences = (
        *_store(facts),
        *_engine(facts),
        *_projector(facts),
        *_clock(facts),
        *_notifier(facts),
        *_troubles(facts),
        *_tables(facts),
    )
    bad = [one for one in sentences if not one.is_well]
    if not bad:
        return Report(sentences, "All is well: every service keeps up.", is_well=True)
    abouts = _listed(dict.fromkeys(f"the {one.about}" for one in bad))
    verdict = f"Not all is well: look at {abouts}."
    return Report(sentences, verdict, is_well=False)


# --- the store -------------------------------------------------------------------------------


def _store(facts: Facts) -> Iterator[Sentence]:
    for node in facts.nodes:
        memory = f"{_bytes(node.memory_bytes)} of memory"
        if node.memory_bytes_most:
            memory = f"{_bytes(node.memory_bytes)} of {_bytes(node.memory_bytes_most)} of memory"
        safe = "" if node.settings else ", keeps every move before it answers,"
        yield Sentence("store", f"The store is {node.name}{safe} and uses {memory}.")
        for warning in node.settings:
            yield Sentence("store", warning)
        for error in node.errors:
            yield Sentence("store", f"{node.name}: {error}", is_well=False)
        if node.memory_bytes_most:
            share = node.memory_bytes / node.memory_bytes_most
            if share > MEMORY_SHARE_MOST:
                words = f"{node.name} has used {share:.0%} of its memory; at 100% it takes no more."
                yield Sentence("store", words, is_well=False)


# --- services --------------------------------------------------------------------------------


def _presence(facts: Facts, service: str) -> Iterator[Sentence]:
    """What is wrong with the processes of a service themselves."""
    living = facts.of(service)
    if not living:
        gone = [one for one in facts.gone if one.service == service]
        heard = ""
        if gone:
            last = max(one.at for one in gone)
            heard = f" The last one ended {duration((facts.now - last) / 1e6)} ago or earlier."
            if last > facts.now:
                heard = " The last one ended a moment ago."
        words = f"No {service} runs: {WITHOUT[service]}.{heard}"
        yield Sentence(service, words, is_well=False)
    for one in living:
        if one.silent_seconds > SILENT_SECONDS_MOST:
            words = f"{_named(one)} has given no sign of life for {duration(one.silent_seconds)}."
            yield Sentence(service, words, is_well=False)
        elif not one.sign.is_ready:
            words = f"{_named(one)} is not ready: it waits for {one.sign.waits_for or 'nothing'}."
            yield Sentence(service, words, is_well=_is_a_spare(facts, one))
        elif (seconds := (one.sign.at - one.sign.progressed) / 1e6) > PROGRESS_SECONDS_MOST:
            words = f"{_named(one)} has work, and has done none of it for {duration(seconds)}."
            yield Sentence(service, words, is_well=False)


def _is_a_spare(facts: Facts, one: Living) -> bool:
    """Whether an engine only stands by for leases that another one holds."""
    lost = _ended_engines(facts)
    held = all(lease.holder and lease.holder not in lost for lease in facts.leases)
    return one.sign.service == "engine" and held


def _ended_engines(facts: Facts) -> frozenset[str]:
    """Engines that are known to have ended; their leases run on for some seconds."""
    return frozenset(one.name for one in facts.gone if one.service == "engine")


def _named(one: Living) -> str:
    sign = one.sign
    return f"The {sign.service} (process {sign.process} on {sign.host})"


def _engine(facts: Facts) -> Iterator[Sentence]:
    yield from _presence(facts, "engine")
    holders: dict[str, list[int]] = {}
    lost = _ended_engines(facts)
    for partition, lease in enumerate(facts.leases):
        holders.setdefault("" if lease.holder in lost else lease.holder, []).append(partition)
    free = holders.pop("", [])
    waiting = sum(facts.commands, Behind())
    is_late = waiting.seconds(facts.now) > COMMANDS_SECONDS_MOST
    waits = _waits(waiting, facts.now)
    if len(holders) == 1 and not free:
        words = f"The engine decides for all {len(facts.leases)} partitions; {waits}."
        yield Sentence("engine", words, is_well=not is_late)
    elif holders:
        shares = "; ".join(
            f"process {holder.split('/')[1]} on {holder.split('/')[0]} for {_partitions(some)}"
            if holder.count("/") == 2
            else f"{holder} for {_partitions(some)}"
            for holder, some in holders.items()
        )
        count = "One engine decides" if len(holders) == 1 else f"{len(holders)} engines decide"
        yield Sentence("engine", f"{count}: {shares}; {waits}.", is_well=not is_late)
    elif waiting.entries:
        yield Sentence("engine", f"{waits[:1].upper()}{waits[1:]}.", is_well=not is_late)
    if free and (holders or facts.of("engine")):
        words = f"Nobody decides for {_partitions(free)}."
        yield Sentence("engine", words, is_well=False)
    yield from _dead(facts, facts.dead_commands, "command", "engine")


def _waits(behind: Behind, now: int) -> str:
    if not behind.entries:
        return "nothing waits"
    verb = "waits" if behind.entries == 1 else "wait"
    oldest = f"{duration(behind.seconds(now))}"
    some = _some(behind.entries, "command", is_more=behind.is_more)
    since = f"for {oldest}" if behind.entries == 1 else f", the oldest for {oldest}"
    return f"{some} {verb} {since}".replace(" ,", ",")


def _dead(facts: Facts, dead: Dead, what: str, about: str) -> Iterator[Sentence]:
    if not dead.number:
        return
    ago = duration((facts.now - dead.at) / 1e6)
    verb = "was" if dead.number == 1 else "were"
    fate = "could never succeed and" if what == "command" else "could not be delivered and"
    words = f"{_some(dead.number, what)} {fate} {verb} kept; the last one {ago} ago: {dead.why}"
    words = words if words.endswith((".", "!", "?")) else f"{words}."
    again = f" `minutebook notices {dead.table} --again` tries again." if dead.table else ""
    yield Sentence(about, words + again)


def _reading(facts: Facts, service: str, reader: str) -> Iterator[Sentence]:
    """How a service keeps up with the feeds; nothing of one that is not there and has no work."""
    read = facts.readers.get(reader, Read())
    if facts.of(service) or read.unread or read.behind.entries:
        yield _kept_up(facts, service, read)


def _kept_up(facts: Facts, service: str, read: Read) -> Sentence:
    seconds = read.behind.seconds(facts.now)
    if read.unread:
        words = f"The {service} has not begun with {_some(read.unread, 'partition')} yet."
        return Sentence(service, words, is_well=False)
    if not read.behind.entries:
        return Sentence(service, f"The {service} has dealt with every record.")
    some = _some(read.behind.entries, "record", is_more=read.behind.is_more)
    words = f"The {service} is {some} behind (the oldest waits for {duration(seconds)})."
    return Sentence(service, words, is_well=seconds <= READERS_SECONDS_MOST)


def _projector(facts: Facts) -> Iterator[Sentence]:
    yield from _presence(facts, "projector")
    yield from _reading(facts, "projector", VIEWS_READER)


def _clock(facts: Facts) -> Iterator[Sentence]:
    yield from _presence(facts, "clock")
    yield from _reading(facts, "clock", CLOCK_READER)
    timers = facts.timers
    if timers.overdue:
        seconds = max(0.0, (facts.now - timers.oldest) / 1e6)
        verb = "is" if timers.overdue == 1 else "are"
        some = _some(timers.overdue, "timer")
        words = f"{some} {verb} overdue, the oldest for {duration(seconds)}."
        yield Sentence("clock", words, is_well=seconds <= TIMERS_SECONDS_MOST)
    elif timers.later:
        verb = "is" if timers.later == 1 else "are"
        yield Sentence("clock", f"{_some(timers.later, 'timer')} {verb} set, none is overdue.")


def _notifier(facts: Facts) -> Iterator[Sentence]:
    yield from _presence(facts, "notifier")
    yield from _reading(facts, "notifier", notices.READER)
    prompts = facts.prompts.behind
    if prompts.entries:
        seconds = prompts.seconds(facts.now)
        some = _some(prompts.entries, "prompt", is_more=prompts.is_more)
        verb = "is" if prompts.entries == 1 else "are"
        words = f"{some} of the clock {verb} not read (the oldest waits for {duration(seconds)})."
        yield Sentence("notifier", words, is_well=seconds <= READERS_SECONDS_MOST)
    for due, what, done in (
        (facts.looks, "table", "looked at"),
        (facts.letters, "letter", "sent"),
    ):
        if due.overdue:
            seconds = max(0.0, (facts.now - due.oldest) / 1e6)
            some = _some(due.overdue, what)
            verb = "is" if due.overdue == 1 else "are"
            words = f"{some} {verb} to be {done} now, the first for {duration(seconds)}."
            yield Sentence("notifier", words, is_well=seconds <= NOTICES_SECONDS_MOST)
    if facts.letters.later:
        some = _some(facts.letters.later, "letter")
        verb = "waits" if facts.letters.later == 1 else "wait"
        words = f"{some} {verb} for later: quiet hours, a pause, or another attempt."
        yield Sentence("notifier", words)
    for kind, until in sorted(facts.pauses.items()):
        rest = duration((until - facts.now) / 1e6)
        yield Sentence("notifier", f"A service ({kind}) wants to be left alone for {rest}.")
    yield from _dead(facts, facts.dead_letters, "letter", "notifier")


# --- tables and troubles ---------------------------------------------------------------------

TO_DO: Final = {
    "minute book damaged": "`minutebook audit {table}` says where.",
    "views failed": "The log of the projector has the trace.",
    "table cannot be told": "The log of the notifier has the trace.",
    "engine fault": "The log of the engine has the trace; the command was kept.",
}
"""What to do about what services say in their logs."""


def _troubles(facts: Facts) -> Iterator[Sentence]:
    """What services could not do lately."""
    for one in facts.processes:
        for trouble in one.sign.troubles:
            seconds = max(0.0, (one.sign.at - trouble.at) / 1e6)
            if seconds > TROUBLE_SECONDS:
                continue
            at = f" at table {trouble.table}" if trouble.table else ""
            to_do = TO_DO.get(trouble.what, "Its log tells more.").format(table=trouble.table)
            words = (
                f"The {one.sign.service} said {duration(seconds)} ago: {trouble.what}{at}. {to_do}"
            )
            yield Sentence(one.sign.service, words, is_well=False)


def _tables(facts: Facts) -> Iterator[Sentence]:
    tables = facts.tables
    archived = f", {tables.archived:,} are in the archive" if tables.archived else ""
    unshown = f", {tables.unshown:,} have no views yet" if tables.unshown else ""
    some = _some(tables.playing, "table")
    verb = "is" if tables.playing < 2 else "are"
    words = f"{some} {verb} being played, {tables.finished:,} finished{archived}{unshown}."
    yield Sentence("tables", words)
    releases = sorted({one.sign.release for one in facts.processes})
    if len(releases) > 1:
        which = ", ".join(f"{one.sign.service} {one.sign.release}" for one in facts.processes)
        yield Sentence("services", f"Services of several releases run: {which}.")


# --- figures in words ------------------------------------------------------------------------


def duration(seconds: float) -> str:
    """A span of time in words, rounded down.

    >>> duration(0.2), duration(3.9), duration(200), duration(7300), duration(200_000)
    ('less than a second', '3 s', '3 minutes', '2 hours', '2 days')
    """
    if seconds < 1:
        return "less than a second"
    for length, name in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * length:
            return f"{int(seconds // length)} {name}s"
    return f"{int(seconds)} s"


def _bytes(number: int) -> str:
    """Bytes in words.

    >>> _bytes(900_000), _bytes(12_600_000), _bytes(3_100_000_000)
    ('0.9 MB', '12.6 MB', '3.1 GB')
    """
    return f"{number / 1e9:.1f} GB" if number >= 1_000_000_000 else f"{number / 1e6:.1f} MB"


def _some(number: int, what: str, *, is_more: bool = False) -> str:
    """A number of things.

    >>> _some(0, "table"), _some(1, "table"), _some(1000, "record", is_more=True)
    ('No table', '1 table', 'more than 1,000 records')
    """
    if not number:
        return f"No {what}"
    more = "more than " if is_more else ""
    return f"{more}{number:,} {what}{'' if number == 1 and not is_more else 's'}"


def _partitions(some: Sequence[int]) -> str:
    """Partitions by their numbers.

    >>> _partitions([3]), _partitions([0, 1, 2, 5]), _partitions([1, 2])
    ('partition 3', 'partitions 0 to 2 and 5', 'partitions 1 and 2')
    """
    runs: list[list[int]] = []
    for number in some:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts: list[str] = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(number) for number in run]
    return f"partition{'' if len(some) == 1 else 's'} {_listed(parts)}"


def _listed(parts: Iterable[str]) -> str:
    """Parts with commas, and an "and" before the last."""
    *before, last = parts
    return f"{', '.join(before)} and {last}" if before else last
