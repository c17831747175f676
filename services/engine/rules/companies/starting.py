"""The ways in which a company is started, and what each brings (3.1)."""

from contracts.ids import CompanyId, Money
from contracts.titles.facts import Starting
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.market import start_spaces
from services.engine.table.state import Table


def way_in(ruleset: Ruleset, round_kind: str) -> Starting | None:
    """The way in which companies are started in a kind of round, where a title has several."""
    ways = ruleset.facts.starting.values()
    return next((way for way in ways if way.round == round_kind), None)


def way_of(ruleset: Ruleset, table: Table, company: CompanyId) -> Starting | None:
    """The way in which a company was started, where a title has several."""
    column = table.charters[company].column
    return None if column is None else ruleset.facts.starting.get(column)


def prices_in(ruleset: Ruleset, round_kind: str) -> tuple[Money, ...]:
    """The prices at which a company may be started in a kind of round, as the title lists them."""
    way = way_in(ruleset, round_kind)
    return tuple(start_spaces(ruleset)) if way is None else way.prices


def in_parliament_only(ruleset: Ruleset) -> bool:
    """Whether companies start in parliament rounds alone (11.3)."""
    return ruleset.variants.get("new players") == "yes"
