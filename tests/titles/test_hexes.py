"""Hexes are where the map shows them, in both layouts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.ids import HexId
from contracts.titles.hexes import SIDES, distance, neighbour, opposite, position, turned

LAYOUTS = ("rows", "columns")


@st.composite
def hexes(draw: st.DrawFn) -> HexId:
    letter, number = draw(st.sampled_from("HIJKLMNOPQ")), draw(st.integers(10, 30))
    return HexId(f"{letter}{2 * number + (ord(letter) % 2)}")


@pytest.mark.parametrize(
    ("layout", "around"),
    [
        ("rows", ["I11", "H10", "G11", "G13", "H14", "I13"]),
        ("columns", ["H14", "G13", "G11", "H10", "I11", "I13"]),
    ],
)
def test_the_neighbours_of_h12(layout, around):
    assert [neighbour(layout, HexId("H12"), side) for side in SIDES] == around


@given(st.sampled_from(LAYOUTS), hexes(), st.sampled_from(SIDES))
def test_a_step_and_its_opposite_lead_back(layout, hex_id, side):
    beyond = neighbour(layout, hex_id, side)
    assert neighbour(layout, beyond, opposite(side)) == hex_id
    assert distance(layout, hex_id, beyond) == 1


@given(st.sampled_from(LAYOUTS), hexes(), st.lists(st.sampled_from(SIDES), max_size=4))
def test_distance_is_the_fewest_steps(layout, start, walk):
    end = start
    for side in walk:
        end = neighbour(layout, end, side)
    ring, steps = {start}, 0
    while end not in ring:
        ring |= {neighbour(layout, hex_id, side) for hex_id in ring for side in SIDES}
        steps += 1
    assert distance(layout, start, end) == distance(layout, end, start) == steps


@given(st.sampled_from(SIDES), st.integers(0, 5), st.integers(0, 5))
def test_turning_twice_is_turning_by_the_sum(side, one, other):
    assert turned(turned(side, one), other) == turned(side, (one + other) % 6)


def test_letters_go_on_after_z():
    assert position(HexId("AB7")) == (28, 7)
    assert neighbour("columns", HexId("Z5"), 5) == "AA6"
