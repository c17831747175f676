"""What lies beside the game as a person reads it: seats, programmes, requests, the clock."""

from datetime import UTC, datetime

from rich.console import Group, RenderableType
from rich.text import Text

from contracts import views_beside as v
from services.console.durations import in_words
from services.console.screen import table

ANYBODY = "anybody"
MICROSECONDS = 1_000_000


def seats(view: v.SeatsView) -> RenderableType:
    """Who sits where since when, and who sat there before."""
    shown = table(
        ("seat", "name", "person", "from", "since", "until"),
        right=("from",),
        title=f"Seats at version {view.version}",
    )
    for seat in view.seats:
        for one in seat.sittings:
            until = "now" if one.until_time is None else moment(one.until_time)
            shown.add_row(
                Text(seat.player),
                Text(seat.name),
                Text(one.person or ANYBODY),
                str(one.since),
                moment(one.since_time),
                until,
            )
    host = "nobody" if view.host is None else view.host
    acts = " He may move for every seat." if view.host_acts and view.host else ""
    left = ", ".join(view.substitutes) or "none"
    return Group(shown, Text(f"Host: {host}.{acts} Substitutes left: {left}. Times are UTC."))


def programmes(view: v.ProgrammesView) -> RenderableType:
    """What the server does for whom."""
    if not view.programmes:
        return Text("Nobody has left a move to the server.")
    shown = table(
        ("id", "player", "set by", "since", "what the server does"),
        title=f"Programmes at version {view.version}",
    )
    for one in view.programmes:
        row = (one.id, one.player, one.line, moment(one.since_time), one.words)
        shown.add_row(*map(Text, row))
    return Group(shown, Text("A player ends one by `clear` and its id. Times are UTC."))


def requests(view: v.RequestsView) -> RenderableType:
    """What is asked of the table, and who has still to answer."""
    if not view.requests:
        return Text("Nobody has asked for anything.")
    shown = table(
        ("id", "asked by", "since", "what", "agreed", "waits for"),
        title=f"Requests at version {view.version}",
    )
    for one in view.requests:
        agreed, waiting = ", ".join(one.agreed), ", ".join(one.waiting)
        row = (one.id, one.player, moment(one.since_time), one.words, agreed, waiting)
        shown.add_row(*map(Text, row))
    return Group(shown, Text("Answered by `answer`, its id, and `yes` or `no`. Times are UTC."))


def clock(view: v.ClockView) -> RenderableType:
    """Whose time runs until when, and what everybody has in the bank."""
    parts: list[RenderableType] = [Text(view.rules[:1].upper() + view.rules[1:])]
    if view.paused:
        by = f" by {view.paused_by}" if view.paused_by else ""
        parts.append(Text(f"Paused{by} since version {view.paused_since}: nobody's time runs."))
    elif not view.running:
        parts.append(Text("Nobody's time runs."))
    else:
        parts.append(_running(view))
    shown = table(("player", "bank", "plays", "leave", "days left"), right=("days left",))
    for one in view.players:
        leave = ", ".join(f"{first} to {last}" for first, last in one.leave)
        plays = Text(one.hours)
        shown.add_row(Text(one.player), in_words(one.bank), plays, leave, str(one.leave_left))
    return Group(*parts, shown, Text(f"As of {moment(view.moment)}. Times are UTC."))


def _running(view: v.ClockView) -> RenderableType:
    shown = table(("time of", "person", "since", "until", "left", "reminders"))
    for one in view.running:
        until = "never" if one.until is None else moment(one.until)
        shown.add_row(
            Text(one.player),
            Text(one.person or ANYBODY),
            moment(one.since_time),
            f"{until} (called)" if one.called else until,
            in_words(one.left),
            ", ".join(map(moment, one.reminders)) or "none",
        )
    return shown


def moment(microseconds: int) -> str:
    """A moment as it is shown, UTC.

    >>> moment(1_798_000_000_000_000)
    '2026-12-23 04:26'
    """
    return f"{datetime.fromtimestamp(microseconds // MICROSECONDS, UTC):%Y-%m-%d %H:%M}"
