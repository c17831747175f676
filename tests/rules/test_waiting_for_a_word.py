"""Rulings of a place that waits for a word where the rulebook asks for none."""

import msgspec

from contracts.commands import (
    Answer,
    AnyCommand,
    BuyTrain,
    Pass,
    Refinance,
    SellTreasuryShares,
    SettleOption,
)
from contracts.frames import BankTrain, CompanyMoney, Question
from contracts.ids import SUPPLY, TrainId, TrainKind
from contracts.rejections import Code
from services.engine.table.agenda import current_turn, top
from tests.eastern import position, railway, sold_up_to
from tests.given import Given, given
from tests.operating import turn_of
from tests.positions import company, player

EUR, ECR = company("EUR"), company("ECR")
SAYS_SO = {"nothing to join": "must say so"}
WHERE_THERE_IS_ONE = {"redeeming": "where the pool has one"}
ONCE_PASSED = {"raising money": "once trains are passed"}
MORE = {"after a forced train": "more may be bought"}


def step_of(now: Given) -> str | None:
    """The step in which the EUR's turn waits, None once it is over."""
    turn = current_turn(now.table)
    return turn.steps[0] if turn is not None and turn.who == EUR else None


def asked(now: Given) -> object:
    """What is asked, None if nothing is."""
    frame = top(now.table)
    return frame.matter if isinstance(frame, Question) else None


def poor(
    step: str, rulings: dict[str, str] | None = None, *, director: str | None = "ann", pool: int = 1
) -> Given:
    """The EUR, without money but with a train, at a step of its turn; then comes the ECR."""
    holders = {"ann": 5} if director else {"ann": 2, "bob": 2}
    table = position(
        railway("EUR", 90, director=director, trains=("B local",), pool=pool, **holders),
        railway("ECR", 86, director="bob", bob=5, trains=("B local",)),
        rulings=rulings,
    )
    return given(turn_of(table, "EUR", step))


def trainless(rulings: dict[str, str]) -> Given:
    """The EUR must have a train; it has 90 and three shares at 68, and C is the bank's at 280."""
    table = position(
        railway("EUR", 68, par=62, director="ann", cash=90, ann=5, treasury=3, pool=2),
        railway("ECR", 60, director="bob", bob=5, trains=("B local",)),
        cash={"ann": 200},
        phase="C",
        rulings=rulings,
    )
    return given(turn_of(sold_up_to(table, "C"), "EUR", "trains"))


def refinanced(rulings: dict[str, str]) -> Given:
    """The EUR is refinanced: Ann keeps her certificate, the treasury gives its option up for 34."""
    now = trainless(rulings).when("ann", Refinance(), SettleOption(redeem=True))
    return now.when("ann", SettleOption(redeem=False))


def train(price: int, side: str = "local") -> AnyCommand:
    return BuyTrain(TrainKind("C"), SUPPLY, price, side=side)


def test_a_step_of_joining_is_over_where_no_company_can_be_joined() -> None:
    assert step_of(poor("acquire")) is None


def test_a_director_may_have_to_say_that_his_company_joins_none() -> None:
    now = poor("acquire", SAYS_SO)
    assert step_of(now) == "acquire"
    assert step_of(now.when("ann", Pass())) is None
    assert step_of(poor("merge", SAYS_SO)) == "merge"


def test_nobody_is_asked_for_a_company_without_a_director() -> None:
    assert step_of(poor("acquire", SAYS_SO, director=None)) is None
    assert step_of(poor("redeem", WHERE_THERE_IS_ONE, director=None)) is None


def test_redeeming_is_over_where_a_share_cannot_be_paid() -> None:
    assert step_of(poor("redeem")) is None


def test_a_director_may_have_to_pass_a_share_that_cannot_be_paid() -> None:
    now = poor("redeem", WHERE_THERE_IS_ONE)
    assert step_of(now) == "redeem"
    assert step_of(now.when("ann", Pass())) is None
    assert step_of(poor("redeem", WHERE_THERE_IS_ONE, pool=0)) is None


def test_money_is_raised_at_once_where_there_are_two_ways() -> None:
    now = trainless({})
    assert asked(now) == CompanyMoney(EUR)


def test_money_may_be_raised_only_once_the_trains_are_passed() -> None:
    now = trainless(ONCE_PASSED)
    assert (step_of(now), asked(now)) == ("trains", None)
    assert asked(now.when("ann", Pass())) == CompanyMoney(EUR)


def test_who_has_a_train_need_not_pass_it() -> None:
    assert step_of(poor("trains", ONCE_PASSED)) is None


def test_whoever_acts_for_a_company_without_a_director_may_sell_its_trains() -> None:
    """The ruling "trains in receivership": he is asked like a director."""
    ruled = {"trains in receivership": "sold by who acts for it"}
    table = position(
        railway("EUR", 90, director="ann", ann=5, cash=300, trains=("B local",)),
        railway("ECR", 86, director=None, bob=2, trains=("C freight",)),
        rulings=ruled,
        phase="C",
    )
    table = msgspec.structs.replace(
        table,
        charters={
            **table.charters,
            ECR: msgspec.structs.replace(table.charters[ECR], acting=player("bob")),
        },
    )
    now = given(turn_of(sold_up_to(table, "C"), "EUR", "trains"))
    bought = BuyTrain(TrainKind("C"), ECR, 280, TrainId("C-0"))
    now = now.when("ann", bought).awaits("bob").when("bob", Answer(yes=True))
    assert [card.id for card in now.table.trains[EUR]] == ["B-0", "C-0"]
    assert now.table.cash[EUR] == 20


def test_after_a_forced_train_no_other_is_bought() -> None:
    now = refinanced({}).when("ann", train(280))
    assert asked(now) is None
    assert now.table.cash[EUR] == 90 + 34 + 620 - 280


def test_after_a_forced_train_others_may_be_bought_with_what_is_left() -> None:
    now = refinanced(MORE)
    now.when("ann", Pass()).then(Code.WRONG_STEP)
    now = now.when("ann", train(280))
    assert asked(now) == BankTrain(EUR)
    twice = now.when("ann", train(280, "freight"))
    assert [card.side for card in twice.table.trains[EUR]] == ["local", "freight"]
    assert asked(now.when("ann", Pass())) is None


def test_nothing_is_asked_where_nothing_is_left_to_buy_with() -> None:
    now = trainless(MORE)
    now = now.when("ann", SellTreasuryShares(3)).when("ann", train(280))
    assert asked(now) is None
