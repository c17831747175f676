"""A command's line is read back as the same command, and a wrong line says what is wrong where."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts import commands, notation, pieces, runs
from contracts.notation import NotationError, read, read_draft, stops_along, written
from contracts.words import KEYWORDS, MARKS
from services.console.explain import explained

# Names are written here as the strings that they are, without their types.
c: Any = commands
Chain: Any = notation.Chain
Run: Any = runs.Run
Stop: Any = runs.Stop
Track: Any = runs.Track

ALL_COMMANDS = c.AnyCommand.__args__

ODD = ("B&O", "3-0", "2/1G", "4/3+2G", "1x2", "x", "-", "r1", "", " ", "é", "\u2028", "\n")
tricky = st.sampled_from([*ODD, *sorted(KEYWORDS), *MARKS])
names = tricky | st.text(max_size=6)
st.register_type_strategy(str, names)
amounts = st.integers(-(2**63), 2**63 - 1)
st.register_type_strategy(int, amounts)

stations = st.sampled_from(["c0", "c1", "t0", "o0", "0", "3", "j0"]) | names
track = st.builds(Track, st.sampled_from(["H12", "H14"]) | names, stations, stations)
stops = st.lists(st.builds(Stop, names, stations), max_size=3).map(tuple)


@st.composite
def some_runs(draw):
    ways = tuple(draw(st.lists(track, max_size=5)))
    called = draw(st.just(stops_along(ways)) | stops)
    trains = tuple(draw(st.lists(names, max_size=3)))
    return Run(trains, ways, called, draw(st.just(called) | stops))


st.register_type_strategy(runs.Run, some_runs())

some_seats = st.lists(st.builds(pieces.Seat, names, names), max_size=4).map(tuple)
picks = st.dictionaries(names, names, max_size=2)
some_settings = st.builds(pieces.Settings, names, st.none() | names, st.booleans())
numbers = st.dictionaries(names, amounts, max_size=2)
# Hypothesis cannot see that a dict is the default.
st.register_type_strategy(commands.SellShares, st.builds(c.SellShares, names, numbers, numbers))
openings = st.builds(
    c.OpenTable,
    *(names, some_seats, amounts, st.none() | names, picks, picks, some_settings, st.booleans()),
)
st.register_type_strategy(commands.OpenTable, openings)


@pytest.mark.parametrize("kind", ALL_COMMANDS, ids=lambda kind: kind.__name__)
def test_any_command_is_read_back_exactly_from_its_one_line(kind):
    @given(command=st.from_type(kind), company=st.none() | names)
    @settings(max_examples=60, deadline=None)
    def comes_back(command, company):
        line = written(command, company)
        assert line.splitlines() == [line]
        assert read(line) == command
        if isinstance(command, c.BuyTrain):
            assert read_draft(line).company == company

    comes_back()


@given(line=st.lists(names | st.sampled_from(sorted(KEYWORDS)), max_size=8).map(" ".join))
@settings(max_examples=300, deadline=None)
def test_any_other_line_is_refused_with_its_place_and_never_otherwise(line):
    refused = None
    try:
        read_draft(line)
    except NotationError as error:
        refused = error
    assert refused is None or 1 <= refused.at <= len(line) + 1


LINES = [
    ("bid CA 165", c.Bid("CA", 165)),
    ("pass", c.Pass()),
    ("yes", c.Answer(yes=True)),
    ("no", c.Answer(yes=False)),
    ("start PRR at 100", c.StartCompany("PRR", 100)),
    ("buy PRR from offering", c.BuyShares("PRR", "offering", {"1": 1})),
    ("buy PRR 2 from pool", c.BuyShares("PRR", "pool", {"1": 2})),
    ("sell PRR 3", c.SellShares("PRR", {"1": 3})),
    ("sell PRR 1x2d 2", c.SellShares("PRR", {"2d": 1, "1": 2})),
    ("lay H10 57 r1", c.LayTile("H10", "57", 1)),
    ("lay H10 57 r1 city 0 by CS", c.LayTile("H10", "57", 1, right="CS", city=0)),
    ("token H10 city 0", c.PlaceToken("H10", 0)),
    ("token F16 city 0 by DH", c.PlaceToken("F16", 0, "DH")),
    ("run none", c.RunTrains(())),
    ("dividend all", c.PayDividend("all")),
    ("dividend none", c.PayDividend("none")),
    ("buy-train 3 from bank 180", c.BuyTrain("3", "supply", 180)),
    (
        "buy-train D from bank 800 with 4-0 in director pays 50",
        c.BuyTrain("D", "supply", 800, handed_in="4-0", director_pays=50),
    ),
    ("buy-train 4 from NYC 1 card 4-1", c.BuyTrain("4", "NYC", 1, train="4-1")),
    ("discard 3-0", c.DiscardTrain("3-0")),
    ("buy-company CS 80", c.BuyCompany("CS", 80)),
    ("trade MH with bob 100", c.TradePrivate("MH", "bob", 100)),
    ("exchange MH for NYC from pool", c.ExchangePrivate("MH", "NYC", "pool")),
    ("bankrupt", c.DeclareBankruptcy()),
    ("sell EUR 1x3d taking 2", c.SellShares("EUR", {"3d": 1}, {"1": 2})),
    ("dividend all adding 30", c.PayDividend("all", 30)),
    (
        "buy-train C as freight from bank 280 with 2 warranties",
        c.BuyTrain("C", "supply", 280, side="freight", warranties=2),
    ),
    (
        "buy-train C from bank 280 with 2 in with 3 warranties",
        c.BuyTrain("C", "supply", 280, handed_in="2", warranties=3),
    ),
    ("small-station H6 0-3", c.PlaceSmallStation("H6", "0-3")),
    ("redeem 1", c.RedeemShares(1)),
    ("merge EUR ESR", c.ProposeJoining("merge", ("EUR", "ESR"))),
    ("acquire EUR ESR", c.ProposeJoining("acquire", ("EUR", "ESR"))),
    ("survivor EUR", c.ChooseSurvivor("EUR")),
    ("option redeem", c.SettleOption(redeem=True)),
    ("option relinquish", c.SettleOption(redeem=False)),
    ("tokens 4", c.BuyTokens(4)),
    ("sell-treasury 3", c.SellTreasuryShares(3)),
    ("refinance", c.Refinance()),
    ("remove-tokens F11 G12", c.ChooseTokens(("F11", "G12"))),
    ("remove-tokens none", c.ChooseTokens(())),
    ("undo 41", c.MakeRequest("undo", 41)),
    ("request end", c.MakeRequest("end")),
    ("answer 40.0 yes", c.AnswerRequest("40.0", yes=True)),
]


@pytest.mark.parametrize(("line", "command"), LINES, ids=[line for line, _ in LINES])
def test_the_line_that_the_documentation_gives_is_the_commands(line, command):
    assert read(line) == command
    assert written(command) == line


def test_a_run_names_its_stops_only_where_they_are_not_the_stations_of_its_track():
    ways = (Track("H12", "c0", "2"), Track("H14", "5", "t0"), Track("H14", "t0", "1"))
    all_stops = (Stop("H12", "c0"), Stop("H14", "t0"))
    plain = c.RunTrains((Run(("3-0",), ways, all_stops, all_stops),))
    skipping = c.RunTrains((Run(("3-0", "4-1"), ways, all_stops, all_stops[:1]),))
    assert written(plain) == "run 3-0 H12:c0:2 H14:5:t0 H14:t0:1"
    assert written(skipping) == "run 3-0,4-1 H12:c0:2 H14:5:t0 H14:t0:1 counted H12:c0"


def test_track_between_two_cities_of_one_hex_is_read_in_the_order_of_travel():
    back = (Track("A1", "c0", "c1"), Track("A1", "c0", "2"))
    on = (Track("A1", "3", "c0"), Track("A1", "c1", "c0"), Track("A1", "c1", "2"))
    assert stops_along(back) == (Stop("A1", "c1"), Stop("A1", "c0"))
    assert stops_along(on) == (Stop("A1", "c0"), Stop("A1", "c1"))


def test_a_train_purchase_names_the_company_for_the_reader():
    draft = read_draft("buy-train PRR 3 from bank 180")
    assert (draft.command, draft.company) == (c.BuyTrain("3", "supply", 180), "PRR")


def test_the_supply_may_be_called_by_its_own_name_too():
    assert read("buy-train 3 from supply 180") == read("buy-train 3 from bank 180")


def test_the_best_run_and_runs_as_hexes_are_drafts():
    assert read_draft("run best").command == notation.BestRun()
    assert read_draft("run 2-0 I15-J14-K11; 3-0 A1-A3").command == notation.RunChains(
        (Chain("2-0", ("I15", "J14", "K11")), Chain("3-0", ("A1", "A3")))
    )
    with pytest.raises(NotationError, match="needs no board"):
        read("run best")


WRONG = [
    ("", 1, "a command", "the end of the line"),
    ("bit CA 165", 1, "a command (open, bid, ", '"bit"'),
    ('"bid" CA 165', 1, "a command", '"bid"'),
    ("bid CA", 7, "the amount of the bid", "the end of the line"),
    ("bid CA much", 8, "the amount of the bid (a whole number)", '"much"'),
    ("bid CA 1 2", 10, "the end of the line", '"2"'),
    ("buy PRR form pool", 9, "a number of certificates", '"form"'),
    ("buy PRR 1 1x1 from pool", 11, "a number of certificates", '"1x1"'),
    ("lay H10 57 1", 12, "a rotation (r0 to r5)", '"1"'),
    ("buy-train 3 bank 180", 18, '"from"', '"180"'),
    ("run 3-0 H12:c0", 15, '":"', "the end of the line"),
    ("run 3-0 H12:c0:2 H14-H16", 25, '":" (track is hex:end:end', "the end of the line"),
    ("run 3-0,2-0 H14-H16", 20, '":" (track is hex:end:end', "the end of the line"),
    ("run 3-0 H12:c0:2; 2-0 H14-H16", 30, "all runs as track", "the end of the line"),
    ('trade "MH with bob 100', 7, "a name in quotes", "unterminated string"),
    ("option perhaps", 8, "redeem or relinquish", '"perhaps"'),
    ("buy-train C from bank 1 with 2 more", 32, '"in" or "warranties"', '"more"'),
    ("buy-train C from bank 1 with a warranties", 32, '"in" or "warranties"', '"warranties"'),
    ("answer 40.0 perhaps", 13, "yes or no", '"perhaps"'),
    ("open X seed 1 variant a=b variant a=c seats", 35, "each variant once", '"a"'),
]


@pytest.mark.parametrize(("line", "at", "expected", "found"), WRONG, ids=[w[0] for w in WRONG])
def test_a_wrong_line_says_where_and_what_was_expected(line, at, expected, found):
    with pytest.raises(NotationError) as caught:
        read_draft(line)
    error = caught.value
    assert error.at == at
    assert error.expected.startswith(expected)
    assert error.found.startswith(found)


def test_a_long_line_is_not_told_in_whole():
    text, _ = explained(NotationError(f"do {'x' * 9000}", 5000, "the end", f'"{"x" * 4000}"'))
    line, pointer, said = text.splitlines()
    assert line[pointer.index("^")] == "x"
    assert max(map(len, (line, pointer, said))) < 500
