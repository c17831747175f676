"""Laying a tile by right of a private that the company owns (3.8.2)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import LayTile
from contracts.ids import CompanyId, Party
from contracts.rejections import Code, Rejection
from contracts.titles.facts import Private
from services.engine.rules.acts.lay_tile import (
    cities_open,
    city_objection,
    has_lays_left,
    laid,
    lay_of,
    price_objection,
)
from services.engine.rules.companies.privates import LAYS, blocked_hexes, lays_left, right_of
from services.engine.rules.draft import Draft
from services.engine.rules.network.lays import lay_objections, legal_lays
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.track.refusals import tile_refusals
from services.engine.rules.track.surveys import reached
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table

TRACK = "track"
"""The step in which the ordinary tile is laid."""


def usable(ruleset: Ruleset, table: Table, company: CompanyId, private: Private) -> bool:
    """Whether a private's lay may be made now.

    An extra lay may be made at any point of the turn; one that stands for the ordinary tile is made
    in its step, or by ruling "right of the turn's tile" at any point, if that tile is not laid yet.
    """
    turn = current_turn(table)
    if private.lay is None or turn is None or turn.who != company:
        return False
    if lays_left(table, private) < 1:
        return False
    anywhen = ruleset.rulings["right of the turn's tile"] == "at any point"
    in_time = turn.steps[:1] == (TRACK,) or anywhen
    return private.lay.extra or (in_time and has_lays_left(ruleset, turn))


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """The lays that the company's privates give."""
    company = CompanyId(who)
    for private in ruleset.facts.privates.values():
        lay_facts = private.lay
        if lay_facts is None or right_of(ruleset, table, company, private.id) is None:
            continue
        if not usable(ruleset, table, company, private):
            continue
        lays = legal_lays(
            ruleset.facts,
            table.board,
            table.phase,
            company,
            hex_id=lay_facts.hex,
            blocked=blocked_hexes(ruleset, table),
            needs_route=lay_facts.needs_route,
            reached=reached(ruleset, table, company) if lay_facts.needs_route else None,
        )
        for lay in lays:
            if lay.tile in lay_facts.tiles:
                for city in cities_open(ruleset, table, lay):
                    yield Offer(LayTile(lay.hex, lay.tile, lay.rotation, private.id, city))


def objections(ruleset: Ruleset, table: Table, who: Party, command: LayTile) -> Iterator[Rejection]:
    """What speaks against a lay by right: the right itself, then the track, then the cost."""
    company = CompanyId(who)
    private = right_of(ruleset, table, company, command.right)
    lay_facts = None if private is None else private.lay
    if private is None or lay_facts is None:
        yield no_right(ruleset, f"{company} has no right of {command.right} to lay a tile.")
        return
    if not usable(ruleset, table, company, private):
        yield no_right(ruleset, f"The right of {private.id} cannot be used now, or is used up.")
    if command.hex != lay_facts.hex or command.tile not in lay_facts.tiles:
        yield no_right(
            ruleset,
            f"{private.id} lays nothing of the kind.",
            f"It lays {' or '.join(lay_facts.tiles)} on {lay_facts.hex}.",
        )
        return
    found = lay_objections(
        ruleset.facts,
        table.board,
        table.phase,
        company,
        lay_of(command),
        blocked=blocked_hexes(ruleset, table),
        needs_route=lay_facts.needs_route,
        reached=reached(ruleset, table, company) if lay_facts.needs_route else None,
    )
    yield from tile_refusals(ruleset, found)
    if found:
        return
    city = city_objection(ruleset, table, command)
    if city is not None:
        yield city
    price = ruleset.facts.map.hexes[command.hex].cost if lay_facts.pays_terrain else 0
    dear = price_objection(ruleset, table, company, price, "powers")
    if dear is not None:
        yield dear


def no_right(ruleset: Ruleset, sentence: str, legal: str = "") -> Rejection:
    """The refusal of what a private does not allow."""
    return refused(ruleset, Code.NO_RIGHT, "powers", sentence, legal)


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: LayTile) -> None:
    """Lay the tile and count the use of the right."""
    private = right_of(ruleset, draft.table, CompanyId(who), command.right)
    assert private is not None and private.lay is not None  # noqa: PT018 - one thing is asserted
    used = private.lay.count - lays_left(draft.table, private)
    laid(ruleset, draft, CompanyId(who), command, pays_terrain=private.lay.pays_terrain)
    draft.emit(e.CounterMoved(LAYS, {private.id: used + 1}))


def is_by_right(command: LayTile) -> bool:
    """Whether a lay is by right of a private."""
    return command.right is not None


LAY_BY_RIGHT = Act(LayTile, offers, objections, perform, is_by_right)
