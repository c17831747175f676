"""Placing a small station on a line of plain track, in place of a tile (7.6.4).

It may be anywhere on the board: no route is asked for.
"""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import PlaceSmallStation
from contracts.ids import CompanyId, Party
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.lay_tile import builds_something_else
from services.engine.rules.draft import Draft
from services.engine.rules.network.building import (
    SmallStation,
    legal_small_stations,
    small_station_objections,
)
from services.engine.rules.network.tiles import towns_are_passed
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.track.refusals import small_station_refusals
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, _who: Party) -> Iterable[Offer]:
    """Every bare line of plain track on a green or brown tile."""
    for place in legal_small_stations(ruleset.facts, table.board):
        yield Offer(PlaceSmallStation(place.hex, place.line))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: PlaceSmallStation
) -> Iterator[Rejection]:
    """What speaks against it: the line, and what else was built or must be."""
    if not towns_are_passed(ruleset.facts):
        yield Rejection(Code.WRONG_STEP, "design", "There are no small stations to place.")
        return
    place = SmallStation(command.hex, command.line)
    found = small_station_objections(ruleset.facts, table.board, place)
    yield from small_station_refusals(ruleset, found)
    yield from builds_something_else(ruleset, table, CompanyId(who), "small station")


def perform(_ruleset: Ruleset, draft: Draft, who: Party, command: PlaceSmallStation) -> None:
    """Place it."""
    draft.emit(e.SmallStationPlaced(CompanyId(who), command.hex, command.line))


PLACE_SMALL_STATION = Act(PlaceSmallStation, offers, objections, perform)
