"""A table out of its records: the fold that every reader of a minute book shares.

Undo is a record after which the table is as it was after an earlier record, undone ones too. So the
table after record n rests on a chain of effective records, which is found first and then applied.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from contracts import events as e
from contracts.commands import AnswerRequest
from contracts.ids import PlayerId, TableId
from contracts.people import CLOCK
from contracts.records import Record
from services.engine.table.change import changed
from services.engine.table.evolve import evolve_all
from services.engine.table.on_beside import BESIDE
from services.engine.table.state import Beside, Run, Table, new_table

ASKING: Final = frozenset({*BESIDE, e.RequestMade, e.RequestAnswered, e.RequestClosed})
"""Events of which a record may be full and yet be no move: the game stands as it stood.

What a granted request leads to, the end of the game or an undo, has an event of its own.
"""


def undone_to(record: Record) -> int | None:
    """The version that a record goes back to, or None where it goes on."""
    first = record.events[0] if record.events else None
    return first.to if isinstance(first, e.Undone) else None


def effective(records: Sequence[Record], version: int | None = None) -> list[int]:
    """Versions whose events make the table at a version, in order; `records[0]` is version 1."""
    at = len(records) if version is None else version
    chain: list[int] = []
    while at > 0:
        to = undone_to(records[at - 1])
        if to is None:
            chain.append(at)
            at -= 1
        else:
            at = to
    chain.reverse()
    return chain


def moved_by(table: Table, record: Record) -> tuple[PlayerId | None, int]:
    """Who has made all moves since which version, once a record has been applied to the table."""
    return next_mover(table.mover, table.moved_from, record)


def next_mover(
    mover: PlayerId | None, moved_from: int, record: Record
) -> tuple[PlayerId | None, int]:
    """Who has made all moves since which version, one record later.

    An undo keeps the run of whoever undid, so that he may redo; the opening is nobody's move, and
    what is done beside the game is none. What the clock does for a player is not his own: or he
    could take back alone that his time was called.
    """
    if record.version == 1:
        return None, 1
    if is_beside(record):
        return mover, moved_from
    if record.order.sender == CLOCK:
        return None, record.version
    if record.order.player == mover:
        return mover, moved_from
    return record.order.player, record.version - 1


def is_beside(record: Record) -> bool:
    """Whether all that a record brought lies beside the game."""
    return bool(record.events) and all(type(event) in BESIDE for event in record.events)


def next_run(run: Run, record: Record) -> Run:
    """Who has made all moves since which version, asking and answering not counted.

    Or anybody could end another's right to take his move back by asking for something. What all
    have agreed to is nobody's own, least of all his who agreed last.
    """
    if record.events and all(type(event) in ASKING for event in record.events):
        return run
    if isinstance(record.order.command, AnswerRequest):
        return Run(None, record.version)
    return Run(*next_mover(run.who, run.since, record))


def applied(table: Table, record: Record) -> Table:
    """The table after a record that goes on (not an undo)."""
    mover, moved_from = moved_by(table, record)
    run = next_run(table.run, record)
    after = evolve_all(table, record.events)
    return changed(after, version=record.version, mover=mover, moved_from=moved_from, run=run)


def restored(before: Table, earlier: Table, record: Record) -> Table:
    """The table after an undo: `earlier` is the table it goes back to, `before` the one undone.

    What lies beside the game stays as it was before, but for the programmes, which stop.
    """
    mover, moved_from = moved_by(before, record)
    return changed(
        earlier,
        version=record.version,
        mover=mover,
        moved_from=moved_from,
        beside=changed(before.beside, programmes=()),
        run=next_run(before.run, record),
    )


def table_at(id: TableId, records: Sequence[Record], version: int | None = None) -> Table:
    """The table as it stood after a version (the last one if None)."""
    at = len(records) if version is None else version
    table = new_table(id)
    for number in effective(records, at):
        table = evolve_all(table, records[number - 1].events)
    mover: PlayerId | None = None
    moved_from = 0
    run = Run()
    for record in records[:at]:
        mover, moved_from = next_mover(mover, moved_from, record)
        run = next_run(run, record)
    beside = beside_after(records[:at])
    return changed(table, version=at, mover=mover, moved_from=moved_from, beside=beside, run=run)


def beside_after(records: Iterable[Record]) -> Beside:
    """What lies beside the game after records, of which none is undone for it."""
    beside = Beside()
    for record in records:
        if undone_to(record) is not None:
            beside = changed(beside, programmes=())
        for event in record.events:
            if isinstance(event, e.TableOpened):
                people = {one.player: one.person for one in event.seats if one.person is not None}
                beside = Beside(people=people)
            elif type(event) in BESIDE:
                beside = BESIDE[type(event)](beside, event)
    return beside


def tables(id: TableId, records: Iterable[Record]) -> Iterable[tuple[Record, Table]]:
    """Each record with the table after it, undone ones too, in order."""
    kept = [new_table(id)]
    for record in records:
        to = undone_to(record)
        before = kept[-1]
        after = applied(before, record) if to is None else restored(before, kept[to], record)
        kept.append(after)
        yield record, after
