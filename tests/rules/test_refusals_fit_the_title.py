"""A refusal speaks of what its title has, and cites the rule that it is about."""

import msgspec

from contracts.commands import Bid, BuyShares, BuyTrain, LayTile
from contracts.ids import POOL, SUPPLY, HexId, TileId, TrainKind
from contracts.rejections import Rejection
from services.engine.rules.families.zone_effects import Effect, are_there
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.shares.limits import certificate_objection
from services.engine.table.state import Table
from tests import positions
from tests.eastern import opened, position, railway, sold_up_to
from tests.given import Given, given
from tests.operating import board, turn_of
from tests.positions import company, ones, player, stock_round

EIGHT = ("ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal")
EUR = company("EUR")


def refusal(now: Given) -> Rejection:
    assert isinstance(now.outcome, Rejection), now.outcome
    return now.outcome


def at_the_limit() -> Table:
    """Ann has eight certificates of four companies, and the pool has a share."""
    four = ("EUR", "ESR", "ECR", "FDR")
    railways = (railway(name, 100, director="ann", ann=4, pool=1) for name in four)
    return position(*railways, cash={"ann": 500}, players=EIGHT)


def test_zones_that_a_market_has_not_are_not_spoken_of():
    """6.5.2: nothing in this market is free of the limit."""
    buying = given(stock_round(at_the_limit())).when("ann", BuyShares(EUR, POOL, ones(1)))
    said = refusal(buying)
    assert (said.rule, said.sentence) == ("1862 6.5.2", "ann has 8 certificates, of at most 8.")
    assert not said.legal


def test_zones_that_a_market_has_are_named():
    table = positions.position(players=EIGHT[:6])
    ruleset = ruleset_of(table)
    assert are_there(ruleset.facts, Effect.UNCOUNTED)
    holder = player("ann")
    said = certificate_objection(ruleset, table, holder, company("PRR"), 99)
    assert said is not None
    assert "zone" in said.legal


def test_an_auction_of_a_charter_that_is_taken_or_waits_is_refused_by_the_rule_of_auctions():
    """4.1, not the rule of starting in a stock round."""
    table = opened()
    for status in ("waiting", "closed", "floated"):
        name = next(iter(table.charters))
        charter = msgspec.structs.replace(table.charters[name], status=status)
        there = msgspec.structs.replace(table, charters={**table.charters, name: charter})
        assert refusal(given(there).when("ann", Bid(name, 0))).rule == "1862 4.1"


def test_the_bank_is_called_the_bank_and_a_train_a_train():
    line = railway("EUR", 100, director="ann", ann=5, cash=900, trains=("B local",))
    now = given(turn_of(sold_up_to(position(line), "B"), "EUR", "trains"))
    later = BuyTrain(TrainKind("C"), SUPPLY, 280, side="local")
    assert refusal(now.when("ann", later)).sentence == "The bank sells no such train: C."
    cheap = BuyTrain(TrainKind("B"), SUPPLY, 100, side="local")
    assert refusal(now.when("ann", cheap)).sentence == "A train B is not bought for £100."


def test_letters_of_tiles_are_called_letters():
    """7.6.1."""
    line = railway("FDR", 100, director="ann", ann=5)
    table = board(position(line), {"G12": ("6", 2)}, {"FDR": ["G12"]})
    now = given(turn_of(table, "FDR", "track"))
    said = refusal(now.when("ann", LayTile(HexId("F11"), TileId("57"), 1)))
    assert (said.rule, said.sentence) == (
        "1862 7.6.1",
        "Tile 57 bears no letter, the hex N.",
    )
