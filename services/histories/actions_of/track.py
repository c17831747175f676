"""Tiles and tokens."""

from contracts.commands import LayTile, PlaceToken
from contracts.ids import CompanyId, HexId, TileId
from services.histories.game import Game, Orders
from services.histories.kinds import Lay, PlaceIn


def lay(game: Game, action: Lay) -> Orders:
    """A tile laid, by right of a private where the action is by one."""
    party = game.party(action)
    right = CompanyId(party) if party in game.facts.privates else None
    hex_id = HexId(action.hex)
    tile = TileId(action.tile.rpartition("-")[0])
    yield game.order(game.player(party), LayTile(hex_id, tile, action.rotation, right))
    game.tiles[action.tile] = hex_id


def place(game: Game, action: PlaceIn) -> Orders:
    """A token placed, or the city chosen for one that waited for a tile."""
    party = game.party(action)
    right = CompanyId(party) if party in game.facts.privates else None
    tile, _, city = action.city.rpartition("-")
    hex_id = game.tiles.get(tile, HexId(tile.rpartition("-")[0]))
    yield game.order(game.player(party), PlaceToken(hex_id, int(city), right))
