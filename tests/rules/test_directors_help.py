"""The director's help with a train that must be bought, and bankruptcy: 3.7.5 to 3.7.7."""

import pytest

from contracts import events as e
from contracts.choices import Interval
from contracts.commands import (
    Answer,
    BuyCompany,
    BuyTrain,
    DeclareBankruptcy,
    Pass,
    SellShares,
    TradePrivate,
)
from contracts.frames import Question, RaiseMoney
from contracts.ids import BANK, POOL, SUPPLY, TrainId, TrainKind
from contracts.money import Payment
from contracts.pieces import Train
from contracts.rejections import Code
from services.engine.table.agenda import current_turn, top
from tests.given import Given, given
from tests.operating import board, trains, turn_of
from tests.positions import At, at, company, ones, party, player, position

PRR, NYC, BO = company("PRR"), company("NYC"), company("B&O")
OPEN = ("SV", "CS", "DH", "MH", "CA", "BO")
BANKRUPT = DeclareBankruptcy()


def buy(kind: str, price: int, adds: int = 0, seller: str = SUPPLY, card: str = "") -> BuyTrain:
    train = TrainId(card) if card else None
    return BuyTrain(TrainKind(kind), party(seller), price, train, director_pays=adds)


def sell(name: str, shares: int) -> SellShares:
    return SellShares(company(name), ones(shares))


def need(
    *others: At,
    treasury: int = 100,
    ann: int = 120,
    owned: dict[str, list[str]] | None = None,
    left: str = "4",
    phase: str = "4",
    prr: At | None = None,
    closed: tuple[str, ...] = OPEN,
    unstarted: dict[str, dict[str, int]] | None = None,
    cash: dict[str, int] | None = None,
) -> Given:
    """PRR of Ann has a route and no train; the bank's cheapest is a 4 for 300."""
    mine = prr or at("PRR", "0,6", director="ann", ann=5, pool=5, cash=treasury)
    table = position(
        companies=[mine, *others],
        cash={"ann": ann, **(cash or {})},
        phase=phase,
        closed=closed,
        unstarted=unstarted,
    )
    lying = board(table, {"H14": ("9", 1), "H16": ("57", 1)}, {"PRR": ["H12"], "NYC": ["E19"]})
    return given(turn_of(trains(lying, owned, left), "PRR", "trains"))


def nyc(space: str = "5,6", *, director: str = "bob", **shares: int) -> At:
    """NYC at 67, if nothing else is said: Ann has shares, Bob directs."""
    return at("NYC", space, director=director, **(shares or {"ann": 2, "bob": 4}))


def test_the_director_is_asked_for_what_the_treasury_lacks():
    now = need(nyc()).awaits("ann")
    question = top(now.table)
    assert isinstance(question, Question)
    assert question.matter == RaiseMoney(PRR)
    assert question.asked == (player("ann"),)
    now.when("ann", Pass()).then(Code.MUST_BUY_TRAIN)


def test_a_treasury_that_pays_for_a_train_buys_alone():
    now = need(nyc(), treasury=300)
    assert isinstance(top(now.table), type(current_turn(now.table)))
    now.when("ann", Pass()).then(Code.MUST_BUY_TRAIN)
    now.when("ann", buy("4", 300, adds=10)).then(Code.NOT_ALLOWED)
    now.when("ann", sell("NYC", 1)).then(Code.WRONG_STEP)
    now.when("ann", buy("4", 300)).accepted()


def test_worked_example_he_sells_two_shares_and_keeps_54():
    now = need(nyc())
    # He lacks 80: one share brings only 67.
    now.when("ann", buy("4", 300, adds=200)).then(Code.TOO_LITTLE_CASH)
    sold = now.when("ann", sell("NYC", 2)).begins(e.SharesSold).awaits("ann")
    bought = sold.when("ann", buy("4", 300, adds=200)).begins(
        e.TrainBought(
            PRR,
            Train(TrainId("4-0"), TrainKind("4")),
            SUPPLY,
            (Payment(PRR, BANK, 100), Payment(player("ann"), BANK, 200)),
        ),
        e.QuestionClosed,
    )
    assert bought.table.cash[player("ann")] == 54
    assert bought.table.cash[PRR] == 0


def test_he_sells_no_more_than_needed():
    # At 67 he lacks 80: two shares do. Once he lacks nothing he sells nothing.
    now = need(nyc(ann=3, bob=4))
    now.when("ann", sell("NYC", 3)).then(Code.SELLS_TOO_MUCH)
    one = now.when("ann", sell("NYC", 1)).accepted()
    enough = one.when("ann", sell("NYC", 1)).accepted()
    enough.when("ann", sell("NYC", 1)).then(Code.SELLS_TOO_MUCH)


def test_all_of_the_treasury_goes_first():
    now = need(nyc(), ann=500)
    now.when("ann", buy("4", 300, adds=250)).then(Code.TREASURY_FIRST)
    now.when("ann", buy("4", 300)).then(Code.TOO_LITTLE_CASH)
    now.when("ann", sell("NYC", 1)).then(Code.SELLS_TOO_MUCH)
    now.when("ann", buy("4", 300, adds=200)).accepted()


def test_with_his_money_the_cheapest_train_of_bank_and_pool_is_bought():
    now = need(nyc(), ann=900, owned={"pool": ["3", "4"]})
    now.when("ann", buy("4", 300, adds=200)).then(Code.CHEAPEST_TRAIN)
    now.when("ann", buy("4", 300, adds=200, seller=POOL, card="4-0")).then(Code.CHEAPEST_TRAIN)
    now.when("ann", buy("3", 180, adds=80, seller=POOL, card="3-0")).accepted()


def test_or_one_of_another_company_for_at_most_its_face_value():
    # 2.8: Bob, who directs NYC, has to agree.
    now = need(nyc(), ann=900, owned={"NYC": ["4"]})
    card = {"seller": "NYC", "card": "4-0"}
    now.when("ann", buy("4", 301, adds=201, **card)).then(Code.BAD_PRICE)
    asked = now.when("ann", buy("4", 300, adds=200, **card)).accepted().awaits("bob")
    asked.when("bob", Answer(yes=False)).accepted().awaits("ann")
    done = asked.when("bob", Answer(yes=True)).accepted()
    assert done.table.cash[NYC] == 300
    # Out of the treasury alone any price is a matter between the two.
    now.when("ann", buy("4", 100, **card)).accepted().awaits("bob")
    offers = [
        one.open for one in now.listed("ann") if one.open and isinstance(one.command, BuyTrain)
    ]
    assert offers == [
        Interval("price", 1, 100, 1),
        Interval("price", 101, 300, 1, also="director_pays"),
    ]


def test_shares_once_sold_must_have_been_needed_for_the_price():
    now = need(nyc(), owned={"NYC": ["4"]}).when("ann", sell("NYC", 2)).accepted()
    # 100 + 254 are there, the last share brought 67: a price of 288 or more needed it.
    card = {"seller": "NYC", "card": "4-0"}
    now.when("ann", buy("4", 50, **card)).then(Code.SELLS_TOO_MUCH)
    now.when("ann", buy("4", 287, adds=187, **card)).then(Code.SELLS_TOO_MUCH)
    now.when("ann", buy("4", 288, adds=188, **card)).accepted()


def test_directorships_of_other_companies_change_at_once():
    # B13: Bob has 40% of B&O, Ann sells 30% of her 50%.
    bo = at("B&O", "2,6", director="ann", ann=5, bob=4, pool=1)
    now = need(bo, ann=20, treasury=80)
    after = now.when("ann", sell("B&O", 3)).begins(
        e.CertificatesMoved, e.SharesSold, e.DirectorChanged(BO, player("bob"), player("bob"))
    )
    assert after.table.charters[BO].director == "bob"


def test_the_directorship_of_the_company_that_buys_is_kept():
    # B13: a tie changes nothing, one share more would.
    mine = at("PRR", "2,6", director="ann", ann=3, bob=2, cash=100)
    now = need(prr=mine, ann=100)
    now.when("ann", sell("PRR", 2)).then(Code.KEEPS_DIRECTORSHIP)
    now.when("ann", sell("PRR", 1)).accepted()


def test_the_pool_takes_no_more_than_half():
    now = need(nyc(ann=3, bob=3, pool=4))
    now.when("ann", sell("NYC", 2)).then(Code.POOL_LIMIT)
    now.when("ann", sell("NYC", 1)).accepted()


def test_refusals_of_a_forced_sale_in_their_order():
    now = need(nyc(ann=3, bob=4), unstarted={"CPR": {"ann": 1}})
    now.when("ann", sell("XYZ", 1)).then(Code.NO_SUCH_COMPANY)
    now.when("ann", sell("CPR", 1)).then(Code.NOT_STARTED)
    now.when("ann", sell("NYC", 4)).then(Code.NOT_YOURS)
    now.when("ann", sell("PRR", 2)).then(Code.POOL_LIMIT)
    now.when("ann", sell("NYC", 3)).then(Code.SELLS_TOO_MUCH)
    now.when("bob", sell("NYC", 1)).then(Code.NOT_YOUR_TURN)


def test_he_may_sell_a_private_to_another_player():
    now = need(nyc(), closed=("CS", "DH", "MH", "CA", "BO"), cash={"dan": 600})
    # Here it is Ann who would buy, but the way is open.
    now.when("ann", TradePrivate(company("SV"), player("dan"), 20)).accepted().awaits("dan")


def test_the_company_may_still_buy_a_private_of_its_director():
    table = need(nyc(), closed=("CS", "DH", "MH", "CA", "BO")).table
    assert table.certificates[company("SV")].keys() == {"dan"}
    now = given(table)
    now.when("ann", BuyCompany(company("SV"), 40)).accepted().awaits("dan")


# --- bankruptcy ------------------------------------------------------------------------------


def poor(pool: int, **unstarted: dict[str, int]) -> Given:
    """B16: the company has 50, Ann 100 and three shares of NYC at 60; a train costs 300."""
    shares = nyc("1,1", ann=3, bob=7 - pool, pool=pool)
    return need(shares, treasury=50, ann=100, unstarted=unstarted)


@pytest.mark.parametrize(("pool", "code"), [(4, None), (2, Code.NOT_BANKRUPT)])
def test_bankrupt_is_only_who_cannot_pay_with_all_that_may_be_sold(pool, code):
    # With 40% in the pool only one share may be sold: 210. With 20%: three, 330.
    now = poor(pool)
    assert now.table.markers[NYC].price == 60
    outcome = now.when("ann", BANKRUPT)
    if code is None:
        outcome.accepted()
    else:
        outcome.then(code)


def test_a_share_of_a_company_without_a_price_counts_nothing():
    poor(4, CPR={"ann": 1}).when("ann", BANKRUPT).accepted()


def test_bankruptcy_sells_what_it_can_takes_all_cash_and_ends_the_game_at_once():
    ended = (
        poor(4)
        .when("ann", BANKRUPT)
        .then(
            e.SharesSold(
                player("ann"), NYC, POOL, ones(1), {}, (Payment(BANK, player("ann"), 60),)
            ),
            e.MarkerMoved,
            e.MoneyPaid("bankruptcy", (Payment(player("ann"), BANK, 160),)),
            e.GameEnded,
        )
    )
    assert ended.table.cash[player("ann")] == 0
    assert ended.table.ending is not None
    assert (ended.table.ending.over, ended.table.ending.because) == (True, "bankrupt")
    standings = {one.player: one.total for one in ended.table.ending.standings}
    # Five shares of PRR at 100 and two of NYC at its price after the sale.
    assert standings[player("ann")] == 500 + 2 * ended.table.markers[NYC].price


def test_nobody_is_bankrupt_while_his_own_cash_pays():
    need(nyc(), ann=200).when("ann", BANKRUPT).then(Code.NOT_BANKRUPT)
    need(nyc(), treasury=300, ann=0).when("ann", BANKRUPT).then(Code.WRONG_STEP)


def test_selling_share_by_share_may_bring_too_little():
    # He lacks 134: two together bring it, one after the other they bring 67 and 65.
    now = need(nyc("4,5"), ann=61, treasury=105)
    one = now.when("ann", sell("NYC", 1)).accepted()
    two = one.when("ann", sell("NYC", 1)).accepted()
    two.when("ann", buy("4", 300, adds=195)).then(Code.TOO_LITTLE_CASH)
    two.when("ann", BANKRUPT).accepted()
    now.when("ann", sell("NYC", 2)).when("ann", buy("4", 300, adds=195)).accepted()
