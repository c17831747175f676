"""A soak finds what is broken, makes it small, and keeps it."""

import itertools
import json

import pytest

from contracts import events as e
from contracts.book import read
from contracts.choices import Interval
from contracts.commands import (
    AssignSeat,
    Bid,
    BuyShares,
    CallTime,
    ClearProgramme,
    RunTrains,
    SetHours,
    SetProgramme,
    TakeLeave,
)
from services.console.__main__ import main
from services.engine.projections import ledger
from services.engine.rules.acts import bid, buy_shares
from services.engine.rules.beside import forms, listed
from services.engine.rules.parts.kinds import Offer
from services.engine.rules.parts.registry import ANYTIME, ASIDES, ASKINGS, STEPS
from services.engine.rules.redecide import redecided
from services.engine.table import evolve
from services.engine.table.fold import table_at
from services.soak.coverage import Coverage, known
from services.soak.game import LIGHT, Amount, soaked
from services.soak.near import KINDS
from services.soak.openings import Plan
from services.soak.shorten import failing, shortened
from tests.play.played import TITLE

PLAN = Plan(TITLE, 3, 5)
OFTEN = Amount(probe=2, thorough=5, ask=30, views=100)


def failure_of():
    game = soaked(PLAN, OFTEN)
    assert game.failure is not None
    return game.failure


@pytest.fixture
def nobody_minds_the_director(monkeypatch):
    """Whoever buys more shares than the director has does not become director."""
    monkeypatch.setattr(buy_shares, "review", lambda *_: None)


def test_a_director_who_holds_less_is_found(nobody_minds_the_director):
    assert failure_of().check == "director"


def test_what_is_accepted_and_not_listed_is_found(monkeypatch):
    monkeypatch.setattr(buy_shares, "is_on_sale", lambda *_: True)
    failure = failure_of()
    assert failure.check in {"accepted but not listed", "crash"}
    assert failure.order is not None
    assert isinstance(failure.order.command, BuyShares)


def test_what_is_listed_and_refused_is_found(monkeypatch):
    """The dearest bid that is listed is dearer than the player can pay."""
    raises = bid.raises

    def too_far(*arguments):
        for offer in raises(*arguments):
            span = offer.open
            assert isinstance(span, Interval)
            yield Offer(offer.command, Interval("amount", span.least, span.most + 50, 1))

    monkeypatch.setattr(bid, "raises", too_far)
    failure = failure_of()
    assert failure.check == "listed but refused"
    assert failure.order is not None
    assert isinstance(failure.order.command, Bid)


BESIDE = Amount(probe=2, thorough=5, ask=10, views=100, beside=5)


def test_an_open_field_that_takes_more_than_the_rules_do_is_found(monkeypatch):
    monkeypatch.setitem(forms.CHECKS, "hours", lambda *_: None)
    failure = soaked(PLAN, BESIDE).failure
    assert failure is not None
    assert failure.check == "listed but refused"
    assert failure.order is not None
    assert isinstance(failure.order.command, SetHours)


def test_what_may_be_done_beside_the_game_and_is_not_listed_is_found(monkeypatch):
    monkeypatch.setattr(listed, "of_the_clock", lambda *_: iter(()))
    failure = soaked(PLAN, BESIDE).failure
    assert failure is not None
    assert failure.check == "accepted but not listed"
    assert failure.order is not None
    assert failure.order.sender == "clock"


def test_money_out_of_nowhere_is_found_at_its_event(monkeypatch):
    pay = evolve.APPLY[e.CompanyFloated]

    def paid_by_nobody(table, event):
        after = pay(table, event)
        after.cash["bank"] += 1
        return after

    monkeypatch.setitem(evolve.APPLY, e.CompanyFloated, paid_by_nobody)
    failure = failure_of()
    assert failure.check == "money"
    assert "CompanyFloated" in failure.sentence


def test_a_view_that_lies_is_found_and_the_game_is_cut_to_where_it_first_does(monkeypatch):
    entries = ledger.entries

    def without_capital(words, version, place, event):
        floated = isinstance(event, e.CompanyFloated)
        return () if floated else entries(words, version, place, event)

    monkeypatch.setattr(ledger, "entries", without_capital)
    game = soaked(PLAN, OFTEN)
    assert game.failure is not None
    assert game.failure.check == "figures"
    records, failure = shortened(game)
    assert len(records) < len(game.records)
    assert any(isinstance(event, e.CompanyFloated) for event in records[-1].events)
    assert failing(records, failure) is not None
    assert failing(records[:-1], failure) is None


def called(folder, *options):
    keep = ("--keep", str(folder / "kept"))
    call = ("soak", "--title", TITLE, "--players", "3", "--games", "1", "--seed", "5")
    return main([*call, "--light", *keep, *options])


def test_the_command_keeps_what_fails_as_a_small_book(nobody_minds_the_director, tmp_path, capsys):
    assert called(tmp_path) == 1
    told = capsys.readouterr()
    assert "Seed 5." in told.err
    assert "1 of 1 games failed." in told.err
    note = json.loads((tmp_path / "kept" / f"{PLAN.name}.json").read_text())
    assert note["failure"]["check"] == "director"
    assert note["again"] == f"soak --title {TITLE} --players 3 --games 1 --seed 5"
    book = read((tmp_path / "kept" / f"{PLAN.name}.jsonl").read_text().splitlines())
    assert len(book.records) == note["records"]
    assert table_at(PLAN.name, book.records).version == note["records"]
    assert not redecided(PLAN.name, book.records).differences


def test_the_command_says_what_was_reached(tmp_path, capsys):
    assert called(tmp_path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["seed"] == 5
    assert told["games"][0]["failure"] is None
    assert told["games"][0]["records"] == len(soaked(PLAN, LIGHT).records)
    assert told["reached"]["round"]["operating"] > 0
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--title", "chess"), "cannot be played"),
        (("--players", "9"), "--players"),
        (("--games", "0"), "--games"),
    ],
)
def test_a_wrong_call_is_said_in_words(options, said, capsys):
    assert main(["soak", *options]) == 2
    assert said in capsys.readouterr().err


def test_every_command_that_some_act_takes_can_be_made_up():
    acts = {act for parts in (STEPS, ASKINGS) for part in parts.values() for act in part.acts}
    taken = {act.command for act in (*acts, *ASIDES, *itertools.chain(*ANYTIME.values()))}
    assert taken - {RunTrains} <= set(KINDS)


def test_a_game_with_everything_beside_it_is_played_to_its_end_and_everything_holds():
    game = soaked(Plan(TITLE, 4, 8), Amount(probe=8, thorough=200, ask=30, views=800, beside=12))
    assert game.failure is None, game.failure
    reached = game.coverage.counts["command"]
    for kind in (AssignSeat, SetProgramme, ClearProgramme, SetHours, TakeLeave, CallTime):
        assert reached[kind.__name__] > 0, kind


def test_coverage_says_what_is_missing():
    coverage = Coverage()
    assert coverage.missing() == {kind: list(names) for kind, names in known().items()}
    for kind, names in known().items():
        for name in names[1:]:
            coverage.reached(kind, name)
    assert coverage.missing() == {kind: [names[0]] for kind, names in known().items()}
