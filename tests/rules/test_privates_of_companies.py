"""Companies that buy privates, and what these can do: 3.4.7, 3.8 and point 13 of the rules."""

import msgspec

from contracts import events as e
from contracts.choices import Interval
from contracts.commands import Answer, BuyCompany, LayTile, Pass, PlaceToken
from contracts.ids import BANK, CompanyId, HexId, TileId
from contracts.money import Payment, pay
from contracts.placed import Token
from contracts.rejections import Code
from services.engine.rules.companies.privates import LAYS, blocked_hexes
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table
from tests.given import Given, given
from tests.operating import Tiles, board, trains, turn_of
from tests.positions import at, company, party, player, position

PRR, SV, CS, DH, BO = map(company, ("PRR", "SV", "CS", "DH", "BO"))


def owning(table: Table, owner: str, *privates: CompanyId) -> Table:
    """The table with privates that a company owns."""
    certificates = dict(table.certificates)
    charters = dict(table.charters)
    for private in privates:
        (card,) = certificates[private].values()
        certificates[private] = {party(owner): card}
        charters[private] = msgspec.structs.replace(charters[private], director=None, acting=None)
    return msgspec.structs.replace(table, certificates=certificates, charters=charters)


def turn(
    step: str = "track",
    *privates: CompanyId,
    tiles: Tiles | None = None,
    phase: str = "3",
    cash: int = 500,
    owners: dict[str, str] | None = None,
    owned: dict[str, list[str]] | None = None,
) -> Given:
    """PRR of Ann with a 2 train; privates not named are Dan's."""
    table = position(
        companies=[at("PRR", "0,6", director="ann", ann=6, cash=cash)],
        phase=phase,
        privates=owners,
    )
    lying = board(table, {"H14": ("9", 1), "H16": ("57", 1), **(tiles or {})}, {"PRR": ["H12"]})
    ready = owning(trains(lying, owned or {"PRR": ["2"]}), "PRR", *privates)
    return given(turn_of(ready, "PRR", step))


def step(now: Given) -> str:
    playing = current_turn(now.table)
    assert playing is not None
    return playing.steps[0]


def by(private: str, hex_id: str, tile: str, rotation: int) -> LayTile:
    return LayTile(HexId(hex_id), TileId(tile), rotation, company(private))


def buy(private: str, price: int) -> BuyCompany:
    return BuyCompany(company(private), price)


# --- buying ----------------------------------------------------------------------------------


def test_a_company_buys_a_private_from_a_player_who_agrees():
    asked = turn().when("ann", buy("SV", 40)).accepted().awaits("dan")
    asked.when("dan", Answer(yes=True)).then(
        e.QuestionAnswered,
        e.QuestionClosed,
        e.CompanyBought(SV, player("dan"), PRR, (Payment(PRR, player("dan"), 40),)),
    )
    no = asked.when("dan", Answer(yes=False)).accepted().awaits("ann")
    no.when("ann", buy("SV", 40)).then(Code.ALREADY_REFUSED)
    no.when("ann", buy("SV", 39)).accepted()


def test_from_its_own_director_it_buys_without_a_question():
    now = turn(owners={"SV": "ann"}).when("ann", buy("SV", 10))
    now.then(e.CompanyBought(SV, player("ann"), PRR, (Payment(PRR, player("ann"), 10),)))
    assert step(now) == "track"


def test_the_price_is_half_to_twice_the_printed_one():
    now = turn()
    now.when("ann", buy("SV", 9)).then(Code.BAD_PRICE)
    now.when("ann", buy("SV", 41)).then(Code.BAD_PRICE)
    now.when("ann", buy("CA", 320)).accepted()
    poor = turn(cash=319)
    poor.when("ann", buy("CA", 320)).then(Code.TOO_LITTLE_CASH)
    found = [one.open for one in poor.listed("ann") if one.command == buy("CA", 80)]
    assert found == [Interval("price", 80, 319, 1)]


def test_nobody_sells_it_the_bo_nor_a_private_that_is_owned_by_a_company_already():
    now = turn("track", SV)
    now.when("ann", buy("BO", 220)).then(Code.NOT_ON_SALE)
    now.when("ann", buy("SV", 20)).then(Code.NOT_ON_SALE)
    now.when("ann", buy("PRR", 20)).then(Code.NO_SUCH_COMPANY)


def test_privates_are_bought_in_phases_3_and_4_only():
    for phase, code in (("2", Code.NOT_ON_SALE), ("3", None), ("4", None), ("5", Code.NOT_ON_SALE)):
        outcome = turn(phase=phase, owned={"PRR": ["5"]}).when("ann", buy("SV", 20))
        if code is None:
            outcome.accepted()
        else:
            outcome.then(code)


def test_after_the_trains_there_is_a_step_for_privates_if_one_can_be_bought():
    now = turn("trains").when("ann", Pass()).accepted()
    assert step(now) == "privates"
    over = now.when("ann", buy("SV", 20)).when("dan", Answer(yes=True)).accepted()
    assert step(over) == "privates"
    assert current_turn(over.when("ann", Pass()).accepted().table) != current_turn(over.table)
    # With $9 there is none to be had.
    poor = turn("trains", cash=9)
    assert current_turn(poor.table) is None or current_turn(poor.table) != current_turn(now.table)


def test_a_companys_private_pays_the_company_and_blocks_nothing():
    now = turn("track", SV)
    blocked = blocked_hexes(ruleset_of(now.table), now.table)
    assert "G15" not in blocked
    assert "B20" in blocked


# --- CS: an extra tile -----------------------------------------------------------------------


def test_cs_lays_a_yellow_tile_on_b20_besides_the_ordinary_one():
    now = turn("track", CS)
    after = now.when("ann", by("CS", "B20", "3", 0)).then(
        e.TileLaid(PRR, HexId("B20"), TileId("3"), 0, None, (), CS, ()),
        e.CounterMoved(LAYS, {CS: 1}),
    )
    assert step(after) == "track"
    ordinary = after.when("ann", LayTile(HexId("H10"), TileId("57"), 1)).accepted()
    assert step(ordinary) == "token"


def test_cs_lays_once_only_and_nothing_else():
    now = turn("track", CS)
    once = now.when("ann", by("CS", "B20", "58", 0)).accepted()
    once.when("ann", by("CS", "B20", "3", 0)).then(Code.NO_RIGHT)
    now.when("ann", by("CS", "B20", "57", 0)).then(Code.NO_RIGHT)
    now.when("ann", by("CS", "D4", "58", 0)).then(Code.NO_RIGHT)
    now.when("ann", by("DH", "F16", "57", 0)).then(Code.NO_RIGHT)
    now.when("ann", by("SV", "G15", "9", 0)).then(Code.NO_RIGHT)


def test_cs_lays_at_any_point_of_the_turn_after_the_dividend_too():
    for at_step in ("track", "token", "run", "trains"):
        turn(at_step, CS).when("ann", by("CS", "B20", "4", 1)).accepted()


def test_cs_does_not_lay_over_another_tile():
    now = turn("track", CS, tiles={"B20": ("58", 0)})
    now.when("ann", by("CS", "B20", "58", 0)).then(Code.DOES_NOT_FIT)


# --- DH: a tile and a token ------------------------------------------------------------------


def test_dh_lays_tile_57_on_f16_unconnected_and_pays_the_mountain():
    now = turn("track", DH)
    after = now.when("ann", by("DH", "F16", "57", 0)).then(
        e.TileLaid(PRR, HexId("F16"), TileId("57"), 0, None, (), DH, pay(PRR, BANK, 120)),
        e.CounterMoved(LAYS, {DH: 1}),
    )
    # It is the turn's tile; its free token is the turn's token.
    assert step(after) == "token"
    after.when("ann", PlaceToken(HexId("F16"), 0, DH)).then(
        e.TokenPlaced(Token(PRR, "F16", 0, 0, "ordinary"), DH, ())
    )
    placed = after.when("ann", PlaceToken(HexId("F16"), 0, DH)).accepted()
    placed.when("ann", PlaceToken(HexId("H16"), 0)).then(Code.WRONG_STEP)


def test_dhs_tile_stands_for_the_ordinary_one():
    now = turn("track", DH).when("ann", LayTile(HexId("H10"), TileId("57"), 1)).accepted()
    now.when("ann", by("DH", "F16", "57", 0)).then(Code.NO_RIGHT)
    turn("track", DH, cash=119).when("ann", by("DH", "F16", "57", 0)).then(Code.TOO_LITTLE_CASH)


def test_dhs_token_is_placed_in_that_turn_or_never():
    now = turn("track", DH).when("ann", by("DH", "F16", "57", 0)).accepted()
    later = now.when("ann", Pass()).accepted()
    later.when("ann", PlaceToken(HexId("F16"), 0, DH)).then(Code.NO_RIGHT)
    other = now.when("ann", PlaceToken(HexId("H16"), 0)).accepted()
    other.when("ann", PlaceToken(HexId("F16"), 0, DH)).then(Code.NO_RIGHT)
    now.when("ann", PlaceToken(HexId("H16"), 0, DH)).then(Code.NO_RIGHT)
    now.when("ann", PlaceToken(HexId("F16"), 0, CS)).then(Code.NO_RIGHT)
    now.when("ann", PlaceToken(HexId("F16"), 0)).then(Code.NOT_CONNECTED)
    again = turn("token", DH, tiles={"F16": ("57", 0)})
    again.when("ann", PlaceToken(HexId("F16"), 0, DH)).then(Code.NO_RIGHT)


def test_dhs_token_needs_no_money():
    now = turn("track", DH, cash=120).when("ann", by("DH", "F16", "57", 0)).accepted()
    assert step(now) == "token"
    now.when("ann", PlaceToken(HexId("F16"), 0, DH)).accepted()


def test_once_f16_has_a_tile_dhs_power_is_gone():
    now = turn("track", DH, tiles={"F16": ("57", 1)})
    now.when("ann", by("DH", "F16", "57", 0)).then(Code.WRONG_COLOUR)


def test_a_player_who_owns_a_private_does_not_use_a_companys_right():
    turn(owners={"CS": "ann"}).when("ann", by("CS", "B20", "4", 1)).then(Code.NO_RIGHT)
