"""`up`: everything in one go, and a demonstration table that plays itself."""

from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from services.console.options import Data, Flag

if TYPE_CHECKING:
    from services.console.supervisor import Supervisor
    from services.embedded.store import Store

EXAMPLE: Final = "up --data ./tables"


def up(
    *,
    data: Data = None,
    redis: str | None = None,
    demo: Annotated[bool, Parameter(negative="--no-demo")] = True,
    exit_when_finished: Flag = False,
    pace: float | None = None,
) -> int:
    """Start store, engine, projector, clock and notifier; a demonstration table plays itself.

    Everything stays up until you end it (Ctrl-C); other commands on the same data directory use it
    meanwhile. Started again, it goes on where it ended.

    Parameters
    ----------
    data
        The data directory, if not the user's own.
    redis
        The address of a Redis or Valkey of your own, instead of the private server.
    demo
        Whether a demonstration table plays itself.
    exit_when_finished
        End once the demonstration game is over and every view of it has been checked.
    pace
        Seconds between two commands of the demonstration.
    """
    import asyncio

    from services.console import session
    from services.console.screen import err, say

    place = session.Place.of(data, redis)
    if pace is None:
        pace = 0.15 if err.is_terminal and not exit_when_finished else 0.0
    with (
        session.announced_in_turn(place.data, "up") as announcement,
        session.store_at(place) as store,
        session.supervisor(place, store.url, session.CLOCK, session.NOTIFIER) as kept,
    ):
        announcement.tell(store.url)
        say(f"Minutebook is up on {place.data}. Ctrl-C ends it; nothing is lost.")
        try:
            return asyncio.run(_work(store, kept, demo=demo, leave=exit_when_finished, pace=pace))
        except KeyboardInterrupt:
            say("Stopping ...")
            return 0


async def _work(store: "Store", kept: "Supervisor", *, demo: bool, leave: bool, pace: float) -> int:
    import asyncio

    from services.bus.client import bus
    from services.console import demonstration, session
    from services.console.desk import Desk

    async def whole() -> int:
        code = 0
        async with bus(store.url) as one, session.watched(kept, store.private):
            if demo:
                code = await demonstration.shown(Desk(one), pace)
            if not leave:
                await asyncio.Event().wait()
        return code

    return await session.until_stopped(whole())
