"""Laying a tile: the ordinary lay of a turn (3.4)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import LayTile
from contracts.frames import Turn
from contracts.ids import BANK, CompanyId, Money, Party, TileId
from contracts.money import pay
from contracts.rejections import Code, Rejection
from contracts.titles.facts import Private
from services.engine.rules.companies.privates import blocked_hexes
from services.engine.rules.draft import Draft
from services.engine.rules.network.building import allowance_objection
from services.engine.rules.network.lays import (
    Lay,
    after_lay,
    lay_objections,
    legal_lays,
    waiting_cities,
)
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.track.first_build import duty_of, lays_for, other_build
from services.engine.rules.track.refusals import tile_refusals
from services.engine.rules.track.surveys import reached
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def lay_of(command: LayTile) -> Lay:
    """The lay that a command asks for."""
    return Lay(command.hex, command.tile, command.rotation)


def tiles_laid(ruleset: Ruleset, turn: Turn) -> tuple[TileId, ...]:
    """What was built in a turn in its ordinary lays; a private may give one more (3.4.1).

    The marker of a small station has no tile's name.
    """
    return tuple(
        laying.tile
        for laying in turn.laid
        if laying.right is None or not _is_extra(ruleset.facts.privates[laying.right])
    )


def _is_extra(private: Private) -> bool:
    return private.lay is not None and private.lay.extra


def has_lays_left(ruleset: Ruleset, turn: Turn) -> bool:
    """Whether the turn's ordinary lays are not used up, or given up for something else (7.6)."""
    laid = tiles_laid(ruleset, turn)
    if not all(laid) or any(place in ruleset.facts.map.areas for place in turn.placed):
        return False
    return not laid or allowance_objection(ruleset.facts, laid, laid[-1]) is None


def too_much(ruleset: Ruleset, table: Table, tile: TileId) -> Iterator[Rejection]:
    """What the turn's lays so far say against one more (7.6)."""
    turn = current_turn(table)
    laid = () if turn is None else tiles_laid(ruleset, turn)
    if tile in ruleset.facts.tiles and all(laid):
        found = allowance_objection(ruleset.facts, laid, tile)
        yield from tile_refusals(ruleset, () if found is None else (found,))


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
    """Every lay that track allows, in the order of the map; the one that must be made, if any."""
    company = CompanyId(who)
    duty = duty_of(ruleset, table, company)
    lays: Iterable[Lay] = (
        lays_for(ruleset, table, duty)
        if duty is not None
        else legal_lays(
            ruleset.facts,
            table.board,
            table.phase,
            company,
            blocked=blocked_hexes(ruleset, table),
            reached=reached(ruleset, table, company),
        )
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
    yield from too_much(ruleset, table, command.tile)
    if found:
        return
    yield from other_build(ruleset, table, company, lay_of(command))
    city = city_objection(ruleset, table, command)
    if city is not None:
        yield city
    cost = ruleset.facts.map.hexes[command.hex].cost
    price = 0 if command.hex in table.board.tiles else cost
    dear = price_objection(ruleset, table, company, price, "terrain")
    if dear is not None:
        yield dear


def builds_something_else(
    ruleset: Ruleset, table: Table, company: CompanyId, topic: str
) -> Iterator[Rejection]:
    """What stands in the place of all tiles is built in a turn in which nothing else is (7.6)."""
    yield from other_build(ruleset, table, company, None)
    turn = current_turn(table)
    if turn is not None and (turn.laid or turn.placed):
        yield refused(
            ruleset,
            Code.NO_LAY_LEFT,
            topic,
            f"{company} has built in this turn.",
            "It may be built in place of tiles, not beside them.",
        )


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
            small_stations=after.small_stations,
        )
    )


def is_ordinary(command: LayTile) -> bool:
    """Whether a lay is not by right of a private."""
    return command.right is None


LAY_TILE = Act(LayTile, offers, objections, perform, is_ordinary)
