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
    BuyShares,
    BuyTrain,
    LayTile,
    MakeRequest,
    Order,
    PayDividend,
    StartCompany,
)
from contracts.ids import POOL, SUPPLY, CommandId, CompanyId, Money, PlayerId
from contracts.titles.facts import Facts
from services.engine.rules.decide import choices
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import awaited, current_turn
from services.engine.table.state import Table
from services.players.leanings import LEANINGS, Leaning

SHARES_TO_FLOAT = 6
"""So many shares of a company a player means to pay for when he picks its price."""


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
    return preferred(ruleset.facts, table, kinds[kind], leaning, lots)


def weight_of(kind: str, same: Sequence[Choice], table: Table, leaning: Leaning) -> int:
    """Lots of a kind of command, as things stand."""
    turn = current_turn(table)
    match kind:
        case "BuyTrain":
            owned = len(table.trains.get(turn.who, ())) if turn is not None else 0
            if not any(is_new(choice.command) for choice in same):
                return leaning.second_hand
            return leaning.weights[kind] if owned < leaning.trains_wanted else 1
        case "SellShares" if turn is not None and turn.bought:
            return leaning.restless
        case "StartCompany":
            return 2 if is_floating_one(table, same[0].player) else leaning.weights[kind]
        case "Answer":
            return 100
        case _:
            return leaning.weights.get(kind, 1)


def is_new(command: AnyCommand) -> bool:
    """Whether a train comes from the bank or the pool."""
    return isinstance(command, BuyTrain) and command.seller in (SUPPLY, POOL)


def is_floating_one(table: Table, player: PlayerId) -> bool:
    """Whether a company of the player's is started and has not floated yet."""
    return any(
        charter.kind == "public" and charter.status == "started" and charter.director == player
        for charter in table.charters.values()
    )


def preferred(
    facts: Facts, table: Table, same: Sequence[Choice], leaning: Leaning, lots: Random
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
    weights = [worth_doing(facts, table, leaning, choice) for choice in same]
    return lots.choices(same, weights)[0]


def worth_doing(facts: Facts, table: Table, leaning: Leaning, choice: Choice) -> int:
    """Lots of a choice among those of its kind."""
    command = choice.command
    match command:
        case LayTile():
            return worth_laying(facts, command)
        case BuyTrain():
            return 100 if is_new(command) else leaning.second_hand
        case BuyShares():
            return worth_buying(table, choice.player, command.company)
        case StartCompany():
            return 8 if SHARES_TO_FLOAT * command.price <= table.cash[choice.player] else 1
        case _:
            return 1


def worth_laying(facts: Facts, command: LayTile) -> int:
    """Lots of a lay: cities before towns before plain track, later colours before earlier."""
    tile = facts.tiles[command.tile]
    colours = ("yellow", "green", "brown", "grey")
    stations = 4 * len(tile.city) + len(tile.town)
    return 1 + 3 * colours.index(tile.colour) + 5 * stations


def worth_buying(table: Table, player: PlayerId, company: CompanyId) -> int:
    """Lots of a share: what has to float first, then what has trains, one's own before others'."""
    charter = table.charters[company]
    own = 3 if charter.director == player else 1
    if charter.status == "started":
        return 5 * own
    return own * (1 + 2 * len(table.trains.get(company, ())))


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
