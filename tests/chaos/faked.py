"""A history of one table as it would be if everything went well, made up without any process.

The rules decide, the clock's and the notifier's pure parts say what they would have done; so a test
changes one thing in it and looks whether that is noticed.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from contracts.clocking import Clocking
from contracts.commands import (
    AnyCommand,
    AssignSeat,
    CallTime,
    ExpireRequest,
    MakeRequest,
    OpenTable,
    Order,
)
from contracts.ids import CommandId, Party, PlayerId, TableId, TitleId
from contracts.notices import Letter, Notice, Prompt, decode_prompt, of_player
from contracts.people import CLOCK
from contracts.pieces import Seat, Settings
from contracts.records import FIRST_DIGEST, Record, Sealed, seal
from contracts.rejections import Rejection
from contracts.titles.load import titles
from services.chaos.judging import Witness
from services.chaos.post import WELL, Delivery
from services.chaos.troubles import MICRO
from services.clock.keeping import told_of
from services.clock.reckoning import NOTHING, due, due_of, expiries, reckoned
from services.clock.saving import Followed
from services.clock.timers import call
from services.engine.projections import api
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_for
from services.engine.table.agenda import awaited
from services.engine.table.fold import applied, restored, undone_to
from services.engine.table.state import Table, new_table
from services.notifier.telling import Memory, Sight, told
from services.players.play import next_order

TABLE = TableId("friday")
HOST = "gil"
NAMES = ("ann", "bob", "cyd")
TURN, WAITS = 10, 30
"""Seconds of a turn, and those for which a request waits."""
BEGAN = 1_790_000_000 * MICRO


@dataclass
class Faked:
    """A table that is played by hand; `letters` and `deliveries` grow with each record."""

    then: str = "call"
    now: int = BEGAN
    letters: list[Letter] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)
    book: list[Sealed] = field(default_factory=list)

    def __post_init__(self) -> None:
        seats = tuple(Seat(PlayerId(Party(name)), name.title(), f"p.{name}") for name in NAMES)
        clock = Clocking(turn_seconds=TURN, then=self.then)
        host = PlayerId(Party(HOST))
        settings = Settings("consent", host, clock=clock, request_seconds=WAITS)
        opening = OpenTable(TitleId(titles()[0]), seats, 1, settings=settings)
        ruleset = ruleset_for(opening)
        assert not isinstance(ruleset, Rejection)
        self.ruleset = ruleset
        self.tables = [new_table(TABLE)]
        self.reckoning = NOTHING
        self.state = api.start(TABLE)
        self.memory = Memory()
        self.say(HOST, PlayerId(Party("ann")), opening)

    @property
    def table(self) -> Table:
        return self.tables[-1]

    def after(self, seconds: float) -> "Faked":
        self.now += round(seconds * MICRO)
        return self

    # --- what is done ----------------------------------------------------------------------------

    def say(self, sender: str, player: PlayerId, command: AnyCommand, id: str = "") -> None:
        """An order that has to be accepted."""
        number = CommandId(id or f"o{self.table.version}")
        is_named = isinstance(command, CallTime | ExpireRequest | OpenTable)
        version = None if is_named else self.table.version
        self.give(Order(TABLE, number, sender, player, command, version))

    def give(self, order: Order) -> None:
        before = self.table
        events = decide(self.ruleset, before, order)
        assert not isinstance(events, Rejection), events
        record = Record(before.version + 1, self.now, "test", order, events)
        self.book.append(seal(self.book[-1].digest if self.book else FIRST_DIGEST, record))
        to = undone_to(record)
        after = applied(before, record) if to is None else restored(before, self.tables[to], record)
        prompts = told_of(Followed(before, self.reckoning, b""), record)
        self.reckoning = reckoned(self.reckoning, before, after, record)
        self.tables.append(after)
        self.state = api.project(self.state, record, before, after)
        self._look(record, {f"{record.version}": decode_prompt(one) for one in prompts})

    def move(self, number: int = 1) -> "Faked":
        """Some moves of whoever is to act, two seconds each."""
        for _ in range(number):
            order = next_order(self.ruleset, self.table, 3)
            assert order is not None
            person = self.table.people[order.player]
            self.after(2).give(msgspec.structs.replace(order, sender=person))
        return self

    def undo(self, back: int = 1) -> "Faked":
        """The host takes moves back, in the name of somebody who is not to act then."""
        to = self.table.version - back
        other = next(one for one in self.table.order if one not in awaited(self.tables[to]))
        self.after(1).say(HOST, other, MakeRequest("undo", to))
        return self

    def calling(self) -> Order:
        """What the clock sends when the time of whoever is to act is up."""
        clock = self.table.settings.clock
        assert clock is not None
        (one,) = self.reckoning.running
        return call(TABLE, due_of(clock, self.reckoning, self.table, one))

    def call(self, late: float = 0.1, player: str | None = None) -> "Faked":
        """The time of whoever is to act is called, so many seconds after it is up."""
        (one,) = due(self.reckoning, self.table)
        self.now = one.until + round(late * MICRO)
        order = call(TABLE, one)
        if player is not None:
            order = msgspec.structs.replace(order, player=PlayerId(Party(player)))
        self.give(order)
        return self

    def call_again(self) -> "Faked":
        """The call that was made last, once more."""
        order = self.book[-1].record.order
        assert isinstance(order.command, CallTime)
        self.give(msgspec.structs.replace(order, id=CommandId("again")))
        return self

    def expire(self, late: float = 0.1) -> "Faked":
        """The request that waits expires."""
        ((one, until),) = expiries(self.reckoning, self.table)
        self.now = until + round(late * MICRO)
        self.say(CLOCK, one.player, ExpireRequest(one.request), "clock:expire")
        return self

    def ask(self) -> "Faked":
        player = next(one for one in self.table.order if one not in awaited(self.table))
        self.after(1).say(self.table.people[player], player, MakeRequest("end"))
        return self

    def seat(self, player: PlayerId, person: str) -> "Faked":
        self.after(1).say(HOST, player, AssignSeat(player, person))
        return self

    def pause(self) -> "Faked":
        self.after(1).say(HOST, self.table.order[0], MakeRequest("pause"))
        return self

    # --- what is told ----------------------------------------------------------------------------

    def _look(self, record: Record, prompts: dict[str, Prompt]) -> None:
        line = api.view(self.state, self.table, "tables")
        turn = api.view(self.state, self.table, "turn")
        sight = Sight(line, turn, records=(record,), prompts=prompts)
        found = told(self.memory, sight, self.now)
        self.memory = found.memory
        for notice in found.notices:
            self._deliver(notice)
        for one in found.withdrawn:
            if one.correction is not None:
                self._deliver(one.correction)

    def _deliver(self, notice: Notice) -> None:
        if notice.player is None:
            return
        to = notice.person or notice.player
        letter = letter_of(notice, to)
        self.letters.append(letter)
        self.deliveries.append(delivery_of(letter, (self.now + 300_000) / MICRO))

    # --- for the judge ---------------------------------------------------------------------------

    @property
    def witness(self) -> Witness:
        return Witness(self.deliveries)

    def change(self, is_meant: Callable[[Letter], bool], **fields: object) -> None:
        """Change the last letter of a kind."""
        at = max(number for number, one in enumerate(self.letters) if is_meant(one))
        self.letters[at] = msgspec.structs.replace(self.letters[at], **fields)

    def lose(self, is_meant: Callable[[Letter], bool]) -> None:
        """Lose all letters of a kind, and what came of them."""
        gone = {one.id for one in self.letters if is_meant(one)}
        assert gone
        self.letters = [one for one in self.letters if one.id not in gone]
        self.deliveries = [one for one in self.deliveries if one.id not in gone]


def letter_of(notice: Notice, to: str) -> Letter:
    id = f"{notice.id}/main"
    return Letter(id, notice, of_player(to), "main", "sent", 1, "", notice.made, notice.made)


def delivery_of(letter: Letter, at: float) -> Delivery:
    notice = letter.notice
    to = letter.addressee.partition(":")[2]
    return Delivery(at, to, letter.id, notice.id, notice.kind, notice.table, WELL, is_signed=True)
