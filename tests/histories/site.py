"""A game of ours written down as the site would: what each order is there, step for step.

So a history can be made for whatever happens at a table, and what it is read back as is known.
"""

import json
from collections import Counter
from typing import Any

from contracts import commands as c
from contracts.frames import OptionShare, Question, SurplusTokens
from contracts.ids import SUPPLY, CompanyId, HexId, Party, PlayerId, TableId, TileId, TrainId
from contracts.records import Record
from contracts.runs import Run, Track
from services.engine.rules.acts.sell_block import net
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_turn, top
from services.engine.table.state import Table, new_table
from services.histories.export import Export, parsed
from services.histories.following import follow
from services.histories.game import Game
from services.histories.kinds import decoded
from services.histories.small_stations import STATIONS, lines_of, tile_of

Json = dict[str, Any]


class Scribe:
    """Writes actions down, and follows the certificates that they name."""

    def __init__(self, title: str, table: Table, seed: int) -> None:
        self.actions: list[Json] = []
        self.title, self.seed = title, seed
        self.copies: Counter[str] = Counter()
        self.tiles: dict[HexId, str] = {}
        self.game = Game(TableId("s"), ruleset_of(table).facts, (), new_table(TableId("s")), {})

    def export(self, table: Table) -> Export:
        document = {
            "id": 1,
            "title": self.title,
            "players": [{"id": int(seat.player), "name": seat.name} for seat in table.seats],
            "settings": {"seed": self.seed, "optional_rules": []},
            "actions": [{"id": n, **action} for n, action in enumerate(self.actions, 1)],
            "created_at": 1_700_000_000,
        }
        return parsed(json.dumps(document).encode())

    def wrote(self, before: Table, record: Record, after: Table) -> None:
        """Write down what an order was, looking at the table that it was given at."""
        command = record.order.command
        written = [] if isinstance(command, c.OpenTable) else self.actions_of(before, record)
        self.actions += written
        for action in written:
            self.game.actions = (*self.game.actions, decoded(json.dumps(action).encode()))
        self.game._step = len(self.game.actions)
        follow(self.game, before, record)
        self.game.table = after

    def actions_of(self, table: Table, record: Record) -> list[Json]:
        command, player = record.order.command, record.order.player
        turn = current_turn(table)
        company = None if turn is None or turn.who in table.order else CompanyId(turn.who)
        match command:
            case c.Bid(lot, amount):
                return [by(player, "bid", corporation=lot, price=amount)]
            case c.Pass():
                asked = top(table)
                is_question = isinstance(asked, Question) and company is None
                return [by(player if company is None or is_question else company, "pass")]
            case c.Answer() | c.SellTreasuryShares():
                return []
            case c.StartCompany(started, price):
                return [by(player, "par", corporation=started, share_price=f"{price},0,0")]
            case c.BuyShares(bought, source, _):
                return [by(player, "buy_shares", shares=self.taken(bought, source, player, 1))]
            case c.RedeemShares(number):
                assert company is not None
                shares = self.taken(company, Party("pool"), company, number)
                return [by(company, "buy_shares", shares=shares)]
            case c.SellShares():
                return [self.sale(player, command)]
            case c.LayTile() | c.PlaceSmallStation() | c.PlaceToken():
                assert company is not None
                return self.built(table, company, command)
            case c.RunTrains(runs):
                assert company is not None
                return [by(company, "run_routes", routes=[route(run) for run in runs])]
            case c.PayDividend(dividend, added):
                kind = {"all": "hudson" if added else "payout", "none": "withhold"}[dividend]
                return [by(company, "dividend", kind=kind)]
            case c.BuyTrain():
                return [self.train(table, company, command)]
            case c.ProposeJoining(_, companies):
                return [by(company, "merge", corporation=companies[1])]
            case c.ChooseSurvivor(survivor):
                return [by(company, "choose", choice="first" if survivor == company else "last")]
            case c.SettleOption(redeem):
                return [by(self.holder(table), "choose", choice="redeem" if redeem else "sell")]
            case c.BuyTokens(number):
                return [by(player, "choose", choice=number)]
            case c.Refinance():
                self.actions.pop()
                self.game.actions = self.game.actions[:-1]
                return [by(company, "convert")]
            case c.ChooseTokens(places):
                city = self.city(table, HexId(places[0]))
                return [by(self.joined(table), "remove_token", city=city, slot=0)]
            case _:
                raise AssertionError(command)

    def taken(self, company: CompanyId, source: Party, buyer: Party, number: int) -> list[str]:
        shares = list(self.game.certificates.ordinary(company, source)[:number])
        assert len(shares) == number, (company, source)
        for share in shares:
            self.game.certificates.moved(share, buyer)
        return shares

    def sale(self, player: PlayerId, command: c.SellShares) -> Json:
        company, certificates = command.company, self.game.certificates
        shares: list[str] = list(certificates.ordinary(company, player))
        number = net(command)
        if "3d" in command.given or number > len(shares):
            shares = [*shares[: max(0, number)], f"{company}_0"]
            while certificates.percent(shares[1:]) >= number * 10 and len(shares) > 1:
                shares = shares[1:]
        else:
            shares = shares[:number]
        return by(player, "sell_shares", shares=shares, percent=number * 10)

    def city(self, table: Table, hex_id: HexId, city: int = 0) -> str:
        if hex_id in table_areas(table):
            return "D15-0-4"
        return f"{self.tiles.get(hex_id, f'{hex_id}-0')}-{city}"

    def built(
        self,
        table: Table,
        company: CompanyId,
        command: c.LayTile | c.PlaceSmallStation | c.PlaceToken,
    ) -> list[Json]:
        match command:
            case c.PlaceToken(place, city, _):
                return [by(company, "place_token", city=self.city(table, place, city), slot=0)]
            case c.PlaceSmallStation(hex_id, line):
                lies = table.board.tiles[hex_id]
                lines = frozenset((*table.board.small_stations.get(hex_id, ()), line))
                name, rotation = variant(lies.tile, lies.rotation, lines)
            case c.LayTile(hex_id, tile, rotation, _, _):
                name = tile
            case _:
                raise AssertionError(command)
        copy = f"{name}-{self.copies[name]}"
        self.copies[name] += 1
        self.tiles[hex_id] = copy
        return [by(company, "lay_tile", hex=hex_id, tile=copy, rotation=rotation)]

    def train(self, table: Table, company: CompanyId | None, command: c.BuyTrain) -> Json:
        card = ruleset_of(table).facts.trains[command.kind]
        there = [one.id for one in table.trains[SUPPLY] if one.kind == command.kind]
        train = command.train or next(iter(there), TrainId(f"{command.kind}-99"))
        more: Json = {}
        if command.side is not None:
            more = {"variant": card.sides[command.side].name, "warranties": command.warranties}
        return by(company, "buy_train", train=train, price=command.price, **more)

    def joined(self, table: Table) -> Party:
        question = top(table)
        assert isinstance(question, Question)
        assert isinstance(question.matter, SurplusTokens)
        return question.matter.company

    def holder(self, table: Table) -> Party:
        question = top(table)
        assert isinstance(question, Question)
        assert isinstance(question.matter, OptionShare)
        return question.matter.holder


def table_areas(table: Table) -> frozenset[str]:
    return frozenset(ruleset_of(table).facts.map.areas)


def by(party: Party | None, does: str, **keys: Any) -> Json:
    entity: int | str = int(party) if str(party).isdigit() else str(party)
    of = "player" if isinstance(entity, int) else "corporation"
    return {"type": does, "entity": entity, "entity_type": of, **keys}


def variant(tile: TileId, rotation: int, lines: frozenset[str]) -> tuple[str, int]:
    """The site's tile for a tile with small stations on these lines, and how it is turned."""
    turns = (rotation, *range(6))
    return next(
        (name, turn)
        for turn in turns
        for name in STATIONS
        if tile_of(name) == tile and lines_of(name, turn) == lines
    )


def route(run: Run) -> Json:
    """A run as the site lists it: one stretch of hexes between two large stations after another."""
    (train,) = run.trains
    stretches: list[list[str]] = [[]]
    for number, piece in enumerate(run.track):
        if stretches[-1][-1:] != [piece.hex]:
            stretches[-1].append(piece.hex)
        onward = run.track[number + 1 : number + 2]
        if any(next_.hex == piece.hex and calls_at(piece, next_) for next_ in onward):
            stretches.append([piece.hex])
    return {"train": train, "connections": stretches}


def calls_at(piece: Track, onward: Track) -> bool:
    """Whether a run stops between two pieces of track."""
    shared = {piece.one, piece.other} & {onward.one, onward.other}
    return any(end[0] in "co" for end in shared)
