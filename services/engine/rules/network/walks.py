"""Runs as raw track: a run followed piece by piece over the board as it lies.

This reads raw track, not the graph that the solver searches, so the two can be held against each
other.
"""

from msgspec import Struct

from contracts.ids import CompanyId, Money, PhaseId, TrainId, TrainKind
from contracts.pieces import Train as Card
from contracts.runs import Run, ScoreLine, Stop, Track
from contracts.titles.facts import Facts
from contracts.titles.hexes import neighbour, opposite
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.tiles import SIDE_NAMES, face_at, value_of
from services.engine.table.board import Board


class Train(Struct, frozen=True):
    """A train that may run; `stations` is the most that it may call at, None without end.

    The rest is said of trains that run as one side of their card: it is `side` (`freight`, `local`,
    `express`), counts at most `counts` stations or runs over at most `hexes` sides of hexes, and
    `rusts` some day.
    """

    id: TrainId
    kind: TrainKind
    stations: int | None
    side: str = ""
    counts: int | None = None
    hexes: int | None = None
    rusts: bool = False


class Checked(Struct, frozen=True):
    """What speaks against a set of runs, or what it scores line by line.

    `subsidy` is paid to the company beside its revenue.
    """

    objections: tuple[Objection, ...]
    lines: tuple[ScoreLine, ...]
    revenue: Money
    subsidy: Money = 0


def train_of(facts: Facts, card: Card) -> Train:
    """A train card as a train that may run, by the side that it was bought as."""
    kind = facts.trains[card.kind]
    rusts = kind.rusted_by is not None
    if card.side is None:
        return Train(card.id, card.kind, kind.stations, rusts=rusts)
    side = kind.sides[card.side]
    return Train(card.id, card.kind, side.visits, card.side, side.counts, side.hexes, rusts=rusts)


class Walk(Struct, frozen=True):
    """A run as read off the board: stops in order of travel, and everything that it uses up.

    `crossed` counts the sides of hexes that it runs over.
    """

    stops: tuple[Stop, ...]
    used: tuple[str, ...]
    crossed: int


def canonical(run: Run) -> Run:
    """The same run, written from the end whose station comes first."""
    if run.stops[:1] <= run.stops[-1:]:
        return run
    track = tuple(Track(piece.hex, piece.other, piece.one) for piece in reversed(run.track))
    return Run(run.trains, track, run.stops[::-1], run.counted[::-1])


def named(run: Run) -> str:
    """What a refusal calls a run."""
    return "+".join(run.trains) or "a run"


def walked(facts: Facts, board: Board, run: Run) -> Walk | Objection:
    """The run's track followed piece by piece from its first end."""
    for piece in run.track:
        is_there = piece.hex in facts.map.hexes and (
            piece.other in face_at(facts, board, piece.hex).ends.get(piece.one, ())
        )
        if not is_there:
            because = f"{named(run)} uses track from {piece.one} to {piece.other} that is not there"
            return Objection("no-such-track", f"{because} on {piece.hex}.", "3.6.1")
    for first in both_ways(run.track[0]) if run.track else ():
        walk = _followed(facts, first, run.track[1:])
        if walk is not None:
            return walk
    because = f"The track of {named(run)} does not lead from station to station."
    return Objection("track-apart", because, "3.6.1")


def _followed(facts: Facts, first: Track, rest: tuple[Track, ...]) -> Walk | None:
    """Stops and uses of track that begins with `first`, None if it does not hang together."""
    if not _is_station(first.one):
        return None
    stops = [Stop(first.hex, first.one)]
    used: list[str] = []
    crossed = 0
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
            crossed += 1
            hex_id, end = beyond, str(entry)
        else:
            used.append(f"{hex_id} {end}")
        if index == len(rest):
            break
        onward = [way for way in both_ways(rest[index]) if (way.hex, way.one) == (hex_id, end)]
        if not onward:
            return None
        piece = onward[0]
    return Walk(tuple(stops), tuple(used), crossed) if _is_station(piece.other) else None


def both_ways(piece: Track) -> tuple[Track, Track]:
    """A piece of track from either end."""
    return piece, Track(piece.hex, piece.other, piece.one)


def _is_station(end: str) -> bool:
    return end[0] in "cto"


def once(facts: Facts, board: Board, stop: Stop) -> str:
    """What a run may call at once: a station by itself, an area wherever it is entered."""
    if stop.node[0] == "o":
        return face_at(facts, board, stop.hex).areas[int(stop.node[1:])]
    return f"{stop.hex}-{stop.node}"


def value(facts: Facts, board: Board, phase: PhaseId, stop: Stop) -> Money:
    """What a stop pays as it lies."""
    return value_of(facts, phase, face_at(facts, board, stop.hex), stop.node)


def holders(board: Board, stop: Stop) -> list[CompanyId]:
    """The companies that have a token at a stop; one that waits there for a slot has, too."""
    place, node = stop.hex, stop.node
    return [
        token.company for token in board.tokens if token.place == place and f"c{token.city}" == node
    ]


def is_full_of_others(facts: Facts, board: Board, company: CompanyId, stop: Stop) -> bool:
    """Whether the tokens of others take all slots of a city."""
    slots = face_at(facts, board, stop.hex).cities[int(stop.node[1:])].slots
    place, city = stop.hex, int(stop.node[1:])
    there = [token for token in board.tokens if token.place == place and token.city == city]
    settled = sum(1 for token in there if token.slot is not None)
    return settled >= slots and all(token.company != company for token in there)
