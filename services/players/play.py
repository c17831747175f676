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
    AnswerRequest,
    AnyCommand,
    BuyTrain,
    LayTile,
    MakeRequest,
    Order,
    PayDividend,
)
from contracts.ids import CommandId, Money, PlayerId
from contracts.titles.facts import Facts
from services.engine.rules.decide import choices
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import awaited, current_turn
from services.engine.table.state import Table
from services.players.leanings import LEANINGS, Leaning


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
    possible = [
        choice
        for choice in choices(ruleset, table, player)
        if not isinstance(choice.command, MakeRequest | AnswerRequest)
    ]
    choice = drawn(ruleset, table, possible, leaning, lots)
    command = filled(choice, leaning, lots)
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
    weights = [weight_of(kind, kinds[kind], table, leaning) for kind in kinds]
    if not any(weights):
        weights = [1] * len(weights)
    kind = lots.choices(tuple(kinds), weights)[0]
    return preferred(ruleset.facts, kinds[kind], leaning, lots)


def weight_of(kind: str, same: Sequence[Choice], table: Table, leaning: Leaning) -> int:
    """Lots of a kind of command; a company that has its trains does not buy more for fun."""
    if kind == "BuyTrain":
        turn = current_turn(table)
        owned = len(table.trains.get(turn.who, ())) if turn is not None else 0
        if owned >= leaning.trains_wanted and any(
            isinstance(choice.command, BuyTrain) for choice in same
        ):
            return 1
    if kind == "Answer":
        return 100
    return leaning.weights.get(kind, 1)


def preferred(facts: Facts, same: Sequence[Choice], leaning: Leaning, lots: Random) -> Choice:
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
    if isinstance(first, LayTile):
        return lots.choices(same, [worth_laying(facts, choice.command) for choice in same])[0]
    return lots.choice(same)


def worth_laying(facts: Facts, command: AnyCommand) -> int:
    """Lots of a lay: cities before towns before plain track, later colours before earlier."""
    assert isinstance(command, LayTile)
    tile = facts.tiles[command.tile]
    colours = ("yellow", "green", "brown", "grey")
    stations = 4 * len(tile.city) + len(tile.town)
    return 1 + 3 * colours.index(tile.colour) + 5 * stations


def filled(choice: Choice, leaning: Leaning, lots: Random) -> AnyCommand:
    """The command with its open amount named."""
    if not isinstance(choice.open, Interval):
        return choice.command
    interval = choice.open
    amount = named_amount(interval, leaning, lots)
    return named(choice.command, interval, amount)


def named_amount(interval: Interval, leaning: Leaning, lots: Random) -> Money:
    """The least, or now and then something above it, seldom far above."""
    steps = (interval.most - interval.least) // interval.step
    if steps == 0 or lots.randrange(100) >= leaning.dear:
        return interval.least
    return interval.least + interval.step * min(lots.randint(0, steps), lots.randint(0, steps))
