"""The best runs of trains that may share track and score each station once (7.8).

First the most revenue is sought, then among sets that earn it the most subsidy. Freights can be
arranged in chains in more than one way; the arrangements are searched one after another, the most
promising first, and keep one record.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import gcd, inf

from msgspec import Struct

from contracts.ids import CompanyId, HexId, PhaseId, TrainId
from contracts.runs import Run, Stop
from contracts.titles.facts import Facts
from services.engine.rules.network.chains import Chains, Freight, Order, orders_of
from services.engine.rules.network.field import field_of
from services.engine.rules.network.freight import bonus
from services.engine.rules.network.joining import Joiner, Pick, Runs
from services.engine.rules.network.limits import Best, Limits
from services.engine.rules.network.paths import run_over
from services.engine.rules.network.pricing import Candidate, Line
from services.engine.rules.network.readings import Readings
from services.engine.rules.network.tiles import value_of
from services.engine.rules.network.trips import Ends, Pair, Plan, Trip, kept, plan_of, trips_of_all
from services.engine.rules.network.union import Search
from services.engine.rules.network.united import checked_together
from services.engine.rules.network.walks import Checked, Train, canonical
from services.engine.table.board import Board

_ARRANGEMENTS_MOST = 300
"""So many ways to part the freights into chains are followed; five trains have fewer."""
_WORK_PER_NODE = 3
# Ways to join the same picks that are tried for one in which no idle train could run.
_MOST_WAYS = 200
_SETTLING_WORK = 20


class Asked(Struct, frozen=True):
    """For whom and how the best runs are sought; with `both` subsidy counts as much as revenue."""

    facts: Facts
    board: Board
    phase: PhaseId
    company: CompanyId
    trains: tuple[Train, ...]
    readings: Readings
    both: bool

    def score(self, runs: tuple[Run, ...]) -> Checked:
        """What runs earn by the rules of running, which share no scoring with the search."""
        return checked_together(
            self.facts,
            self.board,
            self.phase,
            self.company,
            trains=self.trains,
            runs=runs,
            readings=self.readings,
        )


class _Answer(Struct, frozen=True):
    """Runs with what they earn."""

    runs: tuple[Run, ...]
    revenue: int
    subsidy: int


def best_together(asked: Asked, known: tuple[Run, ...], limits: Limits) -> Best:
    """The best set of runs; never less than `known`, which counts only if it is legal."""
    answer = _Answer((), 0, 0)
    score = asked.score(known) if known else None
    if score is not None and not score.objections:
        runs = tuple(sorted(map(canonical, known), key=lambda run: run.trains))
        answer = _Answer(runs, score.revenue, score.subsidy)
    work = _Work(asked, limits)
    if asked.both:
        answer, bound = work.improved(answer, work.weights(revenue=1, subsidy=1))
        total = answer.revenue + answer.subsidy
        proven = bound == total and work.is_complete
        return Best(answer.runs, answer.revenue, proven, bound, answer.subsidy)
    answer, bound = work.improved(answer, work.weights(revenue=1, subsidy=0))
    proven = bound == answer.revenue and work.is_complete
    if any(plan.side == "local" for plan in work.plans):
        scale = 10 ** len(str(sum(work.weights(revenue=0, subsidy=1))))
        weights = work.weights(revenue=scale, subsidy=1)
        answer, most = work.improved(answer, weights, scale)
        proven = proven and most == answer.revenue * scale + answer.subsidy and work.is_complete
    return Best(answer.runs, answer.revenue, proven, max(bound, answer.revenue), answer.subsidy)


_Offer = tuple[int, tuple[int, ...], Pick]
"""What a chain could score: the amount for its hexes, elements, how it is run."""


class _Work:
    """One question's graph and lists, used for each search."""

    def __init__(self, asked: Asked, limits: Limits) -> None:
        self.asked = asked
        self.limits = limits
        self.field = field_of(asked.facts, asked.board, asked.company, asked.readings)
        self.ends = Ends(self.field, asked.readings.entry)
        self.idle = _by_plan(asked.trains)
        self.plans = [plan for plan, ids in self.idle.items() for _ in ids]
        plans = self.idle if self.field.home else ()
        self.trips = trips_of_all(self.field, plans, self.ends, limits.steps, limits.expired)
        freights = {plan: self.trips[plan] for plan in self.trips if plan.side == "freight"}
        self.chains = Chains(self.field, self.ends, freights, limits.expired)
        self.freights = tuple(plan for plan in self.plans if plan in freights)
        apart, may_idle = asked.readings.permanents_apart, asked.readings.may_idle
        fleet = () if apart or may_idle else self.freights
        self.joiner = Joiner(self.field.home, self.chains, fleet)
        self._offers: dict[tuple[Order, bool], tuple[_Offer, ...]] = {}
        self._bonuses: dict[Pair, int] = {}
        self._met_between: dict[Plan, dict[Pair, int]] = {}
        self.lists_complete = all(found.complete for found in self.trips.values())

    @property
    def is_complete(self) -> bool:
        """Whether nothing was left out for want of work."""
        return self.lists_complete and not self.joiner.gave_up and not self.chains.gave_up

    def weights(self, *, revenue: int, subsidy: int) -> list[int]:
        """What each element that scores is worth."""
        facts, faces = self.asked.facts, self.field.net.faces
        return [
            revenue * value_of(facts, self.asked.phase, faces[element.hex], element.node)
            if isinstance(element, Stop)
            else subsidy * facts.running.subsidy_per_hex
            for element in self.field.elements
        ]

    def improved(self, answer: _Answer, weights: list[int], scale: int = 1) -> tuple[_Answer, int]:
        """A better answer if there is one, and what no answer exceeds."""
        per_hex = [w for w, e in zip(weights, self.field.elements, strict=True) if _is_hex(e)]
        counts_hexes = any(per_hex)
        record = answer.revenue * scale + answer.subsidy * counts_hexes
        if not self.trips:
            return answer, record
        plain = self._plain_lines(weights)
        arrangements = [(*plain, *lines) for lines in self._freight_lines(scale)] or [tuple(plain)]
        amounts = [c.amount for lines in arrangements for line in lines for c in line.candidates]
        unit = gcd(*weights, *amounts) or 1
        search = Search(
            weights,
            unit,
            self.field.home,
            self._accepted,
            self.limits.nodes * _WORK_PER_NODE,
            self.limits.expired,
        )
        promising: list[tuple[float, tuple[Line, ...]]] = [(inf, lines) for lines in arrangements]
        if len(arrangements) > 1:
            promising = [(search.bound_of(lines), lines) for lines in arrangements]
            promising.sort(key=lambda pair: -pair[0])
        bound = record
        for most, lines in promising:
            if most <= record:
                continue
            found = search.best(lines, record)
            bound = max(bound, found.bound)
            if found.runs is not None:
                record = found.value
                answer = self._answer(found.picks, found.runs)
                worth = answer.revenue * scale + answer.subsidy * counts_hexes
                assert worth >= record, "the search and the rules of running disagree"
                record = worth
        if not self.is_complete:
            rough = map(search.bound_of, arrangements)
            bound = max(bound, self._crude_bound(weights, scale, plain), *rough)
        return answer, max(bound, record)

    def _crude_bound(self, weights: list[int], scale: int, plain: Sequence[Line]) -> int:
        """What no runs exceed, whatever was not listed; 0 if all was."""
        if self.lists_complete and not self.chains.gave_up:
            return 0
        if not self.lists_complete:
            farthest = len(self.asked.facts.map.hexes)
            running = self.asked.facts.running
            per_hex = max(running.freight_per_hex, running.freight_per_hex_port)
            return sum(weights) + scale * per_hex * farthest * len(self.freights)
        # Every end that a chain can have is known: the dearest, and the two farthest apart.
        chains = len(self.freights) if self.asked.readings.permanents_apart else 1
        ends = sorted((weights[bit.bit_length() - 1] for bit in {*self.chains.once}), reverse=True)
        numbers = range(len(self.ends.ends))
        bonuses = (self._bonus((one, other)) for other in numbers for one in range(other))
        others = sum(line.trains * max(line.row.scores([*weights, 0]), default=0) for line in plain)
        return others + sum(ends[: 2 * chains]) + scale * chains * max(bonuses, default=0)

    def _plain_lines(self, weights: list[int]) -> list[Line]:
        """The lines of local and express trains; what has no weight now is not told apart."""
        weighty = sum(1 << number for number, weight in enumerate(weights) if weight)
        lines = []
        for plan, ids in self.idle.items():
            if plan.side == "freight":
                continue
            merged: dict[int, list[Trip]] = {}
            for scored, trips in self.trips[plan].scoring.items():
                alike = merged.get(scored & weighty)
                if alike is None:
                    merged[scored & weighty] = trips.copy()
                    continue
                for trip in trips:
                    kept(alike, trip)
            candidates = tuple(
                Candidate(0, _numbers(scored), Pick(plan, tuple(trips), _all(trips), scored))
                for scored, trips in merged.items()
            )
            if candidates:
                lines.append(Line(len(ids), candidates))
        return lines

    def _freight_lines(self, scale: int) -> Iterator[tuple[Line, ...]]:
        """For each arrangement of the freights in chains, a line for each chain."""
        if not self.freights:
            return
        apart = self.asked.readings.permanents_apart
        arrangements, is_all = _arrangements(self.freights, apart=apart)
        self.chains.gave_up |= not is_all
        # Short chains first: they are soon listed, where the work does not suffice for long ones.
        for blocks in reversed(arrangements):
            if self.chains.is_spent:
                return
            lines = []
            for block, alike in groupby(blocks):
                trains = len(tuple(alike))
                offers = self._chain_offers(block, is_alone=len(blocks) == 1)
                if offers:
                    candidates = tuple(
                        Candidate(scale * paid, scored, pick) for paid, scored, pick in offers
                    )
                    lines.append(Line(trains, candidates))
            yield tuple(lines)

    def _chain_offers(self, block: Order, *, is_alone: bool) -> tuple[_Offer, ...]:
        """All that a chain of some of these trains could score, for one search or several.

        Whether it is alone matters to freights that rust.
        """
        is_alone = is_alone or not any(plan.rusts for plan in block)
        known = self._offers.get((block, is_alone))
        if known is not None:
            return known
        orders, is_all = orders_of(block)
        self.chains.gave_up |= not is_all
        if not is_alone:
            orders = tuple(order for order in orders if _may_run_beside_others(order))
        everywhere = 0
        for plan in dict.fromkeys(block):
            for meets in self._meets(plan).values():
                everywhere |= meets
        elements = [bit.bit_length() - 1 for bit in self.chains.once]
        offers = []
        for pair, wanted in self.chains.pairs(orders).items():
            one, other = pair
            if len(block) == 1:
                single = tuple(self.trips[block[0]].between[pair])
                joints = self.chains.joint[one] | self.chains.joint[other]
                pick = Pick(block[0], single, self._meets(block[0])[pair], joints=joints)
            else:
                pick = Pick(None, (), everywhere, pair=pair, orders=wanted)
            scored = elements[one], elements[other]
            offers.append((self._bonus(pair), (min(scored), max(scored)), pick))
        self._offers[block, is_alone] = tuple(offers)
        return self._offers[block, is_alone]

    def _meets(self, plan: Plan) -> dict[Pair, int]:
        """Where the runs of a freight between two ends could be met."""
        known = self._met_between.get(plan)
        if known is None:
            between = self.trips[plan].between
            known = {pair: _all(trips) for pair, trips in between.items()}
            self._met_between[plan] = known
        return known

    def _bonus(self, pair: Pair) -> int:
        """What a chain with these ends is paid for the hexes between them."""
        known = self._bonuses.get(pair)
        if known is None:
            one, other = (self.ends.ends[end] for end in pair)
            known = bonus(self.asked.facts, self.asked.readings.entry, one, other)
            self._bonuses[pair] = known
        return known

    def _accepted(self, picks: Sequence[Pick]) -> tuple[tuple[Runs, ...] | None, int]:
        """How picks hang together, and the work to find it out."""
        before = self.joiner.work + self.chains.work
        runs = self._settled(picks)
        return runs, self.joiner.work + self.chains.work - before

    def _settled(self, picks: Sequence[Pick]) -> tuple[Runs, ...] | None:
        """How picks hang together; where trains must run, so that no idle one could."""
        for number, runs in enumerate(self.joiner.ways(picks)):
            if self.asked.readings.may_idle or self._is_settled(runs):
                return runs
            if number >= _MOST_WAYS:
                self.joiner.gave_up = True
                break
        return None

    def _is_settled(self, runs: Sequence[Runs]) -> bool:
        """Whether no idle freight could run beside these runs and those of idle other trains."""
        self.joiner.work += _SETTLING_WORK
        ran = [one for group in runs for one in group]
        idle = _left(self.plans, [plan for plan, _ in ran])
        met = self._met([*ran, *self._filled(ran, idle)])
        freights: list[Freight] = [
            (*self.ends.pair(trip), plan.rusts) for plan, trip in ran if plan.side == "freight"
        ]
        apart = self.asked.readings.permanents_apart
        return not any(
            self.chains.take(plan, self.trips[plan], freights, met, apart=apart)
            for plan in dict.fromkeys(idle)
            if plan.side == "freight"
        )

    def _met(self, ran: Sequence[tuple[Plan, Trip]]) -> int:
        met = self.field.home
        for _, trip in ran:
            met |= trip[0]
        return met

    def _filled(
        self, ran: Sequence[tuple[Plan, Trip]], idle: Sequence[Plan]
    ) -> list[tuple[Plan, Trip]]:
        """Runs for idle local and express trains that can run beside the others."""
        filled: list[tuple[Plan, Trip]] = []
        left = [plan for plan in idle if plan.side != "freight"]
        added = True
        while added:
            added = False
            met = self._met([*ran, *filled])
            for plan in tuple(left):
                trip = next(
                    (t for ts in self.trips[plan].scoring.values() for t in ts if t[0] & met), None
                )
                if trip is not None:
                    left.remove(plan)
                    filled.append((plan, trip))
                    added = True
        return filled

    def _answer(self, picks: Sequence[Pick], groups: Sequence[Runs]) -> _Answer:
        """The picks as runs of the trains, scored by the rules of running."""
        idle = {plan: list(ids) for plan, ids in self.idle.items()}
        runs = []
        for pick, group in zip(picks, groups, strict=True):
            outer = self._outer(group)
            for plan, trip in group:
                counted = outer if plan.side == "freight" else self._stops(trip, pick.scored)
                runs.append(self._run(idle[plan].pop(0), trip, counted))
        if not self.asked.readings.may_idle:
            ran = [one for group in groups for one in group]
            for plan, trip in self._filled(ran, _left(self.plans, [plan for plan, _ in ran])):
                counted = self._stops(trip, -1)[: plan.counts]
                runs.append(self._run(idle[plan].pop(0), trip, counted))
        ordered = tuple(sorted(map(canonical, runs), key=lambda run: run.trains))
        score = self.asked.score(ordered)
        assert not score.objections, score.objections
        return _Answer(ordered, score.revenue, score.subsidy)

    def _run(self, train: TrainId, trip: Trip, counted: Sequence[Stop]) -> Run:
        run = run_over(self.field.net, train, trip[1], trip[2])
        return Run(
            run.trains, run.track, run.stops, tuple(stop for stop in run.stops if stop in counted)
        )

    def _stops(self, trip: Trip, scored: int) -> tuple[Stop, ...]:
        stops = run_over(self.field.net, TrainId(""), trip[1], trip[2]).stops
        numbers = self.field.net.numbers
        return tuple(stop for stop in stops if self.field.once[numbers[stop]] & scored)

    def _outer(self, group: Runs) -> tuple[Stop, ...]:
        """The ends of freights that are nobody else's."""
        stops = [
            stop
            for _, trip in group
            for stop in run_over(self.field.net, TrainId(""), trip[1], trip[2]).stops[
                :: len(_trail(trip))
            ]
        ]
        return tuple(stop for stop in stops if stops.count(stop) == 1)


def _by_plan(trains: Sequence[Train]) -> dict[Plan, list[TrainId]]:
    plans: dict[Plan, list[TrainId]] = {}
    for train in sorted(trains, key=lambda train: train.id):
        plans.setdefault(plan_of(train), []).append(train.id)
    return plans


def _arrangements(freights: Order, *, apart: bool) -> tuple[list[tuple[Order, ...]], bool]:
    """The ways to put freights into blocks that each run as one chain or not at all.

    Trains of one plan are not told apart. The second value says whether these are all: with very
    many trains only so many ways are followed.
    """
    if not apart:
        return [(freights,)], True
    found: dict[tuple[Order, ...], None] = {(): None}
    is_all = True
    for plan in freights:
        further: dict[tuple[Order, ...], None] = {}
        for blocks in found:
            for at in range(len(blocks) + 1):
                grown = (*blocks[at], plan) if at < len(blocks) else (plan,)
                others = (*blocks[:at], *blocks[at + 1 :])
                blocks_now = _ordered((*others, grown))
                if len(_rusting(blocks_now)) < 2:
                    further[blocks_now] = None
        is_all = is_all and len(further) <= _ARRANGEMENTS_MOST
        # Evenly out of all: from all in one chain to as many chains as there can be.
        every = -(-len(further) // _ARRANGEMENTS_MOST)
        found = dict.fromkeys(list(further)[::every])
    return [blocks for blocks in found if _may_stand_together(blocks)], is_all


def _ordered(blocks: Sequence[Order]) -> tuple[Order, ...]:
    """The same blocks in one order of all that they can be written in."""
    within = (tuple(sorted(block, key=_rank)) for block in blocks)
    return tuple(sorted(within, key=lambda block: list(map(_rank, block))))


def _may_stand_together(blocks: Sequence[Order]) -> bool:
    """Freights that rust form one block, and not by themselves where there are others."""
    rusting = _rusting(blocks)
    return len(blocks) == 1 or not rusting or not all(plan.rusts for plan in rusting[0])


def _rusting(blocks: Sequence[Order]) -> list[Order]:
    """The blocks with trains that rust."""
    return [block for block in blocks if any(plan.rusts for plan in block)]


def _rank(plan: Plan) -> tuple[int, bool]:
    return plan.hexes, plan.rusts


def _may_run_beside_others(order: Order) -> bool:
    """Freights that rust run beside other chains only joined to one that does not."""
    return not any(plan.rusts for plan in order) or not all(plan.rusts for plan in order)


def _left(plans: Sequence[Plan], used: Sequence[Plan]) -> list[Plan]:
    left = list(plans)
    for plan in used:
        left.remove(plan)
    return left


def _all(trips: Sequence[Trip]) -> int:
    meets = 0
    for trip in trips:
        meets |= trip[0]
    return meets


def _numbers(mask: int) -> tuple[int, ...]:
    numbers: list[int] = []
    while mask:
        bit = mask & -mask
        numbers.append(bit.bit_length() - 1)
        mask ^= bit
    return tuple(numbers)


def _trail(trip: Trip) -> list[int]:
    numbers: list[int] = []
    trail = trip[2]
    while trail:
        trail, number = trail
        numbers.append(number)
    return numbers


def _is_hex(element: Stop | HexId) -> bool:
    return not isinstance(element, Stop)
