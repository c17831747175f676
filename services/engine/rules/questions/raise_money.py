"""Raising money: the director finds what his company lacks for the train that it must buy (3.7.6).

The company may still do on its turn what it could do without the question.
"""

from contracts import events as e
from contracts.frames import Question, RaiseMoney
from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.acts.bankruptcy import BANKRUPTCY
from services.engine.rules.acts.buy_private import BUY_PRIVATE
from services.engine.rules.acts.buy_train import BUY_TRAIN
from services.engine.rules.acts.exchange_private import EXCHANGE
from services.engine.rules.acts.forced_sale import FORCED_SALE, buyer
from services.engine.rules.acts.lay_by_right import LAY_BY_RIGHT
from services.engine.rules.acts.on_behalf import for_company
from services.engine.rules.acts.token_by_right import TOKEN_BY_RIGHT
from services.engine.rules.acts.trade_private import TRADE
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Asking
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.help import director_of, must_buy_refusal
from services.engine.rules.trains.owned import trains_of
from services.engine.table.state import Table


def ask(draft: Draft, company: CompanyId) -> None:
    """Ask a company's director for what its treasury lacks."""
    director = director_of(draft.table, company)
    draft.emit(e.QuestionAsked(Question(draft.next_frame(), RaiseMoney(company), (director,))))


def settled(_ruleset: Ruleset, draft: Draft, question: Question) -> bool:
    """It is settled once the company has a train."""
    matter = question.matter
    assert isinstance(matter, RaiseMoney)  # this is how the registry files it
    if not trains_of(draft.table, matter.company):
        return False
    draft.emit(e.QuestionClosed(question.id, "done"))
    return True


def no_pass(ruleset: Ruleset, table: Table, _who: Party) -> Rejection:
    """He buys, sells, or is bankrupt."""
    return must_buy_refusal(ruleset, buyer(table))


RAISE_MONEY = Asking(
    (
        for_company(BUY_TRAIN),
        FORCED_SALE,
        TRADE,
        EXCHANGE,
        for_company(BUY_PRIVATE),
        for_company(LAY_BY_RIGHT),
        for_company(TOKEN_BY_RIGHT),
        BANKRUPTCY,
    ),
    settled,
    no_pass,
)
