"""`chaos`: kill real processes under load, and see that nothing is lost, doubled or torn."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from services.chaos.run import Report

EXAMPLE: Final = "chaos --minutes 2 --tables 16"


def chaos(
    *,
    minutes: float = 1.0,
    tables: int = 12,
    seed: int | None = None,
    folder: Path | None = None,
) -> int:
    """Kill all services at random under load, and see that nothing is missing.

    A private store is started in a folder of its own, with two engines, a projector, two clocks
    and two notifiers; house players play at many tables through the bus, against clocks of
    seconds, and are told at a receiver on this machine that does not always answer. Processes are
    killed (kill -9), restarted, and stopped for longer than their lease and let go on. At the end
    everything that clients and people were told is held against what the store has. The exit code
    is 0 only if nothing is missing.

    Parameters
    ----------
    minutes
        How long there is trouble.
    tables
        At how many tables is played at once.
    seed
        The seed of players and trouble; drawn, and told, if none is given.
    folder
        Where store, logs and history go, and stay; else they stay only if something is wrong.
    """
    import asyncio
    import shutil
    import tempfile
    from secrets import randbelow

    from services.chaos.run import chaos as carried_out
    from services.console.errors import BadInputError
    from services.console.screen import say
    from services.console.session import until_stopped

    if minutes <= 0 or tables < 1:
        raise BadInputError("--minutes and --tables: more than none.")
    if folder is not None and folder.exists() and any(folder.iterdir()):
        raise BadInputError(f"{folder} is not empty.")
    chosen = randbelow(2**31) if seed is None else seed
    say(f"Seed {chosen}.")
    place = folder or Path(tempfile.mkdtemp(prefix="minutebook-chaos-"))
    work = carried_out(place, seconds=60 * minutes, clients=tables, seed=chosen, told=say)
    report = asyncio.run(until_stopped(work))
    _print(report)
    if folder is not None or not report.is_well:
        say(f"Store, logs and history are in {place}.")
    else:
        shutil.rmtree(place)
    return 0 if report.is_well else 1


def _print(report: "Report") -> None:
    from services.console.screen import say, show, table

    history = report.history
    counts = history.counts
    done = table(("what", "number"), right=("number",), title="What happened")
    rows = {
        "seconds": f"{report.seconds:.0f}",
        "tables": str(len(history.tables)),
        "orders": str(len(history.orders)),
        "times an order was sent": str(counts["invoke"]),
        "answered: recorded": str(counts["ok"]),
        "answered: refused": str(counts["fail"]),
        "unanswered, and sent again": str(counts["unknown"]),
        "records in the logs": str(report.verdict.records),
        **report.verdict.figures,
        "times that a table fell silent": str(report.silences),
        **{what: str(number) for what, number in sorted(report.troubles.items())},
        "engines that found their lease lost": str(report.fenced),
        "starts": ", ".join(f"{name} {number}" for name, number in report.starts.items()),
        "answer, median": f"{1000 * history.latency(0.5):.0f} ms",
        "answer, 99 of 100": f"{1000 * history.latency(0.99):.0f} ms",
        "answer, longest": f"{1000 * history.latency(1.0):.0f} ms",
    }
    for what, number in rows.items():
        done.add_row(what, number)
    show(done)
    held = table(("what must hold", "broken"), right=("broken",), title="What was found")
    for promise, broken in report.verdict.broken.items():
        held.add_row(promise, str(len(broken)))
    show(held)
    for complaint in (
        *report.failures,
        *(b for all in report.verdict.broken.values() for b in all),
    ):
        say(complaint, "red")
    said = "Nothing is lost, doubled or torn." if report.is_well else "Something is wrong."
    say(said, "green" if report.is_well else "red")
