"""Charters: who is bound by one, what stands on it, and companies that join."""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.frames import Round, Turn
from services.engine.table.agenda import changed as frame_changed
from services.engine.table.agenda import replaced
from services.engine.table.change import changed, paid
from services.engine.table.on_money import with_charter
from services.engine.table.state import Table


def charter_taken(table: Table, event: e.CharterTaken) -> Table:
    """A player is bound to float a company."""
    return changed(table, charters=with_charter(table, event.company, bound=event.player))


def charter_returned(table: Table, event: e.CharterReturned) -> Table:
    """Nothing stands on a charter any more; it may be taken again, or waits to be opened."""
    charters = with_charter(
        table,
        event.company,
        status="open" if event.opens else "waiting",
        tokens=0,
        par=None,
        director=None,
        acting=None,
        has_operated=False,
        column=None,
        bound=None,
        last_director=None,
    )
    return changed(table, charters=charters)


def par_set(table: Table, event: e.ParSet) -> Table:
    """A par stands on a charter, in a part of the par chart."""
    charters = with_charter(table, event.company, par=event.par, column=event.column)
    return changed(table, charters=charters)


def companies_merged(table: Table, event: e.CompaniesMerged) -> Table:
    """A running turn of the absorbed company is the survivor's, which may have operated by it.

    Tokens exchanged in joining are no tokens placed in the turn.
    """

    def told(round: Round) -> Round:
        others = tuple(
            company for company in round.operated if company not in {event.survivor, event.absorbed}
        )
        operated = others if event.operates else (*others, event.survivor)
        return replaced(round, operated=operated)

    def handed(turn: Turn) -> Turn:
        who = event.survivor if turn.who == event.absorbed else turn.who
        return replaced(turn, who=who, placed=())

    return changed(
        table, agenda=frame_changed(frame_changed(table.agenda, Turn, handed), Round, told)
    )


def tokens_set(table: Table, event: e.TokensSet) -> Table:
    """So many tokens lie on a charter."""
    charters = with_charter(table, event.company, tokens=event.tokens)
    return changed(table, cash=paid(table.cash, event.payments), charters=charters)


APPLY: Final[Mapping[type, Any]] = {
    e.CharterTaken: charter_taken,
    e.CharterReturned: charter_returned,
    e.ParSet: par_set,
    e.CompaniesMerged: companies_merged,
    e.TokensSet: tokens_set,
}
