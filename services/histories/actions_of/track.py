"""Tiles and tokens."""

import msgspec

from contracts.commands import LayTile, PlaceSmallStation, PlaceToken
from contracts.ids import CompanyId, HexId
from services.engine.rules.network.lays import Lay, waiting_cities
from services.histories.game import Game, Orders, number
from services.histories.kinds import Lay as LayAction
from services.histories.kinds import PlaceIn
from services.histories.small_stations import lines_of, tile_of


def lay(game: Game, action: LayAction) -> Orders:
    """A tile laid, by right of a private where the action is by one."""
    party = game.party(action)
    right = CompanyId(party) if party in game.facts.privates else None
    hex_id = HexId(action.hex)
    name = action.tile.rpartition("-")[0]
    tile = tile_of(name)
    game.tiles[action.tile] = hex_id
    lies = game.table.board.tiles.get(hex_id)
    if lies is not None and lies.tile == tile:
        placed = game.table.board.small_stations.get(hex_id, ())
        for line in sorted(lines_of(name, action.rotation).difference(placed)):
            yield game.order(game.player(party), PlaceSmallStation(hex_id, line))
        return
    command = LayTile(hex_id, tile, action.rotation, right)
    lay = Lay(hex_id, tile, action.rotation)
    if waiting_cities(game.facts, game.table.board, lay):
        # The site lays the tile, takes the waiting token into the hand and asks for its city in an
        # action of its own. We name the city with the tile, so the tile waits for that action.
        game.waiting = command
        return
    yield game.order(game.player(party), command)


def place(game: Game, action: PlaceIn) -> Orders:
    """A token placed, or the city chosen for one that waited for a tile."""
    party = game.party(action)
    right = CompanyId(party) if party in game.facts.privates else None
    city = number(action.city.rpartition("-")[2], "a city")
    if game.waiting is not None:
        command = msgspec.structs.replace(game.waiting, city=city)
        game.waiting = None
        yield game.order(game.player(party), command)
        return
    hex_id = game.hex_of(action.city)
    area = game.area_of(hex_id)
    if area is not None:
        game.links[CompanyId(party)] = hex_id
        yield game.order(game.player(party), PlaceToken(HexId(area), 0))
        return
    yield game.order(game.player(party), PlaceToken(hex_id, city, right))
