"""Sentences about the opening, chance, phases and the end."""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.ids import BANK
from services.engine.projections.words import Words, listed, reason
from services.engine.rules.companies.last_operations import LNER
from services.engine.rules.companies.permits import PERMIT
from services.engine.table.state import Table


def opened(words: Words, table: Table, event: e.TableOpened) -> tuple[str, ...]:
    """Title, seats, and what was chosen of variants and rulings."""
    seats = listed(seat.name or seat.player for seat in event.seats)
    lines = [f"a table of {event.title} (edition {event.edition}) was opened for {seats}"]
    lines += [f"variant {name}: {value}" for name, value in event.variants.items()]
    lines += [f"ruling on {name}: {value}" for name, value in event.rulings.items()]
    return tuple(lines)


def set_out(words: Words, table: Table, event: e.PiecesSetOut) -> tuple[str, ...]:
    """Who begins with how much."""
    holds = [
        f"{words.party(party)} {words.money(amount)}"
        for party, amount in event.cash.items()
        if amount and party != BANK
    ]
    bank = words.money(event.cash.get(BANK, 0))
    return (f"the pieces were set out: {listed(holds)}, and {bank} in the bank",)


def drawn(words: Words, table: Table, event: e.LotsDrawn) -> tuple[str, ...]:
    """What chance gave."""
    return (f"lots were drawn for {event.purpose}: {listed(map(words.party, event.outcome))}",)


def order_set(words: Words, table: Table, event: e.OrderSet) -> tuple[str, ...]:
    """The seats, and who is first."""
    order = listed(map(words.party, event.order))
    if event.order == table.order and table.cash:
        return (f"{words.party(event.first)} is first from now on",)
    return (f"the players sit in the order {order}; {words.party(event.first)} is first",)


def phase_began(words: Words, table: Table, event: e.PhaseBegan) -> tuple[str, ...]:
    """The phase, and a certificate limit that it fixes, or that is fixed in the midst of it."""
    limit = event.certificate_limit
    if limit is not None and event.phase == table.phase:
        return (f"a player may hold {limit} certificates from now on",)
    tail = "" if limit is None else f"; a player may hold {limit} certificates"
    return (f"phase {event.phase} began{tail}",)


def companies_opened(words: Words, table: Table, event: e.CompaniesOpened) -> tuple[str, ...]:
    """Which companies may be started."""
    return (f"{listed(map(words.party, event.companies))} may be started from now on",)


def counter_moved(words: Words, table: Table, event: e.CounterMoved) -> tuple[str, ...]:
    """Each number that is kept."""
    return tuple(
        counted(words.party(party), event.kind, number) for party, number in event.numbers.items()
    )


def counted(party: str, kind: str, number: int) -> str:
    """What a number that is kept says."""
    if kind == LNER:
        return "from now on nothing is built, started or joined"
    if kind.startswith(PERMIT):
        has = "has" if number else "has no longer"
        return f"{party} {has} a permit for {kind.removeprefix(PERMIT)} trains"
    return f"{party}: {kind} is now {number}"


LAST: Final[Mapping[str, str]] = {
    "at once": "the game ends at once",
    "this set": "this set of rounds is the last",
    "next set": "the next set of rounds is the last",
    "this round": "this round is the last",
    "last operations": "after this set come one stock round and the last operations",
}
"""What is still played once the end is in sight."""


def end_triggered(words: Words, table: Table, event: e.GameEndTriggered) -> tuple[str, ...]:
    """Why the end is in sight, and what is still played."""
    last = LAST.get(event.last, f"still to be played: {event.last}")
    return (f"the end is in sight{reason(event.because)}; {last}",)


def ended(words: Words, table: Table, event: e.GameEnded) -> tuple[str, ...]:
    """The result."""
    lines = [f"the game ended{reason(event.because)}"]
    best = max((standing.total for standing in event.standings), default=0)
    for standing in event.standings:
        won = " and won" if standing.total == best else ""
        total = words.money(standing.total)
        lines.append(f"{words.party(standing.player)} was worth {total}{won}")
    return tuple(lines)


def undone(words: Words, table: Table, event: e.Undone) -> tuple[str, ...]:
    """Who took the table back, and to where."""
    return (f"{words.party(event.by)} took the table back to version {event.to}",)


TELL: Final[Mapping[type, Any]] = {
    e.TableOpened: opened,
    e.PiecesSetOut: set_out,
    e.LotsDrawn: drawn,
    e.OrderSet: order_set,
    e.PhaseBegan: phase_began,
    e.CompaniesOpened: companies_opened,
    e.CounterMoved: counter_moved,
    e.GameEndTriggered: end_triggered,
    e.GameEnded: ended,
    e.Undone: undone,
}
