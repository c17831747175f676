"""Actions of games with charters, permits and joinings, and what a trace tells of them."""

import msgspec
import pytest

from contracts.commands import (
    Bid,
    BuyShares,
    BuyTokens,
    BuyTrain,
    OpenTable,
    Pass,
    PayDividend,
    PlaceSmallStation,
    RedeemShares,
    RunTrains,
    SellShares,
    StartCompany,
)
from contracts.ids import OFFERING, SUPPLY, CertificateKind, HexId, TrainKind
from contracts.rejections import Code, Rejection
from contracts.runs import Reported
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import Ruleset, ruleset_for, ruleset_of
from services.engine.table.evolve import evolve_all
from services.engine.table.state import Table, new_table
from services.histories.errors import HistoryError
from services.histories.optional_rules import CORRECTED, PLACE
from services.histories.result import REASONS
from services.histories.trace import Tracer, changes
from services.histories.translate import HISTORY, Translator, rulings_of, variants_of
from tests.eastern import position, railway
from tests.histories.exports import Json, export
from tests.histories.test_translation import ANN, Playing, by
from tests.operating import board, turn_of
from tests.positions import company, ones, stock_round

THREE = ("11", "12", "13")
EUR, ECR = company("EUR"), company("ECR")
TRAIN = ("B local",)
ONE, DIRECTORS = CertificateKind("1"), CertificateKind("3d")


def at_the_opening(**keys: object) -> tuple[Ruleset, OpenTable, Table]:
    """A history of 1862 as it begins: its rules, how it is opened, and the table."""
    order = Translator(export(**{"title": "1862", **keys})).opening()
    assert isinstance(order.command, OpenTable)
    ruleset = ruleset_for(order.command)
    assert isinstance(ruleset, Ruleset), ruleset
    events = decide(ruleset, new_table(HISTORY), order)
    assert not isinstance(events, Rejection), events
    table = evolve_all(new_table(HISTORY), events)
    return ruleset, order.command, msgspec.structs.replace(table, version=1)


def lying(step: str | None, *railways: object, ruled: Json | None = None, **more: object) -> Table:
    """A position under the site's rulings, in a turn of the EUR or of Ann in a stock round."""
    rulings = at_the_opening()[0].rulings
    there = position(*railways, players=THREE, rulings=rulings, **more)
    there = msgspec.structs.replace(there, rulings={**rulings, **(ruled or {})})
    return stock_round(there, turn="11") if step is None else turn_of(there, "EUR", step)


def state(table: Table) -> Json:
    return Tracer(ruleset_of(table)).state(table)


def test_a_history_is_opened_with_what_the_site_drew():
    _, command, table = at_the_opening()
    assert command.settings.imported
    assert {name: drawn.outcome for name, drawn in table.lots.items()} == command.lots


def test_before_anything_is_done_every_company_in_the_game_is_on_offer():
    *_, table = at_the_opening()
    now = state(table)
    assert (now["round"], now["round_no"], now["next"]) == ("PAR 1", 0, 11)
    assert len(now["corporations"]) == len(now["companies"]) == 16
    assert set(now["companies"].values()) == {None}
    for corporation in now["corporations"].values():
        assert (corporation["ipo"], corporation["tokens_left"]) == (100, 3)
        assert len(corporation["permits"]) == 1
        assert not corporation["chartered"]


def test_a_charter_won_binds_who_won_it_until_the_company_floats():
    *_, table = at_the_opening()
    name = table.lots["companies"].outcome[0]
    lot = company(name)
    now = Playing(
        table,
        by(11, "bid", corporation=name, price=0),
        by(12, "pass"),
        by(13, "pass"),
        by(11, "par", corporation=name, share_price="58,0,14"),
        by(11, "buy_shares", shares=[f"{name}_1"], percent=10),
        by(11, "pass"),
    )
    assert [command for step in now.commands for _who, command in step] == [
        Bid(lot, 0),
        Pass(),
        Pass(),
        StartCompany(lot, 58),
        BuyShares(lot, OFFERING, ones(1)),
        Pass(),
    ]
    won = state(now.tables[2])
    assert (won["companies"][name], won["players"][ANN]["companies"]) == (11, [name])
    assert won["corporations"][name]["chartered"]
    assert won["next"] == 11
    assert state(now.table)["corporations"][name]["ipo"] == 60


def test_a_number_chosen_is_the_tokens_that_a_company_buys():
    there = lying(None, cash={"11": 800})
    name = next(id for id, charter in there.charters.items() if charter.status == "open")
    started = by(11, "par", corporation=name, share_price="100,0,26")
    passes = [by(12, "pass"), by(13, "pass")]
    shares = [by(11, "buy_shares", shares=[f"{name}_{n}"]) for n in (1, 2)]
    now = Playing(
        there, started, *passes, shares[0], *passes, shares[1], by(11, "choose", choice=4)
    )
    unchartered = state(now.tables[0])["corporations"][name]
    assert (unchartered["treasury"], unchartered["ipo"]) == (70, 0)
    assert (unchartered["tokens_left"], unchartered["chartered"]) == (2, False)
    asked = state(now.tables[-2])
    assert (asked["next"], asked["corporations"][name]["tokens_left"]) == (11, 2)
    assert now.commands[-1] == [(ANN, BuyTokens(4))]
    assert state(now.table)["corporations"][name]["tokens_left"] == 4


def test_the_side_of_a_train_is_read_off_its_name_and_stars_are_warranties():
    there = lying("trains", railway("EUR", 90, director="11", cash=400, **{"11": 5}), phase="A")
    bought = by("EUR", "buy_train", train="A-0", price=100, variant="2L*", warranties=2)
    now = Playing(there, bought)
    purchase = BuyTrain(TrainKind("A"), SUPPLY, 100, side="local", warranties=2)
    assert now.commands[0][0] == (ANN, purchase)
    assert state(now.table)["corporations"]["EUR"]["trains"] == ["2L***"]


def test_a_tile_with_a_station_more_is_that_station():
    there = lying("track", railway("EUR", 90, director="11", trains=TRAIN, **{"11": 5}))
    there = board(there, {"E12": ("57", 0), "E10": ("20", 0)}, {"EUR": ["E12"]})
    laid = by("EUR", "lay_tile", hex="E10", tile="20_1b-0", rotation=0)
    now = Playing(turn_of(there, "EUR", "track"), laid)
    assert now.commands[0][0] == (ANN, PlaceSmallStation(HexId("E10"), "1-4"))


def test_a_share_bought_by_a_corporation_is_redeemed():
    eur = railway("EUR", 90, director="11", cash=100, trains=TRAIN, pool=1, **{"11": 5})
    there = lying("redeem", eur)
    bought = by("EUR", "buy_shares", shares=["EUR_3"], percent=10)
    now = Playing(there, bought, pool=["EUR_3"])
    assert now.commands[0][0] == (ANN, RedeemShares(1))
    assert state(now.table)["corporations"]["EUR"]["treasury"] == 10


def test_a_directors_certificate_sold_in_part_is_handed_in_for_change():
    eur = railway("EUR", 90, director="11", trains=TRAIN, pool=2, **{"11": 4, "12": 1})
    sale = by(11, "sell_shares", shares=["EUR_1", "EUR_0"], percent=20)
    held = {"p11": ["EUR_0", "EUR_1"], "p12": ["EUR_2"], "pool": ["EUR_3", "EUR_4"]}
    now = Playing(lying(None, eur), sale, **held)
    assert now.commands[0] == [(ANN, SellShares(EUR, {DIRECTORS: 1}, {ONE: 1}))]
    certificates = now.translator.game.certificates
    assert [certificates.holder(f"EUR_{n}") for n in (0, 1, 3)] == ["pool", "pool", ANN]
    assert state(now.table)["corporations"]["EUR"]["president"] == "pool"


def test_a_company_in_receivership_has_no_director_who_passes():
    there = lying("acquire", railway("EUR", 90, director=None, trains=TRAIN, **{"11": 2, "12": 2}))
    now = Playing(there, by("EUR", "pass"))
    assert now.commands == [[]]


def at_the_run(step: str = "run", **ruled: str) -> Table:
    """The EUR may run a 2/3L from Colchester past Stowmarket to Thetford."""
    eur = railway("EUR", 95, director="11", cash=20, trains=("B local 1",), **{"11": 5})
    there = lying("acquire", eur, ruled=ruled)
    lies = {"E12": ("57", 0), "E10": ("8852", 0), "E8": ("57", 0)}
    return turn_of(board(there, lies, {"EUR": ["E12"]}), "EUR", step)


RUN: Json = {"train": "B-0", "connections": [["E12", "E10"], ["E10", "E8"]]}


def test_a_subsidy_is_paid_with_the_dividend_and_warranties_go_then():
    run = by("EUR", "run_routes", routes=[{**RUN, "revenue": 60, "subsidy": 30}])
    now = Playing(at_the_run(), run, by("EUR", "dividend", kind="withhold"))
    tracer = Tracer(ruleset_of(now.table))
    for record in now.records[:1]:
        tracer.played(record)
    after_run = tracer.state(now.tables[0])
    assert after_run["corporations"]["EUR"]["cash"] == 20
    assert after_run["corporations"]["EUR"]["trains"] == ["2/3L*"]
    for record in now.records[1:]:
        tracer.played(record)
    divided = tracer.state(now.tables[1])
    assert divided["corporations"]["EUR"]["cash"] > 20 + 30
    assert divided["corporations"]["EUR"]["trains"] == ["2/3L"]


def test_hudson_adds_what_lifts_the_earnings_to_the_price():
    run = by("EUR", "run_routes", routes=[RUN])
    now = Playing(at_the_run(), run, by("EUR", "dividend", kind="hudson"))
    (_, paid), *_ = now.commands[1]
    assert isinstance(paid, PayDividend)
    assert paid.dividend == "all"
    assert paid.added > 0


def test_what_the_site_paid_counts_where_it_is_ruled_so():
    """The site counted freights to areas otherwise before 31 July 2021."""
    old, new = (export(title="1862", created_at=CORRECTED + seconds) for seconds in (-1, 1))
    assert rulings_of(old) == {"set": PLACE, "revenue": "as reported"}
    assert rulings_of(new) == {"set": PLACE}
    assert rulings_of(export(title="1862", created_at="long ago")) == {"set": PLACE}
    assert "revenue" not in rulings_of(export(created_at=0))
    run = by("EUR", "run_routes", routes=[{**RUN, "revenue": 130, "subsidy": 20}])
    now = Playing(at_the_run(revenue="as reported"), run)
    (_, command), *_ = now.commands[0]
    assert isinstance(command, RunTrains)
    assert command.reported == Reported(130, 20)
    assert now.table.cash[EUR] == 20 + 20
    worked_out = Playing(at_the_run(), run)
    (_, command), *_ = worked_out.commands[0]
    assert isinstance(command, RunTrains)
    assert command.reported is None


def test_no_other_table_pays_what_is_reported():
    _, command, _ = at_the_opening(created_at=1)
    assert command.rulings["revenue"] == "as reported"
    ruleset = ruleset_for(command)
    assert isinstance(ruleset, Ruleset)
    order = Translator(export(title="1862", created_at=1)).opening()
    here = msgspec.structs.replace(command, settings=type(command.settings)(), lots={})
    refused = decide(ruleset, new_table(HISTORY), msgspec.structs.replace(order, command=here))
    assert isinstance(refused, Rejection)
    assert (refused.code, "played elsewhere" in refused.sentence) == (Code.BAD_SETTINGS, True)


def test_a_company_that_leaves_the_game_leaves_the_trace():
    *_, table = at_the_opening()
    before = state(table)
    name = next(iter(before["corporations"]))
    after = {**before, "corporations": {**before["corporations"]}}
    del after["corporations"][name]
    assert changes(before, after) == {"corporations": {name: None}}


def test_optional_rules_are_variants():
    rules = {"seed": 1, "optional_rules": ["eight_tokens", "short_length"]}
    assert variants_of(export(title="1862", settings=rules)) == {
        "tokens": "eight",
        "length": "short",
    }
    with pytest.raises(HistoryError, match="solo"):
        variants_of(export(title="1862", settings={"seed": 1, "optional_rules": ["solo"]}))


def test_a_choice_that_nobody_is_asked_for_is_said_so():
    there = lying("redeem", railway("EUR", 90, director="11", trains=TRAIN, **{"11": 5}))
    with pytest.raises(HistoryError, match="nothing is asked"):
        Playing(there, by("EUR", "choose", choice="first"))


def test_reasons_have_the_words_of_the_site():
    assert (REASONS["market"], REASONS["bank"]) == ("stock_market", "bank")
