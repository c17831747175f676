"""What happened on the board and with trains: tiles, tokens, runs."""

from contracts.happened.base import Event
from contracts.ids import (
    CompanyId,
    HexId,
    Money,
    Party,
    TileId,
    TrainId,
)
from contracts.money import Payments
from contracts.pieces import (
    Train,
)
from contracts.placed import LaidTile, Token
from contracts.runs import Run, ScoreLine


class TileLaid(Event, frozen=True):
    """A tile was laid. `tokens` are all tokens on the hex as they lie afterwards."""

    company: CompanyId
    hex: HexId
    tile: TileId
    rotation: int
    replaced: LaidTile | None
    tokens: tuple[Token, ...]
    right: CompanyId | None
    payments: Payments
    small_stations: tuple[str, ...] = ()
    """Lines of the hex with a small station afterwards, each by its two sides, as `0-3`."""


class SmallStationPlaced(Event, frozen=True):
    """A small station was placed on a line of a hex."""

    company: CompanyId
    hex: HexId
    line: str


class TokenRemoved(Event, frozen=True):
    """A token left the board: back to the `charter`, `lost`, or `replaced` by another company's."""

    company: CompanyId
    place: str
    to: str


class TokenPlaced(Event, frozen=True):
    """A token of a company was placed; `right` names the private used."""

    token: Token
    right: CompanyId | None
    payments: Payments


class TrainBought(Event, frozen=True):
    """A train was bought; `handed_in` went to the pool in part payment."""

    company: CompanyId
    train: Train
    seller: Party
    payments: Payments
    handed_in: TrainId | None = None


class TrainsMoved(Event, frozen=True):
    """Trains moved unpaid: `discarded`."""

    trains: tuple[TrainId, ...]
    source: Party
    target: Party
    because: str


class WarrantiesSet(Event, frozen=True):
    """These trains have so many warranties left."""

    company: CompanyId
    warranties: dict[TrainId, int]


class TrainsRusted(Event, frozen=True):
    """These trains left the game."""

    trains: tuple[TrainId, ...]


class RoutesRun(Event, frozen=True):
    """A company ran: the runs, their score line by line, and what they earned."""

    company: CompanyId
    runs: tuple[Run, ...]
    lines: tuple[ScoreLine, ...]
    revenue: Money
    subsidy: Money = 0
    bonus: Money = 0


class EarningsDivided(Event, frozen=True):
    """Earnings were divided: `dividend` paid out, `kept` by the company."""

    company: CompanyId
    earnings: Money
    added: Money
    dividend: Money
    kept: Money
    payments: Payments
