"""Laying a tile: the ordinary lay of a turn (3.4)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import LayTile
from contracts.frames import Turn
from contracts.ids import BANK, CompanyId, Money, Party
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.network.lays import (
    Lay,
    after_lay,
    lay_objections,
    legal_lays,
    waiting_cities,
)
from services.engine.rules.parts import Act, Offer
from services.engine.rules.privates import blocked_hexes
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.surveys import reached
from services.engine.rules.track_refusals import tile_refusals
from services.engine.table.state import Table


def lay_of(command: LayTile) -> Lay:
    """The lay that a command asks for."""
    return Lay(command.hex, command.tile, command.rotation)


def has_lays_left(ruleset: Ruleset, turn: Turn) -> bool:
    """Whether the turn's ordinary lays are not used up; a private may give one more (3.4.1)."""
    used = 0
    for laying in turn.laid:
        private = None if laying.right is None else ruleset.facts.privates[laying.right]
        if private is None or private.lay is None or not private.lay.extra:
            used += 1
    return used < ruleset.facts.tile_rules.lays_a_turn


def cities_open(ruleset: Ruleset, table: Table, lay: Lay) -> tuple[int | None, ...]:
    """What a lay may say about the city of a token that waits on the hex (3.4.8)."""
    return waiting_cities(ruleset.facts, table.board, lay) or (None,)


def city_objection(ruleset: Ruleset, table: Table, command: LayTile) -> Rejection | None:
    """Whoever lays the first cities chooses the one for a token that waited for them (3.4.8)."""
    cities = cities_open(ruleset, table, lay_of(command))
    if command.city in cities:
        return None
    if cities == (None,):
        return refused(
            ruleset, Code.CITY_TO_CHOOSE, "home choice", f"No token waits on {command.hex}."
        )
    return refused(
        ruleset,
        Code.CITY_TO_CHOOSE,
        "home choice",
        f"A token waits on {command.hex} for its city.",
        f"Name city {' or '.join(map(str, cities))}.",
    )


def price_objection(
    ruleset: Ruleset, table: Table, company: CompanyId, price: Money, topic: str
) -> Rejection | None:
    """A company pays out of its treasury, and out of nothing else."""
    cash = table.cash[company]
    if price <= cash:
        return None
    return refused(
        ruleset,
        Code.TOO_LITTLE_CASH,
        topic,
        f"That costs {ruleset.money(price)}; {company} has {ruleset.money(cash)}.",
    )


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Every lay that track allows, in the order of the map."""
    lays = legal_lays(
        ruleset.facts,
        table.board,
        table.phase,
        CompanyId(who),
        blocked=blocked_hexes(ruleset, table),
        reached=reached(ruleset, table, CompanyId(who)),
    )
    for lay in lays:
        for city in cities_open(ruleset, table, lay):
            yield Offer(LayTile(lay.hex, lay.tile, lay.rotation, city=city))


def objections(ruleset: Ruleset, table: Table, who: Party, command: LayTile) -> Iterator[Rejection]:
    """What speaks against a lay: the hex, the tile, how it is turned, reach, the city, the cost."""
    company = CompanyId(who)
    found = lay_objections(
        ruleset.facts,
        table.board,
        table.phase,
        company,
        lay_of(command),
        blocked=blocked_hexes(ruleset, table),
        reached=reached(ruleset, table, company),
    )
    yield from tile_refusals(ruleset, found)
    if found:
        return
    city = city_objection(ruleset, table, command)
    if city is not None:
        yield city
    cost = ruleset.facts.map.hexes[command.hex].cost
    price = 0 if command.hex in table.board.tiles else cost
    dear = price_objection(ruleset, table, company, price, "terrain")
    if dear is not None:
        yield dear


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: LayTile) -> None:
    """Lay the tile and pay for the terrain."""
    laid(ruleset, draft, CompanyId(who), command, pays_terrain=True)


def laid(
    ruleset: Ruleset, draft: Draft, company: CompanyId, command: LayTile, *, pays_terrain: bool
) -> None:
    """Put a tile down, with every token of the hex where it then lies."""
    board = draft.table.board
    after = after_lay(ruleset.facts, board, lay_of(command), command.city)
    cost = after.cost if pays_terrain else 0
    draft.emit(
        e.TileLaid(
            company=company,
            hex=command.hex,
            tile=command.tile,
            rotation=command.rotation,
            replaced=board.tiles.get(command.hex),
            tokens=after.tokens,
            right=command.right,
            payments=pay(company, BANK, cost),
        )
    )


def is_ordinary(command: LayTile) -> bool:
    """Whether a lay is not by right of a private."""
    return command.right is None


LAY_TILE = Act(LayTile, offers, objections, perform, is_ordinary)
