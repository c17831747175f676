"""Probes: orders thrown at a table to see that the third law holds there.

None of them is recorded. What is listed has to be accepted, what is accepted has to be listed, an
order that names the wrong version, question or seat has to be refused, and `objections` has to say
something exactly where `decide` refuses.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from contracts.choices import Choice, OpenRoutes
from contracts.commands import OpenTable, Order
from contracts.frames import Question
from contracts.ids import CommandId, FrameId, Party, PlayerId
from contracts.pieces import Settings
from contracts.rejections import Code, Rejection, in_words
from services.engine.projections.audit_pieces import Counting
from services.engine.rules.decide import choices, decide, objections
from services.engine.rules.listing import listing
from services.engine.rules.ruleset import Ruleset, ruleset_for
from services.engine.table.agenda import awaited, top
from services.engine.table.fold import undone_to
from services.engine.table.state import Table, new_table
from contracts.records import Record
from services.soak import checks
from services.soak.coverage import Coverage
from services.soak.failure import expect
from services.soak.near import beside, made_up, mutated, with_amount
from services.soak.openings import Plan, opening

PROBES: Final = 6
STRANGER: Final = PlayerId(Party("stranger"))


def tried(
    ruleset: Ruleset, table: Table, lots: Random, coverage: Coverage, counting: Counting
) -> None:
    """Throw some orders at a table."""
    waiting = awaited(table)
    for _ in range(PROBES):
        asked = lots.random() < 0.75 and waiting
        player = lots.choice(waiting if asked else table.order)
        listed = choices(ruleset, table, player)
        for order in drawn(ruleset, table, player, listed, lots):
            judged(ruleset, table, order, coverage, counting)


def drawn(
    ruleset: Ruleset, table: Table, player: PlayerId, listed: tuple[Choice, ...], lots: Random
) -> Iterator[Order]:
    """An order near what a player may do."""
    way = lots.randrange(8)
    if not listed or way == 0:
        yield order_of(table, player, made_up(ruleset, table, lots), None)
        return
    kinds = sorted({type(choice.command).__name__ for choice in listed})
    kind = lots.choice(kinds)
    choice = lots.choice([one for one in listed if type(one.command).__name__ == kind])
    question = choice.question
    if way == 1:
        yield order_of(table, player, with_amount(choice, lots), question)
    elif way == 2:
        yield order_of(table, player, beside(choice, lots), question)
    elif way == 3:
        yield misdirected(table, order_of(table, player, choice.command, question), lots)
    else:
        changed = mutated(ruleset, table, choice.command, lots)
        if way == 7:
            changed = mutated(ruleset, table, changed, lots)
        yield order_of(table, player, changed, question)


def order_of(
    table: Table, player: PlayerId, command: object, question: FrameId | None
) -> Order:
    """An order made against the table as it stands."""
    version = None if question is not None else table.version
    id = CommandId("probe")
    return Order(table.id, id, player, player, command, version, question)  # type: ignore[arg-type]


def misdirected(table: Table, order: Order, lots: Random) -> Order:
    """The order with something wrong about its envelope."""
    change = msgspec.structs.replace
    return lots.choice(
        (
            change(order, player=STRANGER),
            change(order, player=lots.choice(table.order)),
            change(order, version=table.version - 1, question=None),
            change(order, version=table.version + 1, question=None),
            change(order, version=None, question=None),
            change(order, version=None, question=FrameId("0.0")),
            change(order, version=table.version, question=None),
        )
    )


def judged(
    ruleset: Ruleset, table: Table, order: Order, coverage: Coverage, counting: Counting
) -> None:
    """Decide a probe and hold the answer against the choices and the objections."""
    outcome = decide(ruleset, table, order)
    refusals = objections(ruleset, table, order)
    refused = isinstance(outcome, Rejection)
    version = table.version
    said = in_words(outcome) if isinstance(outcome, Rejection) else "accepted"
    expect(bool(refusals) == refused, "objections", version, f"{said}, {refusals}", order)
    if isinstance(outcome, Rejection):
        coverage.refused(refusals)
        expect(bool(outcome.sentence and outcome.rule), "refusal", version, said, order)
        expect(outcome == refusals[0], "objections", version, f"{said}, {refusals[0]}", order)
    right = is_addressed(table, order)
    found = listing(choices(ruleset, table, order.player), order.command) if right else None
    if found is None:
        expect(refused, "accepted but not listed", version, str(order.command), order)
    elif not isinstance(found.open, OpenRoutes) or found.command == order.command:
        expect(not refused, "listed but refused", version, said, order)
    if not isinstance(outcome, Rejection):
        expect(decide(ruleset, table, order) == outcome, "again", version, "decided otherwise", order)
        coverage.happened(order.command, outcome)
        followed(ruleset, table, order, outcome, counting)


def followed(
    ruleset: Ruleset, table: Table, order: Order, events: tuple[object, ...], counting: Counting
) -> None:
    """Look at the table to which an accepted probe would lead."""
    record = Record(table.version + 1, 0, "probe", order, events)  # type: ignore[arg-type]
    if undone_to(record) is None:
        checks.after_events(ruleset, table, record.events, counting)


def is_addressed(table: Table, order: Order) -> bool:
    """Whether an order names a seat, and the version or the question that is open."""
    if order.player not in table.order:
        return False
    frame = top(table)
    is_request = type(order.command).__name__ in ("MakeRequest", "AnswerRequest")
    if order.question is not None and not is_request:
        return isinstance(frame, Question) and frame.id == order.question
    return order.version == table.version


def every_choice(ruleset: Ruleset, table: Table, counting: Counting) -> None:
    """Everything that anybody may do is accepted."""
    for player in table.order:
        for choice in choices(ruleset, table, player):
            order = order_of(table, player, choice.command, choice.question)
            outcome = decide(ruleset, table, order)
            said = in_words(outcome) if isinstance(outcome, Rejection) else ""
            accepted = not isinstance(outcome, Rejection)
            expect(accepted, "listed but refused", table.version, said, order)
            if not isinstance(outcome, Rejection):
                followed(ruleset, table, order, outcome, counting)


def openings(plan: Plan, coverage: Coverage) -> None:
    """Openings that cannot be: each is refused, and the right one then still opens the table."""
    right = opening(plan)
    command = right.command
    assert isinstance(command, OpenTable)
    change = msgspec.structs.replace
    wrong: dict[Code, OpenTable] = {
        Code.UNKNOWN_TITLE: change(command, title="no such title"),
        Code.UNKNOWN_EDITION: change(command, edition="no such edition"),
        Code.UNKNOWN_RULING: change(command, rulings={"no such ruling": "yes"}),
        Code.UNKNOWN_VARIANT: change(command, variants={"no such variant": "yes"}),
        Code.BAD_SEATS: change(command, seats=command.seats * 9),
        Code.BAD_SETTINGS: change(command, settings=Settings(undo="whoever")),
    }
    for code, broken in wrong.items():
        order = change(right, command=broken)
        ruleset = ruleset_for(broken)
        outcome = (
            ruleset
            if isinstance(ruleset, Rejection)
            else decide(ruleset, new_table(plan.name), order)
        )
        found = outcome if isinstance(outcome, Rejection) else None
        sentence = f"{code} expected, {found}"
        expect(found is not None and found.code == code, "opening", 0, sentence, order)
        if found is not None:
            coverage.refused((found,))
