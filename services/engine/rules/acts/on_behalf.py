"""What a company does while its director, not it, is asked something."""

from collections.abc import Iterable, Iterator
from typing import Any

from contracts.ids import Party
from contracts.rejections import Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def company_in_turn(table: Table) -> Party:
    """The company whose turn it is."""
    turn = current_turn(table)
    assert turn is not None  # questions of this kind are asked in a turn
    return turn.who


def for_company(act: Act) -> Act:
    """The same act, done for the company whose turn it is, whoever is asked."""

    def offers(ruleset: Ruleset, table: Table, _who: Party) -> Iterable[Offer]:
        return act.offers(ruleset, table, company_in_turn(table))

    def objections(
        ruleset: Ruleset,
        table: Table,
        _who: Party,
        command: Any,  # noqa: ANN401 - as in `Act`
    ) -> Iterator[Rejection]:
        return act.objections(ruleset, table, company_in_turn(table), command)

    def perform(ruleset: Ruleset, draft: Draft, _who: Party, command: Any) -> None:  # noqa: ANN401 - as in `Act`
        act.perform(ruleset, draft, company_in_turn(draft.table), command)

    return Act(act.command, offers, objections, perform, act.fits)
