"""Fines for companies that did not float in time (4.3).

They are paid out of cash, then out of the shares of the company, as few as do, then out of other
shares that the player chooses. What nothing is left to pay for is forgiven.
"""

from collections.abc import Iterator

from contracts import events as e
from contracts.frames import Fines, PayFine, Question
from contracts.ids import BANK, CompanyId, Money, PlayerId, shares_of
from contracts.money import pay
from services.engine.rules.acts import sell_block
from services.engine.rules.companies.bankrupt import blank
from services.engine.rules.draft import Draft
from services.engine.rules.families.sale_prices import sale_price
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.seating import from_left_of
from services.engine.rules.shares.counting import held
from services.engine.table.agenda import replaced
from services.engine.table.state import Table


def owed(table: Table) -> Iterator[tuple[PlayerId, CompanyId]]:
    """Who is still bound to float which company, from the priority deal clockwise."""
    seats = (table.first, *from_left_of(table, table.first)[:-1])
    for player in seats:
        for company, charter in table.charters.items():
            if charter.bound == player:
                yield player, company


def begun(draft: Draft) -> bool:
    """Put the fines that are due on the agenda, and say whether there are any."""
    due = tuple(owed(draft.table))
    if due:
        draft.emit(e.ProcedureSet(Fines(draft.next_frame(), due)))
    return bool(due)


def advance(ruleset: Ruleset, draft: Draft, frame: Fines) -> None:
    """One player pays all his fines, as far as his cash and those companies' shares go."""
    if not frame.owed:
        draft.emit(e.ProcedureEnded(frame.id, "done"))
        return
    player, last = frame.owed[0]
    mine = tuple(company for who, company in frame.owed if who == player)
    others = tuple(entry for entry in frame.owed if entry[0] != player)
    draft.emit(e.ProcedureSet(replaced(frame, owed=others)))
    missing = sum(fined(ruleset, draft, player, company) for company in mine)
    if missing and can_sell(ruleset, draft.table, player):
        ask(draft, player, last, missing)


def fined(ruleset: Ruleset, draft: Draft, player: PlayerId, company: CompanyId) -> Money:
    """Fine a player for a company, take its charter back, and say what he still owes."""
    par = draft.table.charters[company].par
    multiple = ruleset.facts.auction.fine_par_multiple
    assert par is not None  # a charter that was won has a par
    assert multiple is not None  # there are no duties without a fine
    missing = paid_in_cash(draft, player, par * multiple)
    value = sale_price(ruleset, draft.table, company)
    brings = 0
    ordinary_first = sorted(
        held(draft.table, company, player).items(), key=lambda c: shares_of(c[0])
    )
    for kind, number in ordinary_first:
        for _ in range(number):
            if brings < missing:
                brings += value * shares_of(kind)
    if brings:
        draft.emit(e.MoneyPaid("shares for a fine", pay(BANK, player, brings)))
        missing = paid_in_cash(draft, player, missing)
    at_once = ruleset.rulings.get("fined charter") == "at once"
    blank(draft, company, "fined", opens=at_once)
    return missing


def paid_in_cash(draft: Draft, player: PlayerId, amount: Money) -> Money:
    """Pay as much of a fine as there is cash for, and say what is left of it."""
    cash = min(amount, draft.table.cash[player])
    if cash:
        draft.emit(e.MoneyPaid("fine", pay(player, BANK, cash)))
    return amount - cash


def ask(draft: Draft, player: PlayerId, company: CompanyId, missing: Money) -> None:
    """Ask a player to sell shares for what he owes."""
    matter = PayFine(company, missing)
    draft.emit(e.QuestionAsked(Question(draft.next_frame(), matter, (player,))))


def can_sell(ruleset: Ruleset, table: Table, player: PlayerId) -> bool:
    """Whether a player has any share that he could sell."""
    return any(
        next(sell_block.FORCED.objections(ruleset, table, player, offer.command), None) is None
        for offer in sell_block.offers(ruleset, table, player)
    )
