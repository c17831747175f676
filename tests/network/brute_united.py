"""The obvious searcher where trains share track: raw track, every legal run, every set of runs.

Nothing of the network package is used here, only the facts and the board, so that an error in the
one is not repeated in the other.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

from contracts.titles.facts import Facts
from services.engine.table.board import Board

# South, south-west, north-west, north, north-east, south-east: letter and number.
_ROUND = [(0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)]

Node = tuple[str, str]


class BruteTrain(NamedTuple):
    side: str
    visits: int
    counts: int
    hexes: int
    rusts: bool


class BruteRules(NamedTuple):
    entry: str
    apart: bool
    any_stop: bool
    may_idle: bool


class BruteRun(NamedTuple):
    calls: tuple[Node, ...]
    lands: tuple[str, str]
    small: frozenset[tuple[str, str]]
    hexes: frozenset[str]
    crossed: int


class Brute:
    def __init__(
        self, facts: Facts, board: Board, phase: str, company: str, rules: BruteRules
    ) -> None:
        self.facts, self.board, self.company, self.rules = facts, board, company, rules
        self.band = facts.phases[phase].offboard
        self.track: dict[str, list[tuple[str, str]]] = {}
        self.small: dict[str, set[str]] = {}
        for hex_id, hex_ in facts.map.hexes.items():
            laid = board.tiles.get(hex_id)
            turn = 0 if laid is None else laid.rotation
            pieces = hex_.track if laid is None else facts.tiles[laid.tile].track
            turned = [(turned_end(one, turn), turned_end(other, turn)) for one, other in pieces]
            towns = sorted(one for one, other in turned if other == "t0")
            self.small[hex_id] = {*board.small_stations.get(hex_id, ())}
            if towns:
                self.small[hex_id].add("-".join(towns))
                turned = [(towns[0], towns[1])]
            self.track[hex_id] = turned

    def cities(self, hex_id: str):
        laid = self.board.tiles.get(hex_id)
        return (
            self.facts.map.hexes[hex_id].city if laid is None else self.facts.tiles[laid.tile].city
        )

    def area(self, node: Node) -> str | None:
        if node[1][0] != "o":
            return None
        return self.facts.map.hexes[node[0]].offboard[int(node[1][1:])].area

    def value(self, node: Node) -> int:
        area = self.area(node)
        if area is None:
            return self.cities(node[0])[int(node[1][1:])].value
        return self.facts.map.areas[area].values[self.band]

    def tokens(self, node: Node):
        return [t for t in self.board.tokens if (t.place, f"c{t.city}") == node]

    def is_own(self, node: Node) -> bool:
        return any(t.company == self.company for t in self.tokens(node))

    def is_end(self, node: Node) -> bool:
        if node[1][0] == "o":
            return True
        slots = self.cities(node[0])[int(node[1][1:])].slots
        return not self.is_own(node) and len(self.tokens(node)) >= slots

    def is_closed(self, node: Node) -> bool:
        area = self.area(node)
        if area is None or not self.facts.map.areas[area].token_spaces:
            return False
        return not any(t.place == area and t.company == self.company for t in self.board.tokens)

    def kind(self, node: Node) -> str:
        area = self.area(node)
        return "" if area is None else self.facts.map.areas[area].kind

    def plain(self, hex_id: str, end: str, used, small, hexes) -> Iterator:
        """The stations that plain track from an end leads to."""
        for piece in self.track[hex_id]:
            if end not in piece:
                continue
            other = piece[1] if piece[0] == end else piece[0]
            line = "-".join(sorted(piece))
            met = small | ({(hex_id, line)} if line in self.small[hex_id] else set())
            if not other.isdigit():
                yield (hex_id, other), end, used, met, hexes | {hex_id}
                continue
            letter, number = _ROUND[int(other)]
            name = f"{chr(ord(hex_id[0]) + letter)}{int(hex_id[1:]) + number}"
            entry = str((int(other) + 3) % 6)
            side = frozenset({(hex_id, other), (name, entry)})
            if name in self.track and side not in used:
                yield from self.plain(name, entry, used | {side}, met, hexes | {hex_id, name})

    def walks(self) -> list[BruteRun]:
        """Every run of any length, each from its lower end."""
        found: set[BruteRun] = set()
        for hex_id, track in self.track.items():
            for node in sorted({(hex_id, e) for piece in track for e in piece if not e.isdigit()}):
                if not self.is_closed(node):
                    self.walk((node,), ("", ""), frozenset(), frozenset(), frozenset(), found)
        return sorted(found)

    def walk(self, calls, lands, used, small, hexes, found) -> None:
        if len(calls) > 1:
            if calls[0] < calls[-1]:
                found.add(BruteRun(calls, lands, small, hexes, len(used)))
            if self.is_end(calls[-1]):
                return
        if len(calls) >= self.most:
            return
        identities = {self.area(node) or node for node in calls}
        for node, _side, now_used, met, on in self.plain(
            calls[-1][0], calls[-1][1], used, small, hexes
        ):
            if (self.area(node) or node) in identities or self.is_closed(node):
                continue
            first = lands[0] or self.land(calls[0], used, now_used)
            ends = (first, self.land(node, used, now_used))
            self.walk((*calls, node), ends, now_used, met, on, found)

    def land(self, node: Node, used, now_used) -> str:
        """The hex across the side by which track leads to an area."""
        if node[1][0] != "o":
            return ""
        (side,) = [s for s in now_used - used if any(hex_id == node[0] for hex_id, _ in s)]
        return next(hex_id for hex_id, _ in side if hex_id != node[0])

    most = 7

    def runs_of(self, train: BruteTrain, walks: list[BruteRun]) -> list[BruteRun]:
        runs = []
        for run in walks:
            kinds = [self.kind(node) for node in run.calls if self.kind(node)]
            if len(kinds) != len(set(kinds)) or len(kinds) == len(run.calls):
                continue
            if not any(self.is_own(node) for node in run.calls):
                continue
            if train.side == "freight":
                if run.crossed <= train.hexes:
                    runs.append(run)
            elif len(run.calls) <= train.visits and not (train.side == "local" and kinds):
                runs.append(run)
        return runs

    def sets(self, trains: list[BruteTrain]) -> Iterator[tuple[BruteRun | None, ...]]:
        walks = self.walks()
        yield from product(*([None, *self.runs_of(train, walks)] for train in trains))

    def number_of_sets(self, trains: list[BruteTrain]) -> int:
        walks, number = self.walks(), 1
        for train in trains:
            number *= 1 + len(self.runs_of(train, walks))
        return number

    def meets(self, run: BruteRun) -> set[object]:
        stops: set[object] = {node for node in run.calls if not self.kind(node)}
        if self.rules.any_stop:
            stops |= {*run.calls, *run.small}
        return stops

    def is_legal(self, trains: list[BruteTrain], runs: tuple[BruteRun | None, ...]) -> bool:
        ran = [run for run in runs if run is not None]
        if not ran:
            return True
        homes = {
            (t.place, f"c{t.city}")
            for t in self.board.tokens
            if t.company == self.company and t.kind == "home"
        }
        if not any(node in homes for run in ran for node in run.calls):
            return False
        met = self.meets(ran[0])
        for _ in ran:
            for run in ran:
                if met & self.meets(run):
                    met |= self.meets(run)
        if not all(met & self.meets(run) for run in ran):
            return False
        return self.chains(trains, runs) is not None

    def chains(self, trains, runs):
        """The freights as chains of (end, land) pairs; None if they are not as they must be."""
        freights = [
            (train, run)
            for train, run in zip(trains, runs, strict=True)
            if run is not None and train.side == "freight"
        ]
        groups: list[list[int]] = [[number] for number in range(len(freights))]

        def ends(number):
            run = freights[number][1]
            return [
                node if not self.kind(node) or self.rules.any_stop else (node, number)
                for node in (run.calls[0], run.calls[-1])
            ]

        for _ in freights:
            for one, other in combinations(groups, 2):
                if {e for n in one for e in ends(n)} & {e for n in other for e in ends(n)}:
                    groups.remove(other)
                    one.extend(other)
                    break
        outer = []
        for group in groups:
            every = [e for number in group for e in ends(number)]
            alone = [e for e in every if every.count(e) == 1]
            if len(alone) != 2 or len(set(every)) != len(group) + 1:
                return None
            lands = []
            for number in group:
                run = freights[number][1]
                for end, node, land in zip(
                    ends(number), (run.calls[0], run.calls[-1]), run.lands, strict=True
                ):
                    if end in alone:
                        lands.append((node, land))
            areas = [self.area(node) for node, _ in lands]
            if areas[0] is not None and areas[0] == areas[1]:
                return None
            outer.append(lands)
        if len(groups) > 1:
            rusting = [g for g in groups if any(freights[n][0].rusts for n in g)]
            if not self.rules.apart or len(rusting) > 1:
                return None
            if rusting and all(freights[n][0].rusts for n in rusting[0]):
                return None
        return outer

    def score(self, trains, runs) -> tuple[int, int]:
        running = self.facts.running
        chains = self.chains(trains, runs)
        fixed = {self.area(node) or node: self.value(node) for ends in chains for node, _ in ends}
        revenue = sum(self.bonus(*ends) for ends in chains)
        local = [
            r for t, r in zip(trains, runs, strict=True) if r is not None and t.side == "local"
        ]
        revenue += len({s for run in local for s in run.small}) * 20
        subsidy = len({h for run in local for h in run.hexes}) * running.subsidy_per_hex
        choices = [
            list(combinations(run.calls, min(train.counts, len(run.calls))))
            for train, run in zip(trains, runs, strict=True)
            if run is not None and train.side != "freight"
        ]
        most = 0
        for chosen in product(*choices):
            counted = {self.area(n) or n: self.value(n) for stops in chosen for n in stops}
            most = max(most, sum({**fixed, **counted}.values()))
        return revenue + most, subsidy

    def bonus(self, one, other) -> int:
        running = self.facts.running
        ports = any(self.kind(node) == "port" for node, _ in (one, other))
        if self.rules.entry == "used":
            areas = sum(1 for node, _ in (one, other) if self.kind(node))
            between = away(one[1] or one[0][0], other[1] or other[0][0]) - 1 + areas
        else:
            between = max(
                away(a, b) - 1 for a in self.entries(one[0]) for b in self.entries(other[0])
            )
        each = running.freight_per_hex_port if ports else running.freight_per_hex
        return max(0, between) * each

    def entries(self, node: Node) -> list[str]:
        area = self.area(node)
        if area is None:
            return [node[0]]
        return [
            hex_id
            for hex_id, hex_ in self.facts.map.hexes.items()
            for piece in hex_.track
            for end in piece
            if end[0] == "o" and hex_.offboard[int(end[1:])].area == area
        ]

    def best(self, trains: list[BruteTrain], *, both: bool = False) -> tuple[int, int]:
        legal = []
        for runs in self.sets(trains):
            if self.is_legal(trains, runs):
                revenue, subsidy = self.score(trains, runs)
                legal.append((revenue + subsidy if both else revenue, subsidy, runs))
        legal.sort(key=lambda one: (-one[0], -one[1]))
        allowed = {runs for _, _, runs in legal}
        walks = self.walks()
        for worth, subsidy, runs in legal:
            if self.rules.may_idle or not self.could_add(trains, runs, allowed, walks):
                return (worth - subsidy if both else worth), subsidy
        raise AssertionError("some set has no idle train")

    def could_add(self, trains, runs, allowed, walks) -> bool:
        for number, run in enumerate(runs):
            if run is None:
                for more in self.runs_of(trains[number], walks):
                    if (*runs[:number], more, *runs[number + 1 :]) in allowed:
                        return True
        return False


def turned_end(end: str, turn: int) -> str:
    return str((int(end) + turn) % 6) if end.isdigit() else end


def away(one: str, other: str) -> int:
    """Hexes apart, by the formula for columns of hexes two rows high."""
    across = abs(ord(one[0]) - ord(other[0]))
    along = abs(int(one[1:]) - int(other[1:]))
    return across + max(0, (along - across) // 2)
