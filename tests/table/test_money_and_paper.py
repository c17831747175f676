"""Evolve: money, companies, certificates, directors, markers. Money and paper are conserved."""

import pytest

from contracts import events as e
from contracts.frames import Lot, Purchase, Round, Turn, Waterfall
from contracts.ids import BANK, BOX, OFFERING, POOL, FrameId, Space
from contracts.money import Payment, pay
from contracts.pieces import CertificateMove, Marker
from services.engine.table.agenda import current_round, current_turn, top
from services.engine.table.change import NotThereError
from services.engine.table.evolve import evolve
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table
from tests.tables import (
    ANN,
    BOB,
    CID,
    CS,
    DIRECTORS,
    NYC,
    ONE,
    PRR,
    SV,
    bought,
    dealt,
    opened,
    operated,
    started,
)


def turn_of(table: Table) -> Turn:
    found = current_turn(table)
    assert found is not None
    return found


def playing(table: Table) -> Round:
    found = current_round(table)
    assert found is not None
    return found


def shares(table: Table, company=PRR) -> dict[str, int]:
    return {who: shares_in(papers) for who, papers in table.certificates[company].items()}


def test_money_goes_from_payer_to_payee_and_its_sum_stays():
    before = opened().table
    after = evolve(before, e.MoneyPaid("fine", (Payment(ANN, BANK, 20), Payment(BANK, PRR, 5))))
    assert (after.cash[ANN], after.cash[BANK], after.cash[PRR]) == (580, 1215, 5)
    assert sum(after.cash.values()) == sum(before.cash.values())


def test_a_lot_that_is_won_is_the_winners_and_gone_from_the_row():
    lots = (Lot(SV, 20), Lot(CS, 40))
    table = evolve(opened().table, e.ProcedureSet(Waterfall(FrameId("2.0"), lots)))
    move = CertificateMove(ONE, 1, OFFERING, BOB)
    after = evolve(table, e.LotWon(SV, BOB, pay(BOB, BANK, 20), (move,)))
    assert (shares(after, SV), after.cash[BOB]) == ({BOB: 1}, 580)
    charter = after.charters[SV]
    assert (charter.status, charter.director, charter.acting) == ("floated", BOB, BOB)
    assert top(after) == Waterfall(FrameId("2.0"), (Lot(CS, 40),), 1)
    assert (playing(after).last_dealer, turn_of(after).acted) == (BOB, True)


def test_a_company_is_started_with_its_par_and_the_directors_certificate():
    after = evolve(opened().table, started(PRR, ANN, 67, "5,6")[0])
    assert (after.charters[PRR].status, after.charters[PRR].par) == ("started", 67)
    assert after.certificates[PRR] == {OFFERING: {ONE: 8}, ANN: {DIRECTORS: 1}}
    assert after.cash[ANN] == 600 - 134
    assert turn_of(after).bought == (Purchase(PRR, OFFERING, 2),)
    assert playing(after).last_dealer == ANN


def test_a_par_that_is_only_set_is_no_purchase():
    after = evolve(opened().table, e.CompanyStarted(PRR, ANN, 100, (), ()))
    assert (after.charters[PRR].par, after.cash[ANN]) == (100, 600)
    assert (turn_of(after).bought, playing(after).last_dealer) == ((), None)


def test_a_company_floats_with_its_capital():
    after = evolve(dealt().table, e.CompanyFloated(PRR, pay(BANK, PRR, 670)))
    assert (after.charters[PRR].status, after.cash[PRR]) == ("floated", 670)


def test_a_private_is_bought_by_a_company_and_nobody_acts_for_it():
    move = CertificateMove(ONE, 1, OFFERING, BOB)
    owned = evolve(opened().table, e.LotWon(SV, BOB, (), (move,)))
    after = evolve(owned, e.CompanyBought(SV, BOB, PRR, pay(BANK, BOB, 40)))
    assert (shares(after, SV), after.cash[BOB]) == ({PRR: 1}, 640)
    assert (after.charters[SV].director, after.charters[SV].acting) == (None, None)
    back = evolve(after, e.CompanyBought(SV, PRR, ANN, ()))
    assert (shares(back, SV), back.charters[SV].acting) == ({ANN: 1}, ANN)


def test_a_closed_company_lies_in_the_box_and_its_director_stays_known():
    after = evolve(dealt().table, e.CompanyClosed(PRR, "merged"))
    assert shares(after) == {BOX: 10}
    assert after.certificates[PRR][BOX] == {DIRECTORS: 1, ONE: 8}
    charter = after.charters[PRR]
    assert (charter.status, charter.acting, charter.director) == ("closed", None, ANN)


def test_shares_bought_are_tallied_by_the_turn_and_the_round():
    after = evolve(opened().table, bought(ANN, PRR, 2, 67))
    assert shares(after) == {OFFERING: 8, ANN: 2}
    assert turn_of(after).bought == (Purchase(PRR, OFFERING, 2),)
    assert playing(after).last_dealer == ANN


def test_shares_sold_lie_in_the_pool_and_are_tallied_by_turn_and_round():
    after = evolve(dealt().table, e.SharesSold(CID, PRR, POOL, {ONE: 1}, {}, pay(BANK, CID, 67)))
    after = evolve(after, e.SharesSold(CID, PRR, POOL, {ONE: 1}, {}, pay(BANK, CID, 67)))
    assert shares(after) == {OFFERING: 6, ANN: 2, POOL: 2}
    assert (turn_of(after).sold, playing(after).sold) == ({PRR: 2}, {CID: {PRR: 2}})
    assert (after.cash[CID], playing(after).last_dealer) == (600, CID)


def test_change_that_is_taken_back_counts_against_a_sale():
    table = evolve(dealt().table, e.SharesSold(CID, PRR, POOL, {ONE: 2}, {}, ()))
    after = evolve(table, e.SharesSold(ANN, PRR, POOL, {DIRECTORS: 1}, {ONE: 1}, ()))
    assert after.certificates[PRR] == {
        OFFERING: {ONE: 6},
        POOL: {ONE: 1, DIRECTORS: 1},
        ANN: {ONE: 1},
    }
    assert playing(after).sold == {CID: {PRR: 2}, ANN: {PRR: 1}}


def test_certificates_are_exchanged_unpaid():
    moves = (CertificateMove(DIRECTORS, 1, ANN, CID), CertificateMove(ONE, 2, CID, ANN))
    after = evolve(dealt().table, e.CertificatesMoved(PRR, moves, "swap"))
    assert after.certificates[PRR] == {OFFERING: {ONE: 6}, CID: {DIRECTORS: 1}, ANN: {ONE: 2}}
    assert turn_of(after).bought == turn_of(dealt().table).bought


def test_another_director_acts_for_the_company():
    after = evolve(dealt().table, e.DirectorChanged(PRR, CID, CID))
    assert (after.charters[PRR].director, after.charters[PRR].acting) == (CID, CID)


def test_a_certificate_cannot_be_taken_from_where_it_is_not():
    with pytest.raises(NotThereError, match="bob has not 1"):
        evolve(dealt().table, e.SharesSold(BOB, PRR, POOL, {ONE: 1}, {}, ()))


def moved(table: Table, space: str | None, price: int, place: int, company=PRR) -> Table:
    where = None if space is None else Space(space)
    return evolve(table, e.MarkerMoved(company, where, price, place, "paid"))


def test_a_marker_goes_to_its_place_in_the_stack_and_leaves_its_old_space():
    table = moved(dealt().table, "5,7", 71, 0)
    assert (table.market, table.markers[PRR]) == (
        {"3,6": (NYC,), "5,7": (PRR,)},
        Marker("5,7", 71),
    )
    assert moved(table, "5,7", 71, 1, NYC).market == {"5,7": (PRR, NYC)}
    assert moved(table, "5,7", 71, 0, NYC).market == {"5,7": (NYC, PRR)}


def test_a_marker_may_leave_the_market():
    table = moved(dealt().table, None, 0, 0)
    assert (table.market, set(table.markers)) == ({"3,6": (NYC,)}, {NYC})


@pytest.mark.parametrize("story", [dealt, operated])
def test_money_and_paper_are_the_same_after_every_record(story):
    tables = story().tables[1:]
    assert {sum(table.cash.values()) for table in tables} == {3000}
    for company in (PRR, NYC, SV, CS):
        whole = tables[0].charters[company].whole
        assert {sum(shares(table, company).values()) for table in tables} == {whole}
