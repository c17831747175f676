"""What one train can run where track may be shared: every run that matters (7.8).

For a set of runs only two things about each matter: what it scores, and where it meets others. So
runs are kept by what they score, and of equal ones those that meet most. Local and express trains
need only runs that cannot be made longer: a longer one scores and meets at least as much. Listing
is bounded by work, not by time, so it comes out the same everywhere.
"""

from collections.abc import Callable
from itertools import combinations

from msgspec import Struct

from services.engine.rules.network.field import Field
from services.engine.rules.network.freight import End, end_of
from services.engine.rules.network.paths import Trail
from services.engine.rules.network.readings import ANY_ENTRY, USED_ENTRY
from services.engine.rules.network.walks import Train

Trip = tuple[int, int, Trail]
"""A run: the bits where others may meet it, the station that it starts from, its segments."""


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
    between: dict[tuple[int, int], list[Trip]]
    complete: bool
    steps: int


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

    def pair(self, trip: Trip) -> tuple[int, int]:
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


def trips_of(
    field: Field,
    plan: Plan,
    ends: Ends,
    steps_most: int,
    expired: Callable[[], bool] = lambda: False,
) -> Trips:
    """The runs of a plan, or those found before the work ran out."""
    lister = _Lister(field, plan, ends, steps_most, expired)
    complete = all(
        lister.walk_from(start)
        for start in range(len(field.net.stations))
        if lister.may_call(start, "")
    )
    return Trips(lister.scoring, lister.between, complete, lister.steps)


def can_run(field: Field, plan: Plan, ends: Ends, steps_most: int, met: int) -> bool:
    """Whether some run of a plan meets others at one of these bits.

    Of a run that calls there the part with the token, from there on, is a run too. So runs that
    begin there are enough, unless runs also meet between stations; the first one settles it.
    """
    lister = _Lister(field, plan, ends, steps_most, lambda: False, wanted=met)
    everywhere = any(field.meets_on)
    for start, meets in enumerate(field.meets):
        if (everywhere or meets & met) and lister.may_call(start, ""):
            lister.walk_from(start)
            if lister.is_found:
                return True
    return False


def kept(trips: list[Trip], trip: Trip) -> None:
    """Add a run to those that score the same, unless one of them meets as much."""
    meets = trip[0]
    for other in trips:
        if other[0] & meets == meets:
            return
    trips[:] = [other for other in trips if other[0] & ~meets]
    trips.append(trip)


class _State:
    """What a part of a run has used up and met; `first` is the segment that it begins with."""

    __slots__ = (
        "cities",
        "first",
        "has_token",
        "mask",
        "meets",
        "once",
        "scored",
        "steps",
        "trail",
    )

    def __init__(
        self,
        once: int,
        mask: int,
        meets: int,
        scored: int,
        cities: int,
        steps: int,
        trail: Trail,
        first: int,
        *,
        has_token: bool,
    ) -> None:
        self.once = once
        self.mask = mask
        self.meets = meets
        self.scored = scored
        self.cities = cities
        self.steps = steps
        self.trail = trail
        self.first = first
        self.has_token = has_token


_Onward = tuple[int, int, int, int, int, int, int, str, bool]
"""A way on: station, segment, its track, what scores once at the station, sides of hexes crossed,
where others are met, what scores on the way, the kind of the station, whether a token is there."""
_STEPS_WITHOUT_END = 1_000_000


class _Lister:
    """Walks all runs from a station, deepest first; each is recorded from its lower end.

    With `wanted`, the first run that meets others at one of these bits ends the walk.
    """

    def __init__(
        self,
        field: Field,
        plan: Plan,
        ends: Ends,
        steps_most: int,
        expired: Callable[[], bool],
        *,
        wanted: int = 0,
    ) -> None:
        self.field = field
        self.plan = plan
        self.ends = ends
        self.is_freight = plan.side == "freight"
        self.is_local = plan.side == "local"
        self.steps_most = steps_most
        self.expired = expired
        self.wanted = wanted
        self.is_found = False
        self.steps = 0
        self.masks = [segment.mask for segment in field.net.segments]
        self.onward = [
            tuple(
                self._onward(other, number)
                for other, number in exits
                if self.may_call(other, "")
                and (not self.is_freight or field.steps[number] <= plan.hexes)
            )
            for exits in field.net.exits
        ]
        self.scoring: dict[int, list[Trip]] = {}
        self.between: dict[tuple[int, int], list[Trip]] = {}

    def may_call(self, station: int, other_end: str) -> bool:
        """Whether a run may end at a station, one whose other end is of a kind."""
        kind = self.field.kinds[station]
        if self.field.closed[station] or not self.field.net.exits[station]:
            return False
        return not kind or (not self.is_local and kind != other_end)

    def _onward(self, other: int, number: int) -> _Onward:
        """A segment to another station, with all that it adds."""
        field = self.field
        scored = field.passed[number] | field.touched[number] if self.is_local else 0
        meets, kind = field.meets_on[number] | field.meets[other], field.kinds[other]
        mask, once, steps = self.masks[number], field.once[other], field.steps[number]
        return other, number, mask, once, steps, meets, scored, kind, field.tokens[other]

    def walk_from(self, start: int) -> bool:
        """Note all runs from a station; false when the work has run out, or what was wanted is."""
        field = self.field
        is_city = not field.kinds[start]
        state = _State(
            field.once[start],
            0,
            field.meets[start],
            0,
            int(is_city),
            0,
            (),
            -1,
            has_token=field.tokens[start],
        )
        return self._called(start, state, start)

    def _called(self, start: int, state: _State, at: int) -> bool:
        """Note a run that has come to a station, and go on from there."""
        if not state.has_token and not self._token_in_reach(state, at):
            return True
        self.steps += 1
        if self.steps > self.steps_most or (self.steps % 1024 == 0 and self.expired()):
            return False
        is_run = at != start and state.cities and state.has_token
        if is_run and state.meets & self.wanted:
            self.is_found = True
            return False
        if is_run and at > start and not self.wanted:
            self._record(start, state, at)
        if (self.field.ends[at] and at != start) or self._is_full(state):
            return True
        return self._go_on(start, state, at)

    def _go_on(self, start: int, state: _State, at: int) -> bool:
        """Go on from a station over each segment that is free."""
        used, once = state.mask, state.once
        other_end = self.field.kinds[start]
        steps_left = self.plan.hexes - state.steps if self.is_freight else _STEPS_WITHOUT_END
        for other, number, mask, bit, steps, meets, scored, kind, token in self.onward[at]:
            if used & mask or once & bit or steps > steps_left or (kind and kind == other_end):
                continue
            onward = _State(
                once | bit,
                used | mask,
                state.meets | meets,
                state.scored | scored,
                state.cities + (not kind),
                state.steps + steps,
                (state.trail, number),
                number if at == start else state.first,
                has_token=state.has_token or token,
            )
            if not self._called(start, onward, other):
                return False
        return True

    def _calls(self, state: _State) -> int:
        return state.once.bit_count()

    def _is_full(self, state: _State) -> bool:
        if self.is_freight:
            return state.steps >= self.plan.hexes
        return self._calls(state) >= self.plan.visits

    def _token_in_reach(self, state: _State, at: int) -> bool:
        if self.is_freight:
            away = self.field.hexes_to_token[at]
            return away is not None and away <= self.plan.hexes - state.steps
        away = self.field.to_token[at]
        return away is not None and away <= self.plan.visits - self._calls(state)

    def _record(self, start: int, state: _State, at: int) -> None:
        trip = (state.meets, start, state.trail)
        if self.is_freight:
            assert state.trail  # a run has at least one segment
            one = self.ends.number(start, state.first)
            other = self.ends.number(at, state.trail[1])
            kept(self.between.setdefault((min(one, other), max(one, other)), []), trip)
            return
        if not self._is_full(state) and (
            self._goes_on(state, at, start) or self._goes_on(state, start, at)
        ):
            return
        spare = self._calls(state) - self.plan.counts
        if spare <= 0:
            kept(self.scoring.setdefault(state.once | state.scored, []), trip)
            return
        for left_out in combinations(_bits(state.once), spare):
            scored = (state.once & ~sum(left_out)) | state.scored
            kept(self.scoring.setdefault(scored, []), trip)

    def _goes_on(self, state: _State, at: int, other_end: int) -> bool:
        """Whether the run could be made longer at one of its ends."""
        field = self.field
        if field.ends[at]:
            return False
        kind = field.kinds[other_end]
        return any(
            not state.once & field.once[other]
            and not state.mask & self.masks[number]
            and self.may_call(other, kind)
            for other, number in field.net.exits[at]
        )


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        bit = mask & -mask
        bits.append(bit)
        mask ^= bit
    return bits
