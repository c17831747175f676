"""Positions of operating rounds: what lies on the board, who has which trains, whose turn it is."""

from collections.abc import Mapping, Sequence

import msgspec

from contracts.commands import RunTrains
from contracts.frames import Round, Turn
from contracts.ids import (
    BOX,
    POOL,
    SUPPLY,
    CompanyId,
    FrameId,
    HexId,
    Party,
    TileId,
    TrainId,
    TrainKind,
)
from contracts.pieces import Train
from contracts.placed import LaidTile, Token
from services.engine.rules.network.readings import readings_of
from services.engine.rules.network.resolve import resolve, sketched
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.track.surveys import train_as_ruled
from services.engine.table.board import Board
from services.engine.table.state import Table
from tests.positions import company, party, playing_on

Tiles = Mapping[str, tuple[str, int]]
"""By hex: the tile, and by how many sixths it is turned."""
Tokens = Mapping[str, Sequence[str]]
"""By company: where its tokens lie, the home first: `H12`, `G19/1`; `E11/?` waits for a city."""


def board(table: Table, tiles: Tiles | None = None, tokens: Tokens | None = None) -> Table:
    """The table with tiles and tokens on the board, all of them out of supply and charters."""
    supply = dict(table.board.supply)
    laid: dict[HexId, LaidTile] = {}
    for at, (tile, rotation) in (tiles or {}).items():
        laid[HexId(at)] = LaidTile(TileId(tile), rotation)
        supply[TileId(tile)] -= 1
        assert supply[TileId(tile)] >= 0, tile
    placed: list[Token] = []
    charters = dict(table.charters)
    for name, places in (tokens or {}).items():
        id = company(name)
        for number, place in enumerate(places):
            at, _, named = place.partition("/")
            waits = named == "?"
            city = None if waits or at in ruleset_of(table).facts.map.areas else int(named or 0)
            taken = [t.slot for t in placed if (t.place, t.city) == (at, city)]
            slot = None if waits else len(taken)
            placed.append(Token(id, at, city, slot, "ordinary" if number else "home"))
        charters[id] = msgspec.structs.replace(
            charters[id], tokens=charters[id].tokens - len(places), has_operated=True
        )
    lying = Board(laid, tuple(placed), supply)
    return msgspec.structs.replace(table, board=lying, charters=charters)


def trains(
    table: Table, owned: Mapping[str, Sequence[str]] | None = None, left: str | None = None
) -> Table:
    """The table with trains out of the supply; kinds before `left` that nobody has are in the box.

    A train is named by its kind; cards are taken in their order. `pool` may have some too.
    """
    supply = list(table.trains[SUPPLY])
    out: dict[Party, list[Train]] = {}
    made: dict[str, int] = {}
    for name, kinds in (owned or {}).items():
        owner = POOL if name == "pool" else party(name)
        for kind in kinds:
            card = next((train for train in supply if train.kind == kind), None)
            if card is None:
                card = Train(TrainId(f"{kind}-{made.get(kind, 0)}"), TrainKind(kind))
                made[kind] = made.get(kind, 0) + 1
            else:
                supply.remove(card)
            out.setdefault(owner, []).append(card)
    kinds_in_order = list(ruleset_of(table).facts.trains)
    before = kinds_in_order[: kinds_in_order.index(TrainKind(left))] if left else []
    gone = [train for train in supply if train.kind in before]
    rest = [train for train in supply if train.kind not in before]
    places: dict[Party, tuple[Train, ...]] = {owner: tuple(cards) for owner, cards in out.items()}
    places[SUPPLY] = tuple(rest)
    if gone:
        places[BOX] = tuple(gone)
    return msgspec.structs.replace(table, trains=places)


def turn_of(table: Table, name: str, step: str = "home", operated: Sequence[str] = ()) -> Table:
    """The turn of a company from a step on, in the only round of a set; play moves on from there.

    The others that may operate follow in their order, save those that have operated.
    """
    facts = ruleset_of(table).facts
    steps = facts.turns.operating
    playing = Round(
        FrameId("10.0"), "operating", 2, 1, 1, operated=tuple(company(one) for one in operated)
    )
    turn = Turn(
        FrameId("10.1"), company(name), steps[steps.index(step) :], facts.turns.operating_anytime
    )
    return playing_on(table, playing, turn)


def run(table: Table, name: str, **routes: str) -> RunTrains:
    """A run written by hand, `t2_0="H12-H14-H16"` for train 2-0; legal or not."""
    facts = ruleset_of(table).facts
    id: CompanyId = company(name)
    ruleset = ruleset_of(table)
    running = tuple(train_as_ruled(ruleset, card) for card in table.trains.get(id, ()))
    sketches = tuple(
        sketched(facts, table.board, TrainId(train.removeprefix("t").replace("_", "-")), hexes)
        for train, hexes in routes.items()
    )
    found = resolve(
        facts,
        table.board,
        table.phase,
        id,
        trains=running,
        sketches=sketches,
        rulings=readings_of(ruleset.rulings),
    )
    assert not found.objections, found.objections
    return RunTrains(found.runs)
