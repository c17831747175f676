"""Operating order, market, companies and board."""

from contracts import events as e
from contracts.ids import BANK, POOL, SUPPLY, HexId, Space, TrainId, TrainKind
from contracts.money import pay
from contracts.pieces import Train
from contracts.views import HexView, LastRun, Movement, PlacedToken, TrainView
from tests.projections.projected import view
from tests.tables import ANN, BOB, CID, NYC, ONE, PRR, SV, dealt, operated, turn_over


def both_floated():
    return operated().tell(BOB, e.CompanyFloated(NYC, pay(BANK, NYC, 760)))


def test_outside_an_operating_round_only_the_next_order_is_shown():
    shown = view(dealt().tell(ANN, e.CompanyFloated(PRR, ())), "order")
    assert (shown.round, shown.operated, shown.operating, shown.following) == (
        "stock round 1",
        (),
        None,
        (),
    )
    assert [(one.company, one.price, one.acting) for one in shown.next_round] == [(PRR, 67, ANN)]


def test_in_an_operating_round_it_is_shown_who_has_operated_and_who_does():
    shown = view(operated(), "order")
    assert shown.round == "operating round 1.1"
    assert [one.company for one in shown.operated] == [PRR]
    assert (shown.operating.company, shown.operating.acting) == (NYC, BOB)
    assert shown.following == ()


def test_who_follows_is_in_the_order_of_the_market_and_has_not_operated():
    shown = view(both_floated(), "order", 6)
    assert (shown.operating.company, shown.following) == (PRR, ())
    story = both_floated().tell(BOB, turn_over("10.3", NYC))
    shown = view(story, "order")
    assert [one.company for one in shown.operated] == [PRR, NYC]
    assert (shown.operating, shown.following) == (None, ())
    # NYC at 76 goes before PRR at 71 in the next round.
    assert [one.company for one in shown.next_round] == [NYC, PRR]


def test_a_company_that_waits_its_turn_follows():
    story = dealt()
    operating = operated().records[5]
    story.tell(ANN, *operated().records[4].events)
    story.tell(BOB, e.CompanyFloated(NYC, pay(BANK, NYC, 760)), *operating.events)
    shown = view(story, "order")
    assert shown.operating.company == PRR
    assert [one.company for one in shown.following] == [NYC]


def test_every_space_of_the_market_is_shown_with_price_zone_and_stack():
    story = operated().tell(ANN, e.MarkerMoved(NYC, Space("5,7"), 71, 1, "withheld"))
    spaces = {one.space: one for one in view(story, "market").spaces}
    assert (spaces["0,0"].price, spaces["0,0"].zone) == (60, "yellow")
    assert (spaces["5,6"].price, spaces["5,6"].zone, spaces["5,6"].stack) == (67, "par", ())
    assert (spaces["5,7"].row, spaces["5,7"].column) == (5, 7)
    assert spaces["5,7"].stack == (PRR, NYC)
    assert "8,0" not in spaces


def test_the_markets_movements_are_kept_with_their_reasons():
    story = operated().tell(ANN, e.MarkerMoved(NYC, None, 0, 0, "closed"))
    assert view(story, "market").movements == (
        Movement(2, PRR, None, 0, Space("5,6"), 67, "started"),
        Movement(3, NYC, None, 0, Space("3,6"), 76, "started"),
        Movement(9, PRR, Space("5,6"), 67, Space("5,7"), 71, "paid"),
        Movement(11, NYC, Space("3,6"), 76, None, 0, "closed"),
    )


def test_a_companys_charter_permits_and_warranties_are_shown():
    story = operated().tell(
        BOB,
        e.CharterTaken(NYC, BOB, "duty"),
        e.ParSet(NYC, 74, "chartered"),
        e.CounterMoved("permit local", {NYC: 1}),
        e.CounterMoved("permit express", {NYC: 1}),
        e.CounterMoved("loans", {NYC: 2}),
        e.TrainBought(NYC, Train(TrainId("2-1"), TrainKind("2"), "local", 2), SUPPLY, ()),
    )
    nyc = view(story, "companies").companies[NYC]
    assert (nyc.column, nyc.bound, nyc.permits) == ("chartered", BOB, ("express", "local"))
    assert nyc.trains == (TrainView(TrainId("2-1"), TrainKind("2"), "local", 2),)
    assert not nyc.in_receivership


def test_a_company_without_a_director_is_shown_in_receivership():
    story = operated().tell(BOB, e.DirectorChanged(PRR, None, CID))
    prr = view(story, "companies").companies[PRR]
    assert (prr.director, prr.acting, prr.in_receivership) == (None, CID, True)


def test_small_stations_are_shown_on_their_hex():
    story = operated().tell(ANN, e.SmallStationPlaced(PRR, HexId("F16"), "0-3"))
    assert view(story, "board").hexes["F16"].small_stations == ("0-3",)


def test_a_company_is_shown_with_all_that_is_its_own():
    story = operated().tell(CID, e.SharesSold(CID, PRR, POOL, {ONE: 1}, {}, pay(BANK, CID, 71)))
    prr = view(story, "companies").companies[PRR]
    assert (prr.name, prr.kind, prr.status) == ("Pennsylvania Railroad", "public", "floated")
    assert (prr.director, prr.acting, prr.par, prr.price, prr.space) == (ANN, ANN, 67, 71, "5,7")
    assert prr.treasury == 670 - 120 - 80
    assert prr.trains == (TrainView(TrainId("2-0"), "2", None),)
    assert prr.tokens == (PlacedToken(PRR, "H12", 0, 0, "home"),)
    assert (prr.tokens_left, prr.has_operated) == (2, True)
    assert (prr.whole, prr.holdings, prr.offering, prr.pool) == (10, {ANN: 4, CID: 1}, 4, 1)
    assert prr.last_run == LastRun(9, 60, 0, 0, 60, 0)


def test_a_run_that_is_not_divided_yet_says_so():
    story = operated()
    story.tell(BOB, e.RoutesRun(NYC, (), (), 40, 10))
    nyc = view(story, "companies").companies[NYC]
    assert nyc.last_run == LastRun(11, 40, 10, 0, None, None)


def test_a_company_owns_its_privates_and_the_players_theirs():
    story = operated()
    story.tell(ANN, e.CompanyBought(SV, "offering", PRR, pay(PRR, BANK, 20)))
    companies = view(story, "companies").companies
    assert companies[PRR].privates == (SV,)
    assert (companies[SV].holdings, companies[SV].name) == ({PRR: 1}, "Schuylkill Valley")


def test_trains_still_to_be_had_are_counted_by_kind():
    story = operated().tell(ANN, e.TrainsMoved((TrainId("2-0"),), PRR, POOL, "discarded"))
    shown = view(story, "companies")
    assert shown.supply == {"2": 1, "3": 1}
    assert shown.pool_trains == (TrainView(TrainId("2-0"), "2", None),)


def test_the_board_shows_tiles_tokens_and_what_is_left():
    shown = view(operated(), "board")
    assert shown.hexes == {
        "F16": HexView("57", 1, ()),
        "H12": HexView(None, 0, (PlacedToken(PRR, "H12", 0, 0, "home"),)),
    }
    assert shown.supply == {"57": 1, "14": 1, "9": 1}
