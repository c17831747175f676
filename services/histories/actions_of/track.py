"""Tiles and tokens."""

import msgspec

from contracts.commands import LayTile, PlaceToken
from contracts.ids import CompanyId, HexId, TileId
from services.engine.rules.network.lays import Lay, waiting_cities
from services.histories.game import Game, Orders, number
from services.histories.kinds import Lay as LayAction
from services.histories.kinds import PlaceIn


def lay(game: Game, action: LayAction) -> Orders:
    """A tile laid, by right of a private where the action is by one."""
    party = game.party(action)
    right = CompanyId(party) if party in game.facts.privates else None
    hex_id = HexId(action.hex)
    tile = TileId(action.tile.rpartition("-")[0])
    command = LayTile(hex_id, tile, action.rotation, right)
    game.tiles[action.tile] = hex_id
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
    tile, _, named = action.city.rpartition("-")
    city = number(named, "a city")
    if game.waiting is not None:
        command = msgspec.structs.replace(game.waiting, city=city)
        game.waiting = None
        yield game.order(game.player(party), command)
        return
    hex_id = game.tiles.get(tile, HexId(tile.rpartition("-")[0]))
    yield game.order(game.player(party), PlaceToken(hex_id, city, right))
