"""What the site's actions become at a table of ours."""

import msgspec
import pytest

from contracts.commands import (
    Answer,
    BuyCompany,
    BuyShares,
    BuyTrain,
    LayTile,
    Order,
    Pass,
    PlaceToken,
    SellShares,
    TradePrivate,
)
from contracts.frames import Round
from contracts.ids import OFFERING, POOL, SUPPLY, HexId, PlayerId, TileId
from contracts.records import Record
from contracts.rejections import Rejection
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_round, current_turn
from services.engine.table.fold import applied
from services.engine.table.state import Table
from services.histories.optional_rules import PLACE
from services.histories.replay import replay
from services.histories.translate import Translator
from tests.histories.exports import Json, bidding, export, passing, redo, undo
from tests.operating import board, trains, turn_of
from tests.positions import at, company, ones, player, position, stock_round

ANN, BOB, CID = map(player, ("11", "12", "13"))
SEATS = (ANN, BOB, CID)
SET = {"set": PLACE}
PRR, NYC, CS, DH = map(company, ("PRR", "NYC", "CS", "DH"))


def by(party: object, does: str, **keys: object) -> Json:
    types = {int: "player"}
    of = "company" if party in ("CS", "DH", "MH") else "corporation"
    return {"type": does, "entity": party, "entity_type": types.get(type(party), of), **keys}


class Playing:
    """A history played from a position on: the orders of each step, and the table at the end."""

    def __init__(self, table: Table, *actions: Json, **held: list[str]) -> None:
        self.translator = Translator(export(*actions, title=table.title))
        self.table = self.translator.game.table = table
        for holder, certificates in held.items():
            for certificate in certificates:
                party = POOL if holder == "pool" else PlayerId(holder.removeprefix("p"))
                self.translator.game.certificates.moved(certificate, party)
        self.orders: list[list[Order]] = []
        self.tables: list[Table] = []
        self.records: list[Record] = []
        for step in self.translator.steps:
            self.orders.append([])
            for order in self.translator.orders(step):
                self.play(order)
            self.tables.append(self.table)

    def play(self, order: Order) -> None:
        events = decide(ruleset_of(self.table), self.table, order)
        assert not isinstance(events, Rejection), events
        record = Record(self.table.version + 1, 0, "test", order, events)
        self.table = applied(self.table, record)
        self.orders[-1].append(order)
        self.records.append(record)
        self.translator.played(record, self.table)

    @property
    def commands(self) -> list[list[tuple[str, object]]]:
        return [[(order.player, order.command) for order in step] for step in self.orders]


def stock(**more: object) -> Table:
    companies = [at("PRR", "0,6", director="11", **{"11": 5, "12": 3, "pool": 1})]
    there = position(
        companies=companies,
        privates={"CS": "12", "SV": "12"},
        players=SEATS,
        rulings=SET,
        **more,
    )
    return stock_round(there, turn="11")


def operating(name: str = "PRR", step: str = "track", **more: object) -> Table:
    companies = [
        at("PRR", "0,6", director="11", cash=500, **{"11": 6}),
        at("NYC", "1,6", director="12", cash=500, **{"12": 6}),
    ]
    there = position(
        companies=more.pop("companies", companies),
        privates={"CS": "12", "DH": "11", "SV": "13", "CA": "13", "MH": "13"},
        players=SEATS,
        rulings=SET,
        **more,
    )
    there = board(there, {}, {"PRR": ["H12"], "NYC": ["E19"]})
    return turn_of(trains(there, {"NYC": ["2"]}), name, step)


def test_a_certificate_is_bought_where_its_number_lies():
    pool = Playing(stock(), by(11, "buy_shares", shares=["PRR_7"], percent=10), pool=["PRR_7"])
    assert pool.commands == [[(ANN, BuyShares(PRR, POOL, ones(1)))]]
    offering = Playing(stock(), by(11, "buy_shares", shares=["PRR_8"], percent=10), pool=["PRR_7"])
    assert offering.commands == [[(ANN, BuyShares(PRR, OFFERING, ones(1)))]]


def test_a_sale_of_part_of_the_directors_certificate_names_ordinary_ones():
    held = {"p11": ["PRR_0", "PRR_1", "PRR_2", "PRR_3"], "p12": ["PRR_4", "PRR_5", "PRR_6"]}
    sale = by(11, "sell_shares", shares=["PRR_1", "PRR_2", "PRR_3", "PRR_0"], percent=40)
    now = Playing(stock(), sale, by(12, "pass"), pool=["PRR_7"], **held)
    assert now.commands[0][0] == (ANN, SellShares(PRR, ones(4)))
    assert now.table.charters[PRR].director == BOB
    certificates = now.translator.game.certificates
    assert certificates.holder("PRR_0") == BOB
    assert certificates.holder("PRR_7") == ANN


def test_a_private_bought_from_another_player_is_agreed_to():
    now = Playing(stock(), by(11, "buy_company", company="CS", price=33))
    assert now.commands == [[(ANN, TradePrivate(CS, BOB, 33)), (BOB, Answer(yes=True))]]
    assert now.table.charters[CS].director == ANN


def test_a_turn_that_the_site_has_ended_is_passed():
    now = Playing(stock(), by(11, "buy_shares", shares=["PRR_8"], percent=10), by(12, "pass"))
    assert now.commands == [
        [(ANN, BuyShares(PRR, OFFERING, ones(1))), (ANN, Pass())],
        [(BOB, Pass())],
    ]


def test_a_private_bought_by_a_company_is_agreed_to_by_its_owner():
    now = Playing(operating(phase="3"), by("PRR", "buy_company", company="CS", price=60))
    assert now.commands == [[(ANN, BuyCompany(CS, 60)), (BOB, Answer(yes=True))]]


def test_a_private_of_the_buyers_own_director_needs_nobodys_consent():
    now = Playing(operating(phase="3"), by("PRR", "buy_company", company="DH", price=60))
    assert now.commands == [[(ANN, BuyCompany(DH, 60))]]


def test_a_train_of_another_directors_company_is_agreed_to_by_him():
    now = Playing(
        operating(step="trains"), by("PRR", "buy_train", train="2-0", price=200, variant="2")
    )
    command = BuyTrain(company("2"), NYC, 200, company("2-0"))
    assert now.commands == [[(ANN, command), (BOB, Answer(yes=True))]]


def test_steps_that_the_site_has_skipped_are_passed_as_its_next_action_shows():
    now = Playing(
        operating(),
        {"type": "program_share_pass", "entity": 11, "entity_type": "player"},
        by("PRR", "buy_train", train="2-1", price=80, variant="2"),
    )
    assert now.commands == [
        [(ANN, Pass())],
        [(ANN, BuyTrain(company("2"), SUPPLY, 80))],
    ]


def test_a_pass_of_what_has_settled_itself_here_becomes_nothing():
    now = Playing(
        operating(step="trains"),
        by("PRR", "pass"),
        by("PRR", "buy_train", train="2-1", price=80, variant="2"),
    )
    assert now.commands[0] == []


def test_a_pass_before_the_same_companys_next_turn_ends_its_turn():
    alone = [at("PRR", "0,6", director="11", cash=500, **{"11": 6})]
    there = turn_of(board(operating(companies=alone), {}, {"PRR": ["H12"]}), "PRR", "trains")
    playing, turn = there.agenda
    assert isinstance(playing, Round)
    two = msgspec.structs.replace(there, agenda=(msgspec.structs.replace(playing, of=2), turn))
    lay = by("PRR", "lay_tile", hex="H14", tile="9-0", rotation=1)
    remark = by(11, "log", message="x")
    for told in (by("PRR", "pass"), remark):
        now = Playing(two, told, lay)
        assert now.commands[0] == [(ANN, Pass())]
        then = current_round(now.table)
        assert then is not None
        assert then.which == 2


def test_the_tile_that_a_home_token_waits_for_is_laid_when_its_city_is_named():
    erie = [at("ERIE", "0,6", director="11", cash=500, **{"11": 6})]
    there = operating(companies=erie, phase="3")
    there = turn_of(board(there, {}, {}), "ERIE", "home")
    now = Playing(
        there,
        by("ERIE", "lay_tile", hex="E11", tile="59-1", rotation=2),
        by("ERIE", "place_token", city="59-1-1", slot=0, tokener="ERIE"),
    )
    assert now.commands[0] == []
    laid = LayTile(HexId("E11"), TileId("59"), 2, city=1)
    assert now.commands[1][0] == (ANN, laid)
    (token,) = [t for t in now.table.board.tokens if t.company == "ERIE"]
    assert (token.place, token.city) == ("E11", 1)


def test_a_token_by_right_is_placed_on_the_tile_that_the_copy_names():
    there = operating(phase="3")
    holdings = {DH: {PRR: {"1d": 1}}}
    there = msgspec.structs.replace(there, certificates={**there.certificates, **holdings})
    now = Playing(
        there,
        by("DH", "lay_tile", hex="F16", tile="57-3", rotation=1),
        by("DH", "place_token", city="57-3-0", slot=0, tokener="PRR"),
    )
    assert now.commands[0] == [(ANN, LayTile(HexId("F16"), TileId("57"), 1, DH))]
    assert now.commands[1][0] == (ANN, PlaceToken(HexId("F16"), 0, DH))


def test_a_token_by_right_may_be_declined():
    there = operating(phase="3")
    holdings = {DH: {PRR: {"1d": 1}}}
    there = msgspec.structs.replace(there, certificates={**there.certificates, **holdings})
    now = Playing(
        there,
        by("DH", "lay_tile", hex="F16", tile="57-3", rotation=1),
        by("DH", "pass"),
        by("PRR", "buy_train", train="2-1", price=80, variant="2"),
    )
    assert now.commands[1] == [(ANN, Pass())]
    turn = current_turn(now.tables[1])
    assert turn is not None
    assert turn.steps[0] == "trains"


def test_a_finish_by_agreement_is_asked_for_and_agreed_to_by_all():
    now = Playing(stock(), {"type": "end_game", "entity": 11, "entity_type": "player"})
    assert [who for who, _ in now.commands[0]] == [ANN, BOB, CID]
    assert now.table.ending is not None
    assert (now.table.ending.because, now.table.ending.over) == ("agreed", True)


def test_an_opening_is_played_with_undone_bids_gone():
    found = replay(
        export(
            bidding(11, "CS", 45),
            bidding(12, "CS", 50),
            undo(),
            redo(),
            undo(),
            bidding(12, "DH", 75),
            bidding(13, "SV", 20),
            passing(11),
        ),
        traced=True,
    )
    assert found.first_difference is None
    assert (found.accepted, found.steps) == (4, 4)
    last = found.states[-1]
    assert last["companies"] == {
        "SV": 13,
        "CS": 11,
        "DH": 12,
        **dict.fromkeys(("MH", "CA", "BO")),
    }
    assert (last["next"], last["priority"], last["round"]) == (12, 11, "ISR 1")


def test_a_refused_action_is_named_with_its_step_and_number():
    found = replay(export(bidding(11, "CS", 45), undo(), bidding(11, "CS", 41)))
    assert not found.equal
    assert found.rejection is not None
    assert found.first_difference is not None
    assert (found.first_difference.step, found.first_difference.action) == (1, 3)
    assert found.first_difference.what.startswith("bid: bid-too-low · 1830 3.1.2")


@pytest.mark.parametrize(
    ("action", "what"),
    [
        (by("XYZ", "pass"), "action 1: 'XYZ' is neither a player nor a company of this game"),
        (by(11, "buy_shares", shares=[]), "action 1: no certificate is named"),
        (by(11, "sell_shares", shares=["PRR_99"]), "action 1: there is no certificate PRR_99"),
        (
            by(11, "par", corporation="PRR", share_price="high,0,6"),
            "action 1: 'high' is not the number of a price",
        ),
        (
            by("PRR", "place_token", city="57-0-x", slot=0),
            "action 1: 'x' is not the number of a city",
        ),
        (
            by("PRR", "dividend", kind="half"),
            "action 1: PRR: 'half' is no dividend that is known here",
        ),
    ],
)
def test_an_action_that_makes_no_sense_says_why(action, what):
    found = replay(export(action))
    assert found.first_difference is not None
    assert found.first_difference.what == f"{action['type']}: {what}"


def test_an_expected_result_that_differs_is_the_first_difference():
    found = replay(
        export(
            {"type": "end_game", "entity": 11, "entity_type": "player"},
            status="finished",
            result={"11": 800, "12": 800, "13": 801},
            game_end_reason="manually_ended",
        )
    )
    assert found.reason == "manually_ended"
    assert found.first_difference is not None
    assert found.first_difference.what.startswith("result: ")
