"""Setting up where companies and permits are dealt by lot: 2.4, 11.1 to 11.4."""

from collections import Counter

import msgspec
import pytest

from contracts.commands import OpenTable, Order
from contracts.ids import BOX, CommandId, CompanyId
from contracts.pieces import Seat, Settings
from contracts.rejections import Code, Rejection
from services.engine.rules.companies.groups import groups_of
from services.engine.rules.companies.permits import first_permits, permits_of
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_for, ruleset_of
from services.engine.table.agenda import awaited, current_round
from services.engine.table.evolve import evolve_all
from services.engine.table.state import Table, new_table
from tests.eastern import TITLE
from tests.positions import TABLE, player

NAMES = ("ann", "bob", "cid", "dan", "eve", "fay", "gil", "hal")


def asked(players: int, variants: dict[str, str] | None = None, **more: object) -> OpenTable:
    seats = tuple(Seat(player(name), name.title()) for name in NAMES[:players])
    return msgspec.structs.replace(OpenTable(TITLE, seats, 1, variants=variants or {}), **more)


def opened(command: OpenTable) -> Table | Rejection:
    """The table, or why it cannot be opened."""
    ruleset = ruleset_for(command)
    if isinstance(ruleset, Rejection):
        return ruleset
    order = Order(TABLE, CommandId("open"), "ann", player("ann"), command)
    events = decide(ruleset, new_table(TABLE), order)
    if isinstance(events, Rejection):
        return events
    return msgspec.structs.replace(evolve_all(new_table(TABLE), events), version=1)


def table(players: int, variants: dict[str, str] | None = None) -> Table:
    found = opened(asked(players, variants))
    assert isinstance(found, Table), found
    return found


def sizes(at: Table) -> Counter[str]:
    return Counter(groups_of(ruleset_of(at), at).values())


@pytest.mark.parametrize(
    ("players", "start", "removed"), [(2, 8, 4), (3, 8, 4), (6, 8, 4), (7, 9, 3), (8, 10, 2)]
)
def test_the_companies_are_dealt_into_groups(players: int, start: int, removed: int):
    """2.4.1, 2.4.2: eight at the start, four from B, four from C, the rest out of the game."""
    at = table(players)
    assert sizes(at) == {"start": start, "phase B": 4, "phase C": 4, "removed": removed}
    statuses = Counter(charter.status for charter in at.charters.values())
    assert statuses == {"open": start, "waiting": 8, "closed": removed}


def test_extra_companies_are_optional():
    """2.4.2 (1862.md 2.19)."""
    at = table(8, {"extra companies": "no"})
    assert sizes(at)["start"] == 8
    assert Counter(p for c in at.charters for p in permits_of(at, c))["freight"] == 6


def test_removed_companies_lie_in_the_box_and_have_no_permit():
    at = table(3)
    removed = [c for c, group in groups_of(ruleset_of(at), at).items() if group == "removed"]
    for company in removed:
        assert set(at.certificates[company]) == {BOX}
        assert permits_of(at, company) == ()


@pytest.mark.parametrize(
    ("players", "types", "permits"),
    [
        (4, "all", {"freight": 6, "express": 5, "local": 5}),
        (8, "all", {"freight": 6, "express": 6, "local": 6}),
        (4, "freight and local", {"freight": 8, "local": 8}),
        (8, "express and local", {"express": 9, "local": 9}),
        (4, "freight", {}),
        (4, "express", {}),
    ],
)
def test_each_company_is_dealt_one_permit(players: int, types: str, permits: dict[str, int]):
    """2.4.1, 11.1 (1862.md 4.2): with two types there are as many permits as companies."""
    at = table(players, {"train types": types})
    dealt = Counter(permit for company in at.charters for permit in permits_of(at, company))
    assert dealt == permits
    for company, charter in at.charters.items():
        if charter.status != "closed":
            assert permits_of(at, company) == first_permits(at, company)


@pytest.mark.parametrize(
    ("players", "variants", "numbers"),
    [
        (3, {}, "7643321"),
        (3, {"length": "short"}, "6543321"),
        (3, {"length": "long"}, "7654321"),
        (4, {"shorter game": "yes"}, "6543321"),
        (5, {"shorter game": "yes"}, "7643321"),
    ],
)
def test_the_length_of_the_game_is_a_number_of_trains(
    players: int, variants: dict[str, str], numbers: str
):
    """2.4.3, 11.2: the shorter game has the short game's trains, from five players the others."""
    trains = Counter(train.kind for train in table(players, variants).trains["supply"])
    expected = dict(zip("ABCDEFG", map(int, numbers), strict=True))
    if numbers == "7654321":
        expected = {"A": 7, "B": 6, "C": 5, "D": 4, "E": 3, "F": 2, "G": 1}
    assert trains == expected


@pytest.mark.parametrize(
    ("variants", "sentence"),
    [
        ({"new players": "yes"}, "one type of train"),
        ({"new players": "yes", "train types": "freight and local"}, "one type of train"),
        ({"shorter game": "yes", "length": "long"}, "fixes how many trains"),
        ({"shorter game": "yes", "length": "short"}, "fixes how many trains"),
    ],
)
def test_variants_that_exclude_each_other_are_refused(variants: dict[str, str], sentence: str):
    """11.2, 11.3."""
    refusal = opened(asked(3, variants))
    assert isinstance(refusal, Rejection)
    assert refusal.code == Code.EXCLUDED_VARIANTS
    assert sentence in refusal.sentence
    assert refusal.legal


def test_the_game_for_new_players_may_be_the_shorter_one():
    """11.3: these rule changes can be combined with the shorter variant."""
    table(3, {"new players": "yes", "train types": "express", "shorter game": "yes"})


def test_the_game_opens_with_parliament():
    at = table(3)
    playing = current_round(at)
    assert playing is not None
    assert (playing.kind, playing.number, playing.which, playing.of) == ("parliament", 1, 1, 2)
    assert awaited(at) == (player("ann"),)


def test_lots_of_a_game_played_elsewhere_are_taken_over():
    drawn = table(3).lots
    companies = tuple(sorted(drawn["companies"].outcome))
    permits = tuple(sorted(drawn["permits"].outcome))
    lots = {"companies": companies, "permits": permits}
    at = opened(asked(3, settings=Settings(imported=True), lots=lots))
    assert isinstance(at, Table)
    assert [c for c in companies if at.charters[CompanyId(player(c))].status == "open"] == list(
        companies[:8]
    )
    assert first_permits(at, CompanyId(player(companies[0]))) == permits[:1]


@pytest.mark.parametrize(
    ("settings", "lots"),
    [
        (Settings(), {"permits": ("freight",)}),
        (Settings(imported=True), {"permits": ("freight",)}),
        (Settings(imported=True), {"weather": ("rain",)}),
    ],
)
def test_other_lots_are_refused(settings: Settings, lots: dict[str, tuple[str, ...]]):
    refusal = opened(asked(3, settings=settings, lots=lots))
    assert isinstance(refusal, Rejection)
    assert refusal.code == Code.BAD_SETTINGS


def test_the_same_seed_deals_the_same():
    assert table(5) == table(5)
