"""Deciding a book again: equal under the same rules, and every difference found under others."""

import json

import msgspec
import pytest

from contracts import events as e
from contracts.commands import OpenTable, Pass
from contracts.ids import CommandId
from contracts.plain import to_plain
from contracts.records import FIRST_DIGEST, Record, Sealed, seal
from services.engine.projections.audit import audit
from services.engine.rules.decide import decide
from services.engine.rules.families import marker_moves
from services.engine.rules.redecide import difference_of, redecided, told
from services.engine.rules.ruleset import Ruleset, ruleset_for, ruleset_of
from services.engine.table.fold import table_at
from services.engine.table.state import new_table
from services.soak.openings import Plan, opening
from tests.play.played import GAMES, TITLE, played

GAME = played(*GAMES[3])
RECORDS = GAME.records
NAME = GAME.plan.name


def sold_at(records=RECORDS):
    return {
        record.version
        for record in records
        for event in record.events
        if isinstance(event, e.MarkerMoved) and event.because == "sold"
    }


def test_a_book_is_decided_as_it_was():
    seen = []
    found = redecided(NAME, RECORDS, lambda done, of: seen.append((done, of)))
    assert found.differences == ()
    assert (found.records, found.title) == (len(RECORDS), "1830")
    assert seen[-1] == (len(RECORDS), len(RECORDS))


@pytest.fixture
def sales_move_nothing(monkeypatch):
    """A rule changed on purpose: a sale leaves the marker where it is."""
    phrase = ruleset_of(table_at(NAME, RECORDS)).facts.market.sold
    monkeypatch.setitem(marker_moves.SOLD, phrase, lambda _rows, cell, _shares: cell)


def test_a_changed_rule_is_found_in_every_order_that_it_reaches(sales_move_nothing):
    assert sold_at()
    found = redecided(NAME, RECORDS).differences
    assert {one.version for one in found} == sold_at()
    assert {one.rule for one in found} == {"1830 3.2.6"}


def test_replay_is_untouched_by_a_changed_rule(sales_move_nothing):
    before = table_at(NAME, RECORDS)
    assert redecided(NAME, RECORDS).differences
    assert table_at(NAME, RECORDS) == before
    sealed: list[Sealed] = []
    for record in RECORDS:
        sealed.append(seal(sealed[-1].digest if sealed else FIRST_DIGEST, record))
    report = audit(NAME, [(one.body, one.digest) for one in sealed])
    assert report.sound, report.fault


def test_a_difference_is_told_in_words_and_as_plain_data(sales_move_nothing):
    first = redecided(NAME, RECORDS).differences[0]
    words = told(first)
    assert words.startswith(f"version {first.version} · 1830 3.2.6 · {first.order.player}: Sell")
    assert "recorded: MarkerMoved" in words
    plain = json.loads(msgspec.json.encode(to_plain(first)))
    assert plain["recorded"][plain["place"]]["because"] == "sold"
    assert plain["order"]["command"]["type"] == "SellShares"


def test_an_order_that_is_refused_today_is_told_with_the_rule_that_refuses_it():
    at = next(n for n, record in enumerate(RECORDS) if isinstance(record.order.command, Pass))
    record = RECORDS[at]
    order = msgspec.structs.replace(record.order, id=CommandId("x"), version=10**6)
    wrong = msgspec.structs.replace(record, order=order)
    found = difference_of(table_at(NAME, RECORDS, at), wrong)
    assert found is not None and found.rejection is not None  # noqa: PT018 - one thing
    assert found.rule == "design"
    assert "refused: stale" in told(found)


def test_rules_that_fail_are_a_difference_too(monkeypatch):
    phrase = ruleset_of(table_at(NAME, RECORDS)).facts.market.sold
    monkeypatch.delitem(marker_moves.SOLD, phrase)
    found = redecided(NAME, RECORDS).differences
    assert sold_at() <= {one.version for one in found}
    assert any("the rules fail" in told(one) for one in found)


def test_a_ruling_that_had_no_name_then_is_no_difference():
    order = next(
        order
        for seed in range(100)
        for order in (opening(Plan(TITLE, 3, seed)),)
        if isinstance(order.command, OpenTable) and not order.command.rulings
    )
    ruleset = ruleset_for(order.command)
    assert isinstance(ruleset, Ruleset)
    events = decide(ruleset, new_table(order.table), order)
    assert isinstance(events, tuple)
    opened = events[0]
    assert isinstance(opened, e.TableOpened)
    older = dict(tuple(opened.rulings.items())[1:])
    assert len(older) < len(opened.rulings)
    then = (msgspec.structs.replace(opened, rulings=older), *events[1:])
    assert difference_of(new_table(order.table), Record(1, 0, "then", order, then)) is None
    other = (msgspec.structs.replace(opened, seed=opened.seed + 1), *events[1:])
    found = difference_of(new_table(order.table), Record(1, 0, "then", order, other))
    assert found is not None
    assert found.place == 0
