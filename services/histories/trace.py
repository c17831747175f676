"""The state of a table in the terms of the traces that accompany histories.

The format is that of the traces that the site's own engine writes: a full first line, then what
changed at each step, then an `end` line. Players are named by their numbers again, shares are in
per cent.
"""

import gzip
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from contracts.commands import DeclareBankruptcy
from contracts.events import EarningsDivided, ProcedureSet, RoundBegan, RoutesRun, TurnBegan
from contracts.frames import DiscardTrains, Merging, Question, RaiseMoney, Round, TokensToBuy, Turn
from contracts.ids import (
    BANK,
    BOX,
    OFFERING,
    POOL,
    SUPPLY,
    CompanyId,
    HexId,
    Money,
    Party,
    PlayerId,
)
from contracts.placed import Token
from contracts.records import Record
from services.engine.rules.acts.run_trains import AS_REPORTED
from services.engine.rules.companies.order import operating_order
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.limits import certificates_counted
from services.engine.rules.shares.worth import total_worth
from services.engine.table.agenda import current_round, player_of, top, topmost
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table
from services.histories.trace_charters import (
    absorbed_now,
    asks_companies,
    bound_to,
    dealt,
    in_the_game,
    is_chartered,
    joined_by,
    money_lent,
    of_charter,
    par_of,
    place_names,
    shares_kept,
    tokens_left,
    train_name,
)

State = dict[str, Any]
"""All keys of a line of a trace, written out."""

ROUND_NAMES: Final[Mapping[str, Callable[[Round], str]]] = {
    "parliament": lambda playing: f"PAR {playing.number}",
    "opening": lambda playing: f"ISR {playing.number}",
    "stock": lambda playing: f"SR {playing.number}",
    "operating": lambda playing: f"OR {playing.number}.{playing.which}",
}
KINDS: Final[Mapping[str, str]] = {"public": "corporation", "minor": "minor"}
SUBSIDY: Final = "subsidy"
"""What the lines of a score are called that are a subsidy."""
DEALING: Final = ("opening", "stock")
"""Rounds in which the priority deal moves with each deal."""
OPTIONAL: Final = ("companies", "bankrupt", "holds")
"""Keys that are written only where they apply."""


def named(party: Party | None) -> int | str | None:
    """A party as traces name it: players by their number.

    >>> named(Party("4631")), named(Party("B&O")), named(None)
    (4631, 'B&O', None)
    """
    return int(party) if party is not None and party.isdigit() else party


class Tracer:
    """Writes states one after the other, and keeps what a table forgets when the game ends."""

    def __init__(self, ruleset: Ruleset) -> None:
        """Begin before the first record."""
        self.ruleset = ruleset
        self._bankrupt: set[PlayerId] = set()
        self._round: Round | None = None
        self._order: list[int | str | None] = []
        self._begun: list[Party] = []
        self._subsidy: dict[CompanyId, Money] = {}
        """What is paid at once here, and with the dividend on the site."""

    def played(self, record: Record) -> None:
        """Take note of a record."""
        if isinstance(record.order.command, DeclareBankruptcy):
            self._bankrupt.add(record.order.player)
        for event in record.events:
            if isinstance(event, RoundBegan):
                self._begun = []
            elif isinstance(event, RoutesRun) and event.subsidy:
                self._subsidy = {event.company: event.subsidy}
            elif isinstance(event, EarningsDivided):
                self._subsidy = {}
            elif isinstance(event, TurnBegan) and self._begun[-1:] != [event.turn.who]:
                self._begun.append(event.turn.who)
            elif isinstance(event, ProcedureSet):
                joined = joined_by(event.procedure)
                if joined is not None and self._begun[-1:] == [joined.absorbed]:
                    # Its place in the round is the survivor's; one that has operated stays listed.
                    self._begun[-1] = joined.survivor

    def state(
        self,
        table: Table,
        in_hand: frozenset[CompanyId] = frozenset(),
        links: Mapping[CompanyId, HexId] | None = None,
    ) -> State:
        """Everything that a line of a trace tells about a table.

        `in_hand` are companies whose home token is off the map while its city is being chosen,
        `links` the hexes on which the site has tokens in areas.
        """
        playing = current_round(table)
        if playing is not None:
            self._order = [named(party) for party in self._in_order(table, playing)]
            self._round = playing
        shown = self._round
        over = table.ending is not None and table.ending.over
        return {
            "round": ROUND_NAMES[shown.kind](shown) if shown else "",
            "round_no": sum(table.rounds.values()) - 1,
            "phase": table.phase,
            "bank": table.cash[BANK] + sum(self._subsidy.values()),
            "order": self._order,
            "next": None if over else named(next_party(table)),
            "priority": named(priority(table, self._bankrupt)),
            "finished": over,
            "players": {player: self._player(table, player) for player in table.order},
            "corporations": {
                id: self._corporation(table, id, in_hand, (links or {}).get(id))
                for id, charter in table.charters.items()
                if charter.kind in KINDS and in_the_game(table, id)
            },
            "companies": {id: owner_of(table, id) for id in privates(table)}
            | {id: named(table.charters[id].bound) for id in dealt(self.ruleset, table)},
            "depot": self._depot(table),
        }

    def _in_order(self, table: Table, playing: Round) -> tuple[Party, ...]:
        """Who acts in the round, in order; who is finished stays listed."""
        if playing.kind != "operating":
            return seated_from(table, table.first)
        gone = (*self._begun, *absorbed_now(table))
        later = operating_order(self.ruleset, table)
        return (*self._begun, *(company for company in later if company not in gone))

    def _player(self, table: Table, player: PlayerId) -> State:
        owned = {
            company: shares_in(holdings[player]) * 100 // table.charters[company].whole
            for company, holdings in table.certificates.items()
            if player in holdings and table.charters[company].kind in KINDS
        }
        state: State = {
            "cash": table.cash[player],
            "value": total_worth(self.ruleset, table, player),
            "shares": owned,
            "companies": sorted((*privates_of(table, player), *bound_to(table, player))),
            "certs": certificates_counted(self.ruleset, table, player),
        }
        if player in self._bankrupt:
            state["bankrupt"] = True
        return state

    def _corporation(
        self, table: Table, id: CompanyId, in_hand: frozenset[CompanyId], link: HexId | None
    ) -> State:
        """What a line tells about a company, its money where the site has it."""
        state = corporation(self.ruleset, table, id, in_hand, link)
        elsewhere = self._subsidy.get(id, 0) + money_lent(table, id)
        return {**state, "cash": state["cash"] - elsewhere}

    def _depot(self, table: Table) -> State:
        cards = self.ruleset.facts.trains
        supply = [train.kind for train in table.trains.get(SUPPLY, ())]
        left: dict[str, int] = {}
        for kind, card in cards.items():
            number = supply.count(kind) if card.count is not None else 1
            if number:
                left[kind] = number
        return {
            "next": next(iter(left), None),
            "left": left,
            "discarded": [train.kind for train in table.trains.get(POOL, ())],
        }


def next_party(table: Table) -> Party | None:
    """Whose turn it is: the player or company that the top frame waits for."""
    frame = top(table)
    if isinstance(frame, Question):
        if isinstance(frame.matter, RaiseMoney | DiscardTrains):
            return frame.matter.company
        if isinstance(frame.matter, TokensToBuy):
            return player_of(table, frame.matter.company)
        merging = topmost(table.agenda, Merging)
        if asks_companies(frame) and merging is not None:
            return merging.operator
        return frame.asked[0] if frame.asked else None
    return frame.who if isinstance(frame, Turn) else None


def priority(table: Table, bankrupt: Collection[PlayerId] = ()) -> PlayerId:
    """Who would begin the next stock round: in one where players deal, left of the last who did.

    Somebody bankrupt is passed over.
    """
    playing = current_round(table)
    first = table.first
    if playing is not None and playing.kind in DEALING and playing.last_dealer is not None:
        first = seated_from(table, playing.last_dealer)[1 % len(table.order)]
    seated = seated_from(table, first)
    return next((player for player in seated if player not in bankrupt), first)


def seated_from(table: Table, first: PlayerId) -> tuple[PlayerId, ...]:
    """The players in the order of their seats, beginning with one of them."""
    place = table.order.index(first)
    return (*table.order[place:], *table.order[:place])


def privates(table: Table) -> Iterator[CompanyId]:
    """All privates."""
    return (id for id, charter in table.charters.items() if charter.kind == "private")


def privates_of(table: Table, owner: Party) -> Iterator[CompanyId]:
    """The open privates that somebody owns."""
    return (
        id
        for id in privates(table)
        if owner in table.certificates[id] and table.charters[id].status != "closed"
    )


def owner_of(table: Table, private: CompanyId) -> int | str | None:
    """Who owns a private: `closed`, or None while it is unsold."""
    holder = next(iter(table.certificates[private]), BOX)
    if holder == BOX or table.charters[private].status == "closed":
        return "closed"
    return None if holder == OFFERING else named(holder)


def corporation(
    ruleset: Ruleset,
    table: Table,
    id: CompanyId,
    in_hand: frozenset[CompanyId],
    link: HexId | None,
) -> State:
    """What a line tells about a company."""
    chartered = is_chartered(ruleset, table, id)
    charter = table.charters[id]
    areas = frozenset(ruleset.facts.map.areas)
    holdings = table.certificates[id]
    marker = table.markers.get(id)
    placed = [token for token in table.board.tokens if token.company == id]
    waiting = [
        token
        for token in placed
        if token.kind == "home" and (id in in_hand or is_without_circle(table, token))
    ]

    def percent(holder: Party) -> int:
        return shares_in(holdings.get(holder, {})) * 100 // charter.whole

    state: State = {
        "kind": KINDS[charter.kind],
        "cash": table.cash[id],
        "price": marker.price if marker else None,
        "market": [int(part) for part in marker.space.split(",")] if marker else None,
        "par": par_of(table, id, chartered=chartered),
        "trains": sorted(train_name(ruleset, train) for train in table.trains.get(id, ())),
        "tokens_placed": place_names(
            (token.place for token in placed if token not in waiting), link, areas
        ),
        "tokens_left": tokens_left(ruleset, table, id) + len(waiting),
        "ipoed": charter.status in ("started", "floated"),
        "floated": charter.status == "floated",
        "pool": percent(POOL),
        **shares_kept(table, id),
        "ipo": percent(OFFERING),
        "president": named(president(table, id)),
        "closed": charter.status == "closed",
        **of_charter(ruleset, table, id, chartered=chartered),
    }
    owned = sorted(privates_of(table, id))
    if owned:
        state["companies"] = owned
    return state


def is_without_circle(table: Table, token: Token) -> bool:
    """Whether a home token lies on a tile that is full: the site places it once it is not."""
    return token.slot is None and token.place in table.board.tiles


def president(table: Table, company: CompanyId) -> Party | None:
    """Who directs a company: the pool in receivership, None before it is started."""
    charter = table.charters[company]
    if charter.director is None and charter.status in ("started", "floated"):
        return POOL
    return charter.director


def scored(records: Iterable[Record]) -> State | None:
    """What was run in some records and what it earned, train by train; None if nothing was."""
    for record in records:
        for event in record.events:
            if isinstance(event, RoutesRun):
                return _scored(event)
    return None


def _scored(event: RoutesRun) -> State:
    paid = {line.where: line.amount for line in event.lines if line.what == "stop"}
    trains: list[State] = [
        {
            "train": "+".join(run.trains),
            "name": "+".join(train.rpartition("-")[0] for train in run.trains),
            "revenue": sum(paid.get(f"{stop.hex}-{stop.node}", 0) for stop in run.counted),
            "stops": [stop.hex for stop in run.counted],
            "visited": [stop.hex for stop in run.stops],
        }
        for run in event.runs
    ]
    subsidy = sum(line.amount for line in event.lines if line.what == SUBSIDY)
    both = sum(line.amount for line in event.lines if line.what != AS_REPORTED)
    state: State = {"trains": trains, "revenue": both - subsidy, "subsidy": subsidy}
    recorded = {"revenue": event.revenue, "subsidy": event.subsidy}
    if (both - subsidy, subsidy) != (event.revenue, event.subsidy):
        state["recorded"] = recorded
    return state


def changes(before: State, after: State) -> State:
    """What is different after a step, as a line tells it."""
    line: State = {}
    for key, value in after.items():
        old = before[key]
        if value == old:
            continue
        if key in ("players", "corporations"):
            line[key] = {
                name: _entity_changes(old[name], entity)
                for name, entity in value.items()
                if entity != old[name]
            } | {name: None for name in old if name not in value}
        elif key in ("companies", "depot"):
            line[key] = {name: entry for name, entry in value.items() if entry != old[name]}
        else:
            line[key] = value
    return line


def _entity_changes(before: State, after: State) -> State:
    changed = {key: value for key, value in after.items() if before.get(key) != value}
    gone = {key: None for key in OPTIONAL if key in before and key not in after}
    return changed | gone


def write(path: Path, lines: list[State]) -> None:
    """Write a trace, compressed where the name ends in `.gz`."""
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode(), mtime=0))
    else:
        path.write_text(text, encoding="utf-8")
