"""Moments of played games at which faults of other programs would show."""

from collections.abc import Iterator

import msgspec

from contracts import events as e
from contracts.commands import Order
from contracts.ids import BANK, Party
from contracts.records import Record
from contracts.rejections import Rejection
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.evolve import evolve_all
from services.engine.table.state import Table
from services.players.play import next_order
from tests.play.played import GAMES, moments

PLAYED = (*GAMES[::3], GAMES[5], GAMES[10])
"""Games of two to six players."""


def all_moments() -> Iterator[tuple[Record, Table, Table]]:
    for game in PLAYED:
        yield from moments(*game)


def with_cash(table: Table, party: Party, amount: int) -> Table:
    """The table with somebody's cash changed; the bank has the difference."""
    cash = dict(table.cash)
    cash[BANK] += cash[party] - amount
    cash[party] = amount
    return msgspec.structs.replace(table, cash=cash)


def accepted(table: Table, order: Order) -> tuple[Table, tuple[e.AnyEvent, ...]]:
    """The table after an order that has to be accepted, and what it led to."""
    events = decide(ruleset_of(table), table, order)
    assert not isinstance(events, Rejection), (order, events)
    after = evolve_all(table, events)
    return msgspec.structs.replace(after, version=table.version + 1), events


def to_the_end(table: Table, seed: int = 1) -> Iterator[e.AnyEvent]:
    """What happens until the game is over, house players deciding."""
    while True:
        order = next_order(ruleset_of(table), table, seed)
        if order is None:
            return
        table, events = accepted(table, order)
        yield from events
