"""The shortest beginning of a soaked game in which its failure shows still."""

from collections.abc import Sequence
from typing import Final

import msgspec

from contracts.commands import OpenTable, Order
from contracts.ids import TableId
from contracts.records import Record
from contracts.rejections import Rejection
from services.engine.projections import api
from services.engine.projections.audit_pieces import Counting
from services.engine.projections.audit_views import worked_out
from services.engine.rules.ruleset import Ruleset, ruleset_for
from services.engine.table.fold import table_at, undone_to
from services.soak import checks, probes
from services.soak.coverage import Coverage
from services.soak.failure import Failure, FailureError
from services.soak.game import Soaked

LOOKED_AT_SELDOM: Final = frozenset({"replay", "views", "figures"})
"""Checks that are not made after every record: a failure may be older than where it showed."""


def shortened(game: Soaked) -> tuple[tuple[Record, ...], Failure]:
    """The shortest beginning of a game that fails still, and how it does."""
    records, failure = game.records, game.failure
    assert failure is not None  # only games that failed are shortened
    if failure.check in LOOKED_AT_SELDOM:
        records, failure = _halved(records, failure)
    return _without_last_undo(records, failure)


def _halved(records: tuple[Record, ...], failure: Failure) -> tuple[tuple[Record, ...], Failure]:
    """The first record after which a check fails, if it fails ever after."""
    fine, fails = 1, len(records)
    found = failure
    while fails - fine > 1:
        middle = (fine + fails) // 2
        again = failing(records[:middle], failure)
        if again is None:
            fine = middle
        else:
            fails, found = middle, again
    return records[:fails], found


def _without_last_undo(
    records: tuple[Record, ...], failure: Failure
) -> tuple[tuple[Record, ...], Failure]:
    """Where the table that fails is one that was gone back to, the game up to that one."""
    while records:
        to = undone_to(records[-1])
        again = failing(records[:to], failure) if to is not None else None
        if to is None or again is None:
            break
        records, failure = records[:to], again
    return records, failure


def failing(records: Sequence[Record], failure: Failure) -> Failure | None:
    """How a beginning of a game fails in the same way, if it does."""
    if not records:
        return None
    opening = records[0].order.command
    ruleset = ruleset_for(opening) if isinstance(opening, OpenTable) else None
    if ruleset is None or isinstance(ruleset, Rejection):
        return None
    try:
        looked_at(ruleset, records[0].order.table, records, failure)
    except FailureError as error:
        return error.failure if error.failure.check == failure.check else None
    except Exception as error:  # noqa: BLE001 - whatever the rules raise is the finding
        is_crash = failure.check == "crash"
        return Failure("crash", len(records), repr(error)) if is_crash else None
    return None


def looked_at(ruleset: Ruleset, id: TableId, records: Sequence[Record], failure: Failure) -> None:
    """Make the check again that failed; raises how it fails."""
    counting = Counting({})
    table = table_at(id, records)
    if failure.check in LOOKED_AT_SELDOM:
        state: api.State = worked_out(id, records)
        checks.views_hold(ruleset, records, state, table)
    if failure.order is not None:
        order = at_version(failure.order, failure.version, table.version)
        probes.judged(ruleset, table, order, Coverage(), counting)
        return
    last = records[-1]
    if undone_to(last) is None:
        checks.after_events(ruleset, table_at(id, records[:-1]), last.events, counting)
    checks.after_record(ruleset, last, table, counting)


def at_version(order: Order, before: int, now: int) -> Order:
    """An order made against one version, made against another."""
    if order.version != before:
        return order
    moved: Order = msgspec.structs.replace(order, version=now)
    return moved
