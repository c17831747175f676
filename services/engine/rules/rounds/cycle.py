"""Which round follows which."""

from contracts.frames import Round
from contracts.ids import FrameId
from services.engine.rules.companies import last_operations
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table

OPERATING = "operating"


def following(ruleset: Ruleset, table: Table, ended: Round | None, id: FrameId) -> Round | None:
    """The round to be played next, or None where the game ends.

    The number of operating rounds in a set is the phase's when the stock round ends (3.3).
    """
    if ended is not None and ended.kind == OPERATING:
        if ends_now(table, ended):
            return None
        if ended.which < ended.of:
            return Round(id, OPERATING, ended.number, ended.which + 1, ended.of)
    kind = kind_after(ruleset, table, ended)
    if ended is not None and kind == OPERATING:
        return Round(id, OPERATING, ended.number, 1, operations(ruleset, table))
    same = first_of_kind(ruleset, kind) if table.rounds.get("stock", 0) == 0 else 1
    which = table.rounds.get(kind, 0) + 1 if same > 1 else 1
    return Round(id, kind, table.rounds.get("stock", 0) + 1, which, same)


def ends_now(table: Table, ended: Round) -> bool:
    """Whether the game is over with an operating round: at once, or with the last of its set."""
    ending = table.ending
    if ending is None or ending.last == last_operations.LAST:
        return False
    return ending.last == "this round" or ended.which == ended.of


def kind_after(ruleset: Ruleset, table: Table, ended: Round | None) -> str:
    """The kind of the next round: of those that open the game, then round the cycle."""
    setup = ruleset.facts.setup
    begun = sum(table.rounds.values())
    *before, last = setup.first_rounds
    if ended is None or (ended.kind in before and not table.rounds.get(last)):
        return setup.first_rounds[begun]
    if last_operations.have_begun(table):
        return "stock" if ended.kind == OPERATING else OPERATING
    place = setup.round_cycle.index(ended.kind) + 1 if ended.kind in setup.round_cycle else 0
    return setup.round_cycle[place % len(setup.round_cycle)]


def first_of_kind(ruleset: Ruleset, kind: str) -> int:
    """How many rounds of a kind open the game."""
    return max(1, ruleset.facts.setup.first_rounds.count(kind))


def operations(ruleset: Ruleset, table: Table) -> int:
    """How many operating rounds the set has that begins now."""
    if last_operations.have_begun(table):
        return last_operations.OPERATIONS
    return ruleset.facts.phases[table.phase].operating_rounds
