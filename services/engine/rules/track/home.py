"""A company's home token: free, at the start of its first turn (3.5.1)."""

from contracts import events as e
from contracts.ids import CompanyId
from contracts.placed import Token
from services.engine.rules.draft import Draft
from services.engine.rules.network.places import Place
from services.engine.table.state import Table

HOME = "home"
"""The kind of a home token."""


def home_token(table: Table, company: CompanyId) -> Token | None:
    """A company's home token, if it lies on the board."""
    for token in table.board.tokens:
        if token.company == company and token.kind == HOME:
            return token
    return None


def place_home(draft: Draft, company: CompanyId, place: Place) -> None:
    """Put the home token down: into a city, or on a hex that has none for it yet (3.4.8)."""
    token = Token(company, place.hex, place.city, place.slot, HOME)
    draft.emit(e.TokenPlaced(token, None, ()))
