"""Placing a token by right of a private, where its right laid the tile (3.8.2)."""

from collections.abc import Iterable, Iterator

from contracts.commands import PlaceToken
from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from contracts.titles.facts import Private
from services.engine.rules.acts.lay_by_right import no_right
from services.engine.rules.acts.lay_tile import price_objection
from services.engine.rules.acts.place_token import no_token_left, place_in, placed
from services.engine.rules.companies.privates import right_of
from services.engine.rules.draft import Draft
from services.engine.rules.network.places import legal_places, place_objections
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.track.refusals import token_refusals
from services.engine.rules.track.surveys import reached
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table

TOKEN = "token"  # noqa: S105 - a token of the board, not a secret
"""The step in which the turn's token is placed."""


def usable(ruleset: Ruleset, table: Table, company: CompanyId, private: Private) -> bool:
    """Whether a private's token may be placed now: it is the turn's token.

    Where the right is to lay a tile and a token, the token comes in the same turn or never; where
    the tile may be laid at any point, it may too (ruling "right of the turn's tile").
    """
    turn = current_turn(table)
    if private.token is None or turn is None or turn.who != company:
        return False
    anywhen = ruleset.rulings["right of the turn's tile"] == "at any point"
    if turn.placed or (TOKEN not in turn.steps and not anywhen):
        return False
    by_it = any(laying.right == private.id for laying in turn.laid)
    return by_it or not private.token.same_turn_as_lay


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """The places that the company's privates give."""
    company = CompanyId(who)
    for private in ruleset.facts.privates.values():
        token = private.token
        if token is None or right_of(ruleset, table, company, private.id) is None:
            continue
        if usable(ruleset, table, company, private):
            places = legal_places(
                ruleset.facts,
                table.board,
                company,
                hex_id=token.hex,
                needs_route=token.needs_route,
                reached=reached(ruleset, table, company) if token.needs_route else None,
            )
            for place in places:
                if place.city is not None:
                    yield Offer(PlaceToken(place.hex, place.city, private.id))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: PlaceToken
) -> Iterator[Rejection]:
    """What speaks against a token by right: the right itself, then the place, then the cost."""
    company = CompanyId(who)
    private = right_of(ruleset, table, company, command.right)
    token = None if private is None else private.token
    if private is None or token is None:
        yield no_right(ruleset, f"{company} has no right of {command.right} to place a token.")
        return
    if not usable(ruleset, table, company, private):
        yield no_right(
            ruleset,
            f"The right of {private.id} to place a token cannot be used now.",
            "It is used in the turn in which the private laid the tile, as the turn's token.",
        )
    if command.place != token.hex:
        yield no_right(ruleset, f"{private.id} places a token on {token.hex} only.")
        return
    none_left = no_token_left(ruleset, table, company)
    if none_left is not None:
        yield none_left
        return
    found = place_objections(
        ruleset.facts,
        table.board,
        company,
        place_in(ruleset, table, command.place, command.city),
        needs_route=token.needs_route,
        reached=reached(ruleset, table, company) if token.needs_route else None,
    )
    yield from token_refusals(ruleset, found)
    dear = price_objection(ruleset, table, company, token.cost, "powers")
    if dear is not None:
        yield dear


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: PlaceToken) -> None:
    """Place the token for what the private says it costs."""
    company = CompanyId(who)
    private = right_of(ruleset, draft.table, company, command.right)
    assert private is not None and private.token is not None  # noqa: PT018 - one thing is asserted
    placed(ruleset, draft, company, command, private.token.cost)


def is_by_right(command: PlaceToken) -> bool:
    """Whether a token is placed by right of a private."""
    return command.right is not None


TOKEN_BY_RIGHT = Act(PlaceToken, offers, objections, perform, is_by_right)
