"""`status`: whether every service keeps up, in words."""

from typing import TYPE_CHECKING, Final

from contracts.addresses import without_secrets
from services.console.options import AsJson, Data, Flag

if TYPE_CHECKING:
    from services.console.session import Place
    from services.console.status.facts import Facts
    from services.console.status.words import Report

EXAMPLE: Final = "status --watch"
SECONDS_BETWEEN_LOOKS: Final = 2.0
NOT_WELL: Final = 1


def status(
    *, as_json: AsJson = False, watch: Flag = False, data: Data = None, redis: str | None = None
) -> int:
    """Say in words whether every service keeps up, and how far behind each one is.

    The exit code is 0 if all is well, 1 if something lags or is missing, 3 if nothing runs or the
    store cannot be reached.

    Parameters
    ----------
    as_json
        Print one line of JSON with all facts and sentences.
    watch
        Look again every two seconds until you end it (Ctrl-C).
    data
        The data directory, if not the user's own.
    redis
        The address of a Redis or Valkey of your own, instead of the private server.
    """
    import asyncio

    from services.console.session import Place, until_stopped

    place = Place.of(data, redis)
    if not watch:
        return asyncio.run(_said(_address(place), as_json=as_json))
    return asyncio.run(until_stopped(_watched(place, as_json=as_json)))


def _address(place: "Place") -> str:
    """Where the store is that services work on; raises if none do."""
    from services.console.errors import UnreachableError
    from services.console.place import running

    if place.redis:
        return place.redis
    up = running(place.data)
    if up is None or up.kind != "up":
        raise UnreachableError(
            f"No Minutebook is up on {place.data}. Start one with: minutebook up"
            f" --data {place.data}"
        )
    return up.url


async def _said(url: str, *, as_json: bool) -> int:
    """Look once and say what there is to say; the exit code."""
    from contracts.streams import STORE
    from services.bus.connection import connection, opened, said_in_words
    from services.console.errors import UnreachableError
    from services.console.status.looking import looked
    from services.console.status.words import report

    with said_in_words(url):
        async with connection(url) as client:
            # Nothing is to be written, not even the mark of a new store.
            if not await client.hgetall(STORE):
                raise UnreachableError(
                    f"The store at {without_secrets(url)} is empty: no Minutebook has used it yet."
                )
            facts = await looked(client, await opened(client))
    found = report(facts)
    _shown(found, facts, as_json=as_json)
    return 0 if found.is_well else NOT_WELL


def _shown(found: "Report", facts: "Facts", *, as_json: bool) -> None:
    import msgspec

    from services.console import screen

    if as_json:
        said = {"is_well": found.is_well, "verdict": found.verdict}
        whole = {**said, "sentences": found.sentences, "facts": facts}
        screen.data(msgspec.json.encode(whole).decode())
        return
    for one in found.sentences:
        mark, style = ("  ", "") if one.is_well else ("! ", "red")
        screen.out.print(f"{mark}{one.words}", style=style or None, markup=False)
    screen.out.print(found.verdict, style="green" if found.is_well else "bold red", markup=False)


async def _watched(place: "Place", *, as_json: bool) -> int:
    """Look again and again, whatever becomes of the store meanwhile."""
    import asyncio

    from services.bus.errors import BusError
    from services.console import screen
    from services.console.errors import UnreachableError

    while True:
        if screen.out.is_terminal and not as_json:
            screen.out.clear()
        try:
            await _said(_address(place), as_json=as_json)
        except (BusError, UnreachableError) as error:
            screen.say(str(error))
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
