"""How a game with last operations ends: 10.1 to 10.4, 6.5.2 (1862.md 4.80 to 4.83)."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import Pass, SellShares
from contracts.frames import Round
from contracts.ids import BANK, FrameId, TrainKind
from services.engine.rules.companies.last_operations import begin, have_begun
from services.engine.rules.draft import Draft
from services.engine.rules.rounds.cycle import following
from services.engine.rules.rounds.operating import steps_of
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.settle import settle
from services.engine.rules.shares.limits import certificate_limit
from services.engine.rules.shares.worth import total_worth
from services.engine.rules.trains.phases import train_sold
from services.engine.table.agenda import current_round
from services.engine.table.state import Ending, Table
from tests.eastern import position, railway, shares, space_of
from tests.given import given
from tests.positions import company, ones, player, stock_round

EUR, ESR, ECR = map(company, ("EUR", "ESR", "ECR"))
LAST = Ending("lner", "last operations")
TRAIN = ("D local",)


def late(ending: Ending | None = LAST, phase: str = "H", **more: dict[str, str]) -> Table:
    """Ann has 16 shares, bob 8, cid 4; two of ESR are in the offering, five of ECR in the pool."""
    there = position(
        railway("EUR", 220, director="ann", trains=TRAIN, ann=10),
        railway("ESR", 100, director="bob", trains=TRAIN, bob=8),
        railway("ECR", 200, director="ann", trains=TRAIN, ann=6, cid=4),
        cash={"ann": 100, "bob": 100, "cid": 100},
        phase=phase,
        **more,
    )
    return msgspec.structs.replace(there, ending=ending)


def operating(table: Table, which: int, of: int = 3) -> Table:
    """The table as an operating round ends in which all have operated."""
    playing = Round(FrameId("9.9"), "operating", 5, which, of, operated=(EUR, ESR, ECR))
    rounds = {"parliament": 6, "stock": 5, "operating": 9}
    draft = Draft(msgspec.structs.replace(table, agenda=(playing,), rounds=rounds))
    settle(ruleset_of(table), draft)
    return draft.table


def formed(table: Table | None = None) -> Table:
    """The table once the last operations have begun."""
    table = late() if table is None else table
    draft = Draft(table)
    begin(ruleset_of(table), draft)
    return draft.table


def at_price(table: Table, price: int) -> Table:
    """EUR's marker has been moved."""
    space = space_of(table, price)
    old = table.markers[EUR]
    marker = msgspec.structs.replace(old, space=space, price=price)
    market = {s: stack for s, stack in table.market.items() if s != old.space}
    return msgspec.structs.replace(
        table, markers={**table.markers, EUR: marker}, market={**market, space: (EUR,)}
    )


def broke(table: Table) -> Table:
    """The bank has nothing left; ann has it all."""
    cash = {**table.cash, BANK: 0, player("ann"): table.cash[player("ann")] + table.cash[BANK]}
    return msgspec.structs.replace(table, cash=cash)


def playing(table: Table) -> Round:
    frame = current_round(table)
    assert frame is not None
    return frame


def sold(table: Table, kind: str) -> Table:
    draft = Draft(table)
    train_sold(ruleset_of(table), draft, TrainKind(kind))
    return draft.table


@pytest.mark.parametrize(
    ("variants", "kind", "brings"),
    [
        ({}, "H", True),
        ({}, "E", False),
        ({"shorter game": "yes"}, "E", True),
        ({"shorter game": "yes"}, "D", False),
    ],
)
def test_the_first_h_brings_it_about_in_the_shorter_game_the_first_e(
    variants: dict[str, str], kind: str, brings: bool
):
    """10.3, 11.2."""
    now = sold(late(None, phase="C", variants=variants), kind)
    assert now.phase == kind
    assert now.ending == (LAST if brings else None)
    assert now.certificate_limit is None


def test_the_importing_place_changes_the_limit_at_once():
    """Ruling "lner limit"."""
    now = sold(late(None, phase="G", rulings={"lner limit": "as it is triggered"}), "H")
    assert now.certificate_limit == 16


def test_the_set_is_finished_first():
    """10.3, 1862.md part 5: H bought in the second of three; the second and third are finished."""
    now = operating(late(), 2)
    assert (playing(now).kind, playing(now).which) == ("operating", 3)
    assert not have_begun(now)


def test_then_there_is_one_stock_round_and_no_parliament():
    now = operating(late(), 3)
    assert playing(now).kind == "stock"
    assert have_begun(now)
    assert shares(now, "ESR") == {"bob": 8, "pool": 2}
    assert not {c.status for c in now.charters.values()} & {"open", "waiting"}


def test_the_limit_is_the_largest_holding_in_shares():
    """6.5.2: shares, not certificates; nobody has to sell down."""
    now = operating(late(), 3)
    assert certificate_limit(ruleset_of(now), now) == 16


def test_sales_move_no_price_any_more():
    """10.3."""
    there = stock_round(formed())
    now = given(there).when("ann", SellShares(EUR, ones(3)))
    assert now.table.markers[EUR].price == 220
    assert now.table.cash[player("ann")] == 100 + 660


def test_every_company_operates_three_times_and_the_game_is_over():
    """10.3: the steps are only those of running, dividing, trains and redeeming."""
    there = stock_round(formed())
    ruleset = ruleset_of(there)
    assert steps_of(ruleset, there, EUR) == ruleset.facts.turns.last_operations
    now = given(there).when("ann", Pass()).when("bob", Pass()).when("cid", Pass())
    begun = [one.round for one in now.happened() if isinstance(one, e.RoundBegan)]
    assert [(one.kind, one.which, one.of) for one in begun] == [
        ("operating", 1, 3),
        ("operating", 2, 3),
        ("operating", 3, 3),
    ]
    turns = [one.turn.who for one in now.happened() if isinstance(one, e.TurnBegan)]
    assert turns == [EUR, ECR, ESR] * 3
    assert now.table.ending is not None
    assert (now.table.ending.because, now.table.ending.over) == ("lner", True)


def test_a_new_phase_keeps_the_limit():
    """In the shorter game phases may begin after it has formed."""
    there = formed(late(phase="E", variants={"shorter game": "yes"}))
    assert sold(there, "F").certificate_limit == 16


def test_a_price_at_the_end_of_the_market_ends_the_game_with_the_round():
    """10.1: whatever else was to come."""
    for ending in (None, LAST, Ending("bank", "this set")):
        now = operating(at_price(late(ending), 1000), 1)
        assert now.ending is not None
        assert now.ending.over
        assert now.ending.because == "market"


def test_an_empty_bank_comes_before_what_has_not_formed():
    """10.2, 1862.md 4.81: the set is finished; nothing forms."""
    now = operating(broke(late()), 3)
    assert now.ending is not None
    assert (now.ending.because, now.ending.over) == ("bank", True)
    assert not have_begun(now)
    now = operating(broke(late()), 1)
    assert now.ending == Ending("bank", "this set")


def test_once_it_has_formed_the_bank_may_be_empty():
    now = operating(broke(formed()), 1)
    assert now.ending == LAST


def test_an_empty_bank_in_a_stock_round_ends_the_game_with_the_next_set():
    there = stock_round(broke(late(None)))
    assert there.ending == Ending("bank", "next set")


def test_the_winner_is_who_has_most_cash_and_shares():
    """10.4, 1862.md 2.25: a company without a train counts half; treasuries count for nothing."""
    there = late()
    assert total_worth(ruleset_of(there), there, player("ann")) == 100 + 2200 + 1200
    poor = msgspec.structs.replace(there, trains={**there.trains, EUR: ()})
    assert total_worth(ruleset_of(poor), poor, player("ann")) == 100 + 1100 + 1200


@pytest.mark.parametrize(("ruling", "amount"), [("by share", 10 * 47), ("by certificate", 471)])
def test_half_a_price_is_rounded_down(ruling: str, amount: int):
    """Ruling "trainless worth": 95 is no even price; the certificate is three shares."""
    there = position(
        railway("EUR", 95, director="ann", ann=10),
        cash={"ann": 0},
        rulings={"trainless worth": ruling},
    )
    assert total_worth(ruleset_of(there), there, player("ann")) == amount


def test_rounds_go_round_parliament_stock_operating():
    there = position(railway("EUR", 100, director="ann", ann=10), phase="D")
    ruleset = ruleset_of(there)
    rounds = {"parliament": 3, "stock": 2, "operating": 3}
    there = msgspec.structs.replace(there, rounds=rounds)
    ended = Round(FrameId("9.9"), "operating", 2, 2, 2)
    after = following(ruleset, there, ended, FrameId("10.0"))
    assert after == Round(FrameId("10.0"), "parliament", 3, 1, 1)
    after = following(ruleset, there, after, FrameId("10.1"))
    assert after == Round(FrameId("10.1"), "stock", 3, 1, 1)
    there = msgspec.structs.replace(there, rounds={**rounds, "stock": 3})
    after = following(ruleset, there, after, FrameId("10.2"))
    assert after == Round(FrameId("10.2"), "operating", 3, 1, 3)


def test_groups_of_companies_are_opened_by_phases():
    """3.2, 9.0: four more with the first B, the last four with the first C."""
    there = position(phase="A")
    before = [c for c, charter in there.charters.items() if charter.status == "waiting"]
    assert len(before) == 8
    now = sold(there, "B")
    assert sum(charter.status == "waiting" for charter in now.charters.values()) == 4
    now = sold(now, "C")
    assert not any(charter.status == "waiting" for charter in now.charters.values())


@pytest.mark.parametrize(("ruling", "tokens"), [("not placed", ()), ("placed", ("FDR",))])
def test_a_company_that_floats_late_places_no_token_but_by_ruling(ruling, tokens):
    """10.3, ruling "late home"."""
    late_one = railway("FDR", 60, director="cid", cid=5, cash=900)
    there = position(late_one, phase="H", rulings={"late home": ruling})
    fdr = company("FDR")
    new = msgspec.structs.replace(there.charters[fdr], has_operated=False)
    there = msgspec.structs.replace(there, charters={**there.charters, fdr: new}, ending=LAST)
    round_ = Round(FrameId("9.9"), "operating", 6, 1, 3)
    draft = Draft(msgspec.structs.replace(formed(there), agenda=(round_,)))
    settle(ruleset_of(there), draft)
    placed = draft.table.board.tokens
    assert tuple(token.company for token in placed) == tokens
