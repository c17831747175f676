"""Whatever is held: shares add up at each event, money is conserved, no paper is in two places.

`given` looks at the sums after every event and at what is listed before every order; a certificate
that moves is taken from where it lies, or the event is refused.
"""

from hypothesis import given as for_any
from hypothesis import settings
from hypothesis import strategies as st

from contracts.commands import Answer, ChooseSurvivor, ProposeJoining, Refinance, SettleOption
from contracts.frames import CompanyMoney, Consent, OptionShare, Question
from contracts.ids import Party
from services.engine.table.agenda import awaited, top
from services.engine.table.state import Table
from tests.eastern import DIRECTORS, ONE, THREE, Railway, position, railway, shares
from tests.given import Given, given
from tests.operating import board, turn_of
from tests.positions import company

EUR, ESR = company("EUR"), company("ESR")
PLACES = (*THREE, "treasury", "pool", "offering")


@st.composite
def railways(draw: st.DrawFn, name: str, *, trains: tuple[str, ...]) -> Railway:
    """A company with a director, its ten shares anywhere."""
    director = draw(st.sampled_from(THREE))
    spread = draw(st.lists(st.sampled_from(PLACES), min_size=7, max_size=7))
    held = {place: spread.count(place) for place in PLACES}
    held[director] += 3
    most = max(held[player] for player in THREE)
    if held[director] < most:
        director = next(player for player in THREE if held[player] == most)
    holds = {place: number for place, number in held.items() if number and place != "offering"}
    price = draw(st.sampled_from((7, 36, 58, 71, 95, 200, 430, 1000)))
    cash = draw(st.integers(0, 300))
    return railway(name, price, director=director, cash=cash, trains=trains, **holds)


def played(now: Given, redeem: list[bool]) -> Given:
    """Go on until nobody is asked about an option."""
    while isinstance(frame := top(now.table), Question):
        (who,) = awaited(now.table)
        if isinstance(frame.matter, OptionShare):
            now = now.when(who, SettleOption(redeem=redeem.pop() if redeem else True)).accepted()
        elif isinstance(frame.matter, Consent):
            now = now.when(who, Answer(yes=True)).accepted()
        elif isinstance(frame.matter, CompanyMoney):
            now = now.when(who, Refinance()).accepted()
        else:
            break
    return now


def papers_are_whole(table: Table, name: str) -> None:
    """One director's certificate and seven others, and nobody has less than nothing."""
    kinds = list(table.certificates[company(name)].values())
    assert sum(kind.get(DIRECTORS, 0) for kind in kinds) == 1
    assert sum(kind.get(ONE, 0) for kind in kinds) == 7
    assert all(number > 0 for kind in kinds for number in kind.values())


def director_is_right(table: Table, name: str) -> None:
    """The director holds the certificate and most shares; without one it lies in the pool."""
    charter = table.charters[company(name)]
    place = next(
        holder for holder, kinds in table.certificates[company(name)].items() if DIRECTORS in kinds
    )
    held = shares(table, name)
    most = max(held.get(player, 0) for player in table.order)
    if charter.director is None:
        assert place == "pool"
        assert most < 3
        assert held.get(Party(charter.acting or ""), 0) == most
    else:
        assert place == charter.director
        assert held[charter.director] == most >= 3


@settings(max_examples=60, deadline=None)
@for_any(
    eur=railways("EUR", trains=("A local",)),
    esr=railways("ESR", trains=()),
    cash=st.lists(st.integers(0, 200), min_size=3, max_size=3),
    survivor=st.sampled_from((EUR, ESR)),
    redeem=st.lists(st.booleans(), max_size=5),
)
def test_any_merger(
    eur: Railway, esr: Railway, cash: list[int], survivor: str, redeem: list[bool]
) -> None:
    """5.2: the other company is in the offering, and the survivor's ten shares are somewhere."""
    table = position(eur, esr, cash=dict(zip(THREE, cash, strict=True)))
    table = board(table, {"E12": ("790", 0)}, {"EUR": ["E12"], "ESR": ["F11", "E12"]})
    now = given(turn_of(table, "EUR", "merge"))
    before = {
        name: shares(now.table, "EUR").get(name, 0) + shares(now.table, "ESR").get(name, 0)
        for name in THREE
    }
    now = played(now.when(eur.director or "", ProposeJoining("merge", (EUR, ESR))), redeem)
    now = played(now.when(eur.director or "", ChooseSurvivor(company(survivor))).accepted(), redeem)
    absorbed = ESR if survivor == EUR else EUR
    assert shares(now.table, absorbed) == {"offering": 10}
    assert now.table.cash[absorbed] == 0
    papers_are_whole(now.table, absorbed)
    papers_are_whole(now.table, survivor)
    if now.table.charters[company(survivor)].status != "floated":
        return
    director_is_right(now.table, survivor)
    for name in THREE:
        # A certificate that is the option stands for three.
        assert shares(now.table, survivor).get(name, 0) <= max(3, (before[name] + 1) // 2)


@settings(max_examples=40, deadline=None)
@for_any(
    eur=railways("EUR", trains=()),
    cash=st.lists(st.integers(0, 200), min_size=3, max_size=3),
    redeem=st.lists(st.booleans(), max_size=5),
)
def test_any_refinancing(eur: Railway, cash: list[int], redeem: list[bool]) -> None:
    """7.11: whatever way is taken, papers and money are whole."""
    table = position(eur, cash=dict(zip(THREE, cash, strict=True)))
    now = played(given(turn_of(table, "EUR", "money")), redeem)
    papers_are_whole(now.table, "EUR")
    if now.table.charters[EUR].status == "floated":
        director_is_right(now.table, "EUR")
