"""The train that a company must buy of the bank, once money was raised for it (7.11).

Whoever directs the company then says which side it runs as; in receivership nobody is asked (8.0).
"""

from collections.abc import Iterable

from contracts import events as e
from contracts.commands import BuyTrain
from contracts.frames import BankTrain, Question
from contracts.ids import SUPPLY, CompanyId, Money, Party
from contracts.rejections import Rejection
from services.engine.rules.acts import buy_train
from services.engine.rules.bankrupt import bankrupt
from services.engine.rules.draft import Draft
from services.engine.rules.parts import Act, Asking, Offer
from services.engine.rules.questions.answering import must_choose
from services.engine.rules.receivership import buy_for
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.sided import next_of_bank, set_price
from services.engine.rules.trains import trains_of
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
    """The bank's trains."""
    for offer in buy_train.offers(ruleset, table, who):
        command = offer.command
        if isinstance(command, BuyTrain) and of_the_bank(command):
            yield offer


def of_the_bank(command: BuyTrain) -> bool:
    """Whether a purchase is of the bank."""
    return command.seller == SUPPLY


def settled(_ruleset: Ruleset, draft: Draft, question: Question) -> bool:
    """It is settled once the company has a train."""
    matter = question.matter
    assert isinstance(matter, BankTrain)  # this is how the registry files it
    if not trains_of(draft.table, matter.company):
        return False
    draft.emit(e.QuestionClosed(question.id, "done"))
    return True


def no_pass(ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """The money was raised for the train."""
    return must_choose(ruleset, "must own", who, "Buy the bank's next train.")


BANK_TRAIN = Asking(
    (Act(BuyTrain, offers, buy_train.objections, buy_train.perform, of_the_bank),),
    settled,
    no_pass,
)
