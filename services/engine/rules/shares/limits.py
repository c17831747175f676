"""How many certificates a player may have, and how much of one company."""

from contracts.ids import CompanyId, PlayerId
from contracts.rejections import Code, Rejection
from services.engine.rules.families.zone_effects import Effect, are_there
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import percent, publics, shares_held
from services.engine.rules.shares.market import has_effect
from services.engine.table.state import Table


def certificate_limit(ruleset: Ruleset, table: Table) -> int:
    """The most certificates that a player may have."""
    if table.certificate_limit is not None:
        return table.certificate_limit
    return ruleset.facts.setup.certificate_limit[len(table.order)]


def counts(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether certificates of a company count towards the limit."""
    return not has_effect(ruleset, table, company, Effect.UNCOUNTED)


def certificates_counted(ruleset: Ruleset, table: Table, player: PlayerId) -> int:
    """A player's certificates that count: privates, and those of companies outside the zones."""
    return sum(
        sum(holdings[player].values())
        for company, holdings in table.certificates.items()
        if player in holdings and counts(ruleset, table, company)
    )


def certificate_objection(
    ruleset: Ruleset, table: Table, player: PlayerId, company: CompanyId, certificates: int
) -> Rejection | None:
    """At the limit a player may not buy what counts (3.2.5)."""
    if not counts(ruleset, table, company):
        return None
    limit = certificate_limit(ruleset, table)
    has = certificates_counted(ruleset, table, player)
    if has + certificates <= limit:
        return None
    sentence = f"{player} has {has} certificates, of at most {limit}."
    legal = ""
    if are_there(ruleset.facts, Effect.UNCOUNTED):
        sentence = f"{player} has {has} certificates that count, of at most {limit}."
        legal = "Certificates of companies in a zone that does not count may be bought."
    return refused(ruleset, Code.CERTIFICATE_LIMIT, "limits", sentence, legal)


def holding_objection(
    ruleset: Ruleset, table: Table, player: PlayerId, company: CompanyId, shares: int
) -> Rejection | None:
    """Nobody may come to more than the limit of one company, zones apart (3.2.5)."""
    if has_effect(ruleset, table, company, Effect.UNLIMITED):
        return None
    has = shares_held(table, company, player)
    would = percent(table, company, has + shares)
    most = ruleset.facts.share_rules.max_holding_percent
    if would <= most:
        return None
    return refused(
        ruleset,
        Code.HOLDING_LIMIT,
        "limits",
        f"{player} would have {would}% of {company}, of at most {most}%.",
    )


def is_over_certificates(ruleset: Ruleset, table: Table, player: PlayerId) -> bool:
    """Whether a player has more certificates than the limit."""
    return certificates_counted(ruleset, table, player) > certificate_limit(ruleset, table)


def companies_held_over(ruleset: Ruleset, table: Table, player: PlayerId) -> tuple[CompanyId, ...]:
    """Companies of which a player has more than he may."""
    most = ruleset.facts.share_rules.max_holding_percent
    return tuple(
        company
        for company in publics(table)
        if percent(table, company, shares_held(table, company, player)) > most
        and not has_effect(ruleset, table, company, Effect.UNLIMITED)
    )
