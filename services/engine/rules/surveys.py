"""What the board as it lies lets a company do, worked out once for each board.

A board is never changed in place, so what was found out about it holds for good. Only the last few
boards are remembered.
"""

from functools import lru_cache

from msgspec import Struct

from contracts.ids import CompanyId, PhaseId
from contracts.pieces import Train as Card
from contracts.runs import Run
from contracts.titles.facts import Facts
from services.engine.rules.network.best import Best, best
from services.engine.rules.network.graph import Network, network, rights
from services.engine.rules.network.reach import Reach, reach_in
from services.engine.rules.network.routes import Checked, Train, checked
from services.engine.rules.ruleset import Ruleset
from services.engine.table.board import Board
from services.engine.table.state import Table


class _Same(Struct, frozen=True, eq=False):
    """A board known by being this very object."""

    board: Board

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.board is other.board

    def __hash__(self) -> int:
        return id(self.board)


class _Lying(Struct, frozen=True, eq=False):
    """A board known by what lies on it: deciding and recording make two objects of each board."""

    board: Board
    fingerprint: int

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Lying)
            and self.fingerprint == other.fingerprint
            and self.board.tokens == other.board.tokens
            and self.board.tiles == other.board.tiles
        )

    def __hash__(self) -> int:
        return self.fingerprint


@lru_cache(maxsize=32)
def _fingerprinted(same: _Same) -> _Lying:
    board = same.board
    return _Lying(board, hash((frozenset(board.tiles.items()), board.tokens)))


def _lying(table: Table) -> _Lying:
    return _fingerprinted(_Same(table.board))


def reached(ruleset: Ruleset, table: Table, company: CompanyId) -> Reach:
    """What the tokens of a company reach."""
    return _reach(ruleset.facts, _lying(table), company)


def route_is_possible(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether a token of the company is joined by track to another station, whatever train runs."""
    return _route_is_possible(ruleset.facts, _lying(table), company)


def run_checked(
    ruleset: Ruleset, table: Table, company: CompanyId, runs: tuple[Run, ...]
) -> Checked:
    """What a set of runs scores, or what speaks against it."""
    return _checked(
        ruleset.facts,
        _lying(table),
        table.phase,
        company,
        _trains(ruleset, table.trains.get(company, ())),
        runs,
    )


def best_runs(ruleset: Ruleset, table: Table, company: CompanyId) -> Best:
    """The best runs of all trains of a company that the search finds."""
    return _best(
        ruleset.facts,
        _lying(table),
        table.phase,
        company,
        _trains(ruleset, table.trains.get(company, ())),
    )


def _trains(ruleset: Ruleset, cards: tuple[Card, ...]) -> tuple[Train, ...]:
    kinds = ruleset.facts.trains
    return tuple(Train(card.id, card.kind, kinds[card.kind].stations) for card in cards)


@lru_cache(maxsize=16)
def _network(facts: Facts, lying: _Lying) -> Network:
    return network(facts, lying.board)


@lru_cache(maxsize=128)
def _reach(facts: Facts, lying: _Lying, company: CompanyId) -> Reach:
    net = _network(facts, lying)
    return reach_in(net, rights(net, lying.board, company))


@lru_cache(maxsize=128)
def _route_is_possible(facts: Facts, lying: _Lying, company: CompanyId) -> bool:
    net = _network(facts, lying)
    own = rights(net, lying.board, company).tokens
    return any(token and exits for token, exits in zip(own, net.exits, strict=True))


@lru_cache(maxsize=16)
def _checked(
    facts: Facts,
    lying: _Lying,
    phase: PhaseId,
    company: CompanyId,
    trains: tuple[Train, ...],
    runs: tuple[Run, ...],
) -> Checked:
    return checked(facts, lying.board, phase, company, trains=trains, runs=runs)


@lru_cache(maxsize=64)
def _best(
    facts: Facts, lying: _Lying, phase: PhaseId, company: CompanyId, trains: tuple[Train, ...]
) -> Best:
    return best(facts, lying.board, phase, company, trains)
