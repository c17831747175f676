"""How a history ended on the site, and how it ends here."""

from collections.abc import Mapping
from typing import Final

from contracts.events import GameEnded
from contracts.records import Record
from services.engine.table.state import Table
from services.histories.export import Export

REASONS: Final[Mapping[str, str]] = {
    "bankruptcy": "bankrupt",
    "bank": "bank",
    "market": "stock_market",
    "agreed": "manually_ended",
    "resigned": "manually_ended",
}
"""The site's word for each of our reasons; one that is not here is the same word."""


def expected_result(export: Export) -> dict[str, int] | None:
    """Final values by player, as the file has them; None where the game is not finished there."""
    if not export.finished or not export.result:
        return None
    return {export.numbers.get(name, name): value for name, value in export.result.items()}


def expected_reason(export: Export) -> str | None:
    """Why the game ended, in the site's word; None where the file does not say."""
    return export.game_end_reason


def result_of(table: Table) -> dict[str, int] | None:
    """Final values by player here, first place first; None while the game goes on."""
    if table.ending is None or not table.ending.over:
        return None
    return {standing.player: standing.total for standing in table.ending.standings}


def reason_of(records: list[Record]) -> str | None:
    """Why the game ended here, in the site's word; None while it goes on."""
    for event in reversed(records[-1].events) if records else ():
        if isinstance(event, GameEnded):
            return REASONS.get(event.because, event.because)
    return None
