"""`notices`: what was told to whom and whether it arrived; how somebody wants to be told."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from services.console.options import AsJson, Data, Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from contracts.notices import Addressee, Letter
    from services.console.desk import Desk

EXAMPLE: Final = (
    "notices ann --add https://example.org/hook --quiet 22:00-07:00 --zone Europe/Paris"
)


@Parameter(name="*")
@dataclass(frozen=True)
class Wishes:
    """How somebody wants to be told.

    Parameters
    ----------
    add
        The address of a new channel: `discord://…`, `slack://…`, `tgram://…`, `matrixs://…`,
        `mailtos://…`, or `https://…` for a signed webhook, whose key is shown once; `-` reads it
        from standard input, so that no history of commands keeps it.
    name
        The name of the new channel.
    remove
        The name of a channel that is to be forgotten.
    quiet
        Hours in which nothing is told, such as `22:00-07:00`; `none` for no such hours.
    zone
        The time zone, such as `Europe/London`.
    digest
        Kinds of notices to be told once a day, with commas between.
    at_once
        Kinds of notices to be told at once.
    never
        Kinds of notices not to be told.
    digest_at
        When the daily digest comes, such as `18:00`.
    mention
        Of a room: what its service calls a person, such as `ann=123456789`.
    """

    add: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None
    name: str = "main"
    remove: str | None = None
    quiet: str | None = None
    zone: str | None = None
    digest: str | None = None
    at_once: str | None = None
    never: str | None = None
    digest_at: str | None = None
    mention: str | None = None


_NO_WISHES: Final = Wishes()


def notices(
    who: str | None = None,
    /,
    *,
    wishes: Wishes = _NO_WISHES,
    room: Flag = False,
    retry: Annotated[Flag, Parameter(name=("--retry", "--again"), negative="")] = False,
    last: Annotated[int, Parameter(help="How many letters are shown.")] = 20,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Show what was told at a table or to a player, and whether it arrived; change how.

    Without a name it shows what could not be delivered to anybody, and `--retry` tries it again.

    Parameters
    ----------
    who
        A table, or a player. A name that is both is taken as the player's, unless `--room`.
    room
        The name is a table's, and its room is meant.
    retry
        Try letters again that were given up.
    as_json
        Print one line of JSON for each letter.
    data
        The data directory, if not the user's own.
    """
    from services.console.desk import run
    from services.console.errors import BadInputError
    from services.console.notifying import Change, changed, given_up, key_for
    from services.console.session import Place

    place = Place.of(data)
    change = Change(
        add=_read(wishes.add),
        name=wishes.name,
        remove=wishes.remove,
        quiet=wishes.quiet,
        zone=wishes.zone,
        when={"digest": wishes.digest, "at once": wishes.at_once, "never": wishes.never},
        digest_at=wishes.digest_at,
        mention=wishes.mention,
    )
    seals = key_for(place.data) if change.add else None

    async def work(desk: "Desk") -> "tuple[Addressee, list[Letter], str]":
        if who is None:
            if room or wishes != _NO_WISHES:
                raise BadInputError("Name the player or the table that this is about.")
            return await given_up(desk.bus, again=retry)
        return await changed(desk.bus, who, change, seals=seals, is_room=room, again=retry)

    addressee, letters, key = run(place, "store", work)
    _shown(addressee, letters[:last], as_json=as_json)
    if change.add:
        _added(change.add, key)
    return 0


def _added(address: str, key: str) -> None:
    from services.console.notifying import doubt_about
    from services.console.screen import say

    if why := doubt_about(address):
        say(why)
    if key:
        say(f"Messages are signed with this key, which is shown only now: {key}")


def _read(address: str | None) -> str | None:
    import sys

    return sys.stdin.readline().strip() if address == "-" else address


def _shown(addressee: "Addressee", letters: "list[Letter]", *, as_json: bool) -> None:
    import msgspec

    from services.console import screen

    if as_json:
        for letter in letters:
            screen.data(msgspec.json.encode(letter).decode())
        return
    for channel in addressee.channels:
        screen.say(f"Channel {channel.name}: {channel.label}")
    for line in _wanted(addressee):
        screen.say(line)
    if not letters:
        screen.say("No notices yet.")
        return
    shown = screen.table(
        ("when", "to", "channel", "what", "state", "attempts", "why"), right=("attempts",)
    )
    for letter in letters:
        shown.add_row(*_row(letter))
    screen.show(shown)


def _wanted(addressee: "Addressee") -> "Iterator[str]":
    """How somebody wants to be told, but for what holds for everybody who said nothing."""
    quiet = addressee.quiet
    if quiet is not None:
        yield f"Quiet from {quiet.begin} to {quiet.end} ({quiet.zone})."
    elif addressee.zone != "UTC":
        yield f"Times are those of {addressee.zone}."
    for how, words in (("digest", "Once a day"), ("never", "Never")):
        kinds = sorted(kind for kind, when in addressee.when.items() if when == how)
        at = f", at {addressee.digest_at} ({addressee.zone})" if how == "digest" else ""
        if kinds:
            yield f"{words}{at}: {', '.join(kinds)}."
    for person, called in sorted(addressee.mentions.items()):
        yield f"{person} is called as {called}."


def _row(letter: "Letter") -> tuple[str, ...]:
    from datetime import UTC, datetime

    when = datetime.fromtimestamp(letter.at // 1_000_000, UTC)
    notice = letter.notice
    what = f"{notice.table} {notice.kind}" if notice.table else notice.kind
    return (
        f"{when:%Y-%m-%d %H:%M:%S}",
        letter.addressee,
        letter.channel,
        what,
        letter.state,
        str(letter.attempts),
        letter.why,
    )
