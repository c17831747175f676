"""Sentences about charters, and about companies that join."""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.money import total
from services.engine.projections.minutes_money import price
from services.engine.projections.words import Words, counted, reason
from services.engine.table.state import Table

Lines = tuple[str, ...]


def charter_taken(words: Words, table: Table, event: e.CharterTaken) -> Lines:
    """Who has to float which company."""
    who, company = words.party(event.player), words.party(event.company)
    return (f"{who} took the charter of {company} and is bound to float it",)


def charter_returned(words: Words, table: Table, event: e.CharterReturned) -> Lines:
    """A charter that is blank again, and whether the company may be started at once."""
    when = "and may be started again" if event.opens else "and may not be started yet"
    return (f"the charter of {words.party(event.company)} is blank{reason(event.because)} {when}",)


def par_set(words: Words, table: Table, event: e.ParSet) -> Lines:
    """A par, and the part of the chart it stands in."""
    column = f" ({event.column})" if event.column else ""
    return (f"the par of {words.party(event.company)} is {words.money(event.par)}{column}",)


def companies_merged(words: Words, table: Table, event: e.CompaniesMerged) -> Lines:
    """Which company is part of which, and what that means for its turn."""
    survivor, absorbed = words.party(event.survivor), words.party(event.absorbed)
    turn = "still operates" if event.operates else "does not operate any more"
    return (f"{absorbed} became part of {survivor}, which {turn} in this round",)


def tokens_set(words: Words, table: Table, event: e.TokensSet) -> Lines:
    """The unused tokens of a company, and what they cost."""
    tokens = f"{counted(event.tokens, 'unused token')}{'' if event.tokens == 1 else 's'}"
    company = words.party(event.company)
    if total(event.payments):
        return (f"{company} bought its tokens{price(words, event.payments)} and has {tokens}",)
    return (f"{company} has {tokens}",)


TELL: Final[Mapping[type, Any]] = {
    e.CharterTaken: charter_taken,
    e.CharterReturned: charter_returned,
    e.ParSet: par_set,
    e.CompaniesMerged: companies_merged,
    e.TokensSet: tokens_set,
}
