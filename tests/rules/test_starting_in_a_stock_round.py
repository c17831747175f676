"""Starting companies without a charter, and floating: 3.2, 6.5.3, 6.5.4 (1862.md 4.23-4.26)."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import BuyShares, BuyTokens, Pass, StartCompany
from contracts.frames import Question, TokensToBuy
from contracts.ids import OFFERING, CompanyId, HexId, TileId
from contracts.placed import LaidTile, Token
from contracts.rejections import Code
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_round, top
from services.engine.table.state import Table
from tests.eastern import DIRECTORS, ONE, opened, position, railway, shares
from tests.given import given
from tests.positions import company, ones, player, stock_round

RICH = {"ann": 800, "bob": 800, "cid": 800}
ESR, EUR, ECR = map(company, ("ESR", "EUR", "ECR"))


def table(*names: CompanyId, variants: dict[str, str] | None = None, **more: object) -> Table:
    """A stock round in which these companies may be started."""
    there = position(cash=RICH, variants=variants, **more)
    charters, certificates = dict(there.charters), dict(there.certificates)
    for id in names or (ESR,):
        charters[id] = msgspec.structs.replace(charters[id], status="open")
        certificates[id] = {OFFERING: {DIRECTORS: 1, ONE: 7}}
    return stock_round(msgspec.structs.replace(there, charters=charters, certificates=certificates))


def share(id: CompanyId = ESR) -> BuyShares:
    return BuyShares(id, id, ones(1))


def test_the_company_is_paid_and_keeps_the_other_shares():
    """6.5.3: three times the price goes to the company; par is the highest not above it."""
    now = given(table()).when("ann", StartCompany(ESR, 95))
    now.begins(
        e.CompanyStarted,
        e.ParSet(ESR, 90, "not chartered"),
        e.DirectorChanged(ESR, player("ann"), player("ann")),
        e.MarkerMoved(ESR, "0,25", 95, 0, "started"),
    )
    assert now.table.cash[ESR] == 285
    assert shares(now.table, "ESR") == {"ann": 3, "ESR": 7}
    assert now.table.charters[ESR].bound is None
    now.awaits("bob")


@pytest.mark.parametrize(("price", "par"), [(54, 54), (56, 54), (62, 62), (100, 100), (200, 100)])
def test_par_stands_for_refinancing_only(price: int, par: int):
    now = given(table()).when("ann", StartCompany(ESR, price))
    assert now.table.charters[ESR].par == par


def test_prices_outside_54_to_200_are_refused():
    now = given(table())
    now.when("ann", StartCompany(ESR, 52)).then(Code.BAD_PRICE)
    now.when("ann", StartCompany(ESR, 210)).then(Code.BAD_PRICE)
    now.when("ann", StartCompany(ESR, 101)).then(Code.BAD_PRICE)


def test_half_of_it_sold_floats_it_and_the_director_buys_tokens():
    """6.5.4: with 270 in the treasury it can pay for six at most."""
    now = given(table()).when("ann", StartCompany(ESR, 54)).when("bob", share())
    now = now.when("cid", share())
    assert now.table.cash[ESR] == 270
    frame = top(now.table)
    assert isinstance(frame, Question)
    assert frame.matter == TokensToBuy(ESR)
    now = now.awaits("ann")
    now.when("ann", BuyTokens(1)).then(Code.NOT_ALLOWED)
    now.when("ann", BuyTokens(7)).then(Code.NOT_ALLOWED)
    now.when("ann", Pass()).then(Code.WRONG_STEP)
    now = now.when("ann", BuyTokens(6)).awaits("ann")
    charter = now.table.charters[ESR]
    assert (charter.status, charter.tokens, now.table.cash[ESR]) == ("floated", 6, 30)


@pytest.mark.parametrize(("tokens", "most"), [("seven", 7), ("eight", 8)])
def test_no_more_tokens_than_a_company_may_have(tokens: str, most: int):
    """3.1, 11.4."""
    now = given(table(variants={"tokens": tokens})).when("ann", StartCompany(ESR, 100))
    now = now.when("bob", share()).when("cid", share())
    now.when("ann", BuyTokens(most + 1)).then(Code.NOT_ALLOWED)
    now = now.when("ann", BuyTokens(most))
    assert now.table.charters[ESR].tokens == most


def test_shares_in_the_pool_are_out_of_the_company():
    """1862.md 4.22, 4.25: it floats in receivership; the largest holder says how many tokens."""
    there = table()
    held = {company("pool"): {DIRECTORS: 1}, player("bob"): {ONE: 1}, ESR: {ONE: 6}}
    charter = msgspec.structs.replace(
        there.charters[ESR],
        status="started",
        par=54,
        column="not chartered",
        acting=player("bob"),
        last_director=player("cid"),
    )
    there = msgspec.structs.replace(
        there,
        certificates={**there.certificates, ESR: held},
        charters={**there.charters, ESR: charter},
        cash={**there.cash, ESR: 216, player("ann"): 584},
    )
    now = given(there).when("ann", share())
    assert now.table.charters[ESR].status == "floated"
    now.awaits("ann").when("ann", BuyTokens(2)).accepted().awaits("bob")


def test_a_company_whose_home_is_full_is_not_started():
    """3.2: Ipswich holds two tokens on yellow; from green on an upgrade would make room."""
    for phase, code in (("A", Code.NO_FREE_SLOT), ("B", None)):
        there = table(phase=phase)
        home = ruleset_of(there).facts.publics[ESR].home
        others = (company("WVR"), company("N&B"))
        board = msgspec.structs.replace(
            there.board,
            tiles={**there.board.tiles, HexId(home): LaidTile(TileId("790"), 1)},
            tokens=tuple(Token(c, home, 0, slot, "ordinary") for slot, c in enumerate(others)),
        )
        now = given(msgspec.structs.replace(there, board=board))
        now = now.when("ann", StartCompany(ESR, 60))
        if code is None:
            now.accepted()
        else:
            now.then(code)


def test_new_players_start_companies_in_parliament_only():
    """11.3."""
    there = position(
        railway("ECR", 60, director="ann", ann=4),
        cash=RICH,
        variants={"new players": "yes", "train types": "express"},
    )
    charters = {**there.charters, ESR: msgspec.structs.replace(there.charters[ESR], status="open")}
    offered = {**there.certificates, ESR: {OFFERING: {DIRECTORS: 1, ONE: 7}}}
    there = msgspec.structs.replace(there, charters=charters, certificates=offered)
    now = given(stock_round(there))
    now.when("ann", StartCompany(ESR, 60)).then(Code.NOT_ALLOWED)


def test_a_company_that_waits_is_not_started():
    there = table()
    waiting = next(c for c, charter in there.charters.items() if charter.status == "waiting")
    given(there).when("ann", StartCompany(waiting, 60)).then(Code.NOT_ON_SALE)


def test_at_the_limit_nothing_is_bought_and_above_it_one_sells_first():
    """6.5.2, known fault A19: three players may have 18 certificates."""
    there = position(
        railway("EUR", 60, director="ann", ann=10),
        railway("ECR", 60, director="ann", ann=10),
        railway("NGC", 60, director="bob", bob=4, ann=3),
        cash=RICH,
    )
    now = given(stock_round(there)).awaits("ann")
    now.when("ann", BuyShares(company("NGC"), OFFERING, ones(1))).then(Code.WRONG_STEP)
    now.when("ann", Pass()).then(Code.OVER_LIMIT)


def test_the_priority_deal_goes_to_who_began_the_passes():
    """6.6."""
    now = given(table()).when("ann", Pass()).when("bob", StartCompany(ESR, 60))
    now = now.when("cid", Pass()).when("ann", Pass()).when("bob", Pass())
    assert now.table.first == player("cid")


def test_a_stock_round_raises_no_price():
    """1862.md 4.29."""
    there = position(railway("EUR", 60, director="ann", ann=10), cash=RICH)
    now = given(stock_round(there)).when("ann", Pass()).when("bob", Pass()).when("cid", Pass())
    playing = current_round(now.table)
    assert playing is None or playing.kind != "stock"
    assert not any(
        isinstance(one, e.MarkerMoved) and one.because == "sold out" for one in now.happened()
    )


def test_companies_started_at_once_in_the_same_space_lie_under_each_other():
    now = given(table(ESR, EUR)).when("ann", StartCompany(ESR, 60))
    now = now.when("bob", StartCompany(EUR, 60))
    (stack,) = [stack for stack in now.table.market.values() if ESR in stack]
    assert stack == (ESR, EUR)


def test_companies_are_open_or_wait_as_they_were_dealt():
    assert {c.status for c in opened().charters.values()} == {"open", "waiting", "closed"}
