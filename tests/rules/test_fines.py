"""Duties to float a chartered company, and the fine: 4.3 (1862.md 4.9 to 4.12)."""

import msgspec

from contracts import events as e
from contracts.commands import Pass, SellShares
from contracts.frames import PayFine, Question
from contracts.ids import OFFERING, CompanyId, Party
from services.engine.table.agenda import current_round, top
from services.engine.table.state import Table
from tests.eastern import DIRECTORS, ONE, Railway, position, railway, shares
from tests.given import Given, given
from tests.positions import company, ones, player, stock_round

ESR, EUR, ECR = map(company, ("ESR", "EUR", "ECR"))
TRAIN = ("A local",)


def bound(
    table: Table, id: CompanyId, who: str, par: int, holds: dict[str, dict[str, int]] | None = None
) -> Table:
    """The table with a charter that somebody must float, of which he has the certificate."""
    holds = {who: {DIRECTORS: 1}} if holds is None else holds
    sold = sum(int(kind[0]) * number for kinds in holds.values() for kind, number in kinds.items())
    certificates: dict[Party, dict[str, int]] = {OFFERING: {ONE: 10 - sold}}
    certificates |= {company(name): kinds for name, kinds in holds.items()}
    charter = msgspec.structs.replace(
        table.charters[id],
        status="started",
        par=par,
        column="chartered",
        director=player(who),
        acting=player(who),
        bound=player(who),
        tokens=0,
    )
    return msgspec.structs.replace(
        table,
        charters={**table.charters, id: charter},
        certificates={**table.certificates, id: certificates},
    )


def stock(*railways: Railway, rulings: dict[str, str] | None = None, **cash: int) -> Table:
    accounts = {"ann": 0, "bob": 0, "cid": 0, **cash}
    return position(*railways, cash=accounts, rulings=rulings)


def all_pass(table: Table) -> Given:
    """Nobody does anything more in this stock round."""
    now = given(stock_round(table))
    while not fined(now):
        frame = top(now.table)
        who = getattr(frame, "who", None)
        assert who is not None, frame
        now = now.when(who, Pass())
    return now


def fined(now: Given) -> bool:
    return any(isinstance(one, e.ProcedureSet) for one in now.happened())


def paid(now: Given, because: str) -> list[int]:
    """The amounts that were paid for a reason."""
    return [
        payment.amount
        for one in now.happened()
        if isinstance(one, e.MoneyPaid) and one.because == because
        for payment in one.payments
    ]


def test_five_times_par_is_paid_from_the_pocket():
    now = all_pass(bound(stock(ann=300), ESR, "ann", 58))
    assert paid(now, "fine") == [290]
    assert now.table.cash[player("ann")] == 10
    assert shares(now.table, "ESR") == {"offering": 10}
    assert now.table.charters[ESR].par is None
    assert now.table.charters[ESR].bound is None


def test_then_from_the_shares_of_that_company_as_few_as_do():
    """1862.md 4.10: half of par for each; ordinary ones first, what is left of a sale is his."""
    held = {"ann": {DIRECTORS: 1, ONE: 1}}
    there = bound(stock(ann=271), ESR, "ann", 58, held)
    now = all_pass(there)
    assert paid(now, "fine") == [271, 19]
    assert paid(now, "shares for a fine") == [29]
    assert now.table.cash[player("ann")] == 10


def test_last_from_other_shares_of_his_choice():
    """4.3: sold in blocks under the rules of sales; what is over stays with him."""
    eur = railway("EUR", 74, director="bob", trains=TRAIN, bob=4, ann=3)
    now = all_pass(bound(stock(eur, ann=100), ESR, "ann", 58)).awaits("ann")
    frame = top(now.table)
    assert isinstance(frame, Question)
    assert frame.matter == PayFine(ESR, 290 - 100 - 3 * 29)
    assert shares(now.table, "ESR") == {"offering": 10}
    now = now.when("ann", SellShares(EUR, ones(1))).awaits("ann")
    frame = top(now.table)
    assert isinstance(frame, Question)
    assert frame.matter == PayFine(ESR, 103 - 74)
    now = now.when("ann", SellShares(EUR, ones(2)))
    assert now.table.cash[player("ann")] == 142 - 29
    playing = current_round(now.table)
    assert playing is not None
    assert playing.kind == "operating"


def test_a_fine_may_not_be_passed():
    eur = railway("EUR", 74, director="bob", trains=TRAIN, bob=4, ann=3)
    now = all_pass(bound(stock(eur), ESR, "ann", 58)).awaits("ann")
    assert not any(choice.command == Pass() for choice in now.listed("ann"))


def test_what_nothing_is_left_to_pay_is_forgiven():
    """1862.md 2.24."""
    now = all_pass(bound(stock(ann=10), ESR, "ann", 100))
    assert now.table.cash[player("ann")] == 0
    assert paid(now, "fine") == [10, 150]


def test_the_duty_stays_with_who_won_the_charter():
    """1862.md 4.9: ann has sold all; bob's shares go back too, and he gets nothing."""
    there = bound(stock(ann=400), ESR, "ann", 58, {"pool": {DIRECTORS: 1}, "bob": {ONE: 1}})
    charter = msgspec.structs.replace(there.charters[ESR], director=None, acting=player("bob"))
    now = all_pass(msgspec.structs.replace(there, charters={**there.charters, ESR: charter}))
    assert now.table.cash[player("ann")] == 110
    assert now.table.cash[player("bob")] == 0
    assert shares(now.table, "ESR") == {"offering": 10}


def test_forced_sales_do_not_move_the_priority_deal():
    """1862.md 4.11, 6.6: ann began the passes."""
    eur = railway("EUR", 74, director="bob", trains=TRAIN, bob=4, cid=3)
    now = all_pass(bound(stock(eur), ESR, "cid", 54)).awaits("cid")
    now = now.when("cid", SellShares(EUR, ones(3)))
    assert now.table.first == player("ann")


def test_all_fines_of_a_player_come_before_his_other_shares():
    there = bound(bound(stock(ann=1000), ESR, "ann", 58), ECR, "ann", 100)
    now = all_pass(there)
    assert sum(paid(now, "fine")) == 790


def test_a_charter_returned_for_a_fine_sits_out_the_next_parliament():
    """4.3, 1862.md 4.12: it is there again as the next stock round begins, if the ruling holds."""
    for ruling, status in (("sits out parliament", "waiting"), ("at once", "open")):
        there = bound(stock(ann=300, rulings={"fined charter": ruling}), ESR, "ann", 58)
        there = in_play(there)
        events = all_pass(there).happened()
        returned = next(one for one in events if isinstance(one, e.CharterReturned))
        assert returned.opens is (status == "open")
        opened = [one.companies for one in events if isinstance(one, e.CompaniesOpened)]
        kinds = [one.round.kind for one in events if isinstance(one, e.RoundBegan)]
        assert "parliament" in kinds
        assert any(ESR in companies for companies in opened) is (
            status == "waiting" and "stock" in kinds
        )


def in_play(table: Table) -> Table:
    """ESR was dealt into the first group."""
    lots = table.lots["companies"]
    order = list(lots.outcome)
    place = order.index("ESR")
    order[0], order[place] = order[place], order[0]
    return msgspec.structs.replace(
        table, lots={**table.lots, "companies": msgspec.structs.replace(lots, outcome=tuple(order))}
    )
