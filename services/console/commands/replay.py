"""`replay`: a game recorded on 18xx.games, played again in this process and compared."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from services.console.options import AsJson
from services.console.screen import data, progress, say, show, table

if TYPE_CHECKING:
    from services.histories.export import Export
    from services.histories.replay import Replay

EXAMPLE: Final = "replay game.json --trace game.trace.jsonl"


def replay(
    file: Path,
    /,
    *,
    rulings: str | None = None,
    trace: Path | None = None,
    export: Path | None = None,
    runs: Path | None = None,
    as_json: AsJson = False,
) -> int:
    """Play a game again that was recorded on 18xx.games, in this process, and compare.

    Every action is decided by the rules of today. Where a trace lies beside the file (the same
    name, ending in .jsonl.gz), the state after every step is held against it; otherwise result and
    reason are. The exit code is 0 only if everything is equal.

    Parameters
    ----------
    file
        The game as the site exports it.
    rulings
        The set of rulings to play under: that of the site if none is named, or `rulebook`.
    trace
        Write the state after every step here, in the format of recorded traces.
    export
        Write the minute book here, as JSON Lines.
    runs
        Write a line of JSON for every run here: what was played, and the best there was.
    as_json
        Print one object of JSON.
    """
    from services.console.rulings import ruling_choices
    from services.histories import compare
    from services.histories.export import read
    from services.histories.replay import replay as played_again

    history = read(file)
    beside = file.with_suffix(".jsonl.gz")
    against = compare.read(beside) if beside.exists() else None
    with progress(f"replaying {file.name}") as advance:
        found = played_again(
            history,
            ruling_choices(rulings),
            traced=trace is not None,
            against=against,
            progress=advance,
        )
    _write_files(history, found, trace, export, runs)
    if as_json:
        _print_json(found)
    else:
        _print(found, beside if against is not None else None)
    return 0 if found.equal else 1


def _write_files(
    history: "Export", found: "Replay", trace: Path | None, export: Path | None, runs: Path | None
) -> None:
    import msgspec

    from services.console.books import chained, write_book
    from services.console.recorded_runs import recorded_runs
    from services.histories import trace as traces
    from services.histories.replay import trace_lines
    from services.histories.translate import HISTORY

    if trace is not None and found.states:
        traces.write(trace, trace_lines(history, found))
    if export is not None:
        write_book(export, HISTORY, chained(found.records))
    if runs is not None:
        with progress("searching for best runs") as advance:
            lines = recorded_runs(HISTORY, found.records, advance)
        runs.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


def _print_json(found: "Replay") -> None:
    import msgspec

    told = {
        "title": found.title,
        "commands": found.steps,
        "accepted": found.accepted,
        "first_difference": found.first_difference,
        "result": found.result,
        "expected": found.expected,
        "reason": found.reason,
    }
    data(msgspec.json.encode(told).decode())


def _print(found: "Replay", compared_with: Path | None) -> None:
    shown = table(("player", "expected", "here"), right=("expected", "here"))
    for player in found.result or found.expected or {}:
        there, here = (found.expected or {}).get(player), (found.result or {}).get(player)
        shown.add_row(player, *("" if value is None else str(value) for value in (there, here)))
    orders = f"{found.orders} orders, {len(found.records)} records"
    say(f"{found.title}: {found.accepted} of {found.steps} actions accepted ({orders}).")
    if shown.row_count:
        show(shown)
    if found.reason:
        say(f"The game ended: {found.reason}.")
    if found.equal:
        with_what = f"every state of {compared_with.name}" if compared_with else "the file's result"
        say(f"Equal to {with_what}.", "green")
    elif found.first_difference is not None:
        where = found.first_difference
        say(f"First difference at step {where.step} (action {where.action}): {where.what}", "red")
