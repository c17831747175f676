"""What may be done beside the game, listed: requests, programmes, hours, leave, seats.

What takes a person's own words (who is to sit there, which days) is listed open, with an example.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from contracts.choices import Choice, OpenForm
from contracts.clocking import Hours, Leave
from contracts.commands import (
    AnyCommand,
    AssignSeat,
    CallTime,
    ClearProgramme,
    ExpireRequest,
    Order,
    Pass,
    SetHours,
    SetProgramme,
    TakeLeave,
)
from contracts.ids import CommandId, CompanyId, PlayerId
from contracts.people import CLOCK, PROGRAMME
from contracts.programmes import Buying, OnlyChoice, Passing
from services.engine.rules.beside import calling, orders, people, programmes, requests
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import top
from services.engine.table.state import Table

SOMEBODY: Final = "somebody"
A_DAY: Final = "2026-12-24"
A_PRICE: Final = 100
EVENINGS: Final = Hours("Europe/Berlin", 18 * 60, 23 * 60)
"""What is shown in a field that is open."""


def sender_for(table: Table, player: PlayerId) -> str:
    """Who acts for a seat, if nobody else is named."""
    return table.people.get(player, player)


def may_give(table: Table, player: PlayerId, sender: str, command: AnyCommand) -> bool:
    """Whether a sender may give this kind of command for a seat."""
    order = Order(table.id, CommandId(""), sender, player, command, table.version)
    return people.may_act(table, order)


def may_play(table: Table, player: PlayerId, sender: str) -> bool:
    """Whether a sender may play for a seat."""
    return may_give(table, player, sender, Pass())


def choices(table: Table, player: PlayerId, sender: str) -> Iterator[Choice]:
    """What a sender may do for a seat beside the game."""
    for choice in everything(table, player, sender):
        if may_give(table, player, sender, choice.command):
            yield msgspec.structs.replace(choice, beside=True)


def everything(table: Table, player: PlayerId, sender: str) -> Iterator[Choice]:
    """What might be done for a seat beside the game, if whoever sends it may do so at all."""
    yield from requests.choices(table, player, sender)
    for held in table.beside.programmes:
        if held.player == player:
            yield Choice(player, ClearProgramme(held.id))
    if table.ending is None or not table.ending.over:
        yield from programmed(table, player)
        yield Choice(player, SetHours(EVENINGS), OpenForm("hours", "hours"))
        left = orders.leave_left(table, player)
        if left > 0:
            yield Choice(player, TakeLeave(Leave(A_DAY, A_DAY)), OpenForm("leave", "leave", left))
    for seat in table.order:
        yield Choice(player, AssignSeat(seat, SOMEBODY), OpenForm("person", "person"))


def programmed(table: Table, player: PlayerId) -> Iterator[Choice]:
    """The programmes that may be set."""
    for programme in (Passing(), OnlyChoice()):
        if programmes.set_objection(table, orders.to_hold(table, player, programme)) is None:
            yield Choice(player, SetProgramme(programme))
    for name, charter in table.charters.items():
        if charter.kind != "public":
            continue
        company = CompanyId(name)
        for source in programmes.sources(company):
            buying = Buying(company, source, A_PRICE)
            held = orders.to_hold(table, player, buying)
            if programmes.set_objection(table, held) is None:
                yield Choice(player, SetProgramme(buying), OpenForm("programme.most", "amount"))


def of_the_clock(table: Table, player: PlayerId) -> Iterator[Choice]:
    """What the clock may do for a seat: call its time, and end any request, whosever it is."""
    for request in table.requests:
        expiry = ExpireRequest(request.id)
        if requests.expiry_objection(table, expiry) is None:
            yield Choice(player, expiry, beside=True)
    frame = top(table)
    if frame is None:
        return
    command = CallTime(frame.id)
    if calling.objection(table, player, command) is None:
        yield Choice(player, command, beside=True)


def of_a_program(
    ruleset: Ruleset, table: Table, player: PlayerId, sender: str
) -> Iterator[Choice] | None:
    """What the clock or a programme may do for a seat; None if a sender is neither."""
    if sender == CLOCK:
        return of_the_clock(table, player)
    if sender.startswith(PROGRAMME):
        return of_a_programme(ruleset, table, player, sender)
    return None


def of_a_programme(
    ruleset: Ruleset, table: Table, player: PlayerId, sender: str
) -> Iterator[Choice]:
    """The one move that a programme makes now."""
    order = programmes.automatic(ruleset, table)
    if order is not None and (order.sender, order.player) == (sender, player):
        yield Choice(player, order.command, question=order.question)
