"""The obvious searcher: raw tile track, every legal run, every combination of runs.

Nothing of the network package is used here, only the facts and the board, so that an error in the
one is not repeated in the other.
"""

from collections.abc import Iterator
from typing import NamedTuple

from contracts.titles.facts import Facts
from services.engine.table.board import Board

# South-west, west, north-west, north-east, east, south-east: letter and number.
_ROUND = [(1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)]

Node = tuple[str, str]


class BruteRun(NamedTuple):
    stations: tuple[Node, ...]
    used: frozenset[object]
    value: int


class Brute:
    def __init__(self, facts: Facts, board: Board, phase: str, company: str) -> None:
        self.facts, self.board, self.company = facts, board, company
        self.band = facts.phases[phase].offboard
        self.track = {}
        for hex_id, hex_ in facts.map.hexes.items():
            laid = board.tiles.get(hex_id)
            if laid is None:
                self.track[hex_id] = [tuple(piece) for piece in hex_.track]
            else:
                turn = laid.rotation
                self.track[hex_id] = [
                    tuple(str((int(e) + turn) % 6) if e.isdigit() else e for e in piece)
                    for piece in facts.tiles[laid.tile].track
                ]

    def parts(self, hex_id: str):
        laid = self.board.tiles.get(hex_id)
        return self.facts.map.hexes[hex_id] if laid is None else self.facts.tiles[laid.tile]

    def value(self, node: Node) -> int:
        hex_id, name = node
        parts, number = self.parts(hex_id), int(name[1:])
        if name[0] == "o":
            area = self.facts.map.areas[parts.offboard[number].area]
            return area.values[self.band]
        return (parts.city if name[0] == "c" else parts.town)[number].value

    def identity(self, node: Node) -> object:
        hex_id, name = node
        if name[0] == "o":
            return self.parts(hex_id).offboard[int(name[1:])].area
        return node

    def is_own(self, node: Node) -> bool:
        return any(
            (t.place, f"c{t.city}") == node and t.company == self.company for t in self.board.tokens
        )

    def is_end(self, node: Node) -> bool:
        if node[1][0] == "o":
            return True
        if node[1][0] == "t" or self.is_own(node):
            return False
        lying = [t for t in self.board.tokens if (t.place, f"c{t.city}") == node]
        return len(lying) >= self.parts(node[0]).city[int(node[1][1:])].slots

    def beyond(self, hex_id: str, side: str) -> tuple[str, str] | None:
        letter, number = _ROUND[int(side)]
        name = f"{chr(ord(hex_id[0]) + letter)}{int(hex_id[1:]) + number}"
        return (name, str((int(side) + 3) % 6)) if name in self.track else None

    def plain(
        self, hex_id: str, end: str, used: frozenset[object]
    ) -> Iterator[tuple[str, str, frozenset[object], bool]]:
        """All that track leads to from an end: arrivals at sides (False) and stations (True)."""
        for piece in self.track[hex_id]:
            if end not in piece:
                continue
            other = piece[1] if piece[0] == end else piece[0]
            if not other.isdigit():
                yield hex_id, other, used, True
                continue
            over = self.beyond(hex_id, other)
            side = frozenset({(hex_id, other), over})
            if over is None or side in used:
                continue
            yield (*over, used | {side}, False)
            yield from self.plain(*over, used | {side})

    def nodes(self) -> list[Node]:
        return [
            (hex_id, end)
            for hex_id, track in self.track.items()
            for end in sorted({e for piece in track for e in piece if not e.isdigit()})
        ]

    def runs(self) -> list[BruteRun]:
        found: dict[tuple[object, ...], BruteRun] = {}
        for node in self.nodes():
            for stations, used in self.walks((node,), frozenset()):
                if len(stations) > 1 and any(self.is_own(s) for s in stations):
                    value = sum(self.value(s) for s in stations)
                    key = (min(stations, stations[::-1]), used)
                    found[key] = BruteRun(stations, used, value)
        return list(found.values())

    def walks(
        self, stations: tuple[Node, ...], used: frozenset[object]
    ) -> Iterator[tuple[tuple[Node, ...], frozenset[object]]]:
        yield stations, used
        if len(stations) > 1 and self.is_end(stations[-1]):
            return
        called = [self.identity(s) for s in stations]
        for hex_id, end, onward, is_station in self.plain(*stations[-1], used):
            if is_station and self.identity((hex_id, end)) not in called:
                yield from self.walks((*stations, (hex_id, end)), onward)

    def best(self, trains: list[int | None]) -> int:
        runs = sorted(self.runs(), key=lambda run: -run.value)
        return self._best(trains, runs, frozenset())

    def _best(self, trains: list[int | None], runs: list[BruteRun], used) -> int:
        if not trains:
            return 0
        most = self._best(trains[1:], runs, used)
        for run in runs:
            if trains[0] is not None and len(run.stations) > trains[0]:
                continue
            if not run.used & used:
                most = max(most, run.value + self._best(trains[1:], runs, used | run.used))
                if len(trains) == 1:
                    break
        return most

    def reached(self) -> tuple[set[Node], set[tuple[str, int]]]:
        """Stations and sides at the end of any route of an endless train from a token."""
        stations: set[Node] = set()
        sides: set[tuple[str, int]] = set()
        for t in self.board.tokens:
            node = (t.place, f"c{t.city}")
            if t.company != self.company or t.city is None:
                continue
            for walk, used in self.walks((node,), frozenset()):
                stations.add(walk[-1])
                if self.is_end(walk[-1]):
                    continue
                for hex_id, end, _, is_station in self.plain(*walk[-1], used):
                    if not is_station:
                        sides.add((hex_id, int(end)))
        return stations, sides
