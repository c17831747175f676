"""All views of one table, kept up record by record.

`project` adds a page for each record; `view` shows one view at the table's version, the last or any
earlier one. Everything is pure, and the state can be stored at any time, whole or page by page.
"""

from typing import Final, Literal, get_args

import msgspec
from msgspec import Struct

from contracts.ids import TableId
from contracts.records import Record
from contracts.titles.load import facts as facts_of
from contracts.views import AnyView
from services.engine.projections import (
    board,
    companies,
    ledger,
    market,
    minutes,
    order,
    programmes,
    seats,
    tables,
    turn,
    wealth,
)
from services.engine.projections.pages import Page
from services.engine.projections.words import words_of
from services.engine.projections.writing import page_of
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.state import Table

Name = Literal[
    "wealth",
    "order",
    "market",
    "companies",
    "board",
    "turn",
    "ledger",
    "minutes",
    "tables",
    "seats",
    "programmes",
    "requests",
]
NAMES: Final[tuple[Name, ...]] = get_args(Name)
"""The views; `tables` is the table's line in the lobby."""


class State(Struct, frozen=True, array_like=True):
    """The pages of a table's records, from version 1 without a gap."""

    table: TableId
    pages: tuple[Page, ...] = ()

    @property
    def version(self) -> int:
        """The last record that was projected."""
        return len(self.pages)


class OutOfOrderError(ValueError):
    """A record was to be projected before the ones that it follows."""


def start(table_id: TableId) -> State:
    """The state before the first record."""
    return State(table_id)


def project(state: State, record: Record, before: Table, after: Table) -> State:
    """The state one record later. A record that was projected already changes nothing."""
    if record.version <= state.version:
        return state
    return with_page(state, page_of(record, before, after))


def with_page(state: State, page: Page) -> State:
    """The state with the page that follows, new or read from where it was stored."""
    if page.version != state.version + 1:
        raise OutOfOrderError(f"version {page.version} cannot follow version {state.version}")
    return State(state.table, (*state.pages, page))


def view(state: State, table: Table, name: Name) -> AnyView:
    """One view of the table as it stands; the state may reach further than the table."""
    facts = facts_of(table.title)
    words = words_of(table, facts)
    pages = state.pages
    match name:
        case "wealth":
            return wealth.view(ruleset_of(table), words, pages, table)
        case "order":
            return order.view(ruleset_of(table), table)
        case "market":
            return market.view(facts, pages, table)
        case "companies":
            return companies.view(facts, pages, table)
        case "board":
            return board.view(table)
        case "turn":
            return turn.view(words, pages, table)
        case "ledger":
            return ledger.view(pages, table)
        case "minutes":
            return minutes.view(pages, table)
        case "tables":
            return tables.view(facts, words, pages, table)
        case "seats":
            return seats.view(words, pages, table)
        case "programmes":
            return programmes.view(words, pages, table)
        case "requests":
            return turn.requests(words, pages, table)


def views(state: State, table: Table) -> dict[Name, AnyView]:
    """All views of the table as it stands."""
    return {name: view(state, table, name) for name in NAMES}


_encoder = msgspec.msgpack.Encoder()
_pages = msgspec.msgpack.Decoder(Page)
_states = msgspec.msgpack.Decoder(State)


def encoded_page(page: Page) -> bytes:
    """A page as it is stored."""
    return _encoder.encode(page)


def decoded_page(body: bytes) -> Page:
    """A page that was stored."""
    return _pages.decode(body)


def encoded(state: State) -> bytes:
    """The whole state as it is stored."""
    return _encoder.encode(state)


def decoded(body: bytes) -> State:
    """A state that was stored."""
    return _states.decode(body)
