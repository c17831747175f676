"""Freights that run as one chain: the pairs of outer ends it can have, and how (7.8.1).

What a chain scores hangs on its two outer ends alone. So all pairs are found first, over sets of
ends as bits; the runs between are sought only for a pair that is wanted.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from services.engine.rules.network.field import Field
from services.engine.rules.network.trips import Ends, Pair, Plan, Trip, Trips

Order = tuple[Plan, ...]
"""The plans of a chain's trains from its first end to its last."""
Freight = tuple[int, int, bool]
"""A freight that runs: its two ends, and whether it rusts."""


ORDERS_MOST = 2_000
"""So many orders of the trains of a chain are tried, of each length; six trains have fewer."""
SOUGHT_MOST = 200_000
"""So many places of chains are looked at for the ends that can be reached from them."""
# The clock is looked at once in so many of them.
_STRIDE = 1_024


class Realised(Struct, frozen=True):
    """A chain as it can be run.

    It touches some pieces. `nodes` are its ends and joints as bits of what may be called at once,
    `joints` those where another freight would join it.
    """

    touched: int
    nodes: int
    joints: int
    runs: tuple[tuple[Plan, Trip], ...]


class Chains:
    """All chains over the runs that freights can make by themselves."""

    def __init__(
        self,
        field: Field,
        ends: Ends,
        trips: dict[Plan, Trips],
        expired: Callable[[], bool] = lambda: False,
    ) -> None:
        self.field = field
        self.expired = expired
        self._is_late = False
        self.ends = ends
        self.work = 0
        self.once = [field.once[station] for station in ends.stations]
        self.joint = [field.meets[station] for station in ends.stations]
        self.joins = [bit != 0 for bit in self.joint]
        self.mates = [
            [other for other, at in enumerate(ends.stations) if at == station]
            for station in ends.stations
        ]
        self.onward: dict[Plan, list[dict[int, list[Trip]]]] = {}
        self.onward_bits: dict[Plan, list[int]] = {}
        self._parts: list[tuple[Plan, int | None, bool]] = []
        self._part_numbers: dict[tuple[Order, bool], int] = {}
        self._touched: dict[tuple[int, int], int] = {}
        self._known: dict[tuple[int, int, int], int] = {}
        self.gave_up = False
        for plan, found in trips.items():
            onward: list[dict[int, list[Trip]]] = [{} for _ in ends.ends]
            for (one, other), runs in sorted(found.between.items()):
                onward[one][other] = runs
                onward[other][one] = runs
            self.onward[plan] = onward
            self.onward_bits[plan] = [sum(1 << end for end in ways) for ways in onward]
        # Ends that may not be called at beside one another: entries of one area, or the same one.
        self._clashing = {
            bit: sum(1 << end for end, other in enumerate(self.once) if other == bit)
            for bit in self.once
        }

    @property
    def is_spent(self) -> bool:
        """Whether all the work that may be done for chains has been done, or time is up."""
        return self._is_late or len(self._known) >= SOUGHT_MOST

    def pairs(self, orders: Sequence[Order]) -> dict[Pair, tuple[Order, ...]]:
        """The outer ends that chains in these orders can have, each with its orders."""
        found: dict[Pair, list[Order]] = {}
        for order in orders:
            part = self._part(order, is_first=True)
            back = order[::-1]
            # An order that is its own opposite comes to each pair from both its ends.
            back = order if back == order else back
            for first, bit in enumerate(self.once):
                reached = self._reached(part, first, self._clashing[bit])
                for last in _numbers(reached):
                    pair, oriented = (
                        ((first, last), order) if first < last else ((last, first), back)
                    )
                    known = found.get(pair)
                    if known is None:
                        found[pair] = [oriented]
                    elif known[-1] is not oriented:
                        known.append(oriented)
        return {pair: tuple(known) for pair, known in sorted(found.items())}

    def _part(self, order: Order, *, is_first: bool) -> int:
        """The number of a chain's last trains; numbers are quicker to look up than trains."""
        known = self._part_numbers.get((order, is_first))
        if known is None:
            after = self._part(order[1:], is_first=False) if len(order) > 1 else None
            known = self._part_numbers[order, is_first] = len(self._parts)
            self._parts.append((order[0], after, is_first))
        return known

    def _reached(self, part: int, at: int, used: int) -> int:
        """The last ends of a chain that has come to `at`, without the ends used up.

        What is still to come is the same for chains that came there by other ways or trains, and
        whatever they used up that the rest could not touch.
        """
        came = part, at, used & self._touchable(part, at)
        known = self._known.get(came)
        if known is None:
            if self.is_spent:
                self.gave_up = True
                return 0
            if len(self._known) % _STRIDE == _STRIDE - 1:
                self._is_late = self.expired()
            known = self._known[came] = self._sought(part, at, used)
        return known

    def _touchable(self, part: int, at: int) -> int:
        """All ends that the last trains of a chain could come to, if none were used up."""
        known = self._touched.get((part, at))
        if known is None:
            plan, after, is_first = self._parts[part]
            known = 0
            for start in (at,) if is_first else self.mates[at]:
                known |= self.onward_bits[plan][start]
                if after is None:
                    continue
                for joint in self.onward[plan][start]:
                    if self.joins[joint]:
                        known |= self._touchable(after, joint)
            self._touched[part, at] = known
        return known

    def _sought(self, part: int, at: int, used: int) -> int:
        plan, after, is_first = self._parts[part]
        starts = (at,) if is_first else self.mates[at]
        reached = 0
        if after is None:
            for start in starts:
                reached |= self.onward_bits[plan][start]
            return reached & ~used
        for start in starts:
            for joint in self.onward[plan][start]:
                if self.joins[joint] and not used >> joint & 1:
                    taken = used | self._clashing[self.once[joint]]
                    reached |= self._reached(after, joint, taken)
        return reached

    def realised(
        self, pair: Pair, orders: Sequence[Order], pieces: Sequence[int], fleet: Sequence[Plan] = ()
    ) -> Iterator[Realised]:
        """The ways to run a chain between two ends, one for each set of pieces that it touches.

        With `fleet`, all freights that there are, only those are given that none of the trains left
        could make longer.
        """
        for order in orders:
            idle = list(fleet)
            for plan in order if fleet else ():
                idle.remove(plan)
            seen: set[tuple[int, int, int, int]] = set()
            start = Realised(0, self.once[pair[0]], self.joint[pair[0]], ())
            for found in self._walk(order, pair[1], pieces, pair[0], start, seen):
                if not self._can_grow(pair, found.nodes, idle):
                    yield found

    def _walk(
        self,
        order: Order,
        last: int,
        pieces: Sequence[int],
        at: int,
        so_far: Realised,
        seen: set[tuple[int, int, int, int]],
    ) -> Iterator[Realised]:
        index = len(so_far.runs)
        if index == len(order):
            yield so_far
            return
        plan = order[index]
        is_last = index == len(order) - 1
        for start in self.mates[at] if index else (at,):
            self.work += len(self.onward[plan][start])
            for end, runs in self.onward[plan][start].items():
                if so_far.nodes & self.once[end] or is_last != (end == last):
                    continue
                if not is_last and not self.joins[end]:
                    continue
                nodes = so_far.nodes | self.once[end]
                joints = so_far.joints | self.joint[end]
                for trip in runs:
                    touched = so_far.touched | _touched(trip[0], pieces)
                    state = (index, end, nodes, touched)
                    if state not in seen:
                        seen.add(state)
                        longer = Realised(touched, nodes, joints, (*so_far.runs, (plan, trip)))
                        yield from self._walk(order, last, pieces, end, longer, seen)

    def _can_grow(self, pair: Pair, nodes: int, idle: Sequence[Plan]) -> bool:
        for plan in idle:
            for end in pair:
                if self.joins[end] and any(
                    not self.once[other] & nodes
                    for start in self.mates[end]
                    for other in self.onward[plan][start]
                ):
                    return True
        return False

    def take(
        self, plan: Plan, trips: Trips, freights: Sequence[Freight], met: int, *, apart: bool
    ) -> bool:
        """Whether one more freight could run beside these, and meet what they and others meet."""
        return any(
            any(trip[0] & met for trip in found)
            and self.are_legal([*freights, (*pair, plan.rusts)], apart=apart)
            for pair, found in trips.between.items()
        )

    def are_legal(self, freights: Sequence[Freight], *, apart: bool) -> bool:
        """Whether these freights form chains as they must: one, or `apart` as rusting allows."""
        groups: list[list[Freight]] = []
        for freight in freights:
            met = [group for group in groups if any(self._meet(freight, one) for one in group)]
            groups = [group for group in groups if group not in met]
            groups.append([freight, *(one for group in met for one in group)])
        if not all(map(self._is_chain, groups)):
            return False
        if len(groups) < 2:
            return True
        rusting = [group for group in groups if any(rusts for _, _, rusts in group)]
        return apart and (
            not rusting or (len(rusting) == 1 and not all(rusts for _, _, rusts in rusting[0]))
        )

    def _meet(self, one: Freight, other: Freight) -> bool:
        return any(
            self.joins[end] and self.ends.stations[end] == self.ends.stations[to]
            for end in one[:2]
            for to in other[:2]
        )

    def _is_chain(self, group: list[Freight]) -> bool:
        stations: dict[int | str, int] = {}
        for number, freight in enumerate(group):
            for end in freight[:2]:
                # An end that joins nothing is nobody else's.
                name = self.ends.stations[end] if self.joins[end] else f"{number}-{end}"
                stations[name] = stations.get(name, 0) + 1
        outer = [
            self.once[end]
            for number, freight in enumerate(group)
            for end in freight[:2]
            if stations[self.ends.stations[end] if self.joins[end] else f"{number}-{end}"] == 1
        ]
        is_line = len(stations) == len(group) + 1 and max(stations.values()) <= 2
        return is_line and outer[0] != outer[1]


def orders_of(plans: Sequence[Plan], most: int = ORDERS_MOST) -> tuple[tuple[Order, ...], bool]:
    """Every order of some or all of the trains in a chain, one of each pair of opposite ones.

    Of each length at most `most`; the second value says whether that was all there are. Trains of
    one plan are not told apart, so many alike have few orders.

    >>> one, other = Plan("freight", 0, 0, 3, False), Plan("freight", 0, 0, 5, False)
    >>> [len(order) for order in orders_of([one, one, other])[0]]
    [1, 1, 2, 2, 3, 3]
    """
    found: list[Order] = []
    is_all = True
    for number in range(1, len(plans) + 1):
        same_length: dict[Order, None] = {}
        for order in _orders(dict(Counter(plans)), number):
            if order[::-1] in same_length:
                continue
            if len(same_length) == most:
                is_all = False
                break
            same_length[order] = None
        found += same_length
    return tuple(found), is_all


def _orders(left: dict[Plan, int], number: int) -> Iterator[Order]:
    """Orders of so many trains out of those left of each plan."""
    if not number:
        yield ()
        return
    for plan, count in left.items():
        if count:
            for rest in _orders({**left, plan: count - 1}, number - 1):
                yield (plan, *rest)


def _touched(meets: int, pieces: Sequence[int]) -> int:
    return sum(1 << number for number, piece in enumerate(pieces) if meets & piece)


def _numbers(bits: int) -> list[int]:
    """The places of the bits that are set, the lowest first."""
    numbers: list[int] = []
    while bits:
        bit = bits & -bits
        bits ^= bit
        numbers.append(bit.bit_length() - 1)
    return numbers
