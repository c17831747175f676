"""What a train ran: track, stops, and the score line by line.

A run is recorded as the track itself, never as an amount that somebody claims (design law 6). Ends
of track are written as the title's facts write them: a side `0` to `5`, a city `c0`, a town `t0`,
an off-board area `o0`, a junction `j0`, always of the hex as it lies (rotation applied).
"""

from msgspec import Struct

from contracts.ids import HexId, Money, TrainId


class Track(Struct, frozen=True, array_like=True):
    """One piece of track on one hex, between two of its ends; the order of the two says nothing."""

    hex: HexId
    one: str
    other: str


class Stop(Struct, frozen=True, array_like=True, order=True):
    """A station of the board: a hex and the node on it (`c0`, `t1`, `o0`)."""

    hex: HexId
    node: str


class Run(Struct, frozen=True, array_like=True):
    """What one train (or a chain of trains together) ran over.

    `track` is in the order of travel, `stops` the stations called at from end to end, `counted`
    those of them that score.
    """

    trains: tuple[TrainId, ...]
    track: tuple[Track, ...]
    stops: tuple[Stop, ...]
    counted: tuple[Stop, ...]


class Reported(Struct, frozen=True, array_like=True):
    """What some runs were paid where they were first played."""

    revenue: Money
    subsidy: Money


class ScoreLine(Struct, frozen=True, array_like=True):
    """One line of a score: what is paid (`stop`, `bonus`, `subsidy` …), where, and how much.

    `as reported` is what another place paid more (or less) than the lines before it.
    """

    what: str
    where: str
    amount: Money


def stops_along(track: tuple[Track, ...]) -> tuple[Stop, ...]:
    """The stations on some track in the order of travel, which a run calls at if it says no other.

    >>> track = (Track(HexId("I15"), "c0", "2"), Track(HexId("J14"), "5", "c0"))
    >>> [f"{stop.hex} {stop.node}" for stop in stops_along(track)]
    ['I15 c0', 'J14 c0']
    """
    found: list[Stop] = []
    for number, piece in enumerate(track):
        ends = [
            Stop(piece.hex, end) for end in (piece.one, piece.other) if end[:1] in "cto" and end
        ]
        beyond = track[number + 1] if number + 1 < len(track) else None
        comes_back = beyond is not None and (
            beyond.hex == piece.hex and piece.one in {beyond.one, beyond.other}
        )
        if len(ends) == 2 and (found[-1] == ends[1] if found else comes_back):
            ends.reverse()
        found += [stop for stop in ends if not found or found[-1] != stop]
    return tuple(found)
