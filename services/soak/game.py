"""One soaked game: played by house players to the end, with probes and undos thrown in."""

from collections.abc import Callable
from hashlib import blake2b
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from contracts.commands import AnswerRequest, AnyCommand, MakeRequest, OpenTable, Order
from contracts.events import Events
from contracts.frames import Consent, Question
from contracts.ids import CommandId, PlayerId
from contracts.people import NOBODY
from contracts.records import Record
from contracts.rejections import Rejection, in_words
from services.engine.projections import api
from services.engine.projections.audit_pieces import Counting
from services.engine.rules.beside.listed import sender_for
from services.engine.rules.beside.programmes import automatic
from services.engine.rules.decide import choices, decide
from services.engine.rules.listing import is_listed
from services.engine.rules.ruleset import ruleset_for
from services.engine.table.agenda import top
from services.engine.table.fold import applied, restored, undone_to
from services.engine.table.state import Beside, Run, Table, new_table
from services.players.play import next_order
from services.soak import asides, calling, checks, probes
from services.soak.coverage import Coverage
from services.soak.failure import Failure, FailureError, expect
from services.soak.openings import Plan, opening
from services.soak.watch import Watch

RELEASE: Final = "soak"
FAR: Final = 10
REDONE: Final = 0.7
"""How often an undo is undone; one that goes far always is, or games would never end."""
GENEROUS: Final = 0.9
"""How often a player agrees that something is taken back."""
AUTOMATIC: Final = 0.5
"""How often a programme that was set moves at once."""
AUTOMATIC_MOST: Final = 20
AGREED_ONE_IN: Final = 16
AGREED_AFTER: Final = 250
Progress = Callable[[int], None]
"""Told the version after each record."""


class Amount(Struct, frozen=True):
    """How much is done beside playing: one time in so many records.

    `probe` tries near-legal orders, `thorough` every listed choice, `ask` requests, `views` all
    views; `beside` does something beside the game, never if it is 0; `call` has the clock call
    somebody's time. `records_most` is where a game that does not end is broken off.
    """

    probe: int = 4
    thorough: int = 60
    ask: int = 30
    views: int = 400
    records_most: int = 6000
    beside: int = 25
    call: int = 20


DEFAULT: Final = Amount()
LIGHT: Final = Amount(probe=12, thorough=400, ask=60, views=2000, beside=60, call=60)
"""For many games in little time."""


class Soaked(Struct, frozen=True):
    """What came of a game; `because` says why it ended, None where it did not."""

    plan: Plan
    records: tuple[Record, ...]
    coverage: Coverage
    because: str | None
    failure: Failure | None = None


class _Game:
    """The game as it goes."""

    def __init__(self, plan: Plan, amount: Amount) -> None:
        self.plan = plan
        self.amount = amount
        self.opening = opening(plan)
        assert isinstance(self.opening.command, OpenTable)
        ruleset = ruleset_for(self.opening.command)
        if isinstance(ruleset, Rejection):
            raise FailureError(Failure("opening", 0, in_words(ruleset), self.opening))
        self.ruleset = ruleset
        self.tables = [new_table(plan.name)]
        self.records: list[Record] = []
        self.state = api.start(plan.name)
        self.coverage = Coverage()
        self.counting = Counting({})
        self.memory = probes.Memory()
        self.watch = Watch()

    @property
    def table(self) -> Table:
        return self.tables[-1]

    def lots(self, purpose: str) -> Random:
        """Chance for one purpose at this version."""
        return Random(f"{self.plan.name}/{purpose}/{self.table.version}")

    def play(self, order: Order) -> None:
        """Decide an order that has to be accepted, and record it."""
        events = self._decided(order)
        record = Record(self.table.version + 1, self.table.version, RELEASE, order, events)
        to = undone_to(record)
        self.coverage.happened(order.command, events)
        self.records.append(record)
        before = self.table
        if to is None:
            checks.after_events(self.ruleset, before, events, self.counting)
            after = applied(before, record)
        else:
            after = restored(before, self.tables[to], record)
        self.tables.append(after)
        self.state = api.project(self.state, record, before, after)
        checks.after_record(self.ruleset, record, after, self.counting)
        self.watch.record(record, before, after, self.state, self.lots("watch"))
        self.coverage.waited(after)

    def _decided(self, order: Order) -> Events:
        table = self.table
        try:
            events = decide(self.ruleset, table, order)
        except Exception as error:
            raise FailureError(Failure("crash", table.version, repr(error), order)) from error
        if isinstance(events, Rejection):
            sentence = f"refused: {in_words(events)}"
            raise FailureError(Failure("listed but refused", table.version, sentence, order))
        if table.version:
            listed = choices(self.ruleset, table, order.player, order.sender)
            sentence = f"{order.command} was accepted from {order.player}"
            expect(
                is_listed(listed, order.command),
                "accepted but not listed",
                table.version,
                sentence,
                order,
            )
        return events

    def asked(self, player: PlayerId, command: AnyCommand) -> None:
        """Play a request, or an answer to one."""
        version = self.table.version
        id = CommandId(f"ask-{version}")
        sender = sender_for(self.table, player)
        self.play(Order(self.table.id, id, sender, player, command, version))

    def ask(self) -> None:
        """Somebody asks for an undo, or for the end; the others answer, or play goes on."""
        lots = self.lots("ask")
        player = lots.choice(self.table.order)
        last = self.table.version - 1
        if lots.randrange(12) == 0:
            command = MakeRequest("end")
        else:
            back = lots.choice((1, 1, 1, 2, 3, 5, 40, last))
            command = MakeRequest("undo", max(1, self.table.version - back))
        may = choices(self.ruleset, self.table, player)
        if not is_listed(may, command):
            return
        before = self.table
        self.asked(player, command)
        self.try_asides()
        while self.table.requests and lots.random() < 0.8:
            request = lots.choice(self.table.requests)
            other = lots.choice(request.waiting)
            if request.what == "undo":
                yes = lots.random() < GENEROUS
            else:
                yes = len(request.waiting) > 1 or self.may_agree_to_end()
            self.asked(other, AnswerRequest(request.id, yes))
        to = undone_to(self.records[-1])
        if to is not None:
            self.undone(before, self.tables[to], lots)

    def aside(self) -> None:
        """Somebody does something beside the game; a programme that he sets often moves for him.

        Else the house player moves on, which stops it: so it is tried in every state of play.
        """
        lots = self.lots("do asides")
        order = asides.to_be_done(self.ruleset, self.table, lots)
        if order is None:
            return
        self.play(order)
        for _ in range(AUTOMATIC_MOST if lots.random() < AUTOMATIC else 0):
            move = automatic(self.ruleset, self.table)
            # One that was set although it cannot go on is stopped by the next record.
            if move is None or isinstance(decide(self.ruleset, self.table, move), Rejection):
                return
            self.play(move)

    def call(self) -> None:
        """The clock calls somebody's time; only one seat of a table is given up that way."""
        table = self.table
        order = self.watch.call(table, self.lots("call"))
        clock = table.settings.clock
        given_up = NOBODY in table.people.values()
        if order is None or (clock is not None and clock.then == "resign" and given_up):
            return
        self.play(order)

    def move(self) -> bool:
        """The house player's move, or the call of a seat that was given up; false at the end."""
        order = next_order(self.ruleset, self.table, self.plan.seed)
        if order is None:
            return False
        person = self.table.people.get(order.player, order.sender)
        if person == NOBODY:
            call = self.watch.call_of(self.table, order.player)
            expect(call is not None, "call", self.table.version, f"{order.player} is never called")
            order = call if call is not None else order
        else:
            order = msgspec.structs.replace(order, sender=person)
        self.play(order)
        return True

    def may_agree_to_end(self) -> bool:
        """One game in so many is ended by agreement, once it has got somewhere."""
        agreeable = self.plan.seed % AGREED_ONE_IN == AGREED_ONE_IN - 1
        return agreeable and self.table.version > AGREED_AFTER

    def undone(self, before: Table, earlier: Table, lots: Random) -> None:
        """Undo gives the earlier table, and redo gives back what was undone."""
        sentence = f"back to version {earlier.version}"
        expect(same(self.table, earlier), "undo", self.table.version, sentence)
        player = self.records[-1].order.player
        command = MakeRequest("undo", before.version)
        is_far = before.version - earlier.version > FAR
        # A request that is on the table again has to be answered before the next.
        if not self.table.requests and (is_far or lots.random() < REDONE):
            self.asked(player, command)
            while self.table.requests:
                request = self.table.requests[0]
                self.asked(request.waiting[0], AnswerRequest(request.id, yes=True))
            sentence = f"redo of version {before.version}"
            expect(same(self.table, before), "redo", self.table.version, sentence)

    def probe(self) -> None:
        """Try near-legal orders; none of them may change anything."""
        mark = digest(self.table)
        lots = self.lots("probe")
        probes.tried(self.ruleset, self.table, lots, self.memory, self.coverage, self.counting)
        self.try_asides()
        expect(digest(self.table) == mark, "changed", self.table.version, "by what was refused")

    def try_asides(self) -> None:
        """Try what lies beside the game, near-legal or not; none of it is recorded."""
        lots = self.lots("try asides")
        asides.tried(probes.judged, self.ruleset, self.table, lots, self.coverage, self.counting)

    def is_time(self, one_in: int, purpose: str) -> bool:
        return self.lots(f"time to {purpose}").randrange(one_in) == 0

    def to_the_end(self, progress: Progress | None) -> None:
        """Play on until nobody is waited for."""
        probes.openings(self.plan, self.coverage)
        self.play(self.opening)
        while self.table.version < self.amount.records_most:
            if self.is_time(self.amount.probe, "probe") or is_rare(self.table):
                self.probe()
            if is_rare(self.table) or self.is_time(self.amount.probe, "end time"):
                calling.every_end(self.ruleset, self.table, self.coverage, self.counting)
            if self.amount.beside and self.is_time(self.amount.beside, "do something beside"):
                self.aside()
            if self.is_time(self.amount.thorough, "be thorough"):
                probes.every_choice(self.ruleset, self.table, self.counting)
            if self.table.version > 1 and self.is_time(self.amount.ask, "ask"):
                self.ask()
            if self.is_time(self.amount.views, "look"):
                checks.views_hold(self.ruleset, self.records, self.state, self.table)
            if self.is_time(self.amount.call, "call"):
                self.call()
            if not self.move():
                break
            if progress is not None:
                progress(self.table.version)
        self.probe()
        checks.views_hold(self.ruleset, self.records, self.state, self.table)


def soaked(plan: Plan, amount: Amount = DEFAULT, progress: Progress | None = None) -> Soaked:
    """Play the game of a plan; a failure ends it."""
    game = _Game(plan, amount)
    failure: Failure | None = None
    try:
        game.to_the_end(progress)
    except FailureError as error:
        failure = error.failure
    except Exception as error:  # noqa: BLE001 - whatever the rules raise is a finding
        failure = Failure("crash", game.table.version, repr(error))
    ending = game.table.ending
    because = ending.because if ending is not None and ending.over else None
    return Soaked(plan, tuple(game.records), game.coverage, because, failure)


def is_rare(table: Table) -> bool:
    """Whether something is asked that is seldom asked; then it is always worth a probe."""
    frame = top(table)
    return isinstance(frame, Question) and not isinstance(frame.matter, Consent)


def same(one: Table, other: Table) -> bool:
    """Whether two games differ in nothing but their version and who moved last."""
    return _aside(one) == _aside(other)


def _aside(table: Table) -> Table:
    """The game alone: an undo takes back nothing that lies beside it."""
    return msgspec.structs.replace(
        table, version=0, mover=None, moved_from=0, beside=Beside(), run=Run()
    )


def digest(table: Table) -> bytes:
    """A checksum of all that lies on a table."""
    return blake2b(msgspec.msgpack.encode(table), digest_size=16).digest()
