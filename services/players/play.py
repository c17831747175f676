"""What a house player does next: one of his choices, drawn by his leaning.

The draw depends on a seed, the table's version and the player, so the same game is played again
from the same seed.
"""

from collections.abc import Sequence
from random import Random

from contracts.choices import Choice, Interval
from contracts.choices import filled as named
from contracts.commands import (
    Answer,
    AnyCommand,
    Order,
    PayDividend,
)
from contracts.ids import CommandId, Money, PlayerId
from services.engine.rules.decide import game_choices
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import awaited
from services.engine.table.state import Table
from services.players.leanings import LEANINGS, Leaning
from services.players.weighing import is_for_charter, weight_of, worth_doing

RAISES = 3
"""So many steps above the least a bid for a charter goes, at most."""


def leaning_of(table: Table, player: PlayerId, seed: int) -> Leaning:
    """The leaning of a seat: they go round the table, beginning where the seed says."""
    return LEANINGS[(table.order.index(player) + seed) % len(LEANINGS)]


def next_order(ruleset: Ruleset, table: Table, seed: int) -> Order | None:
    """The order of the player for whom the table waits, or None when the game is over."""
    waiting = awaited(table)
    if not waiting:
        return None
    player = waiting[0]
    lots = Random(f"{seed}/{table.version}/{player}")
    leaning = leaning_of(table, player, seed)
    possible = game_choices(ruleset, table, player)
    choice = drawn(ruleset, table, possible, leaning, lots)
    command = filled(table, choice, leaning, lots)
    return Order(
        table=table.id,
        id=CommandId(f"house-{table.version}"),
        sender="house",
        player=player,
        command=command,
        version=None if choice.question is not None else table.version,
        question=choice.question,
    )


def drawn(
    ruleset: Ruleset, table: Table, possible: Sequence[Choice], leaning: Leaning, lots: Random
) -> Choice:
    """One of the choices: first a kind of command by its weight, then one of that kind."""
    kinds: dict[str, list[Choice]] = {}
    for choice in possible:
        kinds.setdefault(type(choice.command).__name__, []).append(choice)
    weights = [weight_of(ruleset, kind, kinds[kind], table, leaning) for kind in kinds]
    if not any(weights):
        weights = [1] * len(weights)
    kind = lots.choices(tuple(kinds), weights)[0]
    return preferred(ruleset, table, kinds[kind], leaning, lots)


def preferred(
    ruleset: Ruleset, table: Table, same: Sequence[Choice], leaning: Leaning, lots: Random
) -> Choice:
    """One choice of a kind."""
    first = same[0].command
    if isinstance(first, PayDividend):
        keep = lots.randrange(100) < leaning.withholds
        wanted = [
            c
            for c in same
            if isinstance(c.command, PayDividend) and (c.command.dividend == "none") == keep
        ]
        return lots.choice(wanted or list(same))
    if isinstance(first, Answer):
        yes = lots.randrange(100) < leaning.generous
        wanted = [c for c in same if isinstance(c.command, Answer) and c.command.yes == yes]
        return lots.choice(wanted or list(same))
    weights = [worth_doing(ruleset, table, leaning, choice) for choice in same]
    return lots.choices(same, weights)[0]


def filled(table: Table, choice: Choice, leaning: Leaning, lots: Random) -> AnyCommand:
    """The command with its open amount named; nobody raises the price of a charter by much."""
    if not isinstance(choice.open, Interval):
        return choice.command
    interval = choice.open
    if is_for_charter(table, choice.command):
        most = min(interval.most, interval.least + RAISES * interval.step)
        interval = Interval(interval.field, interval.least, most, interval.step, interval.also)
    amount = named_amount(interval, leaning, lots)
    return named(choice.command, interval, amount)


def named_amount(interval: Interval, leaning: Leaning, lots: Random) -> Money:
    """The least, or now and then something above it, seldom far above."""
    steps = (interval.most - interval.least) // interval.step
    if steps == 0 or lots.randrange(100) >= leaning.dear:
        return interval.least
    return interval.least + interval.step * min(lots.randint(0, steps), lots.randint(0, steps))
