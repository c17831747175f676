"""The one test sentence: given a table, when somebody orders something, then that happens.

Each order is checked against what must hold always: money and certificates are conserved after
every event, what is accepted was listed among the choices, and what is refused was not.
"""

from collections.abc import Iterable

import msgspec

from contracts import events as e
from contracts.choices import Choice, OpenRoutes
from contracts.commands import AnyCommand, Order
from contracts.frames import Question
from contracts.ids import CommandId
from contracts.rejections import Code, Rejection
from services.engine.rules.decide import choices, decide, objections
from services.engine.rules.listing import is_listed
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import awaited, top
from services.engine.table.evolve import evolve
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table
from tests.positions import player

AGENDA = (
    e.Passed,
    e.StepEnded,
    e.TurnBegan,
    e.TurnEnded,
    e.RoundBegan,
    e.RoundEnded,
    e.ProcedureSet,
    e.ProcedureEnded,
)
"""Events that only tell who is next; `then` leaves them out unless it is asked for one."""


def given(table: Table) -> "Given":
    """A table to be played at."""
    return Given(table)


class Given:
    """A table, and what the last order at it led to."""

    def __init__(self, table: Table, outcome: "tuple[e.AnyEvent, ...] | Rejection" = ()) -> None:
        self.table = table
        self.outcome = outcome
        self.refusals: tuple[Rejection, ...] = ()

    def when(self, who: str, *commands: AnyCommand) -> "Given":
        """Somebody orders something; of several orders all but the last must be accepted."""
        now = self
        for command in commands:
            assert not isinstance(now.outcome, Rejection), now.outcome
            now = now.ordered(who, command)
        return now

    def ordered(self, who: str, command: AnyCommand) -> "Given":
        """One order."""
        table, ruleset = self.table, ruleset_of(self.table)
        frame = top(table)
        question = frame.id if isinstance(frame, Question) else None
        order = Order(table.id, CommandId("c"), who, player(who), command, table.version, question)
        offered = choices(ruleset, table, player(who))
        outcome = decide(ruleset, table, order)
        if isinstance(outcome, Rejection):
            offered = tuple(map(closed, offered))
        listed = is_listed(offered, command)
        refusals = objections(ruleset, table, order)
        assert bool(refusals) == isinstance(outcome, Rejection), (command, refusals)
        assert listed != isinstance(outcome, Rejection), (command, "listed", listed, outcome)
        if isinstance(outcome, Rejection):
            now = Given(table, outcome)
            now.refusals = refusals
            return now
        after = conserved(table, outcome)
        return Given(msgspec.structs.replace(after, version=table.version + 1), outcome)

    def then(self, *expected: "e.AnyEvent | type | Code") -> "Given":
        """Exactly these events happened, agenda aside; a kind stands for any event of it.

        A code instead: the order was refused with it first.
        """
        first = expected[0] if expected else None
        if isinstance(first, Code):
            assert isinstance(self.outcome, Rejection), self.outcome
            assert self.outcome.code == first, self.outcome
            assert self.outcome.sentence
            assert self.outcome.rule
            return Given(self.table)
        assert not isinstance(self.outcome, Rejection), self.outcome
        kinds = [kind if isinstance(kind, type) else type(kind) for kind in expected]
        found = [one for one in self.outcome if type(one) in kinds or not isinstance(one, AGENDA)]
        shown = "\n".join(map(str, found))
        assert len(found) == len(expected), shown
        for happened, wanted in zip(found, expected, strict=True):
            if isinstance(wanted, type):
                assert type(happened) is wanted, shown
            else:
                assert happened == wanted, shown
        return self

    def begins(self, *expected: "e.AnyEvent | type") -> "Given":
        """These events happened first, agenda aside; what followed from them is not looked at."""
        assert not isinstance(self.outcome, Rejection), self.outcome
        first = [one for one in self.outcome if not isinstance(one, AGENDA)][: len(expected)]
        assert len(first) == len(expected), self.outcome
        for happened, wanted in zip(first, expected, strict=True):
            fits = type(happened) is wanted if isinstance(wanted, type) else happened == wanted
            assert fits, (happened, wanted)
        return self

    def refused_for(self, *codes: Code) -> "Given":
        """Everything that speaks against the order, in the order of the rules."""
        assert tuple(refusal.code for refusal in self.refusals) == codes, self.refusals
        return Given(self.table)

    def accepted(self) -> "Given":
        """The order was accepted."""
        assert not isinstance(self.outcome, Rejection), self.outcome
        return self

    def awaits(self, *who: str) -> "Given":
        """These players have to decide now."""
        assert awaited(self.table) == tuple(map(player, who)), awaited(self.table)
        return self

    def listed(self, who: str) -> tuple[Choice, ...]:
        """Everything that somebody may do now."""
        return choices(ruleset_of(self.table), self.table, player(who))

    def happened(self) -> tuple[e.AnyEvent, ...]:
        """All events of an order that was accepted."""
        assert not isinstance(self.outcome, Rejection), self.outcome
        return self.outcome


def closed(choice: Choice) -> Choice:
    """A choice without its open routes: which sets of runs are legal is not written out."""
    return (
        msgspec.structs.replace(choice, open=None)
        if isinstance(choice.open, OpenRoutes)
        else choice
    )


def conserved(table: Table, events: Iterable[e.AnyEvent]) -> Table:
    """The table after events, each of which kept the sum of money and of every company's shares."""
    money = sum(table.cash.values())
    papers = papers_of(table)
    for event in events:
        table = evolve(table, event)
        assert sum(table.cash.values()) == money, event
        assert papers_of(table) == papers, event
    return table


def papers_of(table: Table) -> dict[str, int]:
    """The shares of each company, wherever they are."""
    return {
        company: sum(shares_in(certificates) for certificates in holdings.values())
        for company, holdings in table.certificates.items()
    }
