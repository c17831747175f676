"""How the game ends: what brings the end about, what is still played, who has won."""

from functools import lru_cache

from contracts import events as e
from contracts.ids import BANK, Money
from contracts.pieces import Standing
from contracts.titles.facts import Facts
from services.engine.rules.companies import last_operations
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.market import space_of
from services.engine.rules.shares.worth import total_worth, worth
from services.engine.table.agenda import current_round


def end_game(ruleset: Ruleset, draft: Draft, because: str) -> None:
    """The game is over now; standings name equal players in the order of their seats."""
    table = draft.table
    standings = [
        Standing(player, total_worth(ruleset, table, player), worth(ruleset, table, player))
        for player in table.order
    ]
    standings.sort(key=lambda standing: -standing.total)
    draft.emit(e.GameEnded(because, tuple(standings)))


def is_broken(ruleset: Ruleset, cash: Money) -> bool:
    """Whether a bank with so much money is broken (ruling "bank is broken")."""
    return cash < 0 if ruleset.rulings["bank is broken"] == "when it owes" else cash <= 0


def watch_ends(ruleset: Ruleset, draft: Draft) -> None:
    """Bring the end about when a price reaches the end of the market, or the bank breaks."""
    watch_market(ruleset, draft)
    watch_bank(ruleset, draft)


def watch_market(ruleset: Ruleset, draft: Draft) -> None:
    """A price at the end of the market: this round is still played, whatever else was to come."""
    table = draft.table
    if table.ending is not None and (table.ending.over or table.ending.because == "market"):
        return
    end = end_spaces(ruleset.facts)
    if end and any(marker.space in end for marker in table.markers.values()):
        draft.emit(e.GameEndTriggered("market", "this round"))


@lru_cache(maxsize=64)
def end_spaces(facts: Facts) -> frozenset[str]:
    """The spaces of the market at which its end is reached."""
    return frozenset(map(space_of, facts.market.zones.get("end", ())))


def watch_bank(ruleset: Ruleset, draft: Draft) -> None:
    """Trigger the end when the bank breaks: this set of rounds is still played, or the next.

    It comes before last operations that have not begun, and cannot break once they have (10.3).
    """
    table = draft.table
    if table.ending is not None and not last_operations.are_next(table):
        return
    if last_operations.have_begun(table) or not is_broken(ruleset, table.cash[BANK]):
        return
    playing = current_round(table)
    last = "this set" if playing is not None and playing.kind == "operating" else "next set"
    draft.emit(e.GameEndTriggered("bank", last))
