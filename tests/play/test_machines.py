"""Machines of Hypothesis: anything done in any order, from any point of a game of house players.

Each rule is one of the promises that the engine makes to whoever writes a client for it. What
Hypothesis draws is made small on failure: the shortest row of moves from the earliest point.
"""

from functools import cache
from random import Random

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from contracts.choices import Choice, OpenRoutes
from contracts.commands import MakeRequest, Order
from contracts.ids import CommandId, PlayerId
from contracts.pieces import Settings
from contracts.records import Record
from contracts.rejections import Rejection
from services.engine.projections.audit_pieces import Counting
from services.engine.rules.beside.listed import sender_for
from services.engine.rules.decide import choices, decide, objections
from services.engine.rules.listing import is_listed, lists
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import awaited
from services.engine.table.fold import applied, restored, table_at, tables, undone_to
from services.engine.table.state import Table
from services.soak import asides, checks, probes
from services.soak.coverage import Coverage
from services.soak.game import digest, same
from services.soak.near import made_up, mutated, with_amount
from services.soak.openings import CLOCK
from tests.play.played import GAMES, played

BEGUN_FROM = GAMES[:: len(GAMES) // 4]
STEPS = 12

chances = st.integers(0, 2**32 - 1)


@cache
def moments(title: str, players: int, seed: int) -> tuple[tuple[Record, ...], tuple[Table, ...]]:
    """The records of a game, and the table after each."""
    game = played(title, players, seed)
    assert game.failure is None, game.failure
    table_id = game.plan.name
    return game.records, tuple(table for _, table in tables(table_id, game.records))


class Play(RuleBasedStateMachine):
    """A table that goes on from some moment of a game; anybody may take back anything."""

    @initialize(game=st.sampled_from(BEGUN_FROM), part=st.floats(0, 1))
    def begin(self, game, part):
        records, after = moments(*game)
        at = min(int(part * len(after)), len(after) - 1)
        while after[at].requests:
            at -= 1
        free = Settings(undo="free", clock=CLOCK, host=records[0].order.player)
        self.begun = at + 1
        self.records = list(records[: at + 1])
        self.tables = {at + 1: msgspec.structs.replace(after[at], settings=free)}
        self.counting = Counting({})

    @property
    def table(self) -> Table:
        return self.tables[self.begun + len(self.tables) - 1]

    def order(self, player: PlayerId, choice: Choice, command: object) -> Order:
        version = None if choice.question else self.table.version
        id = CommandId(f"m-{self.table.version}")
        sender = sender_for(self.table, player)
        return Order(self.table.id, id, sender, player, command, version, choice.question)

    def record(self, order: Order) -> None:
        """Decide an order that has to be accepted, and go on from there."""
        before, ruleset = self.table, ruleset_of(self.table)
        events = decide(ruleset, before, order)
        assert not isinstance(events, Rejection), (order, events)
        record = Record(before.version + 1, 0, "machine", order, events)
        to = undone_to(record)
        if to is None:
            checks.after_events(ruleset, before, events, self.counting)
            after = applied(before, record)
        else:
            after = restored(before, self.tables[to], record)
        self.records.append(record)
        self.tables[record.version] = after
        checks.after_record(ruleset, record, after, self.counting)

    def listed(self, player: PlayerId) -> list[Choice]:
        offered = choices(ruleset_of(self.table), self.table, player)
        return [choice for choice in offered if not choice.beside]

    @precondition(lambda self: bool(awaited(self.table)))
    @rule(chance=chances)
    def what_is_listed_is_accepted(self, chance):
        lots = Random(chance)
        player = lots.choice(awaited(self.table))
        choice = lots.choice(self.listed(player))
        command = with_amount(choice, lots)
        assert lists(choice, command)
        self.record(self.order(player, choice, command))

    @rule(chance=chances)
    def what_is_accepted_is_listed(self, chance):
        lots = Random(chance)
        ruleset, table = ruleset_of(self.table), self.table
        player = lots.choice(table.order)
        offered = choices(ruleset, table, player)
        choice = lots.choice(offered) if offered else None
        command = (
            mutated(ruleset, table, choice.command, lots)
            if choice is not None and lots.random() < 0.8
            else made_up(ruleset, table, lots)
        )
        order = probes.order_of(table, player, command, choice.question if choice else None)
        mark = digest(table)
        outcome = decide(ruleset, table, order)
        if isinstance(outcome, Rejection):
            found = next((one for one in offered if lists(one, command)), None)
            assert found is None or isinstance(found.open, OpenRoutes), (order, outcome)
        else:
            assert is_listed(offered, command), order
        assert digest(table) == mark

    @rule(chance=chances)
    def objections_are_empty_exactly_when_decide_accepts(self, chance):
        lots = Random(chance)
        ruleset, table = ruleset_of(self.table), self.table
        probes.tried(ruleset, table, lots, probes.Memory(), Coverage(), self.counting)
        for player in table.order:
            order = probes.order_of(table, player, made_up(ruleset, table, lots), None)
            refused = isinstance(decide(ruleset, table, order), Rejection)
            assert bool(objections(ruleset, table, order)) == refused, order

    @rule(chance=chances)
    def what_lies_beside_the_game_may_be_done_whenever_it_is_listed(self, chance):
        order = asides.to_be_done(ruleset_of(self.table), self.table, Random(chance))
        if order is not None:
            self.record(order)

    @rule(chance=chances)
    def beside_the_game_too_what_is_listed_is_what_is_accepted(self, chance):
        ruleset, mark = ruleset_of(self.table), digest(self.table)
        lots, coverage = Random(chance), Coverage()
        asides.tried(probes.judged, ruleset, self.table, lots, coverage, self.counting)
        assert digest(self.table) == mark

    @precondition(lambda self: len(self.tables) > 1 and not self.table.requests)
    @rule(chance=chances)
    def undo_and_redo_are_nothing(self, chance):
        lots = Random(chance)
        before = self.table
        back = lots.choice([version for version in self.tables if version != before.version])
        self.undo(before.order[0], back)
        assert same(self.table, self.tables[back])
        self.undo(before.order[-1], before.version)
        assert same(self.table, before)

    def undo(self, player: PlayerId, to: int) -> None:
        command = MakeRequest("undo", to)
        self.record(self.order(player, Choice(player, command), command))

    @invariant()
    def the_table_is_what_its_records_make(self):
        table = table_at(self.table.id, self.records)
        free = msgspec.structs.replace(table, settings=self.table.settings)
        assert digest(free) == digest(self.table)


TestPlay = Play.TestCase
TestPlay.settings = settings(
    stateful_step_count=STEPS, suppress_health_check=[HealthCheck.too_slow], deadline=None
)
