"""Tiles, tokens, trains, and what trains earned."""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.frames import Laying, Turn
from contracts.ids import BOX, POOL, SUPPLY, CompanyId, TileId
from contracts.pieces import Charter
from services.engine.table.agenda import Agenda, replaced
from services.engine.table.agenda import changed as frame_changed
from services.engine.table.board import Board, LaidTile
from services.engine.table.change import NotThereError, changed, paid, trains_moved, with_entry
from services.engine.table.state import Table


def tile_laid(table: Table, event: e.TileLaid) -> Table:
    """A tile lies on a hex, all tokens of the hex where the event says; the old tile is back."""
    board = table.board
    supply = dict(board.supply)
    if event.tile in supply:
        supply[event.tile] -= 1
    if event.replaced is not None and event.replaced.tile in supply:
        supply[event.replaced.tile] += 1
    here = {token.company: token for token in event.tokens}
    tokens = tuple(
        here[token.company] if token.place == event.hex and token.company in here else token
        for token in board.tokens
    )
    tiles = with_entry(board.tiles, event.hex, LaidTile(event.tile, event.rotation))
    small = dict(board.small_stations)
    small.pop(event.hex, None)
    if event.small_stations:
        small[event.hex] = event.small_stations
    laying = Laying(event.hex, event.tile, event.right)
    agenda = frame_changed(
        table.agenda, Turn, lambda turn: replaced(turn, laid=(*turn.laid, laying))
    )
    return changed(
        table,
        cash=paid(table.cash, event.payments),
        board=Board(tiles, tokens, supply, small),
        agenda=agenda,
    )


def token_placed(table: Table, event: e.TokenPlaced) -> Table:
    """A token lies on the board and is gone from its charter.

    One that waited on its hex for a circle now lies there, and was gone from the charter before.
    """
    company = event.token.company
    charter = table.charters[company]
    rest = tuple(
        token
        for token in table.board.tokens
        if (token.company, token.place) != (company, event.token.place)
    )
    waited = len(rest) < len(table.board.tokens)
    board: Board = changed(table.board, tokens=(*rest, event.token))
    agenda = table.agenda
    if event.token.kind != "home":
        agenda = frame_changed(
            agenda, Turn, lambda turn: replaced(turn, placed=(*turn.placed, event.token.place))
        )
    return changed(
        table,
        cash=paid(table.cash, event.payments),
        board=board,
        charters=with_tokens(table, company, charter, charter.tokens - (not waited)),
        agenda=agenda,
    )


def small_station_placed(table: Table, event: e.SmallStationPlaced) -> Table:
    """A small station lies on its line; the placing counts as the turn's laying there."""
    board = table.board
    lines = tuple(sorted((*board.small_stations.get(event.hex, ()), event.line)))
    laying = Laying(event.hex, TileId(""), None)
    agenda = frame_changed(
        table.agenda, Turn, lambda turn: replaced(turn, laid=(*turn.laid, laying))
    )
    small = with_entry(board.small_stations, event.hex, lines)
    return changed(table, board=changed(board, small_stations=small), agenda=agenda)


def token_removed(table: Table, event: e.TokenRemoved) -> Table:
    """A token is off the board, and back on its charter where the event says so."""
    company = event.company
    board = changed(
        table.board,
        tokens=tuple(
            token
            for token in table.board.tokens
            if token.company != company or token.place != event.place
        ),
    )
    charters = table.charters
    if event.to == "charter":
        charter = charters[company]
        charters = with_tokens(table, company, charter, charter.tokens + 1)
    return changed(table, board=board, charters=charters)


def warranties_set(table: Table, event: e.WarrantiesSet) -> Table:
    """Trains have so many warranties left."""
    owned = tuple(
        changed(train, warranties=event.warranties[train.id])
        if train.id in event.warranties
        else train
        for train in table.trains.get(event.company, ())
    )
    return changed(table, trains=with_entry(table.trains, event.company, owned))


def with_tokens(
    table: Table, company: CompanyId, charter: Charter, tokens: int
) -> dict[CompanyId, Charter]:
    """All charters, with the unused tokens of one changed."""
    fewer: Charter = changed(charter, tokens=tokens)
    return with_entry(table.charters, company, fewer)


def train_bought(table: Table, event: e.TrainBought) -> Table:
    """A train is the company's. A kind without limit makes its card when it is bought."""
    trains = dict(table.trains)
    if event.handed_in is not None:
        trains = trains_moved(trains, (event.handed_in,), event.company, POOL)
    owned = trains.get(event.seller, ())
    if event.seller != SUPPLY and all(train.id != event.train.id for train in owned):
        raise NotThereError(f"{event.seller} has no train {event.train.id}")
    # The card goes as the event has it: a side and warranties may come with the purchase.
    trains[event.seller] = tuple(train for train in owned if train.id != event.train.id)
    trains[event.company] = (*trains.get(event.company, ()), event.train)
    agenda: Agenda = frame_changed(
        table.agenda, Turn, lambda turn: replaced(turn, trains=(*turn.trains, event.train.id))
    )
    return changed(table, cash=paid(table.cash, event.payments), trains=trains, agenda=agenda)


def trains_went(table: Table, event: e.TrainsMoved) -> Table:
    """Trains have another owner."""
    trains = trains_moved(table.trains, event.trains, event.source, event.target)
    return changed(table, trains=trains)


def trains_rusted(table: Table, event: e.TrainsRusted) -> Table:
    """Trains are in the box, wherever they were."""
    trains = table.trains
    gone = frozenset(event.trains)
    for owner, owned in tuple(trains.items()):
        rusted = tuple(train.id for train in owned if train.id in gone)
        if rusted and owner != BOX:
            trains = trains_moved(trains, rusted, owner, BOX)
    return changed(table, trains=trains)


def routes_run(table: Table, event: e.RoutesRun) -> Table:
    """The turn remembers which trains ran and what is to be divided; a subsidy is not."""
    ran = tuple(train for run in event.runs for train in run.trains)
    agenda = frame_changed(
        table.agenda, Turn, lambda turn: replaced(turn, ran=ran, earned=event.revenue)
    )
    return changed(table, agenda=agenda)


def earnings_divided(table: Table, event: e.EarningsDivided) -> Table:
    """Earnings are divided and nothing is left to divide."""
    agenda = frame_changed(table.agenda, Turn, lambda turn: replaced(turn, earned=0))
    return changed(table, cash=paid(table.cash, event.payments), agenda=agenda)


APPLY: Final[Mapping[type, Any]] = {
    e.TileLaid: tile_laid,
    e.SmallStationPlaced: small_station_placed,
    e.TokenPlaced: token_placed,
    e.TokenRemoved: token_removed,
    e.TrainBought: train_bought,
    e.TrainsMoved: trains_went,
    e.TrainsRusted: trains_rusted,
    e.WarrantiesSet: warranties_set,
    e.RoutesRun: routes_run,
    e.EarningsDivided: earnings_divided,
}
