"""Decide one order: the events that it leads to, or one reasoned rejection.

Pure: no clock, no chance but what the table's seed gives, no search without a bound on its work.
"""

import msgspec

from contracts import events as e
from contracts.choices import Choice
from contracts.commands import CallTime, OpenTable, Order, Pass
from contracts.events import Events
from contracts.frames import Question
from contracts.ids import PlayerId
from contracts.people import PROGRAMME
from contracts.rejections import Code, Rejection
from services.engine.rules import passing
from services.engine.rules.beside import calling, listed, people, programmes, requests
from services.engine.rules.beside import orders as beside
from services.engine.rules.draft import Draft
from services.engine.rules.offers import offered
from services.engine.rules.opening.setting_out import open_table
from services.engine.rules.permitted import permits
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.settle import settle
from services.engine.table.agenda import top
from services.engine.table.state import Table


def decide(ruleset: Ruleset, table: Table, order: Order) -> Events | Rejection:
    """What an order leads to at a table."""
    if table.version == 0 or isinstance(order.command, OpenTable):
        return open_table(ruleset, table, order)
    refusal = sender_objection(ruleset, table, order)
    if refusal is not None:
        return refusal
    if isinstance(order.command, requests.Command):
        return requests.decide(ruleset, table, order)
    if isinstance(order.command, CallTime):
        return calling.decide(ruleset, table, order, order.command)
    if isinstance(order.command, beside.Command):
        return beside.decide(ruleset, table, order, order.command)
    refusal = order_objection(table, order)
    if refusal is not None:
        return refusal
    draft = Draft(table)
    for request in table.requests:
        draft.emit(e.RequestClosed(request.id, "lapsed"))
    if isinstance(order.command, Pass):
        refusal = passing.passed(ruleset, draft, order.player)
    else:
        refusal = acted(ruleset, draft, order)
    if refusal is not None:
        return refusal
    settle(ruleset, draft)
    programmes.stop_foiled(ruleset, draft, order)
    return tuple(draft.events)


def sender_objection(ruleset: Ruleset, table: Table, order: Order) -> Rejection | None:
    """What is wrong with who sends an order, and for whom."""
    if order.player not in table.order:
        seats = ", ".join(table.order)
        return Rejection(
            Code.NOT_SEATED, "design", f"{order.player} has no seat here.", f"Seats: {seats}."
        )
    refusal = people.objection(table, order)
    if refusal is not None or not order.sender.startswith(PROGRAMME):
        return refusal
    if programmes.is_automatic(ruleset, table, order):
        return None
    sentence = f"This is not what {order.sender} does now."
    return Rejection(Code.NOT_YOUR_SEAT, "design", sentence, version=table.version)


def order_objection(table: Table, order: Order) -> Rejection | None:
    """What is wrong with an order before any rule is asked."""
    if table.ending is not None and table.ending.over:
        return Rejection(Code.GAME_OVER, "design", "The game is over.")
    frame = top(table)
    if order.question is not None:
        if isinstance(frame, Question) and frame.id == order.question:
            return None
        return Rejection(
            Code.QUESTION_CLOSED,
            "design",
            f"Question {order.question} is not open any more.",
            version=table.version,
        )
    if order.version != table.version:
        return Rejection(
            Code.STALE,
            "design",
            f"The order was made against version {order.version}, the table is at {table.version}.",
            "Look at the table again.",
            table.version,
        )
    return None


def acted(ruleset: Ruleset, draft: Draft, order: Order) -> Rejection | None:
    """Do what an order asks, if one of the acts permitted to the player allows it."""
    kind = type(order.command)
    first: Rejection | None = None
    for permit in permits(draft.table, order.player):
        for act in permit.acts:
            if act.command is not kind or not act.fits(order.command):
                continue
            refusal = next(act.objections(ruleset, draft.table, permit.who, order.command), None)
            if refusal is None:
                act.perform(ruleset, draft, permit.who, order.command)
                return None
            first = first or refusal
    return first or not_now(ruleset, draft.table, order)


def not_now(ruleset: Ruleset, table: Table, order: Order) -> Rejection:
    """The refusal of a command that nobody waits for."""
    if not any(permit.asked for permit in permits(table, order.player)):
        return passing.not_your_turn(table, order.player)
    possible = game_choices(ruleset, table, order.player)
    names = sorted({type(choice.command).__name__ for choice in possible})
    return Rejection(
        Code.WRONG_STEP,
        "design",
        f"{type(order.command).__name__} is not possible now.",
        f"Possible: {', '.join(names) or 'nothing'}.",
    )


def objections(ruleset: Ruleset, table: Table, order: Order) -> tuple[Rejection, ...]:
    """Everything that speaks against an order; empty exactly when `decide` accepts it."""
    decision = decide(ruleset, table, order)
    if not isinstance(decision, Rejection):
        return ()
    found = [decision]
    for permit in permits(table, order.player):
        for act in permit.acts:
            if act.command is type(order.command) and act.fits(order.command):
                found += act.objections(ruleset, table, permit.who, order.command)
    return tuple(dict.fromkeys(found))


def choices(
    ruleset: Ruleset, table: Table, player: PlayerId, sender: str | None = None
) -> tuple[Choice, ...]:
    """Everything that a sender may do for a player now, in a fixed order.

    What the game asks of him comes first, then what lies beside it. The sender is whoever sits
    there if nobody is named; the host, the clock and a programme each have choices of their own.
    """
    if player not in table.order:
        return ()
    who = listed.sender_for(table, player) if sender is None else sender
    own = listed.of_a_program(ruleset, table, player, who)
    if own is not None:
        return tuple(own)
    plays = listed.may_play(table, player, who)
    played = game_choices(ruleset, table, player) if plays else ()
    return (*played, *listed.choices(table, player, who))


def game_choices(ruleset: Ruleset, table: Table, player: PlayerId) -> tuple[Choice, ...]:
    """What the game lets a player do now, nothing beside it, in a fixed order."""
    if player not in table.order or (table.ending is not None and table.ending.over):
        return ()
    found: list[Choice] = []
    frame = top(table)
    question = frame.id if isinstance(frame, Question) else None
    for permit in permits(table, player):
        for act in permit.acts:
            found += offered(ruleset, table, player, permit, act)
    if passing.objection(ruleset, table, player) is None:
        found.append(Choice(player, Pass(), question=question))
    once = {msgspec.msgpack.encode(choice): choice for choice in found}
    return tuple(once.values())
