"""A history played through the running services, order by order, into a table.

Every order's id says table and step, so an import that is started again is answered for what it has
sent before, and goes on from there; nothing is played twice.
"""

from collections.abc import Mapping

from msgspec import Struct

from contracts.commands import Order
from contracts.ids import TableId
from contracts.rejections import in_words
from contracts.streams import Refused
from services.console.desk import Desk
from services.console.errors import RefusedError
from services.console.screen import Advance
from services.engine.table.fold import applied
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
        self.digest = b""

    async def send(self, order: Order) -> None:
        outcome = await self.desk.sent(order)
        if isinstance(outcome, Refused):
            raise RefusedError(in_words(outcome.rejection))
        version = outcome.version
        if version != self.table.version + 1:
            raise RefusedError(
                f"Table {order.table} has been played otherwise than this file since version "
                f"{self.table.version}; import into another table."
            )
        (sealed,) = await self.desk.records(order.table, version, version)
        self.table = applied(self.table, sealed.record)
        self.digest = sealed.digest
        self.translator.played(sealed.record, self.table)


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
        await play.send(translator.opening())
        for step in translator.steps:
            for order in translator.orders(step):
                await play.send(order)
            accepted += 1
            advance(accepted, len(translator.steps))
    except (RefusedError, HistoryError) as error:
        done = translator.steps[accepted] if accepted < len(translator.steps) else None
        difference = f"action {done.id}: {error}" if done else str(error)
    records = [sealed.record for sealed in await desk.records(table)]
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
        seal=play.digest.hex(),
        first_difference=difference,
        result=result,
        expected=expected,
        reason=reason,
    )
