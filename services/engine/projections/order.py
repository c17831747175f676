"""The operating order: of this round, and of the next as the market stands."""

from contracts.ids import CompanyId
from contracts.views import Operator, OrderView
from services.engine.projections.words import round_name
from services.engine.rules.companies.order import operating_order
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import current_round, current_turn
from services.engine.table.state import Table


def view(ruleset: Ruleset, table: Table) -> OrderView:
    """Who has operated, who operates, who follows, and how the next round would go."""
    playing = current_round(table)
    by_market = tuple(operating_order(ruleset, table)) if table.cash else ()
    operated: tuple[CompanyId, ...] = ()
    operating: CompanyId | None = None
    following: tuple[CompanyId, ...] = ()
    if playing is not None and playing.kind == "operating":
        operated = playing.operated
        turn = current_turn(table)
        if turn is not None and turn.who in table.charters:
            operating = CompanyId(turn.who)
        following = tuple(
            company for company in by_market if company not in operated and company != operating
        )
    return OrderView(
        table.id,
        table.version,
        round_name(playing),
        operators(table, operated),
        None if operating is None else operator(table, operating),
        operators(table, following),
        operators(table, by_market),
    )


def operators(table: Table, companies: tuple[CompanyId, ...]) -> tuple[Operator, ...]:
    """Companies with what their places rest on."""
    return tuple(operator(table, company) for company in companies)


def operator(table: Table, company: CompanyId) -> Operator:
    """A company with its price and whoever acts for it."""
    marker = table.markers.get(company)
    return Operator(company, 0 if marker is None else marker.price, table.charters[company].acting)
