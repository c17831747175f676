"""Read a title's facts from its file, strictly.

An unknown or missing key is an error that names its path.
"""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Protocol, TypeVar

import msgspec
from msgspec import Struct, field

from contracts.ids import AreaId, HexId, Money, TileId, TitleId
from contracts.titles.facts import (
    Area,
    Auction,
    CityFacts,
    Colour,
    End,
    Facts,
    Hex,
    Letters,
    Map,
    Market,
    OffboardFacts,
    OperatingRules,
    Option,
    Phase,
    Private,
    Public,
    Receivership,
    Running,
    Setup,
    ShareRules,
    Starting,
    Tile,
    TileRules,
    Title,
    TokenRules,
    TownFacts,
    TrackEnds,
    TrainCard,
    Turns,
    Warranties,
)

_PACKAGE = "contracts.titles"
_NO_NUMBER = ("unlimited", "none")


class FactsError(ValueError):
    """A title is unknown, or its file is not as it should be."""


@cache
def titles() -> tuple[TitleId, ...]:
    """The titles that can be played, in order."""
    return tuple(title for title in all_titles() if facts(title).title.playable)


@cache
def all_titles() -> tuple[TitleId, ...]:
    """The titles that have facts, in order, whether or not their rules are there."""
    names = (entry.name for entry in files(_PACKAGE).iterdir())
    return tuple(
        TitleId(name.removesuffix(".toml")) for name in sorted(names) if name.endswith(".toml")
    )


@cache
def facts(title_id: str) -> Facts:
    """The facts of a title; the same object each time."""
    if title_id not in all_titles():
        known = ", ".join(all_titles())
        raise FactsError(f"There is no title {title_id!r}; there are: {known}.")
    text = files(_PACKAGE).joinpath(f"{title_id}.toml").read_text(encoding="utf-8")
    return parsed(text, f"{title_id}.toml")


def parsed(text: str, name: str) -> Facts:
    """The facts in the text of a title's file; `name` is what errors call it."""
    try:
        document = _numbers_without_end(tomllib.loads(text))
        file = msgspec.convert(document, _File, str_keys=True)
        return _facts(file)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, FactsError) as error:
        raise FactsError(f"{name}: {error}") from error


class _HexGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the file for all hexes that are printed alike."""

    at: tuple[HexId, ...]
    colour: Colour
    names: dict[HexId, str] = {}
    city: tuple[CityFacts, ...] = ()
    town: tuple[TownFacts, ...] = ()
    offboard: tuple[OffboardFacts, ...] = ()
    track: tuple[str, ...] = ()
    cost: Money = 0
    terrain: str | None = None
    label: str | None = None
    labels: dict[Colour, str] = {}
    impassable: tuple[int, ...] = ()


class _MapTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The map as the file writes it."""

    letters: Letters
    area: tuple[Area, ...]
    hex: tuple[_HexGroup, ...]


class _TileEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A tile as the file writes it."""

    id: TileId
    colour: Colour
    count: int | None
    city: tuple[CityFacts, ...] = ()
    town: tuple[TownFacts, ...] = ()
    track: tuple[str, ...] = ()
    label: str | None = None
    only_at: tuple[HexId, ...] = ()


class _File(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A title's file as it is written."""

    title: Title
    setup: Setup
    share_rules: ShareRules
    auction: Auction
    map: _MapTable
    tile_rules: TileRules
    token_rules: TokenRules
    running: Running
    operating_rules: OperatingRules
    market: Market
    starting: tuple[Starting, ...] = ()
    receivership: Receivership | None = None
    warranties: Warranties | None = None
    privates: tuple[Private, ...] = field(name="private", default=())
    publics: tuple[Public, ...] = field(name="public")
    tiles: tuple[_TileEntry, ...] = field(name="tile")
    trains: tuple[TrainCard, ...] = field(name="train")
    phases: tuple[Phase, ...] = field(name="phase")
    ends: tuple[End, ...] = field(name="end")
    turns: Turns
    rulings: tuple[Option, ...] = field(name="ruling", default=())
    ruling_sets: dict[str, dict[str, str]] = {}
    variants: tuple[Option, ...] = field(name="variant", default=())
    sections: dict[str, str]


def _numbers_without_end(value: object) -> object:
    """The same document with None for the words that stand for no number."""
    match value:
        case dict():
            return {key: _numbers_without_end(part) for key, part in value.items()}
        case list():
            return [_numbers_without_end(part) for part in value]
        case str() if value in _NO_NUMBER:
            return None
        case _:
            return value


def _facts(file: _File) -> Facts:
    return Facts(
        title=file.title,
        setup=file.setup,
        share_rules=file.share_rules,
        auction=file.auction,
        privates=_by_id("private", file.privates),
        publics=_by_id("public", file.publics),
        map=_map(file.map),
        tile_rules=file.tile_rules,
        tiles=_by_id("tile", [_tile(entry) for entry in file.tiles]),
        operating_rules=file.operating_rules,
        market=file.market,
        trains=_trains(file.trains),
        phases=_by_id("phase", file.phases),
        ends=_by_id("end", file.ends),
        turns=file.turns,
        rulings=_by_id("ruling", file.rulings),
        ruling_sets=_sets(file),
        variants=_by_id("variant", file.variants),
        sections=file.sections,
        token_rules=file.token_rules,
        running=file.running,
        starting=_by_id("starting", file.starting),
        receivership=file.receivership,
        warranties=file.warranties,
    )


def _sets(file: _File) -> dict[str, dict[str, str]]:
    options = {ruling.id: ruling.options for ruling in file.rulings}
    for name, chosen in file.ruling_sets.items():
        for ruling, option in chosen.items():
            if option not in options.get(ruling, ()):
                raise FactsError(
                    f"ruling_sets.{name} has the unknown ruling {ruling} = {option!r}."
                )
    return file.ruling_sets


class _Named(Protocol):
    @property
    def id(self) -> str: ...


_N = TypeVar("_N", bound=_Named)


def _by_id(table: str, entries: Iterable[_N]) -> dict[Any, _N]:
    found: dict[Any, _N] = {}
    for entry in entries:
        if entry.id in found:
            raise FactsError(f"{table} {entry.id!r} is there twice.")
        found[entry.id] = entry
    return found


def _map(table: _MapTable) -> Map:
    areas: dict[AreaId, Area] = _by_id("map.area", table.area)
    hexes: dict[HexId, Hex] = _by_id(
        "map.hex", [_hex(at, group) for group in table.hex for at in group.at]
    )
    for hex_ in hexes.values():
        for offboard in hex_.offboard:
            if offboard.area not in areas:
                raise FactsError(f"map.hex {hex_.id} names the unknown area {offboard.area!r}.")
    return Map(letters=table.letters, areas=areas, hexes=hexes)


def _hex(at: HexId, group: _HexGroup) -> Hex:
    return Hex(
        id=at,
        name=group.names.get(at),
        colour=group.colour,
        city=group.city,
        town=group.town,
        offboard=group.offboard,
        track=_track(f"map.hex {at}", group.track, group.city, group.town, group.offboard),
        cost=group.cost,
        terrain=group.terrain,
        label=group.label,
        impassable=group.impassable,
        labels=group.labels,
    )


def _tile(entry: _TileEntry) -> Tile:
    return Tile(
        id=entry.id,
        colour=entry.colour,
        count=entry.count,
        city=entry.city,
        town=entry.town,
        track=_track(f"tile {entry.id}", entry.track, entry.city, entry.town, ()),
        label=entry.label,
        only_at=entry.only_at,
    )


def _trains(cards: tuple[TrainCard, ...]) -> dict[Any, TrainCard]:
    for card in cards:
        if card.sides and card.stations is not None:
            raise FactsError(f"train {card.id} has stations and sides.")
    return _by_id("train", cards)


def _track(
    where: str,
    pieces: Iterable[str],
    cities: tuple[CityFacts, ...],
    towns: tuple[TownFacts, ...],
    offboards: tuple[OffboardFacts, ...],
) -> tuple[TrackEnds, ...]:
    """Pieces of track with every node's number written out, each end checked."""
    most = {"c": len(cities), "t": len(towns), "o": len(offboards), "j": 10}
    track = []
    for piece in pieces:
        ends = tuple(_end(end) for end in piece.split())
        if len(ends) != 2 or not all(_exists(end, most) for end in ends):
            raise FactsError(f"{where} has the impossible track {piece!r}.")
        track.append((ends[0], ends[1]))
    return tuple(track)


def _end(end: str) -> str:
    """An end with its number: one of a kind may be written without."""
    return f"{end}0" if end.isalpha() else end


def _exists(end: str, most: dict[str, int]) -> bool:
    if end.isdigit():
        return int(end) < 6
    return end[:1] in most and end[1:].isdigit() and int(end[1:]) < most[end[0]]
