"""Runs with their exact track, made out of looser descriptions of them.

Other programs and people write a run as the hexes that it went over. Where these leave a choice of
track, the choice is made for the whole set of runs: legal if that can be, and of those the dearest.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, product

from msgspec import Struct

from contracts.ids import CompanyId, HexId, PhaseId, TrainId
from contracts.runs import Run, Stop
from contracts.titles.facts import Facts
from services.engine.rules.network.counting import with_counted
from services.engine.rules.network.graph import Network, Segment
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.paths import Ground, Trail, ground, run_of
from services.engine.rules.network.readings import RULEBOOK, Readings, runs_are_united
from services.engine.rules.network.routes import Train, canonical, checked
from services.engine.rules.network.tiles import face_at, stops_of, towns_are_passed
from services.engine.table.board import Board

# Far more than the ways in which the hexes of one run, or the runs of one company, can be read.
_MOST_READINGS = 5_000


class Sketch(Struct, frozen=True):
    """A run as somebody wrote it down.

    Each stretch lists the hexes from one stop to the next, in either direction; the stretches are
    in order from end to end. In a `loose` one hexes between the stops may be left out. `nodes` name
    stops as hex and number (`I15-0`), and may be left out.
    """

    train: TrainId
    stretches: tuple[tuple[HexId, ...], ...]
    nodes: tuple[str, ...] = ()
    loose: bool = False


class Resolution(Struct, frozen=True):
    """Runs, or why they could not be made out; the runs may still be against the rules."""

    runs: tuple[Run, ...]
    objections: tuple[Objection, ...]


def sketched(facts: Facts, board: Board, train: TrainId, text: str) -> Sketch:
    """A run written by hand: its hexes in order, `H12-I15-J14`.

    A hex with a station is a stop; others, and hexes left out, are passed. So a station that is
    passed by without a call must be left out.
    """
    hexes = [HexId(name) for name in text.split("-") if name]
    stretches: list[tuple[HexId, ...]] = []
    current: tuple[HexId, ...] = ()
    for hex_id in hexes:
        current = (*current, hex_id)
        is_stop = hex_id in facts.map.hexes and stops_of(facts, face_at(facts, board, hex_id))
        if is_stop and len(current) > 1:
            stretches.append(current)
            current = (hex_id,)
    return Sketch(train, tuple(stretches), loose=True)


def resolve(
    facts: Facts,
    board: Board,
    phase: PhaseId,
    company: CompanyId,
    *,
    trains: tuple[Train, ...],
    sketches: tuple[Sketch, ...],
    rulings: Readings = RULEBOOK,
) -> Resolution:
    """The runs that the sketches mean; `rulings` matter where trains may share track."""
    on = ground(facts, board, phase, company)
    readings: list[list[_Reading]] = []
    objections = []
    for sketch in sketches:
        found = _readings(on, _by_stations(facts, board, sketch))
        if not found:
            because = f"There is no track for the run of {sketch.train} as it is described."
            objections.append(Objection("no-such-track", because, "3.6.1"))
        if runs_are_united(facts):
            readings.append(found)
            continue
        legal = [
            reading
            for reading in found
            if not checked(
                facts, board, phase, company, trains=trains, runs=(reading.run,)
            ).objections
        ]
        readings.append(legal or found)
    if objections:
        return Resolution((), tuple(objections))
    if runs_are_united(facts):
        sets = islice(product(*readings), _MOST_READINGS)
        runs = _united(
            _Asked(facts, board, phase, company, trains, rulings),
            (tuple(reading.run for reading in some) for some in sets),
        )
        return Resolution(runs, ())
    picks = _dearest(readings) or [found[0] for found in readings]
    return Resolution(tuple(reading.run for reading in picks), ())


class _Asked(Struct, frozen=True):
    """For whom runs are read."""

    facts: Facts
    board: Board
    phase: PhaseId
    company: CompanyId
    trains: tuple[Train, ...]
    rulings: Readings


def _united(asked: _Asked, sets: Iterable[tuple[Run, ...]]) -> tuple[Run, ...]:
    """The dearest legal set with the stations that it counts, else the first."""
    best: tuple[int, tuple[Run, ...]] | None = None
    for some in sets:
        runs = with_counted(
            asked.facts, asked.board, asked.phase, asked.trains, some, asked.rulings
        )
        score = checked(
            asked.facts,
            asked.board,
            asked.phase,
            asked.company,
            trains=asked.trains,
            runs=runs,
            readings=asked.rulings,
        )
        worth = -1 if score.objections else score.revenue + score.subsidy
        if best is None or worth > best[0]:
            best = worth, runs
    return best[1] if best is not None else ()


def _by_stations(facts: Facts, board: Board, sketch: Sketch) -> Sketch:
    """The sketch with stretches that lead past small stations, where these are no stops."""
    if not towns_are_passed(facts) or not sketch.stretches:
        return sketch
    hexes = _in_line(sketch.stretches)
    stretches: list[tuple[HexId, ...]] = []
    current: tuple[HexId, ...] = ()
    for hex_id in hexes:
        current = (*current, hex_id)
        is_stop = hex_id in facts.map.hexes and stops_of(facts, face_at(facts, board, hex_id))
        if is_stop and len(current) > 1:
            stretches.append(current)
            current = (hex_id,)
    return Sketch(sketch.train, tuple(stretches), sketch.nodes, sketch.loose)


def _in_line(stretches: tuple[tuple[HexId, ...], ...]) -> tuple[HexId, ...]:
    """Stretches, each written in either direction, as one line of hexes."""
    first, *others = stretches
    if others and first[-1] not in (others[0][0], others[0][-1]):
        first = first[::-1]
    line = list(first)
    for stretch in others:
        onward = stretch if stretch[0] == line[-1] else stretch[::-1]
        line += onward[1:] if onward[0] == line[-1] else onward
    return tuple(line)


class _Reading(Struct, frozen=True):
    """One way to read a sketch."""

    run: Run
    mask: int
    value: int


def _readings(on: Ground, sketch: Sketch) -> list[_Reading]:
    """All ways to read a sketch, those with the stops that it names if there are any."""
    found: list[_Reading] = []
    known: list[Run] = []
    for start, trail, mask in _trails(on.net, sketch):
        run = canonical(run_of(on, sketch.train, start, trail))
        if run not in known and len(found) < _MOST_READINGS:
            known.append(run)
            value = sum(on.values[on.net.numbers[stop]] for stop in run.stops)
            found.append(_Reading(run, mask, value))
    named = [reading for reading in found if _has_nodes(reading.run, sketch.nodes)]
    return sorted(named or found, key=lambda reading: -reading.value)


def _trails(net: Network, sketch: Sketch) -> Iterator[tuple[int, Trail, int]]:
    """Chains of segments, one for each stretch, each going on from where the last ended."""
    if not sketch.stretches:
        return
    fitting = [
        [
            number
            for number, segment in enumerate(net.segments)
            if _fits(net, segment, stretch, loose=sketch.loose)
        ]
        for stretch in sketch.stretches
    ]
    starts = sorted(
        {
            end
            for number in fitting[0]
            for end in (net.segments[number].one, net.segments[number].other)
        }
    )
    for start in starts:
        yield from _onward(net, fitting, start, (start, (), 0))


def _onward(
    net: Network, fitting: list[list[int]], at: int, so_far: tuple[int, Trail, int]
) -> Iterator[tuple[int, Trail, int]]:
    if not fitting:
        yield so_far
        return
    start, trail, mask = so_far
    for number in fitting[0]:
        segment = net.segments[number]
        if at in (segment.one, segment.other):
            to = segment.other if at == segment.one else segment.one
            # Track used twice stays readable: that it is not allowed is for the check to say.
            yield from _onward(net, fitting[1:], to, (start, (trail, number), mask | segment.mask))


def _fits(net: Network, segment: Segment, stretch: tuple[HexId, ...], *, loose: bool) -> bool:
    hexes = _hexes_of(segment)
    for way in (hexes, hexes[::-1]):
        if way == stretch:
            return True
        if loose and (way[0], way[-1]) == (stretch[0], stretch[-1]):
            between = iter(way[1:-1])
            if all(hex_id in between for hex_id in stretch[1:-1]):
                return True
    return False


def _hexes_of(segment: Segment) -> tuple[HexId, ...]:
    hexes: list[HexId] = []
    for piece in segment.track:
        if not hexes or hexes[-1] != piece.hex:
            hexes.append(piece.hex)
    return tuple(hexes)


def _has_nodes(run: Run, nodes: tuple[str, ...]) -> bool:
    return not nodes or all(_node_name(stop) in nodes for stop in run.stops)


def _node_name(stop: Stop) -> str:
    return f"{stop.hex}-{stop.node[1:]}"


def _dearest(readings: list[list[_Reading]]) -> list[_Reading]:
    """One reading for each sketch that share no track, worth most; none if all sets share."""
    record: tuple[int, list[_Reading]] = (-1, [])
    left = _MOST_READINGS

    def pick(number: int, mask: int, value: int, picks: list[_Reading]) -> None:
        nonlocal record, left
        left -= 1
        if number == len(readings):
            record = max(record, (value, picks), key=lambda one: one[0])
            return
        most = value + sum(found[0].value for found in readings[number:])
        if most <= record[0] or left < 0:
            return
        for reading in readings[number]:
            if not reading.mask & mask:
                pick(number + 1, mask | reading.mask, value + reading.value, [*picks, reading])

    pick(0, 0, 0, [])
    return record[1]
