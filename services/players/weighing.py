"""How much a house player cares: lots of a kind of command, and of each choice of a kind.

What a title does not have is never offered, so nothing here asks which title is played.
"""

from collections.abc import Sequence
from typing import Final

from contracts.choices import Choice
from contracts.commands import (
    AnyCommand,
    Bid,
    BuyShares,
    BuyTrain,
    ChooseTokens,
    LayTile,
    ProposeJoining,
    SellShares,
    SettleOption,
    StartCompany,
)
from contracts.ids import POOL, SUPPLY, CompanyId, PlayerId
from contracts.titles.facts import Facts
from services.engine.rules.companies.permits import permits_of
from services.engine.rules.families.sale_prices import sale_price
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import market_price
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table
from services.players.leanings import Leaning

SHARE_PERCENT: Final = 10
"""What most certificates stand for; near enough for a guess at what floating costs."""
USELESS: Final = 2
"""Lots of a train that its company may not run, where a useful one has 100."""
UNIT: Final = 10
"""Lots are counted in so many, so that there is something below the smallest weight."""
CHARTER_PART: Final = 15
"""A charter is dear above one part in so many of a player's cash."""
INSURED: Final = 15
"""Lots of a train with warranties, where one without has 100."""


def weight_of(
    ruleset: Ruleset, kind: str, same: Sequence[Choice], table: Table, leaning: Leaning
) -> int:
    """Lots of a kind of command, as things stand; hardly any for sales at less than the price."""
    lots = UNIT * _weight_of(ruleset.facts, kind, same, table, leaning)
    if all(is_poor_sale(ruleset, table, choice.command) for choice in same):
        return lots // UNIT
    return lots


def _weight_of(
    facts: Facts, kind: str, same: Sequence[Choice], table: Table, leaning: Leaning
) -> int:
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
        case "Bid" if is_bound(table, same[0].player) or is_dear(facts, table, same[0]):
            return 1
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


def is_bound(table: Table, player: PlayerId) -> bool:
    """Whether it is the player's duty to float a company; one at a time is enough."""
    return any(charter.bound == player for charter in table.charters.values())


def is_for_charter(table: Table, command: AnyCommand) -> bool:
    """Whether a bid is for a charter, which brings nothing but the right to start a company."""
    return isinstance(command, Bid) and table.charters[command.lot].kind == "public"


def is_poor_sale(ruleset: Ruleset, table: Table, command: AnyCommand) -> bool:
    """Whether shares would be sold for less than their price on the market."""
    if not isinstance(command, SellShares):
        return False
    return sale_price(ruleset, table, command.company) < market_price(table, command.company)


def is_dear(facts: Facts, table: Table, choice: Choice) -> bool:
    """Whether the least bid for a charter is much, or leaves too little to float the company."""
    command, cash = choice.command, table.cash[choice.player]
    if not isinstance(command, Bid) or not is_for_charter(table, command):
        return False
    cheapest = min((price for way in facts.starting.values() for price in way.prices), default=0)
    left = cash - command.amount
    return command.amount * CHARTER_PART > cash or left < shares_to_float(facts) * cheapest


def shares_to_float(facts: Facts) -> int:
    """So many shares a player means to pay for when he picks a company's price."""
    return facts.share_rules.float_percent // SHARE_PERCENT


def worth_doing(ruleset: Ruleset, table: Table, leaning: Leaning, choice: Choice) -> int:
    """Lots of a choice among those of its kind."""
    facts, command = ruleset.facts, choice.command
    match command:
        case SellShares():
            return 1 if is_poor_sale(ruleset, table, command) else UNIT
        case LayTile():
            return worth_laying(facts, command)
        case BuyTrain():
            return worth_running(table, leaning, command)
        case BuyShares():
            return worth_buying(table, choice.player, command.company)
        case StartCompany():
            cost = shares_to_float(facts) * command.price
            return 8 if cost <= table.cash[choice.player] else 1
        case ProposeJoining():
            return worth_joining(table, choice.player, command)
        case SettleOption():
            return 2 if command.redeem else 1
        case ChooseTokens():
            return 1 if is_home(table, command) else 5
        case _:
            return 1


def worth_laying(facts: Facts, command: LayTile) -> int:
    """Lots of a lay: cities before towns before plain track, later colours before earlier."""
    tile = facts.tiles[command.tile]
    colours = ("yellow", "green", "brown", "grey")
    stations = 4 * len(tile.city) + len(tile.town)
    return 1 + 3 * colours.index(tile.colour) + 5 * stations


def worth_running(table: Table, leaning: Leaning, command: BuyTrain) -> int:
    """Lots of a train: new before second-hand, what the company may run before what it may not."""
    turn = current_turn(table)
    permits = permits_of(table, CompanyId(turn.who)) if turn is not None else ()
    if permits and command.side is not None and command.side not in permits:
        return USELESS
    if not is_new(command):
        return leaning.second_hand
    return INSURED if command.warranties else 100


def worth_buying(table: Table, player: PlayerId, company: CompanyId) -> int:
    """Lots of a share: what has to float first, then what has trains, one's own before others'."""
    charter = table.charters[company]
    own = 3 if charter.director == player else 1
    if charter.bound == player:
        return 60
    if charter.status == "started":
        return 5 * own
    return own * (1 + 2 * len(table.trains.get(company, ())))


def worth_joining(table: Table, player: PlayerId, command: ProposeJoining) -> int:
    """Lots of a partner: one's own company rather than another's, who would have to agree."""
    return 5 if table.charters[command.companies[-1]].director == player else 1


def is_home(table: Table, command: ChooseTokens) -> bool:
    """Whether a home token is among those that would leave, without which no train may run."""
    return any(
        token.kind == "home" and token.place in command.places for token in table.board.tokens
    )
