"""Mergers and acquisitions: who may join, what goes over, whose turn it is then (7.5, 7.14)."""

import msgspec

from contracts import events as e
from contracts.commands import (
    Answer,
    ChooseSurvivor,
    ChooseTokens,
    Pass,
    ProposeJoining,
    SettleOption,
)
from contracts.frames import Question, SurplusTokens, Survivor
from contracts.rejections import Code
from services.engine.rules.companies.bankrupt import bankrupt
from services.engine.rules.companies.permits import permits_of
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_round, current_turn, top
from services.engine.table.state import Table
from tests.eastern import Railway, position, railway, shares
from tests.given import Given, given
from tests.operating import Tokens, board, turn_of
from tests.positions import company, player

EUR, ESR, FDR = company("EUR"), company("ESR"), company("FDR")
MERGER = ProposeJoining("merge", (EUR, ESR))
ACQUISITION = ProposeJoining("acquire", (EUR, ESR))
FULL = {"EUR": ["E12"], "ESR": ["F11", "E12"]}
GIVE_UP = SettleOption(redeem=False)
COLCHESTER = {"E12": ("790", 0)}


def two(
    *others: Railway,
    tokens: Tokens = FULL,
    esr_director: str = "ann",
    unused: int = 3,
) -> Table:
    """EUR and ESR, both with all shares in the hands of their directors."""
    table = position(
        railway("EUR", 100, director="ann", cash=40, trains=["A local 1"], tokens=unused, ann=10),
        railway(
            "ESR",
            68,
            director=esr_director,
            cash=50,
            trains=["A express", "B freight 2"],
            permits=["freight"],
            tokens=unused,
            **{esr_director: 10},
        ),
        *others,
        cash={"ann": 500, "bob": 500},
    )
    return board(table, COLCHESTER, tokens)


def merged(table: Table, survivor: str = "EUR", operated: tuple[str, ...] = ()) -> Given:
    """EUR merges with ESR as its turn begins."""
    now = given(turn_of(table, "EUR", "merge", operated)).when("ann", MERGER)
    return now.when("ann", ChooseSurvivor(company(survivor)))


def whose_turn(table: Table) -> tuple[str, str]:
    """The company in its turn and its step."""
    turn = current_turn(table)
    assert turn is not None
    return turn.who, turn.steps[0]


def test_one_person_who_directs_both_is_not_asked() -> None:
    """7.5.1: he only names the survivor."""
    now = given(turn_of(two(), "EUR", "merge")).when("ann", MERGER).awaits("ann")
    frame = top(now.table)
    assert isinstance(frame, Question)
    assert frame.matter == Survivor("merge", (EUR, ESR))
    now.when("ann", Pass()).then(Code.WRONG_STEP)
    now.when("ann", ChooseSurvivor(FDR)).then(Code.NO_SUCH_COMPANY)


def test_another_director_may_refuse() -> None:
    """7.5.1: then the same is not proposed again in the turn."""
    now = given(turn_of(two(esr_director="bob"), "EUR", "merge")).when("ann", MERGER).awaits("bob")
    refused = now.when("bob", Answer(yes=False)).awaits("ann")
    assert whose_turn(refused.table) == ("EUR", "track")
    assert shares(refused.table, "ESR") == {"bob": 10}


def test_companies_without_a_connection_do_not_merge() -> None:
    """7.5.2: markers in one town are joined; those of two towns without track are not."""
    apart = two(railway("FDR", 60, director="ann", trains=["A local"], ann=10))
    apart = board(apart, COLCHESTER, {**FULL, "FDR": ["G12"]})
    now = given(turn_of(apart, "EUR", "merge"))
    now.when("ann", ProposeJoining("merge", (EUR, FDR))).then(Code.NOT_CONNECTED)
    now.when("ann", ProposeJoining("merge", (EUR, EUR))).then(Code.NO_SUCH_COMPANY)
    now.when("ann", ProposeJoining("merge", (ESR, EUR))).then(Code.NO_SUCH_COMPANY)
    now.when("ann", ProposeJoining("merge", (EUR, company("ECR")))).then(Code.NOT_STARTED)
    now.when("ann", ACQUISITION).then(Code.WRONG_STEP)


def test_an_open_route_joins_them() -> None:
    """7.5.2: from a marker of one to a marker of the other, over track."""
    apart = board(two(tokens={}), COLCHESTER, {"EUR": ["E12"], "ESR": ["F11"]})
    assert whose_turn(turn_of(apart, "EUR", "merge")) == ("EUR", "track")
    joined = two(tokens={})
    for rotation in range(6):
        table = board(
            joined, {"E12": ("790", 0), "F11": ("790", rotation)}, {"EUR": ["E12"], "ESR": ["F11"]}
        )
        if whose_turn(turn_of(table, "EUR", "merge")) == ("EUR", "merge"):
            merged(table).accepted()
            return
    raise AssertionError("790 at Ipswich never meets 790 at Colchester")


def test_markers_in_london_join_nothing() -> None:
    """7.5.2: both have a link to London, and that is no connection."""
    table = board(two(tokens={}), {}, {"EUR": ["E12", "london"], "ESR": ["F11", "london"]})
    assert whose_turn(turn_of(table, "EUR", "merge")) == ("EUR", "track")


def test_a_partner_that_has_not_operated_gives_its_turn_up() -> None:
    """4.72: the survivor goes on with the track step, and nobody operates twice."""
    for survivor in ("EUR", "ESR"):
        now = merged(two(), survivor)
        assert whose_turn(now.table) == (survivor, "track")
        playing = current_round(now.table)
        assert playing is not None
        assert playing.operated == ()


def test_with_a_partner_that_has_operated_the_turn_is_over() -> None:
    """7.5: whichever survives, it does not operate again in the round."""
    third = railway("FDR", 14, director="bob", cash=0, trains=["A local"], bob=10)
    for survivor in ("EUR", "ESR"):
        table = board(two(third, tokens={}), COLCHESTER, {**FULL, "FDR": ["G12"]})
        now = merged(table, survivor, operated=("ESR",))
        assert whose_turn(now.table)[0] == "FDR"
        playing = current_round(now.table)
        assert playing is not None
        assert playing.operated == (company(survivor),)


def test_merged_into_receivership_it_only_runs_and_buys() -> None:
    """5.2.5, 7.3: nobody has three shares; the turn goes on without track, marker and the rest."""
    table = position(
        railway("EUR", 100, director="ann", cash=60, trains=["A local"], ann=3, pool=7),
        railway("ESR", 68, director="ann", trains=["A local"], ann=3, pool=7),
        railway("FDR", 14, director="bob", trains=["A local"], bob=10),
    )
    table = board(table, COLCHESTER, {**FULL, "FDR": ["G12"]})
    now = given(turn_of(table, "EUR", "merge")).when("ann", MERGER, ChooseSurvivor(EUR))
    assert shares(now.table, "EUR") == {"ann": 3, "pool": 7}
    few = position(
        railway("EUR", 100, director="ann", cash=60, trains=["A local"], ann=3, pool=7),
        railway("ESR", 68, director="bob", trains=["A local"], bob=3, pool=7),
        railway("FDR", 14, director="bob", trains=["A local"], bob=10),
    )
    few = board(few, COLCHESTER, {**FULL, "FDR": ["G12"]})
    now = given(turn_of(few, "EUR", "merge")).when("ann", MERGER).when("bob", Answer(yes=True))
    now = now.when("ann", ChooseSurvivor(EUR)).when("ann", GIVE_UP).when("bob", GIVE_UP)
    begun = [one.turn for one in now.happened() if isinstance(one, e.TurnBegan)]
    assert [(turn.who, turn.steps) for turn in begun] == [
        ("EUR", ("run", "dividend", "trains")),
        ("FDR", begun[-1].steps),
    ]
    assert now.table.charters[EUR].director is None
    playing = current_round(now.table)
    assert playing is not None
    assert playing.operated == ("EUR",)


def test_an_acquisition_ends_the_turn_and_takes_the_partners() -> None:
    """7.14: the partner has not operated, and does not any more."""
    third = railway("FDR", 14, director="bob", cash=0, trains=["A local"], bob=10)
    table = board(two(third, tokens={}), COLCHESTER, {**FULL, "FDR": ["G12"]})
    now = given(turn_of(table, "EUR", "acquire")).when("ann", ACQUISITION, ChooseSurvivor(EUR))
    assert whose_turn(now.table)[0] == "FDR"
    assert now.table.markers[EUR].price == 116


def test_money_trains_and_permits_go_over() -> None:
    """7.5.6: trains with their warranties, and every permit of either."""
    now = merged(two())
    assert now.table.cash[EUR] == 90
    assert now.table.cash[ESR] == 0
    assert [(t.kind, t.side, t.warranties) for t in now.table.trains[EUR]] == [
        ("A", "local", 1),
        ("A", "express", 0),
        ("B", "freight", 2),
    ]
    assert permits_of(now.table, EUR) == ("freight", "local")
    assert shares(now.table, "EUR") == {"ann": 10}


def test_a_doubled_marker_is_lost_and_the_others_are_replaced() -> None:
    """7.5.6: of the two at Colchester one is out of the game; unused ones are kept."""
    now = merged(two())
    lying = [(t.company, t.place, t.kind) for t in now.table.board.tokens]
    assert lying == [("EUR", "E12", "home"), ("EUR", "F11", "ordinary")]
    # EUR had two unused of three, ESR one.
    assert now.table.charters[EUR].tokens == 3
    assert now.table.charters[ESR].tokens == 0
    turn = current_turn(now.table)
    assert turn is not None
    assert turn.placed == ()


def test_unused_markers_above_seven_are_lost() -> None:
    """7.5.6: seven in all, with those on the board."""
    now = merged(two(unused=6))
    assert now.table.charters[EUR].tokens == 5


def test_surplus_markers_leave_the_board_as_the_director_says() -> None:
    """7.5.6: one after the other, of either company, the home token too (1862.md 2.17)."""
    table = two(
        tokens={
            "EUR": ["E12", "E4", "F5", "G8", "D9"],
            "ESR": ["F11", "E12", "C8", "C10", "F3"],
        },
        unused=5,
    )
    now = merged(table).awaits("ann")
    frame = top(now.table)
    assert isinstance(frame, Question)
    assert frame.matter == SurplusTokens(EUR, 2)
    now.when("ann", Pass()).then(Code.WRONG_STEP)
    now.when("ann", ChooseTokens(("C8", "C10"))).then(Code.NOT_YOURS)
    now.when("ann", ChooseTokens(("H5",))).then(Code.NOT_YOURS)
    now = now.when("ann", ChooseTokens(("C8",)), ChooseTokens(("E12",)))
    places = [token.place for token in now.table.board.tokens]
    assert places == ["E4", "F5", "G8", "D9", "F11", "C10", "F3"]
    assert {token.company for token in now.table.board.tokens} == {EUR}
    assert now.table.charters[EUR].tokens == 0


def test_the_absorbed_company_starts_afresh() -> None:
    """7.5.7, 6.5.4.3: everything in the offering, one permit, no marker (fault A23)."""
    now = merged(two(), "ESR").when("ann", Pass())
    charter = now.table.charters[EUR]
    assert (charter.status, charter.par, charter.director, charter.has_operated) == (
        "open",
        None,
        None,
        False,
    )
    assert shares(now.table, "EUR") == {"offering": 10}
    assert permits_of(now.table, EUR) == ("local",)
    assert EUR not in now.table.markers
    assert all(token.company != EUR for token in now.table.board.tokens)


def test_permits_gained_are_not_those_that_a_company_begins_with() -> None:
    """7.12, 6.5.4.3: it joined with another, went bankrupt, and has its first alone (fault A23)."""
    now = merged(two())
    assert permits_of(now.table, EUR) == ("freight", "local")
    draft = Draft(now.table)
    bankrupt(ruleset_of(now.table), draft, EUR, "no train")
    assert permits_of(draft.table, EUR) == ("local",)
    assert permits_of(draft.table, ESR) == ("freight",)
    assert draft.table.board.tokens == ()
    assert shares(draft.table, "EUR") == {"offering": 10}


def receivership() -> Table:
    """ESR has no director; bob is its largest holder and directs EUR's neighbour FDR."""
    table = position(
        railway("EUR", 100, director="ann", cash=900, trains=["A local"], ann=10),
        railway("ESR", 68, director=None, trains=["C freight"], bob=2, pool=5),
    )
    held = {
        **table.charters,
        ESR: msgspec.structs.replace(table.charters[ESR], acting=player("bob")),
    }
    return board(msgspec.structs.replace(table, charters=held), COLCHESTER, FULL)


def test_a_company_in_receivership_joins_no_other() -> None:
    """8.0: neither a merger nor an acquisition, and it is not asked (fault A07)."""
    now = given(turn_of(receivership(), "EUR", "merge"))
    assert whose_turn(now.table) == ("EUR", "track")
    with_a_third = position(
        railway("EUR", 100, director="ann", cash=900, trains=["A local"], ann=10),
        railway("ESR", 68, director=None, trains=["C freight"], bob=2, pool=5),
        railway("FDR", 60, director="ann", trains=["A local"], ann=10),
    )
    table = board(with_a_third, COLCHESTER, {"EUR": ["E12"], "FDR": ["G12", "E12"], "ESR": ["F11"]})
    now = given(turn_of(table, "EUR", "merge"))
    now.when("ann", MERGER).then(Code.NOT_ALLOWED)
    given(turn_of(table, "EUR", "acquire")).when("ann", ACQUISITION).then(Code.NOT_ALLOWED)
