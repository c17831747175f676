"""What joined companies own goes over to the survivor: money, trains, permits, tokens (7.5.6)."""

from contracts import events as e
from contracts.frames import Question, SurplusTokens
from contracts.ids import CompanyId
from contracts.money import pay
from contracts.placed import Token
from services.engine.rules.companies.permits import permits_of, set_permits
from services.engine.rules.companies.tokens import most_tokens
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.owned import trains_of
from services.engine.table.state import Table

JOINED = "joined"
"""Why money and trains go over."""
ORDINARY = "ordinary"
"""The kind of a token that is no home of its company."""


def bring_together(draft: Draft, survivor: CompanyId, absorbed: CompanyId) -> None:
    """Money, trains with their warranties and permits go over; of doubled tokens one is lost."""
    table = draft.table
    payments = pay(absorbed, survivor, table.cash[absorbed])
    if payments:
        draft.emit(e.MoneyPaid(JOINED, payments))
    trains = tuple(train.id for train in trains_of(table, absorbed))
    if trains:
        draft.emit(e.TrainsMoved(trains, absorbed, survivor, JOINED))
    together = {*permits_of(table, survivor), *permits_of(table, absorbed)}
    set_permits(draft, survivor, tuple(sorted(together)))
    for token in tokens_of(draft.table, survivor):
        double = next((t for t in tokens_of(table, absorbed) if t.place == token.place), None)
        if double is not None:
            _lose(draft, token, double)


def _lose(draft: Draft, token: Token, double: Token) -> None:
    """The absorbed company's token is lost; one that waited for a slot there takes its slot."""
    draft.emit(e.TokenRemoved(double.company, double.place, "lost"))
    if token.slot is None and double.slot is not None:
        draft.emit(e.TokenRemoved(token.company, token.place, "charter"))
        draft.emit(
            e.TokenPlaced(
                Token(token.company, token.place, double.city, double.slot, token.kind), None, ()
            )
        )


def tokens_of(table: Table, company: CompanyId) -> tuple[Token, ...]:
    """A company's tokens on the board, in the order of placing."""
    return tuple(token for token in table.board.tokens if token.company == company)


def joined_tokens(table: Table, survivor: CompanyId, absorbed: CompanyId) -> tuple[Token, ...]:
    """The tokens that both companies have on the board."""
    return (*tokens_of(table, survivor), *tokens_of(table, absorbed))


def surplus(ruleset: Ruleset, table: Table, survivor: CompanyId, absorbed: CompanyId) -> int:
    """How many tokens on the board are too many."""
    most = most_tokens(ruleset)
    placed = len(joined_tokens(table, survivor, absorbed))
    return 0 if most is None else max(0, placed - most)


def ask_for_surplus(
    ruleset: Ruleset, draft: Draft, survivor: CompanyId, absorbed: CompanyId
) -> None:
    """Ask whoever acts for the joined company which tokens leave the board, if there are too many.

    It may be another than before (5.2.5).
    """
    number = surplus(ruleset, draft.table, survivor, absorbed)
    if number:
        matter = SurplusTokens(survivor, number)
        draft.emit(e.QuestionAsked(Question(draft.next_frame(), matter, (survivor,))))


def exchange_tokens(
    ruleset: Ruleset, draft: Draft, survivor: CompanyId, absorbed: CompanyId
) -> None:
    """The survivor's tokens replace the others; unused ones are kept up to the limit."""
    table = draft.table
    charters = table.charters
    replaced = tokens_of(table, absorbed)
    unused = charters[survivor].tokens + charters[absorbed].tokens
    for token in replaced:
        draft.emit(e.TokenRemoved(absorbed, token.place, "replaced"))
    if replaced:
        draft.emit(e.TokensSet(survivor, unused + len(replaced), ()))
    for token in replaced:
        lies = Token(survivor, token.place, token.city, token.slot, ORDINARY)
        draft.emit(e.TokenPlaced(lies, None, ()))
    most = most_tokens(ruleset)
    placed = len(tokens_of(draft.table, survivor))
    kept = unused if most is None else max(0, min(unused, most - placed))
    if kept != draft.table.charters[survivor].tokens:
        draft.emit(e.TokensSet(survivor, kept, ()))
