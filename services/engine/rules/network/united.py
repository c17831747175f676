"""Checks and scores of runs that may share track but must hang together (7.4, 7.8).

Each station scores once, whoever calls there; one run calls at the home station and all are joined
at stations; freights form a chain of which only the two outer ends score. All of this is a property
of the set of runs.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from contracts.ids import CompanyId, HexId, PhaseId
from contracts.runs import Run, ScoreLine, Stop, Track
from contracts.titles.facts import Facts
from services.engine.rules.network.field import field_of
from services.engine.rules.network.freight import End, bonus, end_of
from services.engine.rules.network.idle import idle_objections
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.readings import Readings
from services.engine.rules.network.tiles import face_at
from services.engine.rules.network.walks import (
    Checked,
    Train,
    Walk,
    canonical,
    holders,
    is_full_of_others,
    named,
    once,
    value,
    walked,
)
from services.engine.table.board import Board

FREIGHT, LOCAL, EXPRESS = "freight", "local", "express"


class Ran(Struct, frozen=True):
    """A run as read off the board: large stations and areas called at, small stations passed."""

    run: Run
    train: Train
    walk: Walk
    calls: tuple[Stop, ...]
    passed: tuple[Stop, ...]

    def hexes(self) -> set[HexId]:
        """All hexes that the run touches."""
        return {piece.hex for piece in self.run.track}


class Ends(Struct, frozen=True):
    """A chain of freights: its runs, and its two outer ends."""

    runs: tuple[Ran, ...]
    outer: tuple[End, End]


def checked_together(
    facts: Facts,
    board: Board,
    phase: PhaseId,
    company: CompanyId,
    *,
    trains: tuple[Train, ...],
    runs: tuple[Run, ...],
    readings: Readings,
) -> Checked:
    """The score of a set of runs, or every reason why it is refused."""
    objections: list[Objection] = []
    ran: list[Ran] = []
    for run in sorted(map(canonical, runs), key=lambda run: (run.trains, run.stops)):
        found = read(facts, board, trains, runs, run)
        if isinstance(found, Objection):
            objections.append(found)
            continue
        ran.append(found)
        objections += _run_objections(facts, board, company, found)
    if objections:
        return Checked(tuple(objections), (), 0)
    chains = chains_of(facts, ran, readings)
    if isinstance(chains, Objection):
        return Checked((chains,), (), 0)
    objections += _set_objections(facts, board, company, ran, chains, readings)
    idle: tuple[Train, ...] = ()
    if not objections and not readings.may_idle:
        ran_trains = {id for one in ran for id in one.run.trains}
        idle = tuple(train for train in trains if train.id not in ran_trains)
    if idle:
        freights = tuple(
            (*_two_ends(facts, one), one.train.rusts) for one in ran if one.train.side == FREIGHT
        )
        stops = tuple(stop for one in ran for stop in one.walk.stops)
        on = field_of(facts, board, company, readings)
        objections += idle_objections(on, idle, freights, stops, readings)
    if objections:
        return Checked(tuple(objections), (), 0)
    lines = tuple(_lines(facts, board, phase, ran, chains, readings))
    subsidy = sum(line.amount for line in lines if line.what == "subsidy")
    return Checked((), lines, sum(line.amount for line in lines) - subsidy, subsidy)


def read(
    facts: Facts, board: Board, trains: tuple[Train, ...], runs: tuple[Run, ...], run: Run
) -> Ran | Objection:
    """A run with its train, followed over the board."""
    train = next((train for train in trains if (train.id,) == run.trains), None)
    if train is None:
        return Objection("no-such-train", f"{named(run)} is no train that may run.", "7.8")
    if sum(1 for other in runs if train.id in other.trains) > 1:
        return Objection("train-twice", f"{train.id} runs twice.", "7.8")
    walk = walked(facts, board, run)
    if isinstance(walk, Objection):
        return walk
    calls = tuple(stop for stop in walk.stops if stop.node[0] != "t")
    passed = tuple(stop for stop in walk.stops if stop.node[0] == "t")
    return Ran(run, train, walk, calls, passed)


def _run_objections(
    facts: Facts, board: Board, company: CompanyId, ran: Ran
) -> Iterator[Objection]:
    """What speaks against one run by itself (7.4, 7.8)."""
    name, stops = named(ran.run), ran.walk.stops
    if ran.run.stops != ran.calls:
        yield Objection("other-stops", f"The track of {name} has other stops.", "7.8")
    if any(stop.node[0] == "t" for stop in (stops[0], stops[-1])):
        yield Objection("ends-small", f"{name} ends at a small station.", "7.8")
    if len(ran.calls) < 2 or all(stop.node[0] == "o" for stop in ran.calls):
        because = f"{name} calls at fewer than two stations, one of them large."
        yield Objection("run-too-short", because, "7.8")
    places = [once(facts, board, stop) for stop in stops]
    for place in sorted({place for place in places if places.count(place) > 1}):
        yield Objection("station-twice", f"{name} calls at {place} twice.", "7.4")
    for place in sorted({use for use in ran.walk.used if ran.walk.used.count(use) > 1}):
        yield Objection("track-twice", f"{name} uses {place} twice.", "7.4")
    if not any(company in holders(board, stop) for stop in ran.calls):
        yield Objection("no-token", f"{name} calls at no token of {company}.", "7.4")
    for stop in stops[1:-1]:
        if stop.node[0] == "o":
            yield Objection("through-area", f"{name} runs through {stop.hex}.", "7.4")
        elif stop.node[0] == "c" and is_full_of_others(facts, board, company, stop):
            because = f"{name} passes {stop.hex}, full of the tokens of others."
            yield Objection("through-full-city", because, "7.4")
    yield from _area_objections(facts, board, company, ran)
    yield from _length_objections(ran)


def _area_objections(
    facts: Facts, board: Board, company: CompanyId, ran: Ran
) -> Iterator[Objection]:
    name = named(ran.run)
    areas = [
        facts.map.areas[face_at(facts, board, stop.hex).areas[int(stop.node[1:])]]
        for stop in ran.calls
        if stop.node[0] == "o"
    ]
    kinds = [area.kind for area in areas]
    for kind in sorted({kind for kind in kinds if kinds.count(kind) > 1}):
        because = f"{name} runs from one {kind} area to another."
        yield Objection("two-areas-of-a-kind", because, "7.4")
    for area in areas:
        linked = any(t.place == area.id and t.company == company for t in board.tokens)
        if area.token_spaces and not linked:
            yield Objection("no-link", f"{company} has no token in {area.name}.", "7.4")
    if areas and ran.train.side == LOCAL:
        yield Objection("local-to-area", f"{name} is local and runs to {areas[0].name}.", "7.8.2")


def _length_objections(ran: Ran) -> Iterator[Objection]:
    train, name = ran.train, named(ran.run)
    if train.side == FREIGHT:
        assert train.hexes is not None  # what a freight is
        if ran.walk.crossed > train.hexes:
            because = f"{name} runs {ran.walk.crossed} hexes far; at most {train.hexes}."
            yield Objection("freight-too-far", because, "7.8.1")
        return
    rule = "7.8.2" if train.side == LOCAL else "7.8.3"
    kind = "run" if train.side == LOCAL else "express"
    assert train.stations is not None and train.counts is not None  # noqa: PT018 - one thing
    if len(ran.calls) > train.stations:
        because = f"{name} calls at {len(ran.calls)} stations; at most {train.stations}."
        yield Objection(f"{kind}-too-long", because, rule)
    counted = ran.run.counted
    number = min(train.counts, len(ran.calls))
    if len(counted) != number or len({*counted}) != number or not {*counted} <= {*ran.calls}:
        count = "other-count" if train.side == LOCAL else "express-count"
        yield Objection(count, f"{name} counts {number} of its stations.", rule)


def chains_of(facts: Facts, ran: Iterable[Ran], readings: Readings) -> tuple[Ends, ...] | Objection:
    """The freights in chains that join end to end, or why they are none (7.8.1)."""
    # In whatever order they are named, the same ones join.
    left = sorted((one for one in ran if one.train.side == FREIGHT), key=lambda one: one.run.trains)
    chains: list[Ends] = []
    while left:
        group = _lined_up(left, readings) if readings.permanents_apart else _joined(left, readings)
        left = [one for one in left if one not in group]
        chain = _chain(facts, group, readings)
        if chain is None:
            because = f"{_names(group)} do not join end to end in one line."
            return Objection("no-chain", because, "7.8.1")
        chains.append(chain)
    return tuple(chains)


def _joined(left: list[Ran], readings: Readings) -> list[Ran]:
    """The first run and all that hang together with it by their ends."""
    group, nodes = left[:1], {*_nodes(left[0], readings)}
    grown = True
    while grown:
        grown = False
        for one in left:
            if one not in group and nodes & {*_nodes(one, readings)}:
                group.append(one)
                nodes |= {*_nodes(one, readings)}
                grown = True
    return group


def _lined_up(left: list[Ran], readings: Readings) -> list[Ran]:
    """One line of runs, begun with one that rusts; where several could go on, the others do not.

    They make lines of their own, as permanent freights may.
    """
    first = next((one for one in left if one.train.rusts), left[0])
    group = [first]
    for node in _nodes(first, readings):
        group += _onward(node, [one for one in left if one not in group], readings)
    return group


def _onward(node: str, left: list[Ran], readings: Readings) -> list[Ran]:
    """The line that goes on from an end: one with a train that rusts, else the longest."""
    lines: list[list[Ran]] = []
    for one in left:
        ends = _nodes(one, readings)
        if node in ends:
            line, rest = [one], [other for other in left if other is not one]
            for end in ends:
                if end != node:
                    line += _onward(end, rest, readings)
            lines.append(line)
    rusting = (line for line in lines if any(one.train.rusts for one in line))
    return next(rusting, max(lines, key=len, default=[]))


def _nodes(ran: Ran, readings: Readings) -> tuple[str, ...]:
    """The ends of a run; where runs join at large stations, an area is nobody else's end."""
    name = named(ran.run)
    return tuple(
        f"{stop.hex}-{stop.node}"
        if stop.node[0] == "c" or readings.any_stop_joins
        else f"{stop.hex}-{stop.node} {name}"
        for stop in (ran.calls[0], ran.calls[-1])
    )


def _chain(facts: Facts, group: list[Ran], readings: Readings) -> Ends | None:
    """The outer ends of runs that hang together, None if they branch or close."""
    ends: dict[str, list[End]] = {}
    for one in group:
        for name, end in zip(_nodes(one, readings), _two_ends(facts, one), strict=True):
            ends.setdefault(name, []).append(end)
    outer = [found[0] for found in ends.values() if len(found) == 1]
    if len(ends) != len(group) + 1 or any(len(found) > 2 for found in ends.values()):
        return None
    first_end, last_end = sorted(outer)
    if first_end.area and first_end.area == last_end.area:
        return None
    return Ends(tuple(group), (first_end, last_end))


def _two_ends(facts: Facts, ran: Ran) -> tuple[End, End]:
    """The ends of a freight's run, with the sides that it leaves and comes by."""
    first, last = ran.run.track[0], ran.run.track[-1]
    if first.one != ran.calls[0].node:
        # Track may be written in either direction, piece by piece.
        first = Track(first.hex, first.other, first.one)
    if last.other != ran.calls[-1].node:
        last = Track(last.hex, last.other, last.one)
    return end_of(facts, ran.calls[0], first.other), end_of(facts, ran.calls[-1], last.one)


def _set_objections(
    facts: Facts,
    board: Board,
    company: CompanyId,
    ran: list[Ran],
    chains: tuple[Ends, ...],
    readings: Readings,
) -> Iterator[Objection]:
    """What speaks against runs together (7.8): home, joining, freights, what freights count."""
    homes = home_stations(board, company)
    if ran and not any(stop in homes for one in ran for stop in one.calls):
        yield Objection("no-home", f"No run calls at the home station of {company}.", "7.8")
    apart = _apart(ran, readings)
    if apart:
        meet = "meets" if len(apart) == 1 else "meet"
        because = f"{_names(apart)} {meet} no other run at a large station."
        yield Objection("runs-apart", because, "7.8")
    yield from _freight_objections(chains, readings)
    for chain in chains:
        for one in chain.runs:
            outer = [end.stop for end in chain.outer]
            wanted = tuple(sorted(stop for stop in one.calls if stop in outer))
            if tuple(sorted(one.run.counted)) != wanted:
                because = f"{named(one.run)} counts only outer ends of its chain."
                yield Objection("freight-count", because, "7.8.1")


def _apart(ran: list[Ran], readings: Readings) -> list[Ran]:
    """The runs that do not hang together with the first."""
    if not ran:
        return []
    together, met = [ran[0]], {*_meeting(ran[0], readings)}
    grown = True
    while grown:
        grown = False
        for one in ran:
            if one not in together and met & {*_meeting(one, readings)}:
                together.append(one)
                met |= {*_meeting(one, readings)}
                grown = True
    return [one for one in ran if one not in together]


def _meeting(ran: Ran, readings: Readings) -> Iterator[Stop]:
    """The stops where other runs may meet this one."""
    for stop in ran.walk.stops:
        if stop.node[0] == "c" or readings.any_stop_joins:
            yield stop


def _freight_objections(chains: tuple[Ends, ...], readings: Readings) -> Iterator[Objection]:
    if len(chains) < 2:
        return
    if not readings.permanents_apart:
        because = "The freights join each other end to end in one chain."
        yield Objection("no-chain", because, "7.8.1")
        return
    rusting = [chain for chain in chains if any(one.train.rusts for one in chain.runs)]
    if len(rusting) > 1:
        because = "All freights that rust join each other end to end."
        yield Objection("no-chain", because, "7.8.1")
    elif rusting and all(one.train.rusts for one in rusting[0].runs):
        because = "The freights that rust join one that does not."
        yield Objection("no-chain", because, "7.8.1")


def home_stations(board: Board, company: CompanyId) -> tuple[Stop, ...]:
    """Where the company's home token lies; nowhere if it is off the board."""
    return tuple(
        Stop(HexId(token.place), f"c{token.city}")
        for token in board.tokens
        if token.company == company and token.kind == "home" and token.city is not None
    )


def _lines(
    facts: Facts,
    board: Board,
    phase: PhaseId,
    ran: list[Ran],
    chains: tuple[Ends, ...],
    readings: Readings,
) -> Iterator[ScoreLine]:
    """What is paid: stations and areas once each, small stations, freights, hexes of locals."""
    stops = {once(facts, board, stop): stop for one in ran for stop in one.run.counted}
    for place, stop in sorted(stops.items()):
        yield ScoreLine("stop", place, value(facts, board, phase, stop))
    local = [one for one in ran if one.train.side == LOCAL]
    for stop in sorted({stop for one in local for stop in one.passed}):
        where = f"{stop.hex}-{stop.node}"
        yield ScoreLine("small station", where, value(facts, board, phase, stop))
    for chain in chains:
        one, other = chain.outer
        amount = bonus(facts, readings.entry, one, other)
        if amount:
            yield ScoreLine("freight", f"{one.stop.hex}-{other.stop.hex}", amount)
    for hex_id in sorted({hex_id for one in local for hex_id in one.hexes()}):
        yield ScoreLine("subsidy", hex_id, facts.running.subsidy_per_hex)


def _names(ran: Iterable[Ran]) -> str:
    return " and ".join(named(one.run) for one in ran)
