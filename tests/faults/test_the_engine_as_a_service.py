"""Faults that other services had, as far as the engine can have them, each as its whole kind.

Named in `known-faults.md` of the project's sources as C02, C04, C07, C10 and C13; C08 (server time)
and C11 (long games) have their tests in `tests/ports` and `benchmarks`.
"""

import re
from random import Random

import msgspec
import pytest

from contracts import commands as c
from contracts import events as e
from contracts.book import read, written
from contracts.ids import CommandId
from contracts.records import FIRST_DIGEST, Record, Sealed, seal
from contracts.rejections import Code, Rejection, in_words
from services.engine.projections.audit_pieces import Counting
from services.engine.rules.decide import decide, objections
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.stalemate import STALEMATE
from services.engine.table.agenda import awaited
from services.engine.table.evolve import evolve_all
from services.engine.table.fold import restored, table_at, tables
from services.engine.table.state import Table
from services.histories.export import read as read_export
from services.histories.replay import replay
from services.soak import checks
from services.soak.game import digest, same
from services.soak.near import KINDS, made_up
from services.soak.probes import every_choice, order_of
from tests.architecture.source import ROOT
from tests.faults.games import PLAYED, all_moments
from tests.play.played import played
from tests.positions import position, stock_round
from tests.projections.test_real_games import GAMES as HISTORIES

ONE = PLAYED[-1]


def book():
    """The records of a game and the table after each, from the opening on."""
    game = played(*ONE)
    assert game.failure is None
    return game.records, [table for _, table in tables(game.plan.name, game.records)]


# --- C02: undo, over whatever it goes --------------------------------------------------------


def undone(records: tuple[Record, ...], to: int) -> Record:
    """A record that goes back from the end of some records."""
    last = records[-1]
    player = last.order.player
    id = CommandId(f"undo-{last.version}")
    command = c.MakeRequest("undo", to)
    order = c.Order(last.order.table, id, player, player, command, last.version)
    return Record(last.version + 1, last.at, "test", order, (e.Undone(to, player),))


@pytest.mark.parametrize("kind", [e.RoundEnded, e.TrainsRusted, e.CompanyClosed, e.GameEnded])
def test_an_undo_over_anything_gives_the_table_that_was_and_a_redo_all_of_it_again(kind):
    records, after = book()
    looked = 0
    found = [one for one in records[1:] if any(isinstance(event, kind) for event in one.events)]
    for record in found[:: 1 + len(found) // 8]:
        so_far = records[: record.version]
        before, now = after[record.version - 2], after[record.version - 1]
        back = undone(so_far, record.version - 1)
        there = restored(now, before, back)
        assert same(there, before)
        assert same(table_at(there.id, (*so_far, back)), there), "the log leads elsewhere"
        forth = undone((*so_far, back), record.version)
        assert same(table_at(there.id, (*so_far, back, forth)), now)
        looked += 1
    assert looked


def test_an_undo_all_the_way_gives_the_opening_and_a_redo_the_end():
    records, after = book()
    back = undone(records, 1)
    assert same(table_at(after[-1].id, (*records, back)), after[0])
    forth = undone((*records, back), records[-1].version)
    assert same(table_at(after[-1].id, (*records, back, forth)), after[-1])


# --- C04: what is said beside the game changes nothing in it ---------------------------------


BESIDE_THE_GAME = (
    *(c.MakeRequest, c.AnswerRequest, c.ExpireRequest, c.SetProgramme, c.ClearProgramme),
    *(c.CallTime, c.SetHours, c.TakeLeave, c.AssignSeat),
)
"""Orders that let no request lapse by themselves, or not before anything else."""


def test_a_request_between_any_two_orders_neither_moves_the_game_nor_stops_it():
    looked = 0
    for record, before, _ in all_moments():
        if record.version % 25 or record.version < 3 or before.requests:
            continue
        command = record.order.command
        if isinstance(command, BESIDE_THE_GAME):
            continue
        ruleset = ruleset_of(before)
        asking = order_of(before, before.order[0], c.MakeRequest("end"), None)
        events = decide(ruleset, before, asking)
        assert isinstance(events, tuple)
        assert [type(event) for event in events] == [e.RequestMade]
        asked = settled_as(before, events)
        assert same(msgspec.structs.replace(asked, requests=()), before)
        again = msgspec.structs.replace(record.order, version=asked.version)
        if record.order.question is not None:
            again = msgspec.structs.replace(record.order, version=None)
        later = decide(ruleset, asked, again)
        assert isinstance(later, tuple)
        assert isinstance(later[0], e.RequestClosed)
        assert kinds(later[1:]) == kinds(record.events)
        looked += 1
    assert looked


def settled_as(table: Table, events: tuple[e.AnyEvent, ...]) -> Table:
    return msgspec.structs.replace(evolve_all(table, events), version=table.version + 1)


def kinds(events: tuple[e.AnyEvent, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


# --- C07: a refusal says why -----------------------------------------------------------------


def test_every_refusal_has_a_code_a_sentence_and_a_section_of_its_titles_own_rules():
    seen: set[Code] = set()
    for record, before, _ in all_moments():
        if record.version % 5 or record.version < 3:
            continue
        ruleset = ruleset_of(before)
        title = ruleset.facts.title.id
        rules = (ROOT / "contracts" / "titles" / f"{title}.md").read_text()
        sections = set(ruleset.facts.sections.values())
        lots = Random(record.version)
        order = order_of(before, lots.choice(before.order), made_up(ruleset, before, lots), None)
        mark = digest(before)
        for refusal in objections(ruleset, before, order):
            seen.add(refusal.code)
            assert re.fullmatch(r"\S.* .*\.", refusal.sentence), refusal
            assert refusal.rule == "design" or refusal.rule.startswith(f"{title} "), refusal
            if refusal.rule != "design":
                section = refusal.rule.removeprefix(f"{title} ")
                assert section in sections, refusal
                chapter = re.escape(section.rpartition(".")[0])
                assert re.search(rf"^#+ {chapter}[. ]", rules, re.MULTILINE), refusal
            assert in_words(refusal).startswith(f"{refusal.code} · {refusal.rule} · ")
        assert digest(before) == mark
    assert len(seen) > 15


# --- C10: out and in again -------------------------------------------------------------------


def test_a_book_that_is_exported_and_read_again_is_the_same_at_every_event():
    records, after = book()
    sealed: list[Sealed] = []
    for record in records:
        sealed.append(seal(sealed[-1].digest if sealed else FIRST_DIGEST, record))
    again = read(list(written(after[0].id, sealed)))
    assert again.records == records
    assert [one.digest for one in again.sealed] == [one.digest for one in sealed]
    for (_, there), here in zip(tables(after[0].id, again.records), after, strict=True):
        assert digest(there) == digest(here)


# --- C13: nobody is stuck, and nothing goes on for ever --------------------------------------


def test_there_are_histories():
    if not HISTORIES:
        pytest.skip("set MINUTEBOOK_HISTORIES to the folder with the games of other places")


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_in_every_state_of_a_history_somebody_can_act_or_the_game_is_over(path):
    records = replay(read_export(path)).records
    counting = Counting({})
    for record, table in tables(records[0].order.table, records):
        checks.after_record(ruleset_of(table), record, table, counting)
        if record.version % 100 == 0:
            every_choice(ruleset_of(table), table, counting)
    assert table_at(records[0].order.table, records).ending is not None


def test_in_no_record_does_the_game_go_on_by_itself_without_bound():
    most = max(len(record.events) for record, _, _ in all_moments())
    players, companies, steps = 6, 8, 9
    assert most <= 3 * companies * steps + 6 * players


def test_after_the_end_nothing_is_accepted_but_requests():
    _, after = book()
    over = after[-1]
    assert over.ending is not None
    ruleset = ruleset_of(over)
    for kind in KINDS:
        lots = Random(kind.__name__)
        command = made_up(ruleset, over, lots, kind)
        outcome = decide(ruleset, over, order_of(over, over.order[0], command, None))
        if kind in (c.MakeRequest, c.AnswerRequest, c.ExpireRequest):
            continue
        assert isinstance(outcome, Rejection)
        assert outcome.code == Code.GAME_OVER


def test_a_table_at_which_nobody_can_ever_do_anything_again_is_over_as_it_stands():
    """No money, no shares, no privates: rounds would follow each other without end."""
    names = ("ann", "bob", "cid")
    closed = ("SV", "CS", "DH", "MH", "CA", "BO")
    over = stock_round(position(players=names, closed=closed, cash=dict.fromkeys(names, 0)))
    assert over.ending is not None
    assert (over.ending.over, over.ending.because) == (True, STALEMATE)
    assert [one.total for one in over.ending.standings] == [0, 0, 0]
    cash = {"ann": 0, "bob": 0, "cid": 200}
    goes_on = stock_round(position(players=names, closed=closed, cash=cash))
    assert awaited(goes_on) == ("cid",)
