"""Faults that other programs had in the rules that titles share, each as a test of its whole kind.

Named in `known-faults.md` of the project's sources as B08, B10, B13, B16, B17, B18 and B21; the
other entries of the group speak of rules of titles to come or have their tests in `tests/rules`
(B11, B15, B19) and `tests/network` (B22).
"""

from collections import Counter
from itertools import islice
from random import Random

import msgspec
import pytest

from contracts import commands as c
from contracts import events as e
from contracts.frames import Question, RaiseMoney, Round
from contracts.ids import BANK, POOL, SUPPLY, Party
from contracts.rejections import Code, Rejection
from contracts.runs import Run
from services.engine.rules.decide import choices, decide, objections
from services.engine.rules.listing import is_listed
from services.engine.rules.network.tiles import face_at
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import awaited, current_round, top
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table
from services.soak.near import mutated
from services.soak.probes import order_of
from tests.faults.games import accepted, all_moments, to_the_end, with_cash

PURCHASES = (c.BuyShares, c.StartCompany, c.BuyTrain, c.LayTile, c.PlaceToken, c.BuyCompany)
EACH = 8
"""So many purchases of a kind are looked at."""


def purchases(kind: type):
    """Purchases that one party paid for, with the table before, who paid and what."""
    for record, before, _ in all_moments():
        if type(record.order.command) is not kind:
            continue
        payments = getattr(record.events[0], "payments", ())
        payers = {payment.payer for payment in payments}
        if len(payers) == 1 and BANK not in payers:
            yield record.order, before, payers.pop(), sum(one.amount for one in payments)


# --- B08: exactly enough is enough -----------------------------------------------------------


@pytest.mark.parametrize("kind", PURCHASES, ids=lambda kind: kind.__name__)
def test_what_costs_all_the_money_there_is_can_be_bought_and_one_less_is_too_little(kind):
    found = list(islice(purchases(kind), EACH))
    assert found
    for order, before, payer, cost in found:
        enough = with_cash(before, payer, cost)
        ruleset = ruleset_of(before)
        after, _ = accepted(enough, order)
        assert is_listed(choices(ruleset, enough, order.player), order.command), order
        assert after.cash[payer] >= 0
        short = with_cash(before, payer, cost - 1)
        codes = {one.code for one in objections(ruleset, short, order)}
        assert Code.TOO_LITTLE_CASH in codes, (order, codes)
        assert not is_listed(choices(ruleset, short, order.player), order.command)


# --- B10: when the game ends -----------------------------------------------------------------


def emptied(table: Table) -> Table:
    """The table with an almost empty bank; the first player has its money."""
    rich = table.order[0]
    cash = dict(table.cash)
    cash[rich] += cash[BANK] - 1
    cash[BANK] = 1
    return msgspec.structs.replace(table, cash=cash)


def breaks(kind: str, command: type, more_rounds: int):
    """Moments in rounds of a kind at which a command breaks an almost empty bank."""
    for record, before, _ in all_moments():
        playing = current_round(before)
        if not isinstance(playing, Round) or playing.kind != kind or before.ending is not None:
            continue
        if type(record.order.command) is command and playing.of - playing.which >= more_rounds:
            poor = emptied(before)
            after, events = accepted(poor, record.order)
            if any(isinstance(event, e.GameEndTriggered) for event in events):
                yield after, playing


def rounds_of(happened) -> tuple[list[Round], str]:
    """The rounds that begin, and why the game ended."""
    rounds: list[Round] = []
    because = ""
    for event in happened:
        if isinstance(event, e.RoundBegan):
            rounds.append(event.round)
        elif isinstance(event, e.GameEnded):
            because = event.because
    return rounds, because


def test_a_bank_that_breaks_in_an_operating_round_ends_the_game_with_its_set():
    after, playing = next(iter(breaks("operating", c.PayDividend, more_rounds=1)))
    assert after.ending is not None
    assert after.ending.last == "this set"
    rounds, because = rounds_of(to_the_end(after))
    assert because in {"bank", "bankrupt"}
    if because == "bank":
        assert [(one.kind, one.which) for one in rounds] == [
            ("operating", which) for which in range(playing.which + 1, playing.of + 1)
        ]


def test_a_bank_that_breaks_in_a_stock_round_lets_one_whole_set_be_played():
    after, _ = next(iter(breaks("stock", c.SellShares, more_rounds=0)))
    assert after.ending is not None
    assert after.ending.last == "next set"
    refilled = with_cash(after, after.order[0], 0)
    assert refilled.cash[BANK] > 0
    for table in (after, refilled):
        rounds, because = rounds_of(to_the_end(table))
        if because == "bank":
            assert {one.kind for one in rounds} == {"operating"}
            assert [one.which for one in rounds] == list(range(1, rounds[0].of + 1))
        else:
            assert because == "bankrupt"


# --- B13 and B16: forced sales and bankruptcy ------------------------------------------------


def in_need():
    """Moments at which a director has to find money for a train."""
    for _, _, after in all_moments():
        frame = top(after)
        if isinstance(frame, Question) and isinstance(frame.matter, RaiseMoney):
            yield after, frame.matter.company, awaited(after)[0], frame.id


def sales_of(table: Table, player) -> dict[Party, c.SellShares]:
    """The largest sale of each company that is listed."""
    largest: dict[Party, c.SellShares] = {}
    for choice in choices(ruleset_of(table), table, player):
        sale = choice.command
        if isinstance(sale, c.SellShares):
            before = largest.get(sale.company)
            if before is None or shares_in(sale.given) > shares_in(before.given):
                largest[sale.company] = sale
    return largest


def can_pay(table: Table, player, question) -> bool:
    """Whether some row of sales, each as large as is listed, ends with a train of bank or pool."""
    for choice in choices(ruleset_of(table), table, player):
        command = choice.command
        if isinstance(command, c.BuyTrain) and command.seller in (SUPPLY, POOL):
            return True
    return any(
        can_pay(accepted(table, order_of(table, player, sale, question))[0], player, question)
        for sale in sales_of(table, player).values()
    )


def test_bankrupt_is_exactly_who_finds_no_way_to_pay_however_he_sells():
    seen: Counter[bool] = Counter()
    for table, _, player, question in in_need():
        listed = choices(ruleset_of(table), table, player)
        bankrupt = any(isinstance(one.command, c.DeclareBankruptcy) for one in listed)
        assert bankrupt != can_pay(table, player, question), table.version
        seen[bankrupt] += 1
    assert seen[True] and seen[False]  # noqa: PT018 - both kinds of moment were there


def test_no_forced_sale_costs_the_directorship_of_the_company_that_buys():
    changed = looked = 0
    for table, company, player, question in in_need():
        for choice in choices(ruleset_of(table), table, player):
            if not isinstance(choice.command, c.SellShares):
                continue
            order = order_of(table, player, choice.command, question)
            after, events = accepted(table, order)
            looked += 1
            assert after.charters[company].director == player
            changed += any(isinstance(event, e.DirectorChanged) for event in events)
    assert looked
    assert changed, "no other company changed hands in any of them"


# --- B17 and B21: track used twice, revenue claimed ------------------------------------------


def sides_used(runs: tuple[Run, ...]) -> Counter[tuple[str, str]]:
    """How often each side of each hex is crossed, and each station called at by one train."""
    used: Counter[tuple[str, str]] = Counter()
    for run in runs:
        for piece in run.track:
            used.update((piece.hex, end) for end in (piece.one, piece.other) if end.isdigit())
    return used


def test_no_side_of_a_hex_is_used_twice_and_no_train_calls_twice_at_a_station():
    looked = 0
    for record, _, _ in all_moments():
        for event in record.events:
            if isinstance(event, e.RoutesRun):
                looked += len(event.runs)
                used = sides_used(event.runs)
                assert all(number == 1 for number in used.values()), event
                for run in event.runs:
                    assert len(set(run.stops)) == len(run.stops), run
                    assert set(run.counted) <= set(run.stops), run
    assert looked


def test_revenue_is_what_the_engine_counts_whatever_is_claimed():
    """A changed claim is refused, or earns what its own track is worth: at most the best."""
    refused = taken = 0
    for record, before, _ in all_moments():
        command = record.order.command
        if not isinstance(command, c.RunTrains):
            continue
        ruleset = ruleset_of(before)
        lots = Random(record.version)
        claim = mutated(ruleset, before, command, lots)
        outcome = decide(ruleset, before, msgspec.structs.replace(record.order, command=claim))
        if isinstance(outcome, Rejection):
            refused += 1
            continue
        taken += 1
        ran = outcome[0]
        assert isinstance(ran, e.RoutesRun)
        assert ran.revenue == sum(line.amount for line in ran.lines)
        assert all(number == 1 for number in sides_used(ran.runs).values())
        best = next(event for event in record.events if isinstance(event, e.RoutesRun))
        assert ran.revenue <= best.revenue
    assert refused
    assert taken


# --- B18: what lies there stays --------------------------------------------------------------


def test_an_upgrade_keeps_every_side_and_station_of_what_lay_there():
    looked = 0
    for record, before, after in all_moments():
        for event in record.events:
            if isinstance(event, e.TileLaid) and event.replaced is not None:
                facts = ruleset_of(before).facts
                old, new = (face_at(facts, table.board, event.hex) for table in (before, after))
                assert old.sides & new.sides == old.sides, event
                assert len(old.towns) == len(new.towns), event
                looked += 1
    assert looked
