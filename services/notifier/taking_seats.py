"""What is told of seats that go to another person: to whoever took one, and who had it. Pure."""

from typing import Final

from contracts.events import SeatTaken
from contracts.ids import PlayerId
from contracts.people import NOBODY, person_of
from services.notifier.look import Look
from services.notifier.seeing import Open

NEW: Final = "new"
"""The reason that waits until whoever took a seat over is told first."""
LOST: Final = "lost by "
"""How the reason begins of what is told whoever lost a seat: he, until he has it again."""
LOST_KEPT: Final = 16
"""How many of the last of these are remembered."""


def newcomers(look: Look) -> None:
    """Whoever took a seat over is told for whom he plays, as soon as he is told anything."""
    events = (event for record in look.new for event in record.events)
    taken = [one.player for one in events if isinstance(one, SeatTaken)]
    look.kept += [Open(player, look.by(player, NEW), 0, "") for player in dict.fromkeys(taken)]
    for one in look.memory.open:
        if one.reason.startswith(f"{NEW} ") and one.player not in taken:
            look.kept.append(one)


def welcome(look: Look, player: PlayerId) -> str:
    """What whoever took a seat over is told first."""
    new = [one for one in look.kept if one.player == player and one.reason.startswith(NEW)]
    look.kept = [one for one in look.kept if one not in new]
    return f"You play for {look.sight.name(player)} from now on. " if new else ""


def losers(look: Look) -> None:
    """Whoever has lost a seat to another since the last look hears who plays for him."""
    lost = [one for one in look.memory.open if one.reason.startswith(LOST)]
    for one in lost[-LOST_KEPT:]:
        former = one.reason.removeprefix(LOST)
        if one.player is not None and look.people.get(one.player, one.player) != former:
            look.kept.append(one)
    if look.begun:
        # Nobody has heard of the table yet: who sits there now is told.
        return
    by: dict[PlayerId, str] = {}
    for record in look.new:
        for event in record.events:
            if isinstance(event, SeatTaken):
                by[event.player] = person_of(record.order.sender)
    for player, sender in by.items():
        former = look.memory.people.get(player, player)
        now = look.people.get(player, player)
        if former not in {now, sender, NOBODY} and now != NOBODY:
            words = f"{now} plays for you from now on."
            reason, turn = f"{LOST}{former}", _turn_of(look, player)
            look.tell(player, "news", words, reason, person=former, corrects=turn)


def _turn_of(look: Look, player: PlayerId) -> str:
    """The notice of his turn that whoever had a seat was told last, if it was one."""
    person = look.memory.people.get(player, "")
    told = (
        one.notice
        for one in look.memory.open
        if one.player == player and one.reason.startswith("since ")
        if one.notice and one.reason.partition(" by ")[2] == person
    )
    return next(told, "")
