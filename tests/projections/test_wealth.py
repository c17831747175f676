"""Player wealth, now and over the game."""

from contracts import events as e
from contracts.ids import OFFERING, FrameId
from contracts.money import pay
from contracts.pieces import CertificateMove, Standing
from contracts.views import SharesWorth
from tests.projections.projected import view
from tests.tables import ANN, BOB, CID, NYC, ONE, PRR, SV, dealt, opened, operated


def test_each_part_of_a_players_wealth_is_shown_with_its_sum():
    move = CertificateMove(ONE, 1, OFFERING, ANN)
    story = dealt().tell(ANN, e.LotWon(SV, ANN, pay(ANN, "bank", 50), (move,)))
    ann = next(one for one in view(story, "wealth").players if one.player == ANN)
    assert (ann.name, ann.cash, ann.loans, ann.other) == ("Ann", 600 - 134 - 50, 0, {})
    assert ann.shares == {PRR: SharesWorth(2, 67, 134)}
    assert ann.privates == {SV: 20}
    assert ann.total == 416 + 134 + 20


def test_the_richest_comes_first_and_equal_players_share_a_rank():
    players = view(operated(), "wealth").players
    # PRR rose to 71 and paid 6 a share: Ann has four, Cid two.
    assert [(one.player, one.rank, one.total) for one in players] == [
        (ANN, 1, 600 + 4 * 4 + 24),
        (CID, 2, 600 + 2 * 4 + 12),
        (BOB, 3, 600),
    ]
    assert [one.rank for one in view(dealt(), "wealth").players] == [1, 1, 1]


def test_the_course_has_a_point_at_the_set_out_each_rounds_end_and_now():
    series = view(operated(), "wealth").series
    assert [(point.at_version, point.because) for point in series] == [
        (1, "set out"),
        (6, "stock round 1 ended"),
        (10, "now"),
    ]
    assert series[0].totals == {ANN: 600, BOB: 600, CID: 600}
    assert series[-1].totals == {ANN: 640, BOB: 600, CID: 620}
    assert series[1].time == 60_000_000


def test_a_round_that_ends_is_a_point_before_what_follows_in_the_same_record():
    story = operated().tell(
        BOB, e.RoundEnded(FrameId("6.1"), "done"), e.MoneyPaid("income", pay("bank", BOB, 50))
    )
    *_, ended, now = view(story, "wealth").series
    assert (ended.because, ended.totals[BOB]) == ("operating round 1.1 ended", 600)
    assert (now.because, now.totals[BOB]) == ("now", 650)


def test_a_game_that_is_over_ends_with_one_point():
    story = operated().tell(BOB, e.GameEnded("agreed", (Standing(ANN, 640, ()),)))
    assert [point.because for point in view(story, "wealth").series][-2:] == [
        "stock round 1 ended",
        "the game ended",
    ]


def test_shares_without_a_market_price_are_shown_at_nothing():
    story = dealt().tell(ANN, e.MarkerMoved(NYC, None, 0, 0, "closed"))
    bob = next(one for one in view(story, "wealth").players if one.player == BOB)
    assert (bob.shares, bob.total) == ({NYC: SharesWorth(2, 0, 0)}, 448)


def test_a_table_just_opened_has_one_point():
    assert [point.because for point in view(opened(), "wealth").series] == ["set out"]
