"""The train that a company must buy of the bank, once money was raised for it (7.11).

Whoever directs the company then says which side it runs as; in receivership nobody is asked (8.0).
"""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import BuyTrain
from contracts.frames import BankTrain, Question
from contracts.ids import SUPPLY, CompanyId, Money, Party
from contracts.rejections import Rejection
from services.engine.rules.acts import buy_train
from services.engine.rules.companies.bankrupt import bankrupt
from services.engine.rules.companies.receivership import buy_for
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Asking, Offer
from services.engine.rules.questions.answering import must_choose
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.owned import trains_of
from services.engine.rules.trains.sided import next_of_bank, set_price
from services.engine.table.state import Table


def bank_price(ruleset: Ruleset, table: Table) -> Money:
    """What the bank's next train costs."""
    return set_price(ruleset, table, next_of_bank(ruleset, table).kind)


def buy_or_ask(ruleset: Ruleset, draft: Draft, company: CompanyId) -> None:
    """Buy the train, or ask the director for its side.

    A company that cannot pay after all (ruling "company's option") is bankrupt (7.12).
    """
    if draft.table.cash[company] < bank_price(ruleset, draft.table):
        bankrupt(ruleset, draft, company, "no train")
        return
    if draft.table.charters[company].director is None:
        buy_for(ruleset, draft, company)
        return
    draft.emit(e.QuestionAsked(Question(draft.next_frame(), BankTrain(company), (company,))))


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """The bank's trains; where more may be bought, everybody's."""
    for offer in buy_train.offers(ruleset, table, who):
        command = offer.command
        if isinstance(command, BuyTrain) and is_meant(table, CompanyId(who), command):
            yield offer


def is_meant(table: Table, company: CompanyId, command: BuyTrain) -> bool:
    """Whether a purchase may be what is asked for: the first train is one of the bank's."""
    return command.seller == SUPPLY or bool(trains_of(table, company))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: BuyTrain
) -> Iterator[Rejection]:
    """What speaks against a purchase."""
    if not is_meant(table, CompanyId(who), command):
        yield no_pass_yet(ruleset, who)
    yield from buy_train.objections(ruleset, table, who, command)


def goes_on(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether more trains may be bought once there is one (ruling "after a forced train")."""
    if ruleset.rulings.get("after a forced train") != "more may be bought":
        return False
    return any(
        next(buy_train.objections(ruleset, table, company, offer.command), None) is None
        for offer in offers(ruleset, table, company)
        if isinstance(offer.command, BuyTrain)
    )


def settled(ruleset: Ruleset, draft: Draft, question: Question) -> bool:
    """It is settled once the company has a train, and as many more as it may want."""
    matter = question.matter
    assert isinstance(matter, BankTrain)  # this is how the registry files it
    if not trains_of(draft.table, matter.company):
        return False
    if question.asked and goes_on(ruleset, draft.table, matter.company):
        return False
    draft.emit(e.QuestionClosed(question.id, "done"))
    return True


def no_pass(ruleset: Ruleset, table: Table, who: Party) -> Rejection | None:
    """The money was raised for the train; what is bought beside it is free."""
    return None if trains_of(table, CompanyId(who)) else no_pass_yet(ruleset, who)


def no_pass_yet(ruleset: Ruleset, who: Party) -> Rejection:
    """The refusal of anything but the bank's train."""
    return must_choose(ruleset, "must own", who, "Buy the bank's next train.")


BANK_TRAIN = Asking(
    (Act(BuyTrain, offers, objections, buy_train.perform),),
    settled,
    no_pass,
)
