"""What clock and notifier would have done at a soaked game, record by record, and if that is right.

The clock's pure part reckons whose time runs; the notifier's pure part says who is told. The table
is asked another way who is to act and since when, and both have to agree with it.
"""

from collections.abc import Mapping
from random import Random
from typing import Final

from contracts import events as e
from contracts import notices as n
from contracts.commands import CallTime, Order
from contracts.ids import PlayerId
from contracts.people import CLOCK, NOBODY
from contracts.records import Record
from contracts.views import Asked, TableLine, TurnView
from services.clock.calendar import NEVER
from services.clock.reckoning import NOTHING, Due, Reckoning, due, reckoned
from services.clock.timers import call, deadlines
from services.engine.projections import api
from services.engine.table.agenda import awaited, top
from services.engine.table.fold import undone_to
from services.engine.table.state import Table
from services.notifier.telling import Memory, Sight, Told, told
from services.soak.failure import expect

SEEN: Final = 0.6
"""How often a table is looked at right after a record, and not only after the next ones."""
TO_ACT: Final = "You have to "
"""What a notice says that tells somebody that he is to act."""

Turn = tuple[PlayerId, int, int]
"""Somebody's turn: since which version he is to act, and since which he has had the seat."""


class Watch:
    """The clock and the notifier of one game, as far as they are pure."""

    def __init__(self) -> None:
        self.reckoning: Reckoning = NOTHING
        self.memory = Memory()
        self.prompts: dict[str, n.TimeCalled] = {}
        self.unseen: list[Record] = []
        self.told: dict[Turn, int] = {}
        self.seated: dict[PlayerId, int] = {}

    def call(self, table: Table, lots: Random) -> Order | None:
        """What the clock sends when somebody's time is up; None where nobody's is to be called."""
        dues = due(self.reckoning, table)
        return call(table.id, lots.choice(dues)) if dues else None

    def call_of(self, table: Table, player: PlayerId) -> Order | None:
        """What the clock sends when a player's time is up; None if his is not to be called."""
        dues = (one for one in due(self.reckoning, table) if one.running.player == player)
        return next((call(table.id, one) for one in dues), None)

    def record(
        self, record: Record, before: Table, after: Table, state: api.State, lots: Random
    ) -> None:
        """Go one record on."""
        self._called(record, before)
        self.reckoning = reckoned(self.reckoning, before, after, record)
        time_runs(self.reckoning, after)
        for event in record.events:
            if isinstance(event, e.SeatTaken) and before.people.get(event.player) != event.person:
                self.seated[event.player] = record.version
        self.unseen.append(record)
        if lots.random() < SEEN or after.ending is not None:
            self.look(after, state)

    def _called(self, record: Record, before: Table) -> None:
        """A call is of somebody whose time runs, and was not called; the notifier is prompted."""
        command, player = record.order.command, record.order.player
        if not isinstance(command, CallTime):
            return
        dues = {(one.running.frame, one.running.player): one for one in due(self.reckoning, before)}
        one = dues.get((command.frame, player))
        sentence = f"{player} in {command.frame}, whose time does not run"
        expect(one is not None, "call", before.version, sentence, record.order)
        sender = record.order.sender
        expect(sender == CLOCK, "call", before.version, f"by {sender}", record.order)
        assert one is not None
        if before.people.get(player) != NOBODY:
            self.prompts[f"called {record.version}"] = n.TimeCalled(
                *(record.order.table, player, one.acting, one.until, "", record.version),
                before.people.get(player, player),
            )

    # --- the notifier ----------------------------------------------------------------------------

    def look(self, table: Table, state: api.State) -> None:
        """Look at the table as the notifier does, and hold what it tells against the table."""
        line, turn = api.view(state, table, "tables"), api.view(state, table, "turn")
        assert isinstance(line, TableLine)
        assert isinstance(turn, TurnView)
        dues = due(self.reckoning, table)
        limits = dict(deadlines(dues))
        sight = Sight(
            line,
            turn,
            records=tuple(self.unseen),
            deadlines=limits,
            prompts=dict(self.prompts),
        )
        found = told(self.memory, sight, table.version)
        turns = {
            (one.player, one.to_act_since, self.seated.get(one.player, 0)): one
            for one in sight.turn.asked
        }
        self._told(found, turns, table)
        self._calls(found, table)
        in_time(found, limits, dues, table)
        again = told(found.memory, sight, table.version)
        expect(not again.notices, "told", table.version, f"a second look tells {again.notices}")
        self.memory = found.memory
        self.prompts.clear()
        self.unseen.clear()

    def _told(self, found: Told, turns: Mapping[Turn, Asked], table: Table) -> None:
        """Whoever is to act is told once; again only if others took moves back."""
        heard: list[PlayerId] = []
        for notice in found.notices:
            if notice.player is None or TO_ACT not in notice.words:
                continue
            key = next((one for one in turns if one[0] == notice.player), None)
            sentence = f"{notice.kind} to {notice.player}: {notice.words}"
            expect(key is not None, "told", table.version, f"{sentence} He is not to act.")
            assert key is not None
            first = key not in self.told
            expect(first or notice.kind == "undone", "told", table.version, f"twice: {sentence}")
            self.told[key] = table.version
            heard.append(notice.player)
        twice = len(heard) != len(set(heard))
        expect(not twice, "told", table.version, f"in one look: {heard}")
        for key in turns:
            known = key in self.told or table.people.get(key[0]) == NOBODY
            known = known or self._knows(key[0])
            expect(known, "untold", table.version, f"{key[0]} is to act since {key[1]}")
            # Who took his own move back is not told, and that counts as told.
            self.told.setdefault(key, 0)

    def _knows(self, player: PlayerId) -> bool:
        """Whether a player has just taken a move back himself."""
        undos = [one for one in self.unseen if undone_to(one) is not None]
        return bool(undos) and undos[-1].order.player == player

    def _calls(self, found: Told, table: Table) -> None:
        """Whoever's time was called is told so once, unless it was undone already."""
        called = [one for one in found.notices if one.kind == "time called"]
        own = [one.player for one in called if one.player is not None]
        # Of several calls of one person between two looks he is told once.
        whose = {(one.player, one.person) for one in self.prompts.values()}
        prompted = [player for player, _ in whose]
        gone = any(undone_to(one) is not None for one in self.unseen)
        sentence = f"{prompted} called, {own} told"
        expect(gone or sorted(own) == sorted(prompted), "called", table.version, sentence)
        expect(len(own) <= len(prompted), "called", table.version, sentence)


def time_runs(reckoning: Reckoning, table: Table) -> None:
    """The time of those runs whom the table waits for, in the frame on top, and of nobody else."""
    clock, version = table.settings.clock, table.version
    runs = {(one.frame, one.player) for one in reckoning.running}
    frame = top(table)
    is_over = table.ending is not None and table.ending.over
    stands = clock is None or table.beside.paused or is_over or frame is None
    wanted = set() if stands or frame is None else {(frame.id, one) for one in awaited(table)}
    expect(runs == wanted, "clock", version, f"time runs for {sorted(runs)}, not {sorted(wanted)}")
    low = [player for player, bank in reckoning.banks.items() if bank < 0]
    expect(not low, "clock", version, f"less than nothing in the bank: {low}")
    for one in due(reckoning, table):
        known = (one.running.frame, one.running.player) in runs
        expect(known, "clock", version, f"{one.running.player} has a deadline and no time")
        ordered = all(moment <= one.until for _, moment in one.reminders)
        expect(ordered, "clock", version, f"{one.running.player} is reminded when it is too late")


def in_time(
    found: Told, limits: Mapping[PlayerId, n.Deadline], dues: tuple[Due, ...], table: Table
) -> None:
    """What tells somebody that he is to act says until when, where his time runs."""
    until = {one.running.player: one.until for one in dues if one.until < NEVER}
    for notice in found.notices:
        player = notice.player
        if player is None or TO_ACT not in notice.words or player not in until:
            continue
        sentence = f"{player} is told until {notice.until}, and has until {until[player]}"
        right = notice.until == until[player]
        expect(right and player in limits, "deadline", table.version, sentence)
