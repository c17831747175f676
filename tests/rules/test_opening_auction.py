"""The private auction: 3.1 of the rules."""

import pytest

from contracts import events as e
from contracts.choices import Interval
from contracts.commands import AnyCommand, Bid, BuyShares, Pass, SellShares, StartCompany
from contracts.frames import Auction, Question, StartPrice
from contracts.ids import BANK, OFFERING, CertificateKind
from contracts.money import Payment
from contracts.pieces import CertificateMove
from contracts.rejections import Code
from services.engine.rules.decide import choices
from services.engine.rules.procedures.lots import auction_of, free_cash, waterfall_of
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_round, top
from tests.given import Given, given
from tests.positions import company, ones, opened, player

SV, CS, DH, MH, CA, BO = map(company, ("SV", "CS", "DH", "MH", "CA", "BO"))
PASS = Pass()


def bid(lot: str, amount: int) -> Bid:
    return Bid(company(lot), amount)


def played(*moves: tuple[str, AnyCommand], table: Given | None = None) -> Given:
    now = table or given(opened())
    for who, command in moves:
        now = now.when(who, command).accepted()
    return now


def all_pass(now: Given, *who: str) -> Given:
    for name in who:
        now = now.when(name, PASS).accepted()
    return now


def asking(now: Given) -> dict[str, int]:
    row = waterfall_of(now.table)
    assert row is not None
    return {lot.company: lot.asking for lot in row.lots}


def test_the_privates_stand_in_order_of_price_and_the_first_player_begins():
    now = given(opened()).awaits("ann")
    assert asking(now) == {"SV": 20, "CS": 40, "DH": 70, "MH": 110, "CA": 160, "BO": 220}


def test_the_cheapest_is_bought_at_its_price():
    now = given(opened()).when("ann", bid("SV", 20)).then(e.LotWon).awaits("bob")
    assert now.table.cash[player("ann")] == 580
    assert now.table.charters[SV].director == "ann"


def test_the_cheapest_is_not_bid_for():
    given(opened()).when("ann", bid("SV", 25)).then(Code.BAD_PRICE)


def test_a_bid_is_five_over_the_price():
    given(opened()).when("ann", bid("CS", 44)).then(Code.BID_TOO_LOW)
    given(opened()).when("ann", bid("CS", 45)).then(e.BidMade(CS, player("ann"), 45)).awaits("bob")


def test_a_bid_is_five_over_every_bid_before_it():
    now = played(("ann", bid("CS", 47)))
    now.when("bob", bid("CS", 51)).then(Code.BID_TOO_LOW)
    now.when("bob", bid("CS", 52)).accepted()


def test_what_is_not_up_cannot_be_bid_for():
    now = played(("ann", bid("SV", 20)))
    now.when("bob", bid("SV", 25)).then(Code.NOT_ON_SALE)
    now.when("bob", bid("PRR", 25)).then(Code.NO_SUCH_COMPANY)
    now.when("cid", bid("CS", 40)).then(Code.NOT_YOUR_TURN)


def test_refusals_of_a_bid_come_in_the_order_of_the_rules():
    played(("ann", bid("BO", 575)), ("bob", PASS), ("cid", PASS), ("dan", PASS)).when(
        "ann", bid("CS", 41)
    ).refused_for(Code.BID_TOO_LOW, Code.TOO_LITTLE_CASH)


def test_live_bids_together_stay_within_the_cash():
    now = played(("ann", bid("BO", 400)), ("bob", PASS), ("cid", PASS), ("dan", PASS))
    now.when("ann", bid("CA", 201)).then(Code.TOO_LITTLE_CASH)
    now.when("ann", bid("CA", 200)).accepted()


def test_money_set_aside_cannot_buy_the_cheapest():
    now = played(("ann", bid("BO", 590)), ("bob", PASS), ("cid", PASS), ("dan", PASS))
    now.when("ann", bid("SV", 20)).then(Code.TOO_LITTLE_CASH)


def test_raising_ones_own_bid_costs_only_the_difference():
    now = played(("ann", bid("CA", 350)), ("bob", PASS), ("cid", PASS), ("dan", PASS))
    now = now.when("ann", bid("CA", 600)).accepted()
    row = waterfall_of(now.table)
    assert row is not None
    assert row.lots[4].bids == ((player("ann"), 600),)


def test_one_bid_on_the_new_cheapest_wins_it_and_so_on_down_the_row():
    now = played(("ann", bid("CS", 45)), ("bob", bid("DH", 80))).when("cid", bid("SV", 20))
    now.then(e.LotWon, e.LotWon, e.LotWon).awaits("dan")
    cash = {name: now.table.cash[player(name)] for name in ("ann", "bob", "cid")}
    assert cash == {"ann": 555, "bob": 520, "cid": 580}
    assert list(asking(now)) == ["MH", "CA", "BO"]


def test_the_worked_example_of_a_contested_private():
    """SV unsold, CS bid 45 by Ann and 50 by Bob; Cid buys SV: Ann speaks, raises, Bob passes."""
    now = played(("ann", bid("CS", 45)), ("bob", bid("CS", 50))).when("cid", bid("SV", 20))
    now.then(e.LotWon).awaits("ann")
    now.when("ann", PASS).then(won_for("bob", 50)).awaits("dan")
    now.when("ann", bid("CS", 54)).then(Code.BID_TOO_LOW)
    raised = now.when("ann", bid("CS", 55)).accepted().awaits("bob")
    raised.when("bob", PASS).then(won_for("ann", 55)).awaits("dan")


def won_for(name: str, amount: int) -> e.LotWon:
    """The CS won for an amount."""
    buyer = player(name)
    move = CertificateMove(CertificateKind("1d"), 1, OFFERING, buyer)
    return e.LotWon(CS, buyer, (Payment(buyer, BANK, amount),), (move,))


def three_bidders(**rulings: str) -> Given:
    """CS is bid for by Bob, then Ann, then Dan; Cid buys SV."""
    now = given(opened(rulings={name.replace("_", " "): value for name, value in rulings.items()}))
    return played(
        ("ann", PASS),
        ("bob", bid("CS", 45)),
        ("cid", PASS),
        ("dan", PASS),
        ("ann", bid("CS", 50)),
        ("bob", PASS),
        ("cid", PASS),
        ("dan", bid("CS", 55)),
        ("ann", PASS),
        ("bob", PASS),
        ("cid", bid("SV", 20)),
        table=now,
    )


def test_bidders_speak_clockwise_from_the_left_of_the_highest():
    now = three_bidders().awaits("ann")
    now = now.when("ann", bid("CS", 60)).accepted().awaits("bob")
    now = now.when("bob", bid("CS", 65)).accepted().awaits("dan")
    now = now.when("dan", PASS).accepted().awaits("ann")
    now.when("ann", PASS).then(e.LotWon).awaits("dan")


def test_by_ruling_the_lowest_bidder_speaks():
    now = three_bidders(auction_order="lowest bidder").awaits("bob")
    now = now.when("bob", bid("CS", 60)).accepted().awaits("ann")
    now = now.when("ann", PASS).accepted().awaits("dan")
    now.when("dan", PASS).then(e.LotWon).awaits("dan")


def test_who_passes_in_an_auction_has_his_money_back():
    now = played(
        ("ann", bid("CS", 100)),
        ("bob", bid("CS", 105)),
        ("cid", bid("CS", 110)),
        ("dan", bid("SV", 20)),
    ).awaits("ann")
    assert auction_of(now.table) is not None
    out = now.when("ann", PASS).accepted()
    assert free_cash(out.table, player("ann"), DH) == 600
    assert free_cash(out.table, player("bob"), DH) == 495


def test_a_bidder_without_the_money_to_raise_passes_at_once():
    moves = (("ann", bid("CS", 45)), ("bob", bid("CS", 600)), ("cid", bid("SV", 20)))
    now = played(*moves)
    assert auction_of(now.table) is None
    now.then(e.LotWon, e.LotWon).awaits("dan")
    asked = played(*moves, table=given(opened(rulings={"silent bidder": "must say so"})))
    assert isinstance(auction_of(asked.table), Auction)
    asked.awaits("ann").when("ann", PASS).then(e.LotWon).awaits("dan")


def test_all_pass_before_a_sale_and_the_first_gets_cheaper():
    now = all_pass(given(opened()), "ann", "bob", "cid", "dan")
    now.then(e.AskingPriceSet(SV, 15)).awaits("ann")
    now.when("ann", bid("SV", 20)).then(Code.BAD_PRICE)
    now.when("ann", bid("SV", 15)).then(e.LotWon).awaits("bob")


def test_passes_count_in_a_row_only():
    now = all_pass(given(opened()), "ann", "bob", "cid")
    now = now.when("dan", bid("CS", 45)).accepted()
    now = all_pass(now, "ann", "bob", "cid")
    assert asking(now)["SV"] == 20
    now.when("dan", PASS).then(e.AskingPriceSet(SV, 15))


def test_at_nothing_the_next_player_must_take_it():
    now = given(opened())
    for _ in range(3):
        now = all_pass(now, "ann", "bob", "cid", "dan")
    assert asking(now)["SV"] == 5
    now = all_pass(now, "ann", "bob", "cid", "dan")
    now.then(e.AskingPriceSet(SV, 0), e.LotWon).awaits("bob")
    assert now.table.certificates[SV] == {player("ann"): {"1d": 1}}
    assert now.table.cash[player("ann")] == 600


def test_all_pass_after_a_sale_and_the_sold_privates_pay():
    now = played(("ann", bid("SV", 20)), ("bob", bid("CS", 40)))
    now = all_pass(now, "cid", "dan", "ann", "bob").then(e.MoneyPaid).awaits("cid")
    assert now.table.cash[player("ann")] == 585
    assert now.table.cash[player("bob")] == 570
    assert asking(now)["DH"] == 70


@pytest.mark.parametrize("sold", [1, 2, 3, 4])
def test_after_any_sale_the_first_never_gets_cheaper(sold):
    """3.1.5: the price falls only while nothing has been sold; from then on privates pay."""
    buyers = ("ann", "bob", "cid", "dan")
    row = (("SV", 20), ("CS", 40), ("DH", 70), ("MH", 110))
    prices = {"SV": 20, "CS": 40, "DH": 70, "MH": 110, "CA": 160, "BO": 220}
    now = played(*((who, bid(*lot)) for who, lot in zip(buyers[:sold], row, strict=False)))
    seats = buyers[sold:] + buyers[:sold]
    for _ in range(2):
        now = all_pass(now, *seats).then(e.MoneyPaid).awaits(seats[0])
    assert asking(now) == dict(list(prices.items())[sold:])


def up_to_ca() -> Given:
    return played(
        ("ann", bid("SV", 20)),
        ("bob", bid("CS", 40)),
        ("cid", bid("DH", 70)),
        ("dan", bid("MH", 110)),
    )


def test_a_share_comes_with_the_ca_and_cannot_be_sold_before_a_par():
    now = up_to_ca().when("ann", bid("CA", 160)).then(e.LotWon, e.CertificatesMoved)
    assert now.table.certificates[company("PRR")][player("ann")] == ones(1)
    assert now.table.charters[company("PRR")].director is None
    first = played(
        ("bob", bid("BO", 220)), ("bob", StartCompany(company("B&O"), 100)), table=now
    ).awaits("cid")
    first = all_pass(first, "cid", "dan")
    first.when("ann", SellShares(company("PRR"), ones(1))).then(Code.NOT_STARTED)


def test_the_bo_sets_the_par_of_its_company_at_once():
    now = played(("ann", bid("CA", 160)), table=up_to_ca()).when("bob", bid("BO", 220))
    now.then(e.LotWon, e.QuestionAsked).awaits("bob")
    b_and_o = company("B&O")
    now.when("bob", PASS).then(Code.WRONG_STEP)
    now.when("bob", StartCompany(b_and_o, 99)).then(Code.BAD_PRICE)
    now.when("bob", StartCompany(company("PRR"), 100)).then(Code.WRONG_STEP)
    now.when("cid", StartCompany(b_and_o, 100)).then(Code.NOT_YOUR_TURN)
    now = now.when("bob", StartCompany(b_and_o, 82)).then(
        e.CompanyStarted(b_and_o, player("bob"), 82, (), ()),
        e.CertificatesMoved,
        e.DirectorChanged(b_and_o, player("bob"), player("bob")),
        e.MarkerMoved,
        e.QuestionClosed,
        e.OrderSet,
    )
    assert now.table.certificates[b_and_o][player("bob")] == {"2d": 1}
    assert now.table.cash[player("bob")] == 340
    assert now.table.charters[b_and_o].status == "started"


def test_the_par_is_asked_of_the_winner_of_an_auction_too():
    now = played(
        ("ann", bid("BO", 225)),
        ("bob", bid("BO", 230)),
        ("cid", bid("SV", 20)),
        ("dan", bid("CS", 40)),
        ("ann", bid("DH", 70)),
        ("bob", bid("MH", 110)),
        ("cid", bid("CA", 160)),
        ("ann", PASS),
    )
    question = top(now.table)
    assert isinstance(question, Question)
    assert question.matter == StartPrice(company("B&O"))
    now.awaits("bob").when("bob", StartCompany(company("B&O"), 67)).accepted().awaits("dan")


def test_the_priority_deal_is_left_of_the_last_who_bought_at_the_asking_price():
    """Cid's purchase of the CA was the last; Ann's single bid then won the BO."""
    now = played(
        ("ann", bid("BO", 225)),
        ("bob", bid("SV", 20)),
        ("cid", bid("CS", 40)),
        ("dan", bid("DH", 70)),
        ("ann", PASS),
        ("bob", bid("MH", 110)),
        ("cid", bid("CA", 160)),
        ("ann", StartCompany(company("B&O"), 100)),
    ).awaits("dan")
    playing = current_round(now.table)
    assert playing is not None
    assert playing.kind == "stock"
    assert now.table.first == "dan"
    now.when("dan", BuyShares(company("B&O"), OFFERING, ones(1))).accepted().awaits("ann")


def test_every_amount_of_an_open_bid_is_legal():
    now = played(("ann", bid("CS", 45)))
    listed = choices(ruleset_of(now.table), now.table, player("bob"))
    spans = {
        choice.command.lot: (choice.open.least, choice.open.most)
        for choice in listed
        if isinstance(choice.command, Bid) and isinstance(choice.open, Interval)
    }
    assert spans == {
        "CS": (50, 600),
        "DH": (75, 600),
        "MH": (115, 600),
        "CA": (165, 600),
        "BO": (225, 600),
    }
    for amount in (50, 51, 600):
        now.when("bob", bid("CS", amount)).accepted()
    now.when("bob", bid("CS", 601)).then(Code.TOO_LITTLE_CASH)
