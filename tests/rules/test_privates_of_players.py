"""Privates of players: trades (3.2.9), the exchange for a share (3.8.2), incomes (3.3.1)."""

import msgspec
import pytest

from contracts import events as e
from contracts.choices import Interval
from contracts.commands import (
    Answer,
    AnyCommand,
    BuyShares,
    ExchangePrivate,
    Pass,
    SellShares,
    TradePrivate,
)
from contracts.frames import Consent, Question
from contracts.ids import BANK, OFFERING, POOL, CertificateKind, Party
from contracts.money import Payment
from contracts.rejections import Code
from services.engine.rules.companies.income import pay_incomes
from services.engine.rules.decide import choices
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.shares.worth import total_worth
from services.engine.table.agenda import top
from services.engine.table.state import Table
from tests.given import given
from tests.positions import At, at, company, ones, player, position, stock_round

ANN, BOB, DAN = map(player, ("ann", "bob", "dan"))
SV, CS, MH, NYC, PRR = map(company, ("SV", "CS", "MH", "NYC", "PRR"))
YES, NO = Answer(yes=True), Answer(yes=False)
OWNERS = {"SV": "ann", "CS": "bob", "MH": "ann"}


def table(*companies: At, number: int = 2, **more: object) -> Table:
    companies = companies or (at("PRR", "0,6", director="bob", bob=4, ann=2),)
    there = position(companies=companies, privates=OWNERS, **more)
    return stock_round(there, number=number)


def test_an_owner_sells_if_the_other_agrees():
    now = given(table()).when("ann", TradePrivate(SV, BOB, 33)).then(e.QuestionAsked).awaits("bob")
    now.when("ann", YES).then(Code.NOT_YOUR_TURN)
    now.when("bob", Pass()).then(Code.WRONG_STEP)
    now = now.when("bob", YES).then(
        e.QuestionAnswered,
        e.QuestionClosed,
        e.CompanyBought(SV, ANN, BOB, (Payment(BOB, ANN, 33),)),
    )
    assert now.table.charters[SV].director == BOB
    # It was not Ann's purchase, and not Bob's either.
    now.awaits("ann").when("ann", BuyShares(PRR, OFFERING, ones(1))).accepted()


def test_a_buyer_may_propose_too():
    now = given(table()).when("ann", TradePrivate(CS, BOB, 50)).accepted().awaits("bob")
    now.when("bob", YES).then(
        e.QuestionAnswered,
        e.QuestionClosed,
        e.CompanyBought(CS, BOB, ANN, (Payment(ANN, BOB, 50),)),
    )


def test_what_was_refused_is_not_proposed_again_at_that_price_in_this_turn():
    now = given(table()).when("ann", TradePrivate(SV, BOB, 33)).when("bob", NO)
    now.then(e.QuestionAnswered, e.ProposalRefused, e.QuestionClosed).awaits("ann")
    now.when("ann", TradePrivate(SV, BOB, 33)).then(Code.ALREADY_REFUSED)
    now.when("ann", TradePrivate(SV, BOB, 32)).accepted()
    spans = [
        (choice.open.least, choice.open.most)
        for choice in choices(ruleset_of(now.table), now.table, ANN)
        if isinstance(choice.command, TradePrivate)
        and (choice.command.company, choice.command.other) == (SV, BOB)
        and isinstance(choice.open, Interval)
    ]
    assert spans == [(1, 32), (34, 600)]


def test_refusals_of_a_trade_come_in_the_order_of_the_rules():
    there = table(number=1, rulings={"private trades": "not offered"})
    now = given(there).when("ann", TradePrivate(SV, BOB, 601))
    now.refused_for(Code.NOT_ALLOWED, Code.NO_SALES_YET, Code.TOO_LITTLE_CASH)


def test_trades_need_a_private_an_owner_another_player_and_a_price():
    there = table()
    given(there).when("ann", TradePrivate(PRR, BOB, 5)).then(Code.NO_SUCH_COMPANY)
    given(there).when("ann", TradePrivate(CS, DAN, 5)).then(Code.NOT_YOURS)
    given(there).when("ann", TradePrivate(SV, ANN, 5)).then(Code.NOT_SEATED)
    given(there).when("ann", TradePrivate(SV, BOB, 0)).then(Code.BAD_PRICE)
    given(there).when("bob", TradePrivate(CS, ANN, 5)).then(Code.NOT_YOUR_TURN)


def test_the_buyer_keeps_within_the_certificate_limit():
    there = table(
        at("PRR", "0,6", director="bob", bob=6, ann=2),
        at("NYC", "0,7", director="bob", bob=6),
        at("C&O", "0,8", director="bob", bob=6),
    )
    # Bob has fifteen of three companies and one private: sixteen of sixteen.
    given(there).when("ann", TradePrivate(SV, BOB, 5)).then(Code.CERTIFICATE_LIMIT)


def test_a_proposal_that_became_illegal_is_void():
    now = given(table()).when("ann", TradePrivate(SV, BOB, 600)).accepted()
    poorer = {**now.table.cash, BOB: 599, BANK: now.table.cash[BANK] + 1}
    later = given(msgspec.structs.replace(now.table, cash=poorer))
    later = later.when("bob", YES).then(
        e.QuestionAnswered, e.QuestionClosed(question(now.table).id, "void")
    )
    assert later.table.charters[SV].director == ANN


def question(there: Table) -> Question:
    frame = top(there)
    assert isinstance(frame, Question)
    assert isinstance(frame.matter, Consent)
    return frame


def test_a_trade_alone_does_not_keep_a_turn_alive():
    there = stock_round(
        position(
            companies=[at("PRR", "0,6", director="bob", bob=4)],
            privates=OWNERS,
            cash={"ann": 10},
        )
    )
    given(there).awaits("bob")


def exchange(source: str = "offering") -> ExchangePrivate:
    return ExchangePrivate(MH, NYC, company(source))


def test_the_mh_is_exchanged_on_its_owners_stock_turn():
    there = table(at("NYC", "0,6", director="bob", bob=4, pool=1))
    now = (
        given(there)
        .when("ann", exchange("pool"))
        .then(e.CertificatesMoved, e.CompanyClosed(MH, "exchanged"))
    )
    assert now.table.certificates[NYC][ANN] == ones(1)
    assert now.table.cash == there.cash
    # It is no purchase: Ann may still buy.
    now.awaits("ann").when("ann", BuyShares(NYC, OFFERING, ones(1))).accepted()
    now.when("ann", exchange("pool")).then(Code.NOT_YOURS)


def test_it_is_exchanged_after_a_sale_on_ones_own_turn():
    there = table(at("NYC", "0,6", director="bob", bob=4, ann=2))
    given(there).when("ann", SellShares(NYC, ones(1)), exchange()).accepted()


def on_bobs_turn(**more: object) -> Table:
    there = position(
        companies=[at("NYC", "0,6", director="bob", bob=4, dan=2)],
        privates=OWNERS,
        **more,
    )
    return stock_round(there, turn="bob")


def test_it_is_exchanged_between_turns_but_not_in_the_middle_of_anothers():
    there = on_bobs_turn()
    given(there).when("ann", exchange()).then(e.CertificatesMoved, e.CompanyClosed).awaits("bob")
    begun = given(there).when("bob", SellShares(NYC, ones(1))).accepted()
    begun.when("ann", exchange()).then(Code.WRONG_STEP)


def test_by_ruling_it_is_exchanged_at_any_time():
    there = on_bobs_turn(rulings={"private exchange": "at any time"})
    begun = given(there).when("bob", SellShares(NYC, ones(1))).accepted()
    begun.when("ann", exchange()).accepted().awaits("bob")


def test_it_is_exchanged_before_the_company_has_a_par():
    there = table()
    now = given(there).when("ann", exchange()).accepted()
    charter = now.table.charters[NYC]
    assert (charter.status, charter.par, charter.director) == ("open", None, None)
    assert now.table.certificates[NYC][ANN] == ones(1)
    given(there).when("ann", exchange("pool")).then(Code.NOT_ON_SALE)


def test_the_exchange_keeps_within_sixty_percent():
    there = table(at("NYC", "0,6", director="ann", ann=6, bob=2))
    given(there).when("ann", exchange()).then(Code.HOLDING_LIMIT)


def test_refusals_of_an_exchange():
    there = table(at("NYC", "0,6", director="bob", bob=4))
    given(there).when("ann", ExchangePrivate(SV, NYC, OFFERING)).then(Code.NO_RIGHT)
    given(there).when("ann", ExchangePrivate(MH, PRR, OFFERING)).then(Code.NO_RIGHT)
    given(there).when("bob", exchange()).then(Code.NOT_YOURS)
    given(there).when("ann", exchange("pool")).then(Code.NOT_ON_SALE)
    given(there).when("ann", ExchangePrivate(MH, NYC, BANK)).then(Code.NOT_ON_SALE)


def test_the_share_exchanged_may_float_a_company_and_change_its_director():
    there = table(at("NYC", "0,6", director="bob", bob=2, ann=2, pool=1, floated=False))
    now = given(there).when("ann", exchange())
    now.then(
        e.CertificatesMoved,
        e.CompanyClosed,
        e.CertificatesMoved,
        e.DirectorChanged(NYC, ANN, ANN),
        e.CompanyFloated(NYC, (Payment(BANK, NYC, 1000),)),
    )
    assert now.table.certificates[NYC][ANN] == {"2d": 1, "1": 1}


def test_every_open_private_pays_its_owner_a_company_too():
    there = position(privates={**OWNERS, "DH": "bob"}, closed=("CA",))
    company_owned = dict(there.certificates)
    company_owned[SV] = {PRR: {CertificateKind("1d"): 1}}
    there = msgspec.structs.replace(there, certificates=company_owned)
    draft = Draft(there)
    pay_incomes(ruleset_of(there), draft)
    paid = {party: draft.table.cash[party] - there.cash[party] for party in there.cash}
    expected: dict[Party, int] = dict.fromkeys(there.cash, 0)
    expected.update({PRR: 5, BOB: 10 + 15, ANN: 20, DAN: 30, BANK: -80})
    assert paid == expected


def asked_of(there: Table, who: str) -> list[AnyCommand]:
    return [choice.command for choice in choices(ruleset_of(there), there, player(who))]


def test_the_exchange_is_listed_once():
    there = table(at("NYC", "0,6", director="bob", bob=4, pool=1))
    assert asked_of(there, "ann").count(exchange("pool")) == 1
    assert POOL in {c.source for c in asked_of(there, "ann") if isinstance(c, ExchangePrivate)}


@pytest.mark.parametrize("private", ["SV", "CS", "DH", "MH", "CA", "BO"])
def test_an_open_private_is_worth_its_printed_price_to_the_player_who_owns_it(private):
    def value(owner: str, *closed: str) -> int:
        there = position(privates={**OWNERS, private: owner}, closed=closed)
        return total_worth(ruleset_of(there), there, ANN) - there.cash[ANN]

    price = {"SV": 20, "CS": 40, "DH": 70, "MH": 110, "CA": 160, "BO": 220}[private]
    assert value("ann") - value("bob") == price
    assert value("ann", private) == value("bob", private) == value("bob")
