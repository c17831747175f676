"""Parliament rounds: charters are put up, won and paid for: 4.1, 4.2 (1862.md 4.4 to 4.8)."""

import msgspec

from contracts import events as e
from contracts.commands import Bid, BuyShares, Pass, StartCompany
from contracts.frames import CharterPrice, FurtherShares, Question, Round
from contracts.ids import BANK, OFFERING, CompanyId, FrameId
from contracts.money import Payment
from contracts.rejections import Code
from services.engine.table.agenda import current_round, top
from services.engine.table.state import Table
from tests.eastern import DIRECTORS, opened, position, railway
from tests.given import Given, given
from tests.positions import company, ones, party, player, playing_on

ESR, EUR, SVR = map(company, ("ESR", "EUR", "SVR"))


def parliament(table: Table | None = None, **cash: int) -> Given:
    """Ann's turn in the first parliament round; ESR, EUR and SVR may be started."""
    table = opened() if table is None else table
    charters = dict(table.charters)
    for id in (ESR, EUR, SVR):
        charters[id] = msgspec.structs.replace(charters[id], status="open")
    accounts = dict(table.cash)
    for name, amount in cash.items():
        accounts[BANK] -= amount - accounts[party(name)]
        accounts[party(name)] = amount
    certificates = {
        **table.certificates,
        **{id: {OFFERING: {DIRECTORS: 1, **ones(7)}} for id in (ESR, EUR, SVR)},
    }
    return given(
        msgspec.structs.replace(table, charters=charters, cash=accounts, certificates=certificates)
    )


def share(id: CompanyId) -> BuyShares:
    return BuyShares(id, OFFERING, ones(1))


def matter(now: Given) -> object:
    frame = top(now.table)
    assert isinstance(frame, Question), frame
    return frame.matter


def test_a_charter_is_won_by_the_highest_bid():
    """Bidding goes round clockwise; who passes is out; the winner pays the bank and sets par."""
    now = parliament().when("ann", Bid(ESR, 0)).awaits("bob").when("bob", Pass()).awaits("cid")
    now = now.when("cid", Bid(ESR, 20)).awaits("ann").when("ann", Bid(ESR, 25)).awaits("cid")
    now = now.when("cid", Pass())
    now.then(
        e.MoneyPaid("charter", (Payment(player("ann"), BANK, 25),)),
        e.CharterTaken(ESR, player("ann"), "duty"),
        e.QuestionAsked,
    )
    assert matter(now.awaits("ann")) == CharterPrice(ESR)
    assert now.table.cash[player("ann")] == 775
    assert now.table.charters[ESR].bound == player("ann")
    now = now.when("ann", StartCompany(ESR, 58))
    assert now.table.cash[player("ann")] == 601
    assert matter(now.awaits("ann")) == FurtherShares(ESR, 2)


def test_the_opener_wins_for_nothing_if_nobody_bids():
    """4.6: the opening bid of 0 is a bid."""
    now = parliament().when("ann", Bid(ESR, 0)).when("bob", Pass()).when("cid", Pass())
    assert matter(now) == CharterPrice(ESR)
    assert now.table.cash[player("ann")] == 800


def test_half_of_a_company_floats_it_at_once():
    """4.2, 6.5.4: ten times par comes in, three tokens cost 180; the marker lies at par."""
    now = parliament().when("ann", Bid(ESR, 0)).when("bob", Pass()).when("cid", Pass())
    now = now.when("ann", StartCompany(ESR, 58), share(ESR), share(ESR))
    charter = now.table.charters[ESR]
    assert (charter.status, charter.tokens, charter.bound) == ("floated", 3, None)
    assert charter.column == "chartered"
    assert now.table.cash[ESR] == 580 - 180
    assert now.table.markers[ESR].price == 58
    now.awaits("bob")


def test_a_started_company_has_no_marker_before_it_floats():
    """4.2; the importing place puts it down at once (ruling "chartered marker")."""
    for ruling, has in (("as it floats", False), ("as it starts", True)):
        now = parliament(opened(rulings={"chartered marker": ruling}))
        now = now.when("ann", Bid(ESR, 0)).when("bob", Pass()).when("cid", Pass())
        now = now.when("ann", StartCompany(ESR, 58))
        assert (ESR in now.table.markers) is has


def test_it_goes_on_to_the_left_of_the_winner():
    """4.1: bob wins what ann put up; cid is next, then ann, and bob may not open another."""
    now = parliament().when("ann", Bid(ESR, 0)).when("bob", Bid(ESR, 5)).when("cid", Pass())
    now = now.when("ann", Pass()).when("bob", StartCompany(ESR, 100), Pass()).awaits("cid")
    now = now.when("cid", Pass()).awaits("ann").when("ann", Pass())
    playing = current_round(now.table)
    assert playing is not None
    assert (playing.kind, playing.which) == ("parliament", 2)
    now.awaits("ann")


def test_who_has_won_a_charter_may_only_bid_in_auctions_of_others():
    """4.1."""
    now = parliament().when("ann", Bid(ESR, 0)).when("bob", Pass()).when("cid", Pass())
    now = now.when("ann", StartCompany(ESR, 54), Pass()).awaits("bob")
    now = now.when("bob", Bid(EUR, 0)).awaits("cid").when("cid", Pass())
    now.awaits("ann").when("ann", Bid(EUR, 5)).awaits("bob")


def test_bids_are_multiples_of_five_over_all_before():
    now = parliament()
    now.when("ann", Bid(ESR, 3)).then(Code.BAD_PRICE)
    now.when("ann", Bid(ESR, -5)).then(Code.BID_TOO_LOW)
    now = now.when("ann", Bid(ESR, 10))
    now.when("bob", Bid(ESR, 10)).then(Code.BID_TOO_LOW)
    now.when("bob", Bid(ESR, 12)).then(Code.BAD_PRICE)
    now.when("bob", Bid(EUR, 15)).then(Code.NOT_ON_SALE)
    now.when("bob", Bid(ESR, 15)).accepted()


def test_three_shares_at_54_must_be_left():
    """Known fault A19: with 170 one opens at 0 or 5; at 5 only par 54 is possible."""
    now = parliament(ann=170)
    now.when("ann", Bid(ESR, 10)).then(Code.TOO_LITTLE_CASH)
    now = now.when("ann", Bid(ESR, 5)).when("bob", Pass()).when("cid", Pass())
    now.when("ann", StartCompany(ESR, 58)).then(Code.TOO_LITTLE_CASH)
    now = now.when("ann", StartCompany(ESR, 54))
    assert now.table.cash[player("ann")] == 3
    assert now.table.charters[ESR].bound == player("ann")
    now.awaits("bob")


def test_who_has_too_little_passes_at_once():
    """4.1: below 162 he can neither open nor raise."""
    now = parliament(bob=161, cid=166).when("ann", Bid(ESR, 0))
    assert matter(now.awaits("ann")) == CharterPrice(ESR)


def at_the_limit(rulings: dict[str, str] | None = None) -> Given:
    """Ann has 18 certificates, the most with three players; it is her turn to open."""
    table = position(
        railway("L&E", 60, director="ann", ann=10),
        railway("L&D", 60, director="ann", ann=10),
        railway("N&S", 60, director="ann", ann=4, bob=3),
        cash={"ann": 500, "bob": 500, "cid": 500},
        rulings=rulings,
    )
    playing = Round(FrameId("9.9"), "parliament", 3, 1, 1)
    return parliament(playing_on(table, playing))


def test_who_is_at_the_certificate_limit_passes():
    """4.1, known fault A19."""
    now = at_the_limit().awaits("bob").when("bob", Bid(ESR, 0)).awaits("cid").when("cid", Pass())
    assert matter(now.awaits("bob")) == CharterPrice(ESR)


def test_the_importing_place_lets_him_raise():
    """Ruling "bids at the limit"."""
    now = at_the_limit({"bids at the limit": "allowed"}).awaits("bob")
    now = now.when("bob", Bid(ESR, 0)).when("cid", Pass()).awaits("ann")
    now = now.when("ann", Bid(ESR, 5)).when("bob", Pass())
    assert matter(now.awaits("ann")) == CharterPrice(ESR)


def test_a_company_that_waits_or_has_no_room_is_not_put_up():
    """3.2."""
    now = parliament()
    waiting = next(c for c, charter in now.table.charters.items() if charter.status == "waiting")
    out = next(c for c, charter in now.table.charters.items() if charter.status == "closed")
    now.when("ann", Bid(waiting, 0)).then(Code.NOT_ON_SALE)
    now.when("ann", Bid(out, 0)).then(Code.NOT_ON_SALE)
    now.when("ann", Bid(company("XYZ"), 0)).then(Code.NO_SUCH_COMPANY)


def test_prices_of_a_charter_are_the_eight_of_the_chart():
    now = parliament().when("ann", Bid(ESR, 0)).when("bob", Pass()).when("cid", Pass())
    now.when("ann", StartCompany(ESR, 56)).then(Code.BAD_PRICE)
    now.when("ann", StartCompany(EUR, 58)).then(Code.WRONG_STEP)
    now.when("ann", Pass()).then(Code.WRONG_STEP)


def test_further_shares_are_of_that_company_at_par():
    now = parliament().when("ann", Bid(ESR, 0)).when("bob", Pass()).when("cid", Pass())
    now = now.when("ann", StartCompany(ESR, 58))
    now.when("ann", BuyShares(ESR, OFFERING, ones(2))).then(Code.NOT_ON_SALE)
    now.when("ann", share(EUR)).then(Code.NOT_ON_SALE)
    now = now.when("ann", share(ESR))
    assert matter(now) == FurtherShares(ESR, 1)
    now.when("ann", Pass()).accepted().awaits("bob")
