"""Merging shares, from the first holder to the last, and what follows once all have acted (5.2)."""

import msgspec

from contracts import events as e
from contracts.frames import Merging, OptionShare, Question, Turn
from contracts.ids import BANK, OFFERING, POOL, CompanyId, Money, Party, PlayerId
from contracts.money import pay
from services.engine.rules.companies.bankrupt import bankrupt_if_fallen_out, blank
from services.engine.rules.draft import Draft
from services.engine.rules.joining import assets, halving
from services.engine.rules.joining.directing import direct_afterwards
from services.engine.rules.joining.price import (
    highest_space,
    joined_column,
    joined_par,
    joined_price,
)
from services.engine.rules.questions import bank_train
from services.engine.rules.rounds.operating import steps_of
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.seating import from_left_of
from services.engine.rules.shares.counting import held, moves
from services.engine.rules.shares.market import moved_to
from services.engine.table.agenda import current_round, current_turn
from services.engine.table.state import Table

REFINANCING = "refinancing"
"""Why shares of one company alone are merged."""
TOKENS = "tokens"
"""The stage in which all holders have acted and surplus tokens leave the board."""


def join(
    ruleset: Ruleset,
    draft: Draft,
    why: str,
    operator: CompanyId,
    *,
    survivor: CompanyId,
    absorbed: CompanyId,
) -> None:
    """Begin to join two companies: shares into the pool, the new price and par (5.2.2, 5.2.3)."""
    table = draft.table
    initiator = table.charters[operator].director
    assert initiator is not None  # no company in receivership joins another
    for company in (absorbed, survivor):
        _into_the_pool(draft, company)
    # The companies are one holder from now on.
    partner = absorbed if operator == survivor else survivor
    _handed_over(draft, partner, partner, operator)
    price = joined_price(ruleset, table, survivor, absorbed)
    # The charter is turned over once all holders have acted (7.5.6).
    column = table.charters[survivor].column
    cell = highest_space(ruleset, price)[1]
    draft.emit(
        moved_to(ruleset, table, survivor, cell, "joined"),
        e.ParSet(survivor, joined_par(ruleset, price), column),
    )
    _begin(draft, why, initiator, operator, survivor, absorbed, price)


def refinance(draft: Draft, company: CompanyId) -> None:
    """Begin to merge the shares of one company with each other, at the price as it is (7.11.2)."""
    table = draft.table
    initiator = table.charters[company].director
    assert initiator is not None  # a company in receivership does not refinance
    _into_the_pool(draft, company)
    price = table.markers[company].price
    _begin(draft, REFINANCING, initiator, company, company, None, price)


def _into_the_pool(draft: Draft, company: CompanyId) -> None:
    unsold = draft.table.certificates[company].get(OFFERING, {})
    if unsold:
        draft.emit(e.CertificatesMoved(company, moves(unsold, OFFERING, POOL), "to be merged"))


def _handed_over(draft: Draft, company: CompanyId, source: CompanyId, target: CompanyId) -> None:
    """What one company holds of a company is held by another."""
    own = held(draft.table, company, source)
    if own:
        draft.emit(e.CertificatesMoved(company, moves(own, source, target), "joined"))


def _begin(
    draft: Draft,
    why: str,
    initiator: PlayerId,
    operator: CompanyId,
    survivor: CompanyId,
    absorbed: CompanyId | None,
    price: Money,
) -> None:
    """The holders act in order: from the initiator clockwise, the companies themselves last."""
    table = draft.table
    seats = (initiator, *from_left_of(table, initiator)[:-1])
    merging = Merging(draft.next_frame(), why, initiator, survivor, absorbed, price, (), operator)
    holders: tuple[Party, ...] = (*seats, operator)
    draft.emit(
        e.ProcedureSet(
            msgspec.structs.replace(
                merging,
                holders=tuple(
                    holder for holder in holders if halving.merging_shares(table, merging, holder)
                ),
            )
        )
    )


def advance(ruleset: Ruleset, draft: Draft, merging: Merging) -> None:
    """The next holder, or what follows the last."""
    if merging.holders:
        _next_holder(ruleset, draft, merging)
    elif merging.absorbed is None:
        _refinanced(ruleset, draft, merging)
    elif merging.stage == TOKENS:
        _joined(ruleset, draft, merging, merging.absorbed)
    else:
        _handed_over(draft, merging.survivor, merging.absorbed, merging.survivor)
        direct_afterwards(draft, merging.survivor, merging.initiator)
        _turn_over(ruleset, draft, merging.survivor, merging.absorbed)
        assets.bring_together(draft, merging.survivor, merging.absorbed)
        draft.emit(e.ProcedureSet(msgspec.structs.replace(merging, stage=TOKENS)))
        assets.ask_for_surplus(ruleset, draft, merging.survivor, merging.absorbed)


def _next_holder(ruleset: Ruleset, draft: Draft, merging: Merging) -> None:
    """What the present holder does; his option is asked about if he has a choice."""
    holder = merging.holders[0]
    option = halving.settled(ruleset, draft, merging, holder)
    draft.emit(e.ProcedureSet(msgspec.structs.replace(merging, holders=merging.holders[1:])))
    if option is None:
        return
    if not may_redeem(ruleset, draft.table, merging, holder, option.redeem):
        halving.settle_option(draft, merging, holder, option, redeem=False)
        return
    asked: Party = merging.initiator if holder == merging.operator else holder
    matter = OptionShare(holder, merging.survivor, option.redeem, option.relinquish)
    draft.emit(e.QuestionAsked(Question(draft.next_frame(), matter, (asked,))))


def may_redeem(
    ruleset: Ruleset, table: Table, merging: Merging, holder: Party, price: Money
) -> bool:
    """Whether a holder can pay for his option.

    A company that is refinanced must still be able to buy its train (ruling "company's option").
    """
    has = halving.purse(table, merging, holder)
    if has < price:
        return False
    if merging.absorbed is not None or holder != merging.operator:
        return True
    if ruleset.rulings["company's option"] == "as it can":
        return True
    return has - price + capital(ruleset, table, merging.survivor) >= bank_train.bank_price(
        ruleset, table
    )


def capital(ruleset: Ruleset, table: Table, company: CompanyId) -> Money:
    """What a company receives when it is refinanced (7.11.2)."""
    par = table.charters[company].par
    multiple = ruleset.facts.share_rules.refinance_par_multiple
    assert par is not None  # it has floated
    return par * (multiple or 0)


def _refinanced(ruleset: Ruleset, draft: Draft, merging: Merging) -> None:
    """The company has its money, and whoever directs it now buys the train (7.11)."""
    company = merging.survivor
    direct_afterwards(draft, company, merging.initiator)
    draft.emit(e.ProcedureEnded(merging.id, "done"))
    payments = pay(BANK, company, capital(ruleset, draft.table, company))
    draft.emit(e.MoneyPaid(REFINANCING, payments))
    bank_train.buy_or_ask(ruleset, draft, company)


def _joined(ruleset: Ruleset, draft: Draft, merging: Merging, absorbed: CompanyId) -> None:
    """Tokens are exchanged, the other charter is blank, and the turn goes on or is over (7.5)."""
    survivor = merging.survivor
    turn = current_turn(draft.table)
    assert turn is not None  # companies join in the turn of one of them
    operates = still_operates(draft.table, merging)
    assets.exchange_tokens(ruleset, draft, survivor, absorbed)
    draft.emit(e.ProcedureEnded(merging.id, "done"))
    goes_on = operates and draft.table.charters[survivor].director is not None
    if not goes_on:
        draft.emit(e.TurnEnded(turn.id, turn.who, "done"))
    draft.emit(e.CompaniesMerged(survivor, absorbed, operates))
    if goes_on:
        draft.emit(e.StepEnded(turn.id, turn.steps[0], "done"))
    blank(draft, absorbed, "absorbed")
    if operates and not goes_on:
        # It operates in receivership, with the few steps of such a turn (5.2.5, 7.3).
        steps = steps_of(ruleset, draft.table, survivor)
        draft.emit(e.TurnBegan(Turn(draft.next_frame(), survivor, steps, turn.anytime)))
    if ruleset.rulings["joined at nothing"] == "bankrupt":
        bankrupt_if_fallen_out(ruleset, draft, survivor)


def _turn_over(ruleset: Ruleset, draft: Draft, survivor: CompanyId, absorbed: CompanyId) -> None:
    """The par stands in the other part of the chart, if either was started so (7.5.4, 7.5.6)."""
    charter = draft.table.charters[survivor]
    column = joined_column(ruleset, draft.table, survivor, absorbed)
    assert charter.par is not None  # it has floated
    if column != charter.column:
        draft.emit(e.ParSet(survivor, charter.par, column))


def still_operates(table: Table, merging: Merging) -> bool:
    """Whether the joined company goes on with the turn (7.5, 7.14).

    It does after a merger of companies that have not operated in this round.
    """
    playing = current_round(table)
    assert playing is not None  # as there is a turn
    other = merging.absorbed if merging.operator == merging.survivor else merging.survivor
    return merging.why == "merge" and other not in playing.operated
