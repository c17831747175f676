"""Evolve: opening, chance, phases, counters, the end."""

from typing import get_args

import pytest

from contracts import events as e
from contracts.frames import Request
from contracts.ids import BANK, CompanyId, FrameId, Party, PhaseId, TableId
from contracts.pieces import Drawn, Seat, Settings, Standing
from services.engine.table.evolve import APPLY, UnknownEventError, evolve
from services.engine.table.state import Ending, new_table
from tests.tables import ANN, BOB, CID, NYC, PRR, SEATS, TITLE, dealt, opened, opening, pieces


def test_every_event_has_an_evolve_but_the_undo_which_the_fold_follows():
    assert set(get_args(e.AnyEvent)) == {*APPLY, e.Undone}


def test_an_undo_cannot_be_applied_by_itself():
    with pytest.raises(UnknownEventError, match="Undone"):
        evolve(opened().table, e.Undone(1, ANN))


def test_a_table_is_opened_with_its_title_choices_and_seats():
    event = e.TableOpened(TITLE, "1", {"v": "a"}, {"r": "b"}, Settings("own", BOB), SEATS, 99)
    table = evolve(new_table(TableId("t9")), event)
    assert (table.id, table.title, table.edition, table.seed) == ("t9", "1830", "1", 99)
    assert (table.variants, table.rulings) == ({"v": "a"}, {"r": "b"})
    assert table.settings.host == BOB
    assert table.seats == (Seat(ANN, "Ann"), Seat(BOB, "Bob"), Seat(CID, "Cid"))
    assert (table.order, table.first) == ((ANN, BOB, CID), ANN)


def test_pieces_lie_where_the_event_puts_them():
    event = pieces()
    table = evolve(evolve(new_table(TableId("t9")), opening()[0]), event)
    assert (table.cash, table.certificates, table.charters) == (
        event.cash,
        event.certificates,
        event.charters,
    )
    assert (table.trains, table.counters) == (event.trains, event.counters)
    assert (table.board.tiles, table.board.tokens, table.board.supply) == ({}, (), event.tiles)


def test_an_old_table_is_left_as_it_was():
    story = dealt()
    before = story.tables[1]
    assert before.cash[ANN] == 600
    assert before == story.again(1)
    assert story.tables[2].cash[ANN] == 600 - 134


def test_lots_keep_the_number_of_draws_and_the_last_outcome():
    table = evolve(opened().table, e.LotsDrawn("seats", 1, ("ann",)))
    table = evolve(table, e.LotsDrawn("seats", 2, ("bob",)))
    assert table.lots == {"seats": Drawn(2, ("bob",))}


def test_an_order_changes_seats_and_the_first():
    table = evolve(opened().table, e.OrderSet((CID, ANN, BOB), CID))
    assert (table.order, table.first) == ((CID, ANN, BOB), CID)


def test_a_phase_brings_its_certificate_limit_or_none():
    table = evolve(opened().table, e.PhaseBegan(PhaseId("3"), 14))
    assert (table.phase, table.certificate_limit) == ("3", 14)
    assert evolve(table, e.PhaseBegan(PhaseId("4"))).certificate_limit is None


def test_companies_are_opened_by_name():
    closed = evolve(opened().table, e.CompanyClosed(PRR, "merged"))
    table = evolve(closed, e.CompaniesOpened((PRR,)))
    assert (table.charters[PRR].status, table.charters[NYC].status) == ("open", "open")


def test_a_counter_is_set_and_forgotten_at_nought():
    table = evolve(opened().table, e.CounterMoved("loans", {Party(PRR): 2, Party(NYC): 1}))
    assert table.counters == {"PRR": {"loans": 2}, "NYC": {"loans": 1}}
    table = evolve(table, e.CounterMoved("uses", {Party(PRR): 1}))
    table = evolve(table, e.CounterMoved("loans", {Party(PRR): 0, Party(NYC): 0}))
    assert table.counters == {"PRR": {"uses": 1}}


def test_the_end_comes_in_sight_and_then_clears_the_agenda():
    table = evolve(opened().table, e.GameEndTriggered("bank", "this set"))
    assert table.ending == Ending("bank", "this set")
    asked = evolve(table, e.RequestMade(Request(FrameId("9.0"), "end", ANN, (BOB,))))
    standings = (Standing(ANN, 600, ()),)
    over = evolve(asked, e.GameEnded("bank", standings))
    assert over.ending == Ending("bank", "this set", standings, over=True)
    assert (over.agenda, over.requests) == ((), ())


def test_a_game_that_ends_without_warning_ends_at_once():
    over = evolve(opened().table, e.GameEnded("bankruptcy", ()))
    assert over.ending == Ending("bankruptcy", "at once", (), over=True)


def test_the_bank_is_a_party_like_any_other():
    assert opened().table.cash[BANK] == 1200
    assert CompanyId(BANK) not in opened().table.charters
