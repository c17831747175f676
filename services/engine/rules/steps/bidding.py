"""The turns of the opening round: one thing is done in each, or none."""

from contracts.commands import Bid
from contracts.ids import Party
from services.engine.rules.acts.bid import BID_HIGHER, BUY_OR_BID, bought_or_bid
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Step
from services.engine.rules.procedures.lots import waterfall_of
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def acted(_ruleset: Ruleset, draft: Draft, _who: Party) -> str | None:
    """The step is over once something was done in it."""
    turn = current_turn(draft.table)
    return "done" if turn is not None and turn.acted else None


def acted_or_must_take(ruleset: Ruleset, draft: Draft, who: Party) -> str | None:
    """A first lot that costs nothing any more has to be taken (3.1.5)."""
    because = acted(ruleset, draft, who)
    waterfall = waterfall_of(draft.table)
    if because is None and waterfall is not None and waterfall.lots[0].asking == 0:
        bought_or_bid(ruleset, draft, who, Bid(waterfall.lots[0].company, 0))
    return because


def says_so(ruleset: Ruleset, _table: Table, _who: Party) -> bool:
    """Whether a player has to say that he passes where he cannot bid (ruling "silent bidder")."""
    return ruleset.rulings.get("silent bidder") == "must say so"


WATERFALL = Step((BUY_OR_BID,), by_itself=acted_or_must_take, waits=says_so)
BID = Step((BID_HIGHER,), by_itself=acted, waits=says_so)
