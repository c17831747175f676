"""Placing a token: the ordinary one of a turn (3.5.2)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import PlaceToken
from contracts.ids import BANK, CompanyId, HexId, Money, Party
from contracts.money import pay
from contracts.placed import Token
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.lay_tile import price_objection
from services.engine.rules.draft import Draft
from services.engine.rules.network.places import (
    Place,
    free_slot,
    legal_places,
    place_objections,
)
from services.engine.rules.network.tiles import face_at
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.track.refusals import token_refusals
from services.engine.rules.track.surveys import reached
from services.engine.table.state import Table

ORDINARY = "ordinary"
"""The kind of every token but the home token."""


def next_cost(ruleset: Ruleset, table: Table, company: CompanyId) -> Money:
    """What the company's next token costs, by the number already placed.

    Nothing where tokens are paid for as the company floats (7.7).
    """
    costs = ruleset.facts.publics[company].tokens
    if not costs:
        return 0
    return costs[len(costs) - table.charters[company].tokens]


def place_in(ruleset: Ruleset, table: Table, hex_id: HexId, city: int) -> Place:
    """The first free slot of a city, or a place without a slot where there is none."""
    exists = hex_id in ruleset.facts.map.hexes and city in range(
        len(face_at(ruleset.facts, table.board, hex_id).cities)
    )
    slot = free_slot(ruleset.facts, table.board, hex_id, city) if exists else None
    return Place(hex_id, city, slot)


def no_token_left(ruleset: Ruleset, table: Table, company: CompanyId) -> Rejection | None:
    """A company places the tokens on its charter, and no more."""
    if table.charters[company].tokens:
        return None
    return refused(ruleset, Code.NO_TOKEN_LEFT, "token", f"{company} has placed all its tokens.")


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Every free slot that a route reaches."""
    company = CompanyId(who)
    if not table.charters[company].tokens or next_cost(ruleset, table, company) > table.cash[who]:
        return
    places = legal_places(
        ruleset.facts, table.board, company, reached=reached(ruleset, table, company)
    )
    for place in places:
        if place.city is not None:
            yield Offer(PlaceToken(place.hex, place.city))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: PlaceToken
) -> Iterator[Rejection]:
    """What speaks against a token: none left, the place, its cost."""
    company = CompanyId(who)
    none_left = no_token_left(ruleset, table, company)
    if none_left is not None:
        yield none_left
        return
    found = place_objections(
        ruleset.facts,
        table.board,
        company,
        place_in(ruleset, table, command.place, command.city),
        reached=reached(ruleset, table, company),
    )
    yield from token_refusals(ruleset, found)
    cost = next_cost(ruleset, table, company)
    dear = price_objection(ruleset, table, company, cost, "token")
    if dear is not None:
        yield dear


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: PlaceToken) -> None:
    """Place the token and pay for it."""
    company = CompanyId(who)
    placed(ruleset, draft, company, command, next_cost(ruleset, draft.table, company))


def placed(
    ruleset: Ruleset, draft: Draft, company: CompanyId, command: PlaceToken, cost: Money
) -> None:
    """Put an ordinary token into the first free slot of a city."""
    place = place_in(ruleset, draft.table, command.place, command.city)
    token = Token(company, place.hex, place.city, place.slot, ORDINARY)
    draft.emit(e.TokenPlaced(token, command.right, pay(company, BANK, cost)))


def is_ordinary(command: PlaceToken) -> bool:
    """Whether a token is not placed by right of a private."""
    return command.right is None


PLACE_TOKEN = Act(PlaceToken, offers, objections, perform, is_ordinary)
