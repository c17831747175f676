"""A history played through the running services, order by order, into a table.

Every order's id says table and step, so an import that is started again is answered for what it has
sent before, and goes on from there; nothing is played twice. Orders report when the action was
made on the site, so the same file gives the same minute book, digest for digest, each time.
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from contracts.commands import OpenTable, Order
from contracts.ids import TableId
from contracts.rejections import in_words
from contracts.streams import Refused
from services.console.desk import Desk
from services.console.errors import RefusedError
from services.console.screen import Advance
from services.engine.table.fold import applied
from services.histories.actions import Step
from services.histories.errors import HistoryError
from services.histories.export import Export
from services.histories.result import expected_reason, expected_result, reason_of, result_of
from services.histories.translate import Translator


class Imported(Struct, frozen=True):
    """What came of an import."""

    title: str
    table: TableId
    commands: int
    accepted: int
    records: int
    seal: str
    first_difference: str | None
    result: dict[str, int] | None
    expected: dict[str, int] | None
    reason: str | None

    @property
    def equal(self) -> bool:
        """Whether every action was accepted and the result is the file's."""
        return self.accepted == self.commands and self.first_difference is None


class _Import:
    """Sends orders one by one and tells the translator what each led to."""

    def __init__(self, desk: Desk, translator: Translator) -> None:
        self.desk = desk
        self.translator = translator
        self.table = translator.game.table
        self.reported = 0
        """When the action that is being played was made, in microseconds since 1970."""

    async def send(self, order: Order) -> None:
        """Send an order, and tell the translator what it led to."""
        sent = replace(order, reported=self.reported)
        outcome = await self.desk.sent(sent)
        if isinstance(outcome, Refused):
            raise RefusedError(in_words(outcome.rejection))
        version = outcome.version
        if version != self.table.version + 1:
            raise self._otherwise(order)
        (sealed,) = await self.desk.records(order.table, version, version)
        # Another file's import used the same ids, so its outcome was the answer.
        if sealed.record.order != sent:
            raise self._otherwise(order)
        self.table = applied(self.table, sealed.record)
        self.translator.played(sealed.record, self.table)

    def _otherwise(self, order: Order) -> RefusedError:
        return RefusedError(
            f"Table {order.table} has been played otherwise than this file since version "
            f"{self.table.version}; import into another table."
        )


class _Stamp(Struct, frozen=True):
    """The part of an action that says when it was made, in seconds since 1970."""

    created_at: int = 0


def _made_at(step: Step) -> int:
    try:
        return max(0, 1_000_000 * msgspec.json.decode(step.raw, type=_Stamp).created_at)
    except msgspec.ValidationError:
        # The site has written other things than seconds; the order of actions is what matters.
        return 0


def _imported(opening: Order) -> Order:
    """The order that opens the table, which is to say of it that it is imported."""
    command = opening.command
    assert isinstance(command, OpenTable)
    settings = replace(command.settings, imported=True)
    return replace(opening, command=replace(command, settings=settings))


async def imported(
    desk: Desk,
    export: Export,
    table: TableId,
    rulings: Mapping[str, str] | None,
    advance: Advance,
) -> Imported:
    """Play a history to its end, or to the first action that is refused."""
    translator = Translator(export, rulings, table)
    play = _Import(desk, translator)
    accepted, difference = 0, None
    try:
        play.reported = _made_at(translator.steps[0]) if translator.steps else 0
        await play.send(_imported(translator.opening()))
        for step in translator.steps:
            play.reported = max(play.reported, _made_at(step))
            for order in translator.orders(step):
                await play.send(order)
            accepted += 1
            advance(accepted, len(translator.steps))
    except (RefusedError, HistoryError) as error:
        done = translator.steps[accepted] if accepted < len(translator.steps) else None
        difference = f"action {done.id}: {error}" if done else str(error)
    sealed = await desk.records(table)
    records = [one.record for one in sealed]
    result, expected = result_of(play.table), expected_result(export)
    reason = reason_of(records)
    if difference is None and expected not in (None, result):
        difference = f"result: {expected} expected, {result} here"
    if difference is None and expected_reason(export) not in (None, reason):
        difference = f"reason: {expected_reason(export)!r} expected, {reason!r} here"
    return Imported(
        title=export.title,
        table=table,
        commands=len(translator.steps),
        accepted=accepted,
        records=len(records),
        seal=sealed[-1].digest.hex() if sealed else "",
        first_difference=difference,
        result=result,
        expected=expected,
        reason=reason,
    )
