"""Probes: orders thrown at a table to see that the third law holds there.

None of them is recorded. What is listed has to be accepted, what is accepted has to be listed, an
order that names the wrong version, question or seat has to be refused, and `objections` has to say
something exactly where `decide` refuses.
"""

from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import Final

import msgspec

from contracts.choices import Choice, OpenRoutes
from contracts.commands import (
    AnswerRequest,
    AnyCommand,
    LayTile,
    MakeRequest,
    OpenTable,
    Order,
    Pass,
    PlaceToken,
)
from contracts.events import Events
from contracts.frames import Question
from contracts.ids import CommandId, FrameId, HexId, Party, PlayerId
from contracts.pieces import Settings
from contracts.records import Record
from contracts.rejections import Code, Rejection, in_words
from services.engine.projections.audit_pieces import Counting
from services.engine.rules.beside.listed import sender_for
from services.engine.rules.beside.orders import Command as Aside
from services.engine.rules.decide import choices, decide, objections
from services.engine.rules.listing import listing
from services.engine.rules.permitted import permits
from services.engine.rules.ruleset import Ruleset, ruleset_for
from services.engine.table.agenda import awaited, current_turn, top
from services.engine.table.fold import undone_to
from services.engine.table.state import Table, new_table
from services.soak import checks
from services.soak.coverage import Coverage
from services.soak.failure import Failure, FailureError, expect
from services.soak.near import at_both_ends, beside, made_up, mutated, with_amount
from services.soak.openings import Plan, opening

PROBES: Final = 6
"""Orders tried at one time."""
ASKED_PART: Final = 0.75
"""How often they are those of a player who is waited for."""
OFFERS_PART: Final = 0.6
"""How often a near command is one that an act offers, not one from memory."""
OFFERS_MOST: Final = 400
KEPT_AT_ONCE: Final = 12
KEPT_OF_A_KIND: Final = 60
STRANGER: Final = PlayerId(Party("stranger"))


class Memory:
    """Commands that were listed some time, to be tried again when they may not be any more."""

    def __init__(self) -> None:
        """Begin with none."""
        self.kinds: dict[type, deque[AnyCommand]] = {}

    def keep(self, listed: Sequence[Choice], lots: Random) -> None:
        """Keep some of what is listed."""
        for choice in lots.sample(listed, min(KEPT_AT_ONCE, len(listed))):
            of_kind = self.kinds.setdefault(type(choice.command), deque(maxlen=KEPT_OF_A_KIND))
            of_kind.append(choice.command)

    def one_of(self, kinds: Sequence[type], lots: Random) -> AnyCommand | None:
        """A command of one of some kinds, if there is any."""
        known = [kind for kind in kinds if kind in self.kinds]
        return lots.choice(self.kinds[lots.choice(known)]) if known else None


def tried(
    ruleset: Ruleset,
    table: Table,
    lots: Random,
    memory: Memory,
    coverage: Coverage,
    counting: Counting,
) -> None:
    """Throw some orders at a table."""
    waiting = awaited(table)
    for _ in range(PROBES):
        asked = lots.random() < ASKED_PART and waiting
        player = lots.choice(waiting if asked else table.order)
        listed = tuple(one for one in choices(ruleset, table, player) if is_in_play(one))
        memory.keep(listed, lots)
        order = drawn(ruleset, table, player, listed, memory, lots)
        judged(ruleset, table, order, coverage, counting)


def is_in_play(choice: Choice) -> bool:
    """Whether it is a choice of the game, or a request; `asides` tries what else lies beside it."""
    return not choice.beside or isinstance(choice.command, MakeRequest | AnswerRequest)


def drawn(
    ruleset: Ruleset,
    table: Table,
    player: PlayerId,
    listed: tuple[Choice, ...],
    memory: Memory,
    lots: Random,
) -> Order:
    """An order near what a player may do."""
    frame = top(table)
    question = frame.id if isinstance(frame, Question) and player in awaited(table) else None
    near = nearby(ruleset, table, player, memory, lots)
    if not listed or near is None:
        return order_of(table, player, made_up(ruleset, table, lots), question)
    kinds = sorted({type(choice.command).__name__ for choice in listed})
    kind = lots.choice(kinds)
    choice = lots.choice([one for one in listed if type(one.command).__name__ == kind])
    right = order_of(table, player, choice.command, choice.question)
    ways: tuple[Callable[[], Order], ...] = (
        lambda: msgspec.structs.replace(right, command=with_amount(choice, lots)),
        lambda: msgspec.structs.replace(right, command=beside(choice, lots)),
        lambda: misdirected(table, right, lots),
        lambda: msgspec.structs.replace(
            right, command=mutated(ruleset, table, choice.command, lots)
        ),
        lambda: order_of(table, player, made_up(ruleset, table, lots), question),
        lambda: order_of(
            table, player, lots.choice(plainly(ruleset, table, player, lots)), question
        ),
        lambda: order_of(table, player, near, question),
        lambda: order_of(table, player, near, question),
        lambda: order_of(table, player, mutated(ruleset, table, near, lots), question),
    )
    return lots.choice(ways)()


def plainly(
    ruleset: Ruleset, table: Table, player: PlayerId, lots: Random
) -> tuple[AnyCommand, ...]:
    """What is always worth a try, since chance alone would seldom think of it.

    To pass, to propose again what was refused, to open the table again; and where such a thing is
    possible at all, to build on a blocked hex and to place a token beside one's own.
    """
    turn = current_turn(table)
    refused = () if turn is None else turn.refused
    tries: list[AnyCommand] = [Pass(), *refused, OpenTable(table.title, table.seats, table.seed)]
    facts = ruleset.facts
    for permit in permits(table, player):
        kinds = [act.command for act in permit.acts]
        if LayTile in kinds:
            tile = lots.choice(tuple(facts.tiles))
            hexes = [hex_id for private in facts.privates.values() for hex_id in private.blocks]
            tries += [LayTile(hex_id, tile, lots.randrange(6)) for hex_id in hexes]
        if PlaceToken in kinds:
            own = [token for token in table.board.tokens if token.company == permit.who]
            tries += [PlaceToken(HexId(token.place), token.city or 0) for token in own]
    return tuple(tries)


def nearby(
    ruleset: Ruleset, table: Table, player: PlayerId, memory: Memory, lots: Random
) -> AnyCommand | None:
    """What one of the present acts offers and refuses, or a command that was listed before."""
    permitted = [(permit, act) for permit in permits(table, player) for act in permit.acts]
    if not permitted:
        return memory.one_of(tuple(memory.kinds), lots)
    refused: dict[Code, list[AnyCommand]] = {}
    for permit, act in permitted:
        for offer in islice(act.offers(ruleset, table, permit.who), OFFERS_MOST):
            against = next(act.objections(ruleset, table, permit.who, offer.command), None)
            if against is not None:
                refused.setdefault(against.code, []).append(offer.command)
    if refused and lots.random() < OFFERS_PART:
        return lots.choice(refused[lots.choice(tuple(refused))])
    return memory.one_of(tuple(act.command for _, act in permitted), lots)


def order_of(
    table: Table, player: PlayerId, command: AnyCommand, question: FrameId | None
) -> Order:
    """An order made against the table as it stands."""
    version = None if question is not None else table.version
    id = CommandId("probe")
    sender = sender_for(table, player)
    return Order(table.id, id, sender, player, command, version, question)


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
    try:
        outcome = decide(ruleset, table, order)
        refusals = objections(ruleset, table, order)
    except Exception as error:
        raise FailureError(Failure("crash", table.version, repr(error), order)) from error
    refused = isinstance(outcome, Rejection)
    version = table.version
    said = in_words(outcome) if isinstance(outcome, Rejection) else "accepted"
    expect(bool(refusals) == refused, "objections", version, f"{said}, {refusals}", order)
    if isinstance(outcome, Rejection):
        coverage.refused(refusals)
        expect(bool(outcome.sentence and outcome.rule), "refusal", version, said, order)
        expect(outcome == refusals[0], "objections", version, f"{said}, {refusals[0]}", order)
    right = is_addressed(table, order)
    offered = choices(ruleset, table, order.player, order.sender) if right else ()
    found = listing(offered, order.command)
    if found is None:
        expect(refused, "accepted but not listed", version, str(order.command), order)
    elif not isinstance(found.open, OpenRoutes) or found.command == order.command:
        expect(not refused, "listed but refused", version, said, order)
    if not isinstance(outcome, Rejection):
        expect(
            decide(ruleset, table, order) == outcome, "again", version, "decided otherwise", order
        )
        coverage.happened(order.command, outcome)
        followed(ruleset, table, order, outcome, counting)


def followed(
    ruleset: Ruleset, table: Table, order: Order, events: Events, counting: Counting
) -> None:
    """Look at the table to which an accepted probe would lead."""
    record = Record(table.version + 1, 0, "probe", order, events)
    if undone_to(record) is None:
        checks.after_events(ruleset, table, record.events, counting)


def is_addressed(table: Table, order: Order) -> bool:
    """Whether an order names a seat, and the version or the question that is open."""
    if order.player not in table.order:
        return False
    frame = top(table)
    is_aside = isinstance(order.command, MakeRequest | AnswerRequest | Aside)
    if order.question is not None and not is_aside:
        return isinstance(frame, Question) and frame.id == order.question
    return order.version == table.version


def every_choice(ruleset: Ruleset, table: Table, counting: Counting) -> None:
    """Everything that anybody may do is accepted, an open amount at both its ends."""
    for player in table.order:
        for choice in choices(ruleset, table, player):
            for command in at_both_ends(choice):
                order = order_of(table, player, command, choice.question)
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
    wrong: dict[Code, AnyCommand] = {
        Code.UNKNOWN_TABLE: Pass(),
        Code.UNKNOWN_TITLE: change(command, title="no such title"),
        Code.UNKNOWN_EDITION: change(command, edition="no such edition"),
        Code.UNKNOWN_RULING: change(command, rulings={"no such ruling": "yes"}),
        Code.UNKNOWN_VARIANT: change(command, variants={"no such variant": "yes"}),
        Code.BAD_SEATS: change(command, seats=command.seats * 9),
        Code.BAD_SETTINGS: change(command, settings=Settings(undo="whoever")),
    }
    for code, broken in wrong.items():
        order = change(right, command=broken)
        ruleset = ruleset_for(broken if isinstance(broken, OpenTable) else command)
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
