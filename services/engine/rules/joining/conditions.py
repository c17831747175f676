"""Which companies may join: both floated and directed, and their tokens joined by track (7.5)."""

from collections.abc import Iterator

from contracts.commands import ProposeJoining
from contracts.ids import CompanyId
from contracts.rejections import Code, Rejection
from contracts.runs import Stop
from contracts.titles.facts import Facts
from services.engine.rules.joining.assets import tokens_of
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import is_public, publics
from services.engine.rules.track.surveys import reached
from services.engine.table.state import Table

MERGE = "merge"
"""Joining as a turn begins (7.5)."""
ACQUIRE = "acquire"
"""Joining as a turn ends (7.14)."""


def joining_objections(
    ruleset: Ruleset, table: Table, operator: CompanyId, command: ProposeJoining
) -> Iterator[Rejection]:
    """What speaks against a proposal of the company whose turn it is."""
    partner = partner_of(operator, command)
    if partner is None or not is_public(table, partner):
        yield refused(
            ruleset,
            Code.NO_SUCH_COMPANY,
            "joining",
            f"{operator} joins one other company.",
            f"Name {operator} and a company that operates.",
        )
        return
    if table.charters[partner].status != "floated":
        yield refused(
            ruleset, Code.NOT_STARTED, "joining", f"{partner} has not floated.",
        )  # fmt: skip
        return
    for company in (operator, partner):
        if table.charters[company].director is None:
            yield refused(
                ruleset,
                Code.NOT_ALLOWED,
                "no joining in receivership",
                f"{company} is in receivership: nobody can agree for it.",
            )
    if not are_connected(ruleset, table, operator, partner):
        yield refused(
            ruleset,
            Code.NOT_CONNECTED,
            "joining connection",
            f"No route leads from a token of {operator} to one of {partner}.",
            "Tokens in areas do not count.",
        )


def partner_of(operator: CompanyId, command: ProposeJoining) -> CompanyId | None:
    """The company that a proposal names beside the one that proposes."""
    if len(command.companies) != 2 or command.companies[0] != operator:
        return None
    partner = command.companies[1]
    return None if partner == operator else partner


def possible_partners(table: Table, operator: CompanyId) -> Iterator[CompanyId]:
    """Companies that might be joined; objections decide."""
    for company in publics(table):
        if company != operator and table.charters[company].status == "floated":
            yield company


def are_connected(ruleset: Ruleset, table: Table, one: CompanyId, other: CompanyId) -> bool:
    """Whether a route joins tokens of two companies, or two lie in one place (7.5.2)."""
    ours, theirs = stops_of(ruleset.facts, table, one), stops_of(ruleset.facts, table, other)
    places = {stop.hex for stop in ours}
    if any(stop.hex in places for stop in theirs):
        return True
    return not theirs.isdisjoint(reached(ruleset, table, one).stations) or not ours.isdisjoint(
        reached(ruleset, table, other).stations
    )


def stops_of(facts: Facts, table: Table, company: CompanyId) -> frozenset[Stop]:
    """Where a company's tokens lie, but for those in areas: no connection is traced from them."""
    return frozenset(
        Stop(hex_id, f"c{token.city or 0}")
        for token in tokens_of(table, company)
        if (hex_id := next((h for h in facts.map.hexes if h == token.place), None)) is not None
    )
