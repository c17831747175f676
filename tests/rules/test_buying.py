"""Buying shares and starting companies: 3.2.3 to 3.2.5, 3.2.7, 3.2.8."""

from contracts import events as e
from contracts.commands import AnyCommand, BuyShares, Pass, SellShares, StartCompany
from contracts.ids import BANK, OFFERING, POOL, CertificateKind, Party
from contracts.money import Payment
from contracts.rejections import Code
from services.engine.rules.decide import choices
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table
from tests.given import given
from tests.positions import At, at, company, ones, player, position, stock_round

PRR, NYC, B_AND_O = company("PRR"), company("NYC"), company("B&O")


def buy(name: str, source: Party = OFFERING, number: int = 1) -> BuyShares:
    return BuyShares(company(name), source, ones(number))


def start(name: str, price: int) -> StartCompany:
    return StartCompany(company(name), price)


def table(*companies: At, **more: object) -> Table:
    """Ann's turn in the second stock round."""
    return stock_round(position(companies=companies, **more))


def test_a_share_of_the_offering_costs_par_and_the_turn_goes_on_to_sales():
    there = table(at("PRR", "0,8", director="bob", par=90, bob=4, ann=1))
    now = (
        given(there)
        .when("ann", buy("PRR"))
        .then(
            e.SharesBought(
                player("ann"), PRR, OFFERING, ones(1), {}, (Payment(player("ann"), BANK, 90),)
            )
        )
    )
    now.awaits("ann").when("ann", Pass()).then(e.StepEnded, e.TurnEnded, e.TurnBegan).awaits("bob")


def test_a_turn_in_which_nothing_can_be_sold_after_buying_ends_by_itself():
    there = table(at("PRR", "0,8", director="bob", par=90, bob=4, ann=1))
    first = stock_round(position(companies=[at("PRR", "0,8", director="bob", bob=4)]), number=1)
    given(first).when("ann", buy("PRR")).then(e.SharesBought).awaits("bob")
    given(there).when("ann", buy("PRR")).awaits("ann")


def test_a_share_of_the_pool_costs_the_market_price():
    there = table(at("PRR", "0,8", director="bob", par=90, bob=4, pool=2))
    now = given(there).when("ann", buy("PRR", POOL)).accepted()
    assert now.table.cash[player("ann")] == 600 - 126


def test_a_company_is_started_at_a_par_of_the_buyers_choice_under_the_others():
    there = table(at("PRR", "3,6", director="bob", bob=4, par=76))
    now = (
        given(there)
        .when("ann", start("NYC", 76))
        .then(
            e.CompanyStarted,
            e.DirectorChanged(NYC, player("ann"), player("ann")),
            e.MarkerMoved(NYC, "3,6", 76, 1, "started"),
        )
    )
    assert now.table.market["3,6"] == (PRR, NYC)
    assert now.table.certificates[NYC][player("ann")] == {"2d": 1}
    assert now.table.cash[player("ann")] == 600 - 152


def test_only_the_six_pars_and_only_once():
    there = table(at("PRR", "3,6", director="bob", bob=4, par=76))
    given(there).when("ann", start("NYC", 75)).then(Code.BAD_PRICE)
    given(there).when("ann", start("PRR", 76)).then(Code.ALREADY_STARTED)
    given(there).when("ann", start("SV", 76)).then(Code.NO_SUCH_COMPANY)


def test_nothing_is_bought_of_a_company_that_has_not_been_started():
    given(table()).when("ann", buy("PRR")).then(Code.NOT_STARTED)


def test_a_directors_certificate_is_not_bought_like_a_share():
    there = table(at("PRR", "3,6", director="bob", bob=4, par=76))
    command = BuyShares(PRR, OFFERING, {CertificateKind("2d"): 1})
    given(there).when("ann", command).then(Code.NOT_ON_SALE)
    given(there).when("ann", buy("PRR", POOL)).then(Code.NOT_ON_SALE)
    given(there).when("ann", buy("PRR", BANK)).then(Code.NOT_ON_SALE)
    given(there).when("ann", buy("PRR", number=0)).then(Code.NOT_ON_SALE)


def test_one_certificate_a_turn():
    there = table(at("PRR", "3,6", director="bob", bob=4, par=76, ann=1))
    given(there).when("ann", buy("PRR", number=2)).then(Code.ALREADY_BOUGHT)
    now = given(there).when("ann", buy("PRR")).accepted()
    now.when("ann", buy("PRR")).then(Code.ALREADY_BOUGHT)
    now.when("ann", start("NYC", 67)).then(Code.ALREADY_BOUGHT)


def test_sell_buy_sell():
    there = table(
        at("PRR", "3,6", director="bob", bob=4, par=76, ann=3),
        at("NYC", "0,6", director="bob", bob=4),
    )
    now = given(there).when("ann", SellShares(PRR, ones(1)), buy("NYC")).accepted()
    now.when("ann", SellShares(PRR, ones(2))).then(e.SharesSold, e.MarkerMoved)


def test_what_was_sold_in_this_round_is_not_bought_in_it():
    there = table(at("PRR", "3,6", director="bob", bob=4, par=76, ann=3))
    now = given(there).when("ann", SellShares(PRR, ones(1))).accepted()
    now.when("ann", buy("PRR")).then(Code.SOLD_THIS_ROUND)
    later = now.when("ann", Pass()).when("bob", Pass()).when("cid", Pass()).when("dan", Pass())
    later.awaits("ann").when("ann", buy("PRR", POOL)).then(Code.SOLD_THIS_ROUND)


def test_money_is_there_or_it_is_not():
    there = table(at("PRR", "3,6", director="bob", bob=4, par=76), cash={"ann": 75})
    # Nothing can be chosen with 75, so the turn is Bob's at once.
    given(there).awaits("bob")
    there = table(at("PRR", "3,6", director="bob", bob=4, par=76, ann=1), cash={"ann": 75})
    given(there).when("ann", buy("PRR")).then(Code.TOO_LITTLE_CASH)
    given(there).when("ann", start("NYC", 67)).then(Code.TOO_LITTLE_CASH)


def test_sixty_percent_of_one_company():
    there = table(at("PRR", "0,6", director="ann", ann=5, pool=2))
    now = given(there).when("ann", buy("PRR")).then(e.SharesBought)
    assert now.table.certificates[PRR][player("ann")] == {"2d": 1, "1": 4}


def test_seventy_percent_only_in_orange_or_brown():
    red = table(at("PRR", "0,6", director="ann", ann=6, pool=1))
    given(red).when("ann", buy("PRR", POOL)).then(Code.HOLDING_LIMIT)
    yellow = table(at("PRR", "2,2", director="ann", ann=6, pool=1))
    given(yellow).when("ann", buy("PRR", POOL)).then(Code.HOLDING_LIMIT)
    orange = table(at("PRR", "4,1", director="ann", ann=6, pool=1))
    given(orange).when("ann", buy("PRR", POOL)).accepted()


def fifteen(*more: At) -> Table:
    """Ann has 15 certificates that count, of 16: ten of two companies and five privates."""
    return table(
        at("PRR", "0,6", director="bob", bob=3, ann=5, pool=1),
        at("NYC", "0,7", director="ann", ann=6),
        *more,
        privates={"SV": "ann", "CS": "ann", "DH": "ann", "MH": "ann", "CA": "ann"},
        closed=("BO",),
    )


def test_the_certificate_limit_and_what_does_not_count():
    there = fifteen(
        at("ERIE", "2,1", director="bob", bob=3, ann=3, pool=2),  # yellow: does not count
        at("C&O", "0,8", director="bob", bob=3),
    )
    now = given(there).when("ann", buy("C&O")).accepted()  # the sixteenth
    full = now.when("ann", Pass()).when("bob", Pass()).when("cid", Pass()).when("dan", Pass())
    full.when("ann", buy("PRR", POOL)).then(Code.CERTIFICATE_LIMIT)
    full.when("ann", start("CPR", 67)).then(Code.CERTIFICATE_LIMIT)
    full.when("ann", buy("ERIE", POOL)).accepted()


def test_refusals_of_a_purchase_come_in_the_order_of_the_rules():
    there = table(
        at("PRR", "0,6", director="ann", ann=6, pool=2),
        at("NYC", "0,7", director="bob", bob=4, ann=5),
        at("ERIE", "0,8", director="bob", bob=4, ann=4),
        privates={"SV": "ann", "CS": "ann", "DH": "ann"},
        cash={"ann": 0},
    )
    now = given(there).when("ann", SellShares(PRR, ones(1))).accepted()
    now = now.when("ann", buy("PRR", POOL, 2))
    now.refused_for(
        Code.ALREADY_BOUGHT,
        Code.SOLD_THIS_ROUND,
        Code.CERTIFICATE_LIMIT,
        Code.HOLDING_LIMIT,
        Code.TOO_LITTLE_CASH,
    )


# Known faults, B15: several shares of a brown company.


def test_several_of_a_brown_company_come_from_the_pool():
    there = table(
        at("B&O", "7,2", director="bob", par=67, bob=3, cid=2, pool=2),
        at("C&O", "0,6", director="bob", par=67, bob=3, pool=2),
    )
    both = given(there).when("ann", buy("B&O", POOL, 2)).then(e.SharesBought)
    assert both.table.cash[player("ann")] == 600 - 60
    one = given(there).when("ann", buy("B&O", POOL), buy("B&O", POOL)).accepted()
    one.when("ann", buy("B&O")).then(Code.ALREADY_BOUGHT)
    one.when("ann", buy("C&O")).then(Code.ALREADY_BOUGHT)
    turn = current_turn(one.table)
    assert turn is not None
    assert [purchase.shares for purchase in turn.bought] == [1, 1]


def test_after_a_share_of_the_offering_the_pool_gives_none():
    there = table(at("B&O", "7,2", director="bob", par=67, bob=3, cid=2, pool=2))
    now = given(there).when("ann", buy("B&O")).accepted()
    now.when("ann", buy("B&O", POOL)).then(Code.ALREADY_BOUGHT)


def test_by_variant_several_of_a_brown_company_come_from_the_offering_too():
    there = table(
        at("B&O", "7,2", director="bob", par=67, bob=3, cid=2, pool=2),
        at("C&O", "7,1", director="bob", par=67, bob=3, pool=2),
        variants={"brown shares": "pool and offering"},
    )
    now = given(there).when("ann", buy("B&O", POOL, 2), buy("B&O")).accepted()
    now.when("ann", buy("C&O", POOL)).then(Code.ALREADY_BOUGHT)


def test_orange_is_not_brown():
    there = table(at("B&O", "7,3", director="bob", par=67, bob=3, cid=2, pool=2))
    given(there).when("ann", buy("B&O", POOL, 2)).then(Code.ALREADY_BOUGHT)


def test_a_company_floats_at_sixty_percent_out_of_the_offering_the_pool_included():
    there = table(at("PRR", "0,8", director="bob", par=90, floated=False, bob=3, cid=1, pool=1))
    now = (
        given(there)
        .when("ann", buy("PRR"))
        .then(e.SharesBought, e.CompanyFloated(PRR, (Payment(BANK, PRR, 900),)))
    )
    assert now.table.cash[PRR] == 900


def test_a_share_that_came_with_a_private_counts_for_floating():
    there = table(at("PRR", "0,8", director="bob", par=90, floated=False, bob=3, cid=1, dan=1))
    given(there).when("ann", buy("PRR")).then(e.SharesBought, e.CompanyFloated)


def test_who_has_more_than_the_director_takes_over_at_once():
    there = table(at("PRR", "0,6", director="bob", bob=3, ann=3))
    now = (
        given(there)
        .when("ann", buy("PRR"))
        .then(
            e.SharesBought,
            e.CertificatesMoved,
            e.DirectorChanged(PRR, player("ann"), player("ann")),
        )
    )
    assert now.table.certificates[PRR][player("ann")] == {"1": 2, "2d": 1}
    assert now.table.certificates[PRR][player("bob")] == {"1": 3}


def test_equal_holdings_change_nothing():
    there = table(at("PRR", "0,6", director="bob", bob=3, ann=2))
    given(there).when("ann", buy("PRR")).then(e.SharesBought)


def test_the_cas_share_does_not_direct_a_company_before_its_par():
    there = table(unstarted={"PRR": {"ann": 1}})
    assert there.charters[PRR].director is None
    now = given(there).when("ann", start("PRR", 67)).accepted()
    assert now.table.charters[PRR].director == "ann"
    assert now.table.certificates[PRR][player("ann")] == {"1": 1, "2d": 1}


def test_every_number_listed_in_brown_is_legal():
    there = table(at("B&O", "7,2", director="bob", par=67, bob=3, cid=2, pool=3))
    commands: list[AnyCommand] = [
        choice.command for choice in choices(ruleset_of(there), there, player("ann"))
    ]
    wanted = [buy("B&O", POOL, number) for number in (1, 2, 3)]
    assert [one for one in commands if isinstance(one, BuyShares) and one.source == POOL] == wanted
