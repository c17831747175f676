"""What is legal among the offers of acts."""

from contracts.choices import Choice
from contracts.frames import Question
from contracts.ids import PlayerId
from services.engine.rules.parts.kinds import Act
from services.engine.rules.permitted import Permit
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import top
from services.engine.table.state import Table


def offered(
    ruleset: Ruleset, table: Table, player: PlayerId, permit: Permit, act: Act
) -> list[Choice]:
    """The legal offers of one act."""
    frame = top(table)
    question = frame.id if isinstance(frame, Question) and permit.asked else None
    return [
        Choice(player, offer.command, offer.open, question)
        for offer in act.offers(ruleset, table, permit.who)
        if next(act.objections(ruleset, table, permit.who, offer.command), None) is None
    ]
