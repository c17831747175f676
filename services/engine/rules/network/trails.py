"""Where trains can go that may share track: every trail from station to station (7.8).

All that a search does later rests on these walks, and on a full board there are ten thousand of
them. So they are written as plain recursion over numbers, once for trains that count hexes and once
for those that count stations, and one walk serves all trains of a side: a shorter one makes the
same trails as a longer one, up to where it ends.
"""

from collections.abc import Callable, Collection

from msgspec import Struct

from services.engine.rules.network.field import Field
from services.engine.rules.network.paths import Trail

Mouth = tuple[int, int]
"""How a trail comes to an end of its own: the station, and the segment that leads there."""
Way = tuple[Mouth, int, int, int, int, int, str, int, bool]
"""A segment onward with all that it adds: the station and the segment; bits of track, of what
scores once at the station, of where others are met, of what scores on the way; sides of hexes
crossed; the kind of the station; how far it is to the nearest token; whether trails end there."""

HexTrail = tuple[Mouth, Mouth, int, int, Trail]
"""Both ends, sides of hexes crossed, where others are met, all segments."""
CallTrail = tuple[int, int, int, int, int, bool, Trail]
"""First station, segments, bits of what scores once, of what scores on the way, of where others are
met, whether it can be made longer at neither end, all segments."""

_NOWHERE = 1_000_000
# The clock is looked at once in so many steps.
_STRIDE = 1_024


class Found(Struct, frozen=True):
    """Trails in the order of the walk; `complete` unless the work ran out, `steps` that it took."""

    by_hexes: list[HexTrail]
    by_calls: list[CallTrail]
    complete: bool
    steps: int


class Ways:
    """The ways on from each station for trains of one side, worked out as they are asked for."""

    def __init__(self, field: Field, side: str) -> None:
        self.field = field
        self.is_freight = side == "freight"
        self.is_local = side == "local"
        own = (bit for bit, has in zip(field.meets, field.tokens, strict=True) if has)
        self.tokens = sum(own)
        """Where the tokens lie, as bits of where runs meet: in cities, where they always do."""
        self._onward: dict[int, tuple[Way, ...]] = {}

    def may_call(self, station: int) -> bool:
        """Whether any trail may come to a station."""
        field = self.field
        if field.closed[station] or not field.net.exits[station]:
            return False
        return not (self.is_local and field.kinds[station])

    def away(self, station: int) -> int:
        """How far a station is from the nearest token, in what these trains count."""
        field = self.field
        away = (field.hexes_to_token if self.is_freight else field.to_token)[station]
        return _NOWHERE if away is None else away

    def onward(self, station: int) -> tuple[Way, ...]:
        """The ways on from a station."""
        ways = self._onward.get(station)
        if ways is None:
            exits = self.field.net.exits[station]
            ways = tuple(self._way(*one) for one in exits if self.may_call(one[0]))
            self._onward[station] = ways
        return ways

    def everywhere(self) -> list[tuple[Way, ...]]:
        """The ways on from all stations."""
        return [self.onward(station) for station in range(len(self.field.kinds))]

    def goes_anywhere(self, start: int, left: int) -> bool:
        """Whether a trail from a city comes to any other station, with so much left to go."""
        field = self.field
        return any(
            self.may_call(other) and (field.steps[number] if self.is_freight else 1) <= left
            for other, number in field.net.exits[start]
        )

    def leads_on(self, station: int, once: int, mask: int, other_end: str) -> bool:
        """Whether a trail that ends at a station, and elsewhere at a kind, could be made longer."""
        if self.field.ends[station]:
            return False
        return any(
            not mask & track and not once & bit and not (kind and kind == other_end)
            for _, track, bit, _, _, _, kind, _, _ in self.onward(station)
        )

    def _way(self, other: int, number: int) -> Way:
        field = self.field
        return (
            (other, number),
            field.net.segments[number].mask,
            field.once[other],
            field.meets_on[number] | field.meets[other],
            field.passed[number] | field.touched[number] if self.is_local else 0,
            field.steps[number],
            field.kinds[other],
            self.away(other),
            field.ends[other],
        )


class _WorkRanOutError(Exception):
    """The walk is broken off where it is."""


class _Work:
    """Says how far a walk may count its steps before it asks again; breaks it off when they are up.

    The walk itself counts: to ask at each step would cost more than the step.
    """

    def __init__(self, most: int, expired: Callable[[], bool] = lambda: False) -> None:
        self.most = most
        self.expired = expired
        self.first_pause = min(_STRIDE, most + 1)

    def pause(self, steps: int) -> int:
        """The count at which to ask again."""
        if steps > self.most or self.expired():
            raise _WorkRanOutError
        return min(steps + _STRIDE, self.most + 1)


def trails_by_hexes(ways: Ways, hexes: int, most: int, expired: Callable[[], bool]) -> Found:
    """All trails with a token over at most so many sides of hexes, each from its lower end."""
    field, tokens, onward = ways.field, ways.tokens, ways.everywhere()
    found: list[HexTrail] = []
    work, steps = _Work(most, expired), 0
    pause = work.first_pause

    def go_on(at: int, once: int, mask: int, meets: int, left: int, first: int, way: Trail) -> None:
        nonlocal steps, pause
        for mouth, track, bit, met, _, crossed, kind, away, is_end in onward[at]:
            if mask & track or once & bit or crossed > left or (kind and kind == start_kind):
                continue
            now, after = meets | met, left - crossed
            if away > after and not now & tokens:
                continue
            steps += 1
            if steps >= pause:
                pause = work.pause(steps)
            other, number = mouth
            onto, begun = (way, number), first if way else number
            if other > start and now & tokens:
                found.append(((start, begun), mouth, hexes - after, now, onto))
            if after and not is_end:
                go_on(other, once | bit, mask | track, now, after, begun, onto)

    complete = True
    try:
        for start, start_kind in enumerate(field.kinds):  # noqa: B007 - the walk reads it
            if ways.may_call(start) and ways.away(start) <= hexes:
                steps += 1
                go_on(start, field.once[start], 0, field.meets[start], hexes, -1, ())
    except _WorkRanOutError:
        complete = False
    return Found(found, [], complete, steps)


def trails_by_calls(
    ways: Ways, visits: Collection[int], most: int, expired: Callable[[], bool]
) -> Found:
    """All trails with a token that call at as many stations as one of `visits`, or cannot go on.

    Others are left out: the longer ones score and meet at least as much.
    """
    field, tokens, onward = ways.field, ways.tokens, ways.everywhere()
    longest = max(visits)
    # What a trail that is full for one of them may still call at.
    full = frozenset(longest - number for number in visits)
    found: list[CallTrail] = []
    work, steps = _Work(most, expired), 0
    pause = work.first_pause

    def go_on(
        at: int, once: int, mask: int, meets: int, scored: int, left: int, way: Trail
    ) -> bool:
        """Try all stations beyond; false if there is none. Only so many calls are left."""
        nonlocal steps, pause
        goes_on = False
        for (other, number), track, bit, met, scores, _, kind, away, is_end in onward[at]:
            if mask & track or once & bit or (kind and kind == start_kind):
                continue
            goes_on, now = True, meets | met
            if away >= left and not now & tokens:
                continue
            steps += 1
            if steps >= pause:
                pause = work.pause(steps)
            calls, used, scoring, onto = once | bit, mask | track, scored | scores, (way, number)
            is_whole = left == 1 or is_end
            if not is_whole:
                is_whole = not go_on(other, calls, used, now, scoring, left - 1, onto)
            if other > start and now & tokens:
                is_whole = is_whole and (left == 1 or not ways.leads_on(start, calls, used, kind))
                if is_whole or left - 1 in full:
                    found.append((start, longest - left, calls, scoring, now, is_whole, onto))
        return goes_on

    complete = True
    try:
        for start, start_kind in enumerate(field.kinds):  # noqa: B007 - the walk reads it
            if ways.may_call(start) and ways.away(start) < longest:
                steps += 1
                go_on(start, field.once[start], 0, field.meets[start], 0, longest - 1, ())
    except _WorkRanOutError:
        complete = False
    return Found([], found, complete, steps)


def meets_somewhere(ways: Ways, most: int, wanted: int, steps_most: int) -> bool:
    """Whether some trail that stays within `most`, hexes or calls, meets others where wanted.

    The first one settles it. Of a trail that calls where wanted, the part with the token, from
    there on, is a trail too. So trails that begin there are enough, unless others are met between
    stations.
    """
    field, tokens, onward = ways.field, ways.tokens, ways.onward
    work, steps = _Work(steps_most), 0
    pause = work.first_pause

    def goes_there(at: int, once: int, mask: int, meets: int, left: int) -> bool:
        nonlocal steps, pause
        for (other, _), track, bit, met, _, crossed, kind, away, is_end in onward(at):
            after = left - crossed if ways.is_freight else left - 1
            if mask & track or once & bit or after < 0 or (kind and kind == start_kind):
                continue
            now = meets | met
            if away > after and not now & tokens:
                continue
            steps += 1
            if steps >= pause:
                pause = work.pause(steps)
            if now & tokens and now & wanted:
                return True
            if after and not is_end and goes_there(other, once | bit, mask | track, now, after):
                return True
        return False

    everywhere = any(field.meets_on)
    left = most if ways.is_freight else most - 1
    try:
        for start, start_kind in enumerate(field.kinds):  # noqa: B007 - the walk reads it
            is_wanted = bool(field.meets[start] & wanted)
            if not (everywhere or is_wanted) or not ways.may_call(start):
                continue
            if is_wanted and field.tokens[start]:
                # As from home, where most is settled: any way on is a trail.
                if ways.goes_anywhere(start, left):
                    return True
            elif ways.away(start) <= left and goes_there(
                start, field.once[start], 0, field.meets[start], left
            ):
                return True
    except _WorkRanOutError:
        pass
    return False
