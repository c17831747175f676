"""Dividing earnings, and the marker: 3.6.4, 3.6.5, point 1 and a worked example of the rules."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import Pass, PayDividend
from contracts.ids import BANK
from contracts.money import Payment
from contracts.rejections import Code
from tests.given import Given, given
from tests.operating import board, run, trains, turn_of
from tests.positions import At, at, company, party, position

PRR = company("PRR")
ALL, NONE = PayDividend("all"), PayDividend("none")


def earned(prr: At) -> Given:
    """PRR has earned 30 and may divide them."""
    table = position(companies=[prr], phase="2")
    lying = board(table, {"H14": ("9", 1), "H16": ("57", 1)}, {"PRR": ["H12"]})
    now = given(turn_of(trains(lying, {"PRR": ["2"]}), "PRR", "run"))
    return now.when("ann", run(now.table, "PRR", t2_0="H12-H14-H16")).accepted()


def on(space: str, **shares: int) -> Given:
    return earned(at("PRR", space, director="ann", **{"ann": 5, **shares}))


def test_each_share_gets_a_tenth_and_the_pools_share_goes_to_the_company():
    # Ann 5, Bob 2, pool 1; two shares are unsold and get nothing.
    on("0,6", bob=2, pool=1).when("ann", ALL).begins(
        e.EarningsDivided(
            company=PRR,
            earnings=30,
            added=0,
            dividend=30,
            kept=0,
            payments=(
                Payment(BANK, party("ann"), 15),
                Payment(BANK, party("bob"), 6),
                Payment(BANK, party("PRR"), 3),
            ),
        ),
        e.MarkerMoved(PRR, "0,7", 112, 0, "paid"),
    )


def test_kept_earnings_are_the_companys():
    on("0,6", bob=2, pool=1).when("ann", NONE).begins(
        e.EarningsDivided(PRR, 30, 0, 0, 30, (Payment(BANK, party("PRR"), 30),)),
        e.MarkerMoved(PRR, "0,5", 90, 0, "withheld"),
    )


@pytest.mark.parametrize(
    ("space", "command", "after"),
    [
        ("3,12", ALL, "2,12"),
        ("0,18", ALL, "0,18"),
        ("0,0", NONE, "1,0"),
        ("8,1", NONE, "8,1"),
        ("7,0", NONE, "7,0"),
    ],
)
def test_where_the_marker_turns_and_where_it_stays(space, command, after):
    # 130 at its row's end goes up to 155; 350 stays; 60 in the corner goes down to 53; rows 8 to 10
    # begin with empty spaces, so there is neither left nor down from [8,1], nor down from [7,0].
    now = on(space).when("ann", command).accepted()
    assert now.table.markers[PRR].space == after


def test_a_dividend_is_all_or_none():
    now = on("0,6")
    now.when("ann", PayDividend("half")).then(Code.BAD_DIVIDEND)
    now.when("ann", Pass()).then(Code.BAD_DIVIDEND)


def test_the_bank_owes_what_it_lacks_and_the_set_of_rounds_is_played_out():
    now = on("0,6")
    cash = {**now.table.cash, BANK: 5, party("dan"): now.table.cash[party("dan")]}
    cash[party("dan")] += now.table.cash[BANK] - 5
    poor = given(msgspec.structs.replace(now.table, cash=cash))
    after = poor.when("ann", ALL).begins(e.EarningsDivided, e.MarkerMoved, e.GameEndTriggered)
    assert after.table.cash[BANK] == -10
    assert after.table.ending is not None
    assert after.table.ending.last == "this set"
