"""What one train can run where track may be shared: every run that matters (7.8).

For a set of runs only two things about each matter: what it scores, and where it meets others. So
runs are kept by what they score, and of equal ones those that meet most. Local and express trains
need only runs that cannot be made longer: a longer one scores and meets at least as much. Listing
is bounded by work, not by time, so it comes out the same everywhere.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from msgspec import Struct

from services.engine.rules.network.field import Field
from services.engine.rules.network.freight import End, end_of
from services.engine.rules.network.paths import Trail
from services.engine.rules.network.readings import ANY_ENTRY, USED_ENTRY
from services.engine.rules.network.trails import (
    CallTrail,
    Found,
    HexTrail,
    Mouth,
    Ways,
    meets_somewhere,
    trails_by_calls,
    trails_by_hexes,
)
from services.engine.rules.network.walks import Train

Trip = tuple[int, int, Trail]
"""A run: the bits where others may meet it, the station that it starts from, its segments."""
Pair = tuple[int, int]
"""Numbers of two ends, the lower first."""


class Plan(Struct, frozen=True):
    """A way to run that trains may have in common: side, stations visited and counted, hexes."""

    side: str
    visits: int
    counts: int
    hexes: int
    rusts: bool


class Trips(Struct, frozen=True):
    """All runs of a plan that matter, and whether the work sufficed to list them.

    Those of local and express trains are filed by the bits that they score, those of freights by
    their two ends, the lower first.
    """

    scoring: dict[int, list[Trip]]
    between: dict[Pair, list[Trip]]
    complete: bool


class Ends:
    """Numbers for the ends of freights; one for each entry of an area only where that matters."""

    def __init__(self, field: Field, entry: str) -> None:
        self.field = field
        self.by_entry = entry == USED_ENTRY
        self.any_entry = entry == ANY_ENTRY
        self._first_entries: dict[str, End] = {}
        self.ends: list[End] = []
        self.stations: list[int] = []
        self._numbers: dict[End, int] = {}
        self._by_way: dict[tuple[int, int], int] = {}

    def number(self, station: int, segment: int) -> int:
        """The number of the end at a station that a segment leads to."""
        way = station, segment
        if way not in self._by_way:
            net = self.field.net
            piece = net.segments[segment]
            side = piece.track[0].other if piece.one == station else piece.track[-1].one
            end = end_of(self.field.facts, net.stations[station].stop, side)
            self._by_way[way] = self.of(end)
        return self._by_way[way]

    def of(self, end: End) -> int:
        """The number of an end, a new one if it is met for the first time."""
        if not self.by_entry:
            end = End(end.stop, end.area, "")
        if self.any_entry and end.area and not self.field.spots[end.stop]:
            # Nothing tells the entries of an area apart.
            end = self._first_entries.setdefault(end.area, end)
        if end not in self._numbers:
            self._numbers[end] = len(self.ends)
            self.ends.append(end)
            self.stations.append(self.field.net.numbers[end.stop])
        return self._numbers[end]

    def pair(self, trip: Trip) -> Pair:
        """The two ends of a run, the lower first."""
        _, start, trail = trip
        numbers: list[int] = []
        while trail:
            trail, number = trail
            numbers.append(number)
        at = start
        for number in reversed(numbers):
            segment = self.field.net.segments[number]
            at = segment.other if segment.one == at else segment.one
        one, other = self.number(start, numbers[-1]), self.number(at, numbers[0])
        return min(one, other), max(one, other)


def plan_of(train: Train) -> Plan:
    """What a train has in common with others that can run the same."""
    return Plan(
        train.side, train.stations or 0, train.counts or 0, train.hexes or 0, rusts=train.rusts
    )


def trips_of_all(
    field: Field,
    plans: Iterable[Plan],
    ends: Ends,
    steps_most: int,
    expired: Callable[[], bool] = lambda: False,
) -> dict[Plan, Trips]:
    """The runs of each plan, or those found before the work ran out.

    Trains of one side walk together: what the longest does holds for all.
    """
    in_order = tuple(dict.fromkeys(plans))
    walks: dict[str, Found] = {}
    trips: dict[Plan, Trips] = {}
    steps = 0
    for plan in in_order:
        if plan.side not in walks:
            alike = [other for other in in_order if other.side == plan.side]
            walks[plan.side] = _walked(field, alike, steps_most - steps, expired)
            steps += walks[plan.side].steps
        found = walks[plan.side]
        if plan.side == "freight":
            trips[plan] = Trips({}, _between(found.by_hexes, plan, ends), found.complete)
        else:
            trips[plan] = Trips(_scoring(found.by_calls, plan), {}, found.complete)
    return trips


def trips_of(field: Field, plan: Plan, ends: Ends, steps_most: int) -> Trips:
    """The runs of one plan, or those found before the work ran out."""
    return trips_of_all(field, (plan,), ends, steps_most)[plan]


def can_run(field: Field, plan: Plan, steps_most: int, met: int) -> bool:
    """Whether some run of a plan meets others at one of these bits."""
    most = plan.hexes if plan.side == "freight" else plan.visits
    return meets_somewhere(Ways(field, plan.side), most, met, steps_most)


def _walked(
    field: Field, alike: Sequence[Plan], steps_most: int, expired: Callable[[], bool]
) -> Found:
    """What trains of one side walk over."""
    ways = Ways(field, alike[0].side)
    if ways.is_freight:
        return trails_by_hexes(ways, max(plan.hexes for plan in alike), steps_most, expired)
    return trails_by_calls(ways, [plan.visits for plan in alike], steps_most, expired)


def _between(trails: Iterable[HexTrail], plan: Plan, ends: Ends) -> dict[Pair, list[Trip]]:
    """The runs of freights by their ends: of those that meet as much, the first."""
    between: dict[Pair, list[Trip]] = {}
    numbers: dict[Mouth, int] = {}
    hexes = plan.hexes
    for first, last, crossed, meets, trail in trails:
        if crossed > hexes:
            continue
        one, other = numbers.get(first), numbers.get(last)
        if one is None:
            one = numbers[first] = ends.number(*first)
        if other is None:
            other = numbers[last] = ends.number(*last)
        pair = (one, other) if one < other else (other, one)
        trip = meets, first[0], trail
        known = between.get(pair)
        if known is None:
            between[pair] = [trip]
        else:
            kept(known, trip)
    return between


def _scoring(trails: Iterable[CallTrail], plan: Plan) -> dict[int, list[Trip]]:
    """The runs of local and express trains by what they score: all that cannot be made longer."""
    scoring: dict[int, list[Trip]] = {}
    full = plan.visits - 1
    for start, segments, once, scored, meets, is_whole, trail in trails:
        if segments > full or not (is_whole or segments == full):
            continue
        trip = meets, start, trail
        spare = segments + 1 - plan.counts
        if spare <= 0:
            kept(scoring.setdefault(once | scored, []), trip)
            continue
        for left_out in combinations(_bits(once), spare):
            kept(scoring.setdefault(once & ~sum(left_out) | scored, []), trip)
    return scoring


def kept(trips: list[Trip], trip: Trip) -> None:
    """Add a run to those that score the same, unless one of them meets as much."""
    meets = trip[0]
    is_more = False
    for other in trips:
        shared = other[0] & meets
        if shared == meets:
            return
        is_more = is_more or shared == other[0]
    if is_more:
        trips[:] = [other for other in trips if other[0] & ~meets]
    trips.append(trip)


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        bit = mask & -mask
        bits.append(bit)
        mask ^= bit
    return bits
