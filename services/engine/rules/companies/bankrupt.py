"""A company goes bankrupt: its holders are paid what its shares are worth, and it may start afresh.

(7.12) Everything on its charter goes, so that a restarted company carries nothing of its past.
"""

from contracts import events as e
from contracts.ids import BANK, BOX, OFFERING, CompanyId, Money
from contracts.money import Payments, pay
from services.engine.rules.companies.permits import blank_permits
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import moves, shares_held
from services.engine.rules.shares.market import cell_of
from services.engine.rules.trains.owned import trains_of
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table

CLOSE = "close"
"""The zone where a company is closed as it arrives."""


def has_fallen_out(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether a company's marker lies on the bottom space of the market."""
    marker = table.markers.get(company)
    closing = ruleset.facts.market.zones.get(CLOSE, ())
    return marker is not None and cell_of(marker.space) in closing


def bankrupt_if_fallen_out(ruleset: Ruleset, draft: Draft, company: CompanyId) -> bool:
    """Close a company whose price has fallen to the bottom, and say whether it did (7.12)."""
    if not has_fallen_out(ruleset, draft.table, company):
        return False
    bankrupt(ruleset, draft, company, "fell out")
    return True


def bankrupt(ruleset: Ruleset, draft: Draft, company: CompanyId, because: str) -> None:
    """Close a company and end its turn, if it has one (7.12).

    `because` is `no train` or `fell out`.
    """
    table = draft.table
    payments: Payments = ()
    each = compensation(table, company)
    for player in table.order:
        payments += pay(BANK, player, each * shares_held(table, company, player))
    if payments:
        draft.emit(e.MoneyPaid("compensation", payments))
    cash = pay(company, BANK, table.cash[company])
    if cash:
        draft.emit(e.MoneyPaid("bankrupt", cash))
    trains = tuple(train.id for train in trains_of(table, company))
    if trains:
        draft.emit(e.TrainsMoved(trains, company, BOX, "bankrupt"))
    for token in table.board.tokens:
        if token.company == company:
            draft.emit(e.TokenRemoved(company, token.place, "lost"))
    turn = current_turn(draft.table)
    if turn is not None and turn.who == company:
        # The turn leaves its trace on the charter, so the charter is blanked after it.
        draft.emit(e.TurnEnded(turn.id, turn.who, "done"))
    blank(draft, company, "bankrupt")


def compensation(table: Table, company: CompanyId) -> Money:
    """What holders are paid for each share: half the price without a train, nothing at the bottom.

    Rounded down for each share.
    """
    marker = table.markers.get(company)
    price = 0 if marker is None else marker.price
    return price if trains_of(table, company) else price // 2


def blank(draft: Draft, company: CompanyId, because: str, *, opens: bool = True) -> None:
    """All certificates are in the offering and the charter is blank, with its first permit (7.5.7).

    Money, trains and tokens have gone before.
    """
    table = draft.table
    back = tuple(
        move
        for holder, certificates in table.certificates[company].items()
        if holder != OFFERING
        for move in moves(certificates, holder, OFFERING)
    )
    if back:
        draft.emit(e.CertificatesMoved(company, back, because))
    if company in table.markers:
        draft.emit(e.MarkerMoved(company, None, 0, 0, because))
    blank_permits(draft, company)
    draft.emit(e.CharterReturned(company, because, opens=opens))
