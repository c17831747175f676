"""Make an order of a typed line: find the runs that are left to be found, and the question."""

from contracts import commands as c
from contracts.choices import Choice, OpenRoutes
from contracts.ids import CompanyId, FrameId, Party, PlayerId
from contracts.notation import BestRun, Draft, RunChains, written
from services.console.errors import BadInputError, RefusedError
from services.console.zones import checked_zone
from services.engine.rules.decide import game_choices
from services.engine.rules.network.resolve import resolve, sketched
from services.engine.rules.network.routes import Train
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def company_in_turn(table: Table) -> CompanyId | None:
    """The company whose turn it is, None in a player's turn and between turns."""
    turn = current_turn(table)
    company = CompanyId(turn.who) if turn is not None else None
    return company if company in table.charters else None


def completed(draft: Draft, table: Table, player: PlayerId) -> c.AnyCommand:
    """The command that a draft means at a table; raises if it cannot mean any."""
    company = company_in_turn(table)
    if draft.company is not None and draft.company != company:
        whose = f"It is the turn of {company}" if company else "It is no company's turn"
        raise BadInputError(f"{whose}, not of {draft.company}.")
    match draft.command:
        case BestRun():
            return _best(table, player)
        case RunChains() as chains:
            return _resolved(chains, table, company)
        case c.SetHours(hours):
            checked_zone(hours.zone, "hours")
            return draft.command
        case _:
            return draft.command


def question_of(command: c.AnyCommand, table: Table, player: PlayerId) -> FrameId | None:
    """The question that a command would answer, None where it answers none."""
    offered = game_choices(ruleset_of(table), table, player)
    same = [choice for choice in offered if type(choice.command) is type(command)]
    exact = [choice for choice in same if choice.command == command]
    return next((choice.question for choice in exact or same), None)


def matching(choice: Choice, line: str, company: CompanyId | None) -> bool:
    """Whether a choice is of the kind that somebody asks to see: its line begins so.

    >>> matching(Choice(PlayerId(Party("ann")), c.Pass()), "pa", None)
    True
    """
    return written(choice.command, company).startswith(line)


def _best(table: Table, player: PlayerId) -> c.AnyCommand:
    for choice in game_choices(ruleset_of(table), table, player):
        if isinstance(choice.open, OpenRoutes):
            return choice.command
    raise RefusedError(f"There is nothing for {player} to run now.")


def _resolved(chains: RunChains, table: Table, company: CompanyId | None) -> c.RunTrains:
    if company is None:
        raise RefusedError("It is no company's turn, so there are no trains to run.")
    facts = ruleset_of(table).facts
    found = resolve(
        facts,
        table.board,
        table.phase,
        company,
        trains=tuple(
            Train(card.id, card.kind, facts.trains[card.kind].stations)
            for card in table.trains.get(Party(company), ())
        ),
        sketches=tuple(
            sketched(facts, table.board, chain.train, "-".join(chain.hexes))
            for chain in chains.chains
        ),
    )
    if found.objections:
        raise RefusedError(" ".join(objection.because for objection in found.objections))
    return c.RunTrains(found.runs)
