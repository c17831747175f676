"""Checks and scores of the runs that a company submits (3.6).

This reads raw track, not the graph that the solver searches, so the two can be held against each
other. What comes out belongs to the set of runs: their order, and the direction in which each was
written down, change nothing.
"""

from collections.abc import Iterator

from msgspec import Struct

from contracts.ids import CompanyId, HexId, Money, PhaseId, TrainId, TrainKind
from contracts.runs import Run, ScoreLine, Stop, Track
from contracts.titles.facts import Facts
from contracts.titles.hexes import neighbour, opposite
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.tiles import SIDE_NAMES, face_at, value_of
from services.engine.table.board import Board


class Train(Struct, frozen=True):
    """A train that may run; `stations` is the most that it may call at, None without end."""

    id: TrainId
    kind: TrainKind
    stations: int | None


class Checked(Struct, frozen=True):
    """What speaks against a set of runs, or what it scores line by line."""

    objections: tuple[Objection, ...]
    lines: tuple[ScoreLine, ...]
    revenue: Money


class _Walk(Struct, frozen=True):
    """A run as read off the board: stops in order of travel, and everything that it uses up."""

    stops: tuple[Stop, ...]
    used: tuple[str, ...]


def checked(
    facts: Facts,
    board: Board,
    phase: PhaseId,
    company: CompanyId,
    *,
    trains: tuple[Train, ...],
    runs: tuple[Run, ...],
) -> Checked:
    """The score of a set of runs, or every reason why it is refused."""
    objections: list[Objection] = []
    walks: list[tuple[Run, _Walk]] = []
    for run in sorted(map(canonical, runs), key=lambda run: (run.trains, run.stops)):
        walk = _walked(facts, board, run)
        objections += _train_objections(trains, runs, run)
        if isinstance(walk, Objection):
            objections.append(walk)
            continue
        walks.append((run, walk))
        objections += _run_objections(facts, board, company, run, walk)
    objections += _shared_track(walks)
    if objections:
        return Checked(tuple(objections), (), 0)
    lines = tuple(
        ScoreLine("stop", f"{stop.hex}-{stop.node}", _value(facts, board, phase, stop))
        for _, walk in walks
        for stop in walk.stops
    )
    return Checked((), lines, sum(line.amount for line in lines))


def canonical(run: Run) -> Run:
    """The same run, written from the end whose station comes first."""
    if run.stops[:1] <= run.stops[-1:]:
        return run
    track = tuple(Track(piece.hex, piece.other, piece.one) for piece in reversed(run.track))
    return Run(run.trains, track, run.stops[::-1], run.counted[::-1])


def named(run: Run) -> str:
    """What a refusal calls a run."""
    return "+".join(run.trains) or "a run"


def _train_objections(
    trains: tuple[Train, ...], runs: tuple[Run, ...], run: Run
) -> Iterator[Objection]:
    known = {train.id: train for train in trains}
    if len(run.trains) != 1 or run.trains[0] not in known:
        yield Objection("no-such-train", f"{named(run)} is no train of the company.", "3.6.1")
        return
    train = known[run.trains[0]]
    if sum(1 for other in runs if train.id in other.trains) > 1:
        yield Objection("train-twice", f"{train.id} runs twice.", "3.6.1")
    if train.stations is not None and len(run.stops) > train.stations:
        because = f"{train.id} calls at {len(run.stops)} stations; at most {train.stations}."
        yield Objection("run-too-long", because, "3.6.2")


def _run_objections(
    facts: Facts, board: Board, company: CompanyId, run: Run, walk: _Walk
) -> Iterator[Objection]:
    """What speaks against one run by itself, its track once found to hang together."""
    name, stops = named(run), walk.stops
    if run.stops != stops:
        yield Objection("other-stops", f"The track of {name} has other stops.", "3.6.2")
    if tuple(sorted(run.counted)) != tuple(sorted(stops)):
        yield Objection("other-count", f"{name} counts every station it passes.", "3.6.2")
    if len(stops) < 2:
        yield Objection("run-too-short", f"{name} calls at fewer than two stations.", "3.6.1")
    once = [_once(facts, board, stop) for stop in stops]
    for place in sorted({place for place in once if once.count(place) > 1}):
        yield Objection("station-twice", f"{name} calls at {place} twice.", "3.6.1")
    for place in sorted({use for use in walk.used if walk.used.count(use) > 1}):
        yield Objection("track-twice", f"{name} uses {place} twice.", "3.6.1")
    if not any(_holders(board, stop).count(company) for stop in stops):
        yield Objection("no-token", f"{name} calls at no token of {company}.", "3.6.1")
    for stop in stops[1:-1]:
        if stop.node[0] == "o":
            yield Objection("through-area", f"{name} runs through {stop.hex}.", "3.6.1")
        elif stop.node[0] == "c" and _is_full_of_others(facts, board, company, stop):
            because = f"{name} passes {stop.hex}, full of the tokens of others."
            yield Objection("through-full-city", because, "3.5.3")


def _shared_track(walks: list[tuple[Run, _Walk]]) -> Iterator[Objection]:
    users: dict[str, list[str]] = {}
    for run, walk in walks:
        for use in sorted(set(walk.used)):
            users.setdefault(use, []).append(named(run))
    for use, names in sorted(users.items()):
        if len(names) > 1:
            because = f"{' and '.join(names)} both use {use}."
            yield Objection("track-shared", because, "3.6.1")


def _walked(facts: Facts, board: Board, run: Run) -> _Walk | Objection:
    """The run's track followed piece by piece from its first end."""
    for piece in run.track:
        if piece.hex not in facts.map.hexes or {piece.one, piece.other} not in [
            {*ends} for ends in face_at(facts, board, piece.hex).track
        ]:
            because = f"{named(run)} uses track from {piece.one} to {piece.other} that is not there"
            return Objection("no-such-track", f"{because} on {piece.hex}.", "3.6.1")
    for first in _both_ways(run.track[0]) if run.track else ():
        walk = _followed(facts, first, run.track[1:])
        if walk is not None:
            return walk
    because = f"The track of {named(run)} does not lead from station to station."
    return Objection("track-apart", because, "3.6.1")


def _followed(facts: Facts, first: Track, rest: tuple[Track, ...]) -> _Walk | None:
    """Stops and uses of track that begins with `first`, None if it does not hang together."""
    if not _is_station(first.one):
        return None
    stops = [Stop(first.hex, first.one)]
    used: list[str] = []
    piece = first
    for index in range(len(rest) + 1):
        if _is_station(piece.one) and _is_station(piece.other):
            used.append(f"{piece.hex} {'-'.join(sorted((piece.one, piece.other)))}")
        hex_id, end = piece.hex, piece.other
        if _is_station(end):
            stops.append(Stop(hex_id, end))
        elif end in SIDE_NAMES:
            beyond, entry = neighbour(facts.map.letters, hex_id, int(end)), opposite(int(end))
            near, far = f"{hex_id}/{end}", f"{beyond}/{entry}"
            used.append(min(near, far))
            hex_id, end = beyond, str(entry)
        else:
            used.append(f"{hex_id} {end}")
        if index == len(rest):
            break
        onward = [way for way in _both_ways(rest[index]) if (way.hex, way.one) == (hex_id, end)]
        if not onward:
            return None
        piece = onward[0]
    return _Walk(tuple(stops), tuple(used)) if _is_station(piece.other) else None


def _both_ways(piece: Track) -> tuple[Track, Track]:
    return piece, Track(piece.hex, piece.other, piece.one)


def _is_station(end: str) -> bool:
    return end[0] in "cto"


def _once(facts: Facts, board: Board, stop: Stop) -> str:
    """What a run may call at once: a station by itself, an area wherever it is entered."""
    if stop.node[0] == "o":
        return face_at(facts, board, stop.hex).areas[int(stop.node[1:])]
    return f"{stop.hex}-{stop.node}"


def _value(facts: Facts, board: Board, phase: PhaseId, stop: Stop) -> Money:
    return value_of(facts, phase, face_at(facts, board, stop.hex), stop.node)


def _holders(board: Board, stop: Stop) -> list[CompanyId]:
    return [
        token.company
        for token in board.tokens
        if Stop(HexId(token.place), f"c{token.city}") == stop
    ]


def _is_full_of_others(facts: Facts, board: Board, company: CompanyId, stop: Stop) -> bool:
    holders = _holders(board, stop)
    slots = face_at(facts, board, stop.hex).cities[int(stop.node[1:])].slots
    return company not in holders and len(holders) >= slots
