"""Where a train calls, minutes name: the hex, or else the area on it; and what a limit is told."""

import pytest

from contracts.events import PhaseBegan
from contracts.ids import HexId, PhaseId
from contracts.runs import Stop
from services.engine.projections.minutes import told
from services.engine.projections.words import words_of
from services.engine.rules.ruleset import ruleset_of
from tests import eastern, positions


@pytest.mark.parametrize(
    ("hex_id", "node", "name"),
    [
        ("F5", "c0", "Norwich"),
        ("A10", "o0", "The West"),
        ("A8", "o0", "The Midlands"),
        ("A8", "o1", "The West"),
        ("I6", "o1", "Port of Lowestoft"),
        ("C2", "o0", "Port of King's Lynn"),
    ],
)
def test_ports_and_red_areas_are_named_where_their_hex_is_not(hex_id, node, name):
    table = eastern.opened()
    words = words_of(table, ruleset_of(table).facts)
    assert words.stop(Stop(HexId(hex_id), node)) == name


@pytest.mark.parametrize("table", [eastern.opened(), positions.opened()])
def test_every_area_that_trains_reach_has_a_name(table):
    facts = ruleset_of(table).facts
    words = words_of(table, facts)
    for id, hex_ in facts.map.hexes.items():
        for number, _end in enumerate(hex_.offboard):
            assert words.stop(Stop(id, f"o{number}")) != id


def test_a_limit_fixed_in_the_midst_of_a_phase_begins_no_phase():
    table = eastern.position(phase="H")
    words = words_of(table, ruleset_of(table).facts)
    assert told(words, table, PhaseBegan(PhaseId("H"), 31)) == (
        "A player may hold 31 certificates from now on.",
    )
