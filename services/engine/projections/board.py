"""The board: what lies on each hex, and the tiles left."""

from contracts.ids import HexId
from contracts.views import BoardView, HexView, PlacedToken
from services.engine.projections.companies import token_view
from services.engine.table.state import Table


def view(table: Table) -> BoardView:
    """Every hex and area on which something lies, in order of their names."""
    tokens: dict[str, list[PlacedToken]] = {}
    for token in table.board.tokens:
        tokens.setdefault(token.place, []).append(token_view(token))
    hexes: dict[HexId, HexView] = {}
    for place in sorted(
        {*map(str, table.board.tiles), *map(str, table.board.small_stations), *tokens}
    ):
        id = HexId(place)
        laid = table.board.tiles.get(id)
        hexes[id] = HexView(
            None if laid is None else laid.tile,
            0 if laid is None else laid.rotation,
            tuple(tokens.get(place, ())),
            table.board.small_stations.get(id, ()),
        )
    return BoardView(table.id, table.version, hexes, dict(table.board.supply))
