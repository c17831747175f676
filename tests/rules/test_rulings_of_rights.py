"""Rulings on what privates may do and when, on discards and on areas: each option of each."""

from contracts import events as e
from contracts.commands import (
    Answer,
    BuyShares,
    BuyTrain,
    DiscardTrain,
    ExchangePrivate,
    LayTile,
    Pass,
    PayDividend,
    PlaceToken,
    StartCompany,
    TradePrivate,
)
from contracts.ids import OFFERING, POOL, SUPPLY, HexId, TileId, TrainId, TrainKind
from contracts.rejections import Code
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_round, current_turn
from tests.given import Given, given
from tests.operating import Tiles, board, run, trains, turn_of
from tests.positions import at, company, ones, opened, player, position, stock_round
from tests.rules.test_privates_of_companies import owning

ANN, BOB, CID = map(player, ("ann", "bob", "cid"))
PRR, NYC, BM, CS, DH, MH = map(company, ("PRR", "NYC", "B&M", "CS", "DH", "MH"))
LINE: Tiles = {"H14": ("9", 1), "H16": ("57", 1)}
ON_B20 = LayTile(HexId("B20"), TileId("58"), 2, CS)
ON_F16 = LayTile(HexId("F16"), TileId("57"), 1, DH)
THERE = PlaceToken(HexId("F16"), 0, DH)


def turn(
    step: str,
    private: str,
    rulings: dict[str, str] | None = None,
    tiles: Tiles | None = None,
    cash: int = 130,
) -> Given:
    """PRR of Ann, with two trains, which has one private; the others are closed, bar the MH."""
    closed = [name for name in ("SV", "CS", "DH", "CA", "BO") if name != private]
    there = position(
        companies=[
            at("PRR", "0,6", director="ann", ann=6, cash=cash),
            at("NYC", "1,6", director="bob", bob=6),
        ],
        closed=closed,
        privates={"MH": "cid"},
        phase="5",
        rulings=rulings,
    )
    lying = board(there, {**LINE, **(tiles or {})}, {"PRR": ["H12"], "NYC": ["E19"]})
    ready = trains(lying, {"PRR": ["3", "3"], "NYC": ["3"]}, left="5")
    return given(turn_of(owning(ready, "PRR", company(private)), "PRR", step))


def step(now: Given) -> tuple[str, str]:
    playing = current_turn(now.table)
    assert playing is not None
    return playing.who, playing.steps[0]


# --- rights left -----------------------------------------------------------------------------


def test_an_extra_tile_that_can_be_laid_keeps_the_turn_open_to_its_end():
    now = turn("privates", "CS")
    assert step(now) == ("PRR", "privates")
    assert step(now.when("ann", ON_B20).accepted()) == ("NYC", "track")
    assert step(now.when("ann", Pass()).accepted()) == ("NYC", "track")


def test_an_extra_tile_that_cannot_be_laid_any_more_ends_the_turn_unless_it_is_to_be_passed():
    built: Tiles = {"B20": ("58", 2)}
    assert step(turn("privates", "CS", tiles=built)) == ("NYC", "track")
    now = turn("privates", "CS", {"rights left": "not used up"}, built)
    assert step(now) == ("PRR", "privates")
    assert step(now.when("ann", Pass()).accepted()) == ("NYC", "track")
    unused = turn("privates", "CS", {"rights left": "not used up"})
    assert step(unused.when("ann", ON_B20).accepted()) == ("NYC", "track")


# --- right of the turn's tile ----------------------------------------------------------------

ANYWHEN = {"right of the turn's tile": "at any point"}


def test_the_tile_that_stands_for_the_ordinary_one_is_laid_in_the_step_of_track():
    turn("token", "DH").when("ann", ON_F16).then(Code.NO_RIGHT)
    turn("track", "DH").when("ann", ON_F16, THERE).accepted()


def test_by_ruling_it_is_laid_at_any_point_of_a_turn_without_a_tile_and_its_token_after_it():
    late = turn("run", "DH", ANYWHEN).when("ann", ON_F16).accepted()
    assert step(late) == ("PRR", "run")
    tokens = late.when("ann", THERE).accepted().table.board.tokens
    assert [token.company for token in tokens if token.place == "F16"] == ["PRR"]
    tile = LayTile(HexId("H10"), TileId("57"), 1)
    turn("track", "DH", ANYWHEN, cash=500).when("ann", tile, ON_F16).then(Code.NO_RIGHT)


def test_by_ruling_the_turn_waits_for_the_token_even_at_its_end_but_not_for_the_tile():
    assert step(turn("privates", "DH", ANYWHEN)) == ("NYC", "track")
    laid = turn("run", "DH", ANYWHEN).when("ann", ON_F16).accepted()
    ran = laid.when("ann", run(laid.table, "PRR", t3_0="H12-H16")).accepted()
    waiting = ran.when("ann", PayDividend("none")).accepted()
    assert step(waiting) == ("PRR", "privates")
    assert step(waiting.when("ann", THERE).accepted()) == ("NYC", "track")
    assert step(waiting.when("ann", Pass()).accepted()) == ("NYC", "track")


# --- gulf ------------------------------------------------------------------------------------


def to_both_hexes(rulings: dict[str, str] | None = None) -> Given:
    """A token at H4, and track from it to either hex of the Gulf."""
    there = position(
        companies=[at("PRR", "0,6", director="ann", ann=6)], phase="3", rulings=rulings
    )
    tiles: Tiles = {"H4": ("14", 5), "I3": ("8", 1), "I5": ("8", 0), "J4": ("8", 1)}
    lying = board(there, tiles, {"PRR": ["H12", "H4"]})
    return given(turn_of(trains(lying, {"PRR": ["3"]}, left="4"), "PRR", "run"))


def test_the_two_hexes_of_the_gulf_are_one_station_unless_a_ruling_parts_them():
    through = "J2-J4-I5-H4-I3-I1"
    now = to_both_hexes()
    now.when("ann", run(now.table, "PRR", t3_0=through)).then(Code.BAD_RUN)
    now = to_both_hexes({"gulf": "two stations"})
    ran = now.when("ann", run(now.table, "PRR", t3_0=through)).accepted()
    (event,) = [one for one in ran.happened() if isinstance(one, e.RoutesRun)]
    assert event.revenue == 30 + 30 + 30


def test_the_hexes_of_another_area_stay_one_station():
    facts = ruleset_of(to_both_hexes({"gulf": "two stations"}).table).facts
    areas = [facts.map.hexes[HexId(at)].offboard[0].area for at in ("A9", "A11", "I1")]
    assert areas == ["canadian_west", "canadian_west", "gulf"]


# --- discard order ---------------------------------------------------------------------------


def crowded(rulings: dict[str, str] | None = None) -> Given:
    """PRR of Ann buys the first 5: CPR of Cid and NYC of Bob are above the limit."""
    there = position(
        companies=[
            at("PRR", "0,6", director="ann", ann=6, cash=2000),
            at("NYC", "1,6", director="bob", bob=6),
            at("CPR", "2,6", director="cid", cid=6),
        ],
        phase="4",
        rulings=rulings,
    )
    lying = board(there, LINE, {"PRR": ["H12"]})
    owned = {"NYC": ["4", "4", "3"], "CPR": ["3", "3", "3"]}
    now = given(turn_of(trains(lying, owned, left="5"), "PRR", "trains"))
    return now.when("ann", BuyTrain(TrainKind("5"), SUPPLY, 450)).accepted()


def test_companies_discard_one_after_the_other():
    now = crowded().awaits("bob")
    now.when("cid", DiscardTrain(TrainId("3-1"))).then(Code.WRONG_STEP)
    now.when("bob", DiscardTrain(TrainId("3-0"))).accepted().awaits("cid")


def test_by_ruling_no_company_waits_for_another_to_discard():
    now = crowded({"discard order": "as printed"}).awaits("bob")
    early = now.when("cid", DiscardTrain(TrainId("3-1"))).begins(e.TrainsMoved).awaits("bob")
    early.when("cid", DiscardTrain(TrainId("3-2"))).then(Code.NOT_ALLOWED)
    early.when("bob", DiscardTrain(TrainId("3-0"))).accepted().awaits("ann")


# --- private trades --------------------------------------------------------------------------

ON_THE_BUYERS_TURN = {"private trades": "on the buyer's turn"}


def traded(rulings: dict[str, str] | None = None) -> Given:
    """Ann has bought the CS from Bob on her turn."""
    there = position(
        companies=[at("NYC", "1,6", director="bob", bob=4, ann=2, pool=1)],
        privates={"CS": "bob"},
        rulings=rulings,
    )
    now = given(stock_round(there)).when("ann", TradePrivate(CS, BOB, 30)).accepted()
    return now.when("bob", Answer(yes=True)).accepted()


def test_a_private_bought_from_a_player_is_no_purchase_of_the_turn():
    traded().when("ann", BuyShares(NYC, POOL, ones(1))).accepted()
    traded().when("ann", StartCompany(BM, 67)).accepted()


def test_by_ruling_it_is_the_purchase_of_the_turn():
    now = traded(ON_THE_BUYERS_TURN)
    now.when("ann", BuyShares(NYC, POOL, ones(1))).then(Code.ALREADY_BOUGHT)
    now.when("ann", StartCompany(BM, 67)).then(Code.ALREADY_BOUGHT)
    now.when("ann", TradePrivate(company("SV"), player("dan"), 10)).then(Code.NOT_ALLOWED)
    assert now.when("ann", Pass()).accepted().awaits("bob").table.charters[CS].director == ANN


# --- private exchange ------------------------------------------------------------------------


def test_by_ruling_a_private_is_exchanged_while_another_is_asked():
    exchange = ExchangePrivate(MH, NYC, OFFERING)
    there = {"ann": 4, "cid": 2}
    companies = [at("PRR", "0,6", director="ann", **there), at("NYC", "1,6", director="bob", bob=4)]
    for ruling, outcome in (("between turns", Code.WRONG_STEP), ("at any time", None)):
        table = position(
            companies=companies,
            privates={"MH": "cid", "CS": "bob"},
            rulings={"private exchange": ruling},
        )
        asked = given(stock_round(table)).when("ann", TradePrivate(CS, BOB, 30)).accepted()
        now = asked.awaits("bob").when("cid", exchange)
        if outcome is None:
            now.begins(e.CertificatesMoved, e.CompanyClosed).awaits("bob")
        else:
            now.then(outcome)


# --- a lot that has to be taken --------------------------------------------------------------


def test_who_has_to_take_a_lot_has_not_dealt():
    now = given(opened(("ann", "bob")))
    for _ in range(4):
        now = now.when("ann", Pass()).accepted().when("bob", Pass()).accepted()
    playing = current_round(now.table)
    assert playing is not None
    assert now.table.charters[company("SV")].director == ANN
    assert (playing.last_dealer, now.awaits("bob").table.cash[ANN]) == (None, 1200)
