"""The text of a notice: what is to be done where, since and until when, what happened, a link."""

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from contracts.notices import Kind, Notice
from services.notifier.hours import written

SUBJECTS: Final[Mapping[Kind, str]] = {
    "turn": "your turn",
    "consent": "you are asked",
    "reminder": "reminder",
    "time called": "time ran out",
    "program stopped": "program stopped",
    "undone": "moves were taken back",
    "begun": "the game has begun",
    "ended": "the game is over",
    "digest": "what waits for you",
    "news": "news",
}
ROOM_SUBJECTS: Final[Mapping[Kind, str]] = {"turn": "next turn", "consent": "a request"}
"""How a room's notices differ."""
PROGRAMS: Final[Mapping[str, str]] = {
    "Passing": "pass",
    "Buying": "buy",
    "OnlyChoice": "only-choice",
}
"""What programmes are called where they are set."""
LETTERS_MOST: Final = 1800
"""Letters of a text: what every service takes in one message."""


class Message(Struct, frozen=True):
    """A notice as it is sent; `id` stays the same when it is sent again.

    `called` are the calls in the text, as the service writes them; whatever else in the text looks
    like one, calls nobody.
    """

    id: str
    subject: str
    text: str
    notice: Notice
    called: tuple[str, ...] = ()


def subject(notice: Notice) -> str:
    """The first line of a notice."""
    about = _about(notice)
    about = f"{about[:1].upper()}{about[1:]}"
    if notice.kind == "digest":
        return f"{about} on Minutebook"
    return f"{about} at table {notice.table} ({notice.title})"


def _about(notice: Notice) -> str:
    about = SUBJECTS[notice.kind]
    return about if notice.player is not None else ROOM_SUBJECTS.get(notice.kind, about)


def text(notice: Notice, *, zone: str, link: str, mentions: Iterable[str] = ()) -> str:
    """What a notice says below its first line; `link` has a place for the table."""
    called = " ".join(mentions)
    parts = [f"{called} {notice.words}".strip()]
    times = []
    if notice.since:
        times.append(f"since {written(notice.since, zone)}")
    if notice.until:
        times.append(f"until {written(notice.until, zone)}")
    if times:
        line = ", ".join(times)
        parts.append(f"{line[0].upper()}{line[1:]}.")
    if notice.happened:
        before = "Meanwhile: " if notice.player is not None else "Last move: "
        before = "" if notice.kind == "digest" else before
        separator = "\n" if notice.kind == "digest" else " "
        parts.append(before + separator.join(notice.happened))
    if notice.unread:
        lines = "1 line" if notice.unread == 1 else f"{notice.unread} lines"
        parts.append(f"You have not read {lines} of the chat.")
    if link and notice.table:
        # Not `format`: a link comes from a setting, and may have braces of its own.
        parts.append(link.replace("{table}", notice.table))
    whole = "\n".join(parts)
    return whole if len(whole) <= LETTERS_MOST else f"{whole[: LETTERS_MOST - 1]}…"


_MENTIONS: Final[Mapping[str, str]] = {
    "discord": "<@{}>",
    "slack": "<@{}>",
    "tgram": "@{}",
}
"""How a service writes that it calls somebody."""


def mention(scheme: str, name: str) -> str:
    """A call to somebody in a room of a service.

    >>> mention("discord", "123"), mention("tgram", "@ann"), mention("matrix", "@ann:example.org")
    ('<@123>', '@ann', '@ann:example.org')
    """
    if scheme not in _MENTIONS:
        return name
    return _MENTIONS[scheme].format(name.removeprefix("@"))


def digest_line(notice: Notice) -> str:
    """A notice as one line of a digest."""
    return f"- {notice.title}, table {notice.table}: {_about(notice)}: {notice.words}"


def how_often(number: int) -> str:
    """How often something happened, after a verb; once is not said.

    >>> how_often(1), how_often(3)
    ('', ' 3 times')
    """
    return "" if number == 1 else f" {number} times"
