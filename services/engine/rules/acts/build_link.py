"""Building a link to an area: a token there, in place of all other building (7.6.5)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import PlaceToken
from contracts.ids import AreaId, CompanyId, HexId, Party
from contracts.placed import Token
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.lay_tile import builds_something_else
from services.engine.rules.acts.place_token import ORDINARY, no_token_left
from services.engine.rules.draft import Draft
from services.engine.rules.network.places import free_space, legal_links, link_objections
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.track.refusals import link_refusals
from services.engine.rules.track.surveys import reached
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Every area that has spaces for tokens and is reached."""
    company = CompanyId(who)
    if not any(area.token_spaces for area in ruleset.facts.map.areas.values()):
        return
    there = reached(ruleset, table, company)
    for area in legal_links(ruleset.facts, table.board, company, reached=there):
        yield Offer(PlaceToken(HexId(area), 0))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: PlaceToken
) -> Iterator[Rejection]:
    """What speaks against a link: no such area, no token left, the area, what else was built."""
    company, area = CompanyId(who), AreaId(command.place)
    if area not in ruleset.facts.map.areas:
        yield Rejection(
            Code.WRONG_STEP, "design", f"A token in {command.place} is placed in its own step."
        )
        return
    none_left = no_token_left(ruleset, table, company)
    if none_left is not None:
        yield none_left
        return
    there = reached(ruleset, table, company)
    found = link_objections(ruleset.facts, table.board, company, area, reached=there)
    yield from link_refusals(ruleset, found)
    if command.city:
        yield refused(ruleset, Code.NO_SUCH_HEX, "link", "An area has no cities: name city 0.")
    yield from builds_something_else(ruleset, table, company, "link")


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: PlaceToken) -> None:
    """Put a token into the first free space."""
    board, area = draft.table.board, AreaId(command.place)
    space = free_space(ruleset.facts, board, area)
    draft.emit(e.TokenPlaced(Token(CompanyId(who), area, None, space, ORDINARY), None, ()))


def is_link(command: PlaceToken) -> bool:
    """Whether a token goes to an area: hexes end in a number, areas are called by a word."""
    return command.right is None and not command.place[-1:].isdigit()


BUILD_LINK = Act(PlaceToken, offers, objections, perform, is_link)
