"""Which round follows which."""

from contracts.frames import Round
from contracts.ids import FrameId
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table


def following(ruleset: Ruleset, table: Table, ended: Round | None, id: FrameId) -> Round | None:
    """The round to be played next, or None where the game ends.

    The number of operating rounds in a set is the phase's when the stock round ends (3.3).
    """
    if ended is None:
        return Round(id, ruleset.facts.setup.first_rounds[0], 1, 1, 1)
    if ended.kind == "operating" and ended.which < ended.of:
        return Round(id, "operating", ended.number, ended.which + 1, ended.of)
    if ended.kind == "operating" and table.ending is not None:
        return None
    if ended.kind == "stock":
        of = ruleset.facts.phases[table.phase].operating_rounds
        return Round(id, "operating", ended.number, 1, of)
    number = table.rounds.get("stock", 0) + 1
    return Round(id, "stock", number, 1, 1)
