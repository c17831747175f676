"""What the board as it lies lets a company do, worked out once for each board.

A board is never changed in place, so what was found out about it holds for good. Only the last few
boards are remembered.
"""

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from contracts.ids import CompanyId, PhaseId
from contracts.pieces import Train as Card
from contracts.runs import Run
from contracts.titles.facts import Facts
from services.engine.rules.network.best import Best, best
from services.engine.rules.network.field import field_of
from services.engine.rules.network.graph import Network, network, rights
from services.engine.rules.network.idle import idle_objections
from services.engine.rules.network.places import home_is_possible
from services.engine.rules.network.reach import Reach, reach_in
from services.engine.rules.network.readings import Readings, readings_of, runs_are_united
from services.engine.rules.network.routes import Checked, Train, checked
from services.engine.rules.network.walks import train_of
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.owned import never_rusts
from services.engine.rules.trains.sided import may_run
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
            and self.board.small_stations == other.board.small_stations
        )

    def __hash__(self) -> int:
        return self.fingerprint


@lru_cache(maxsize=32)
def _fingerprinted(same: _Same) -> _Lying:
    board = same.board
    lying = frozenset(board.tiles.items()), board.tokens, frozenset(board.small_stations.items())
    return _Lying(board, hash(lying))


def _lying(table: Table) -> _Lying:
    return _fingerprinted(_Same(table.board))


def reached(ruleset: Ruleset, table: Table, company: CompanyId) -> Reach:
    """What the tokens of a company reach."""
    return _reach(ruleset.facts, _lying(table), company)


def route_is_possible(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether a token of the company is joined by track to another station, whatever train runs."""
    return _route_is_possible(ruleset.facts, _lying(table), company)


def run_is_possible(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether any train of the company can run.

    Where runs have to hang together from home, one can if it could run beside no others.
    """
    trains = running_trains(ruleset, table, company)
    if not trains:
        return False
    if not runs_are_united(ruleset.facts):
        return route_is_possible(ruleset, table, company)
    readings = readings_of(ruleset.rulings)
    return _one_can_run(ruleset.facts, _lying(table), company, trains, readings)


def home_is_free(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether a company that is started now could place its home token (3.2)."""
    return _home_is_free(ruleset.facts, _lying(table), table.phase, company)


def run_checked(
    ruleset: Ruleset, table: Table, company: CompanyId, runs: tuple[Run, ...]
) -> Checked:
    """What a set of runs scores, or what speaks against it."""
    return _checked(
        ruleset.facts,
        _lying(table),
        table.phase,
        company,
        running_trains(ruleset, table, company),
        runs,
        readings_of(ruleset.rulings),
    )


def best_runs(ruleset: Ruleset, table: Table, company: CompanyId, *, both: bool = False) -> Best:
    """The best runs of all trains of a company that the search finds.

    With `both` a subsidy counts as much as revenue; else it decides only between equals.
    """
    return _best(
        ruleset.facts,
        _lying(table),
        table.phase,
        company,
        running_trains(ruleset, table, company),
        readings_of(ruleset.rulings),
        both,
    )


def running_trains(ruleset: Ruleset, table: Table, company: CompanyId) -> tuple[Train, ...]:
    """The trains that a company may run: all, or those of a type that it has a permit for."""
    return tuple(
        train_as_ruled(ruleset, card)
        for card in table.trains.get(company, ())
        if may_run(ruleset, table, company, card)
    )


def train_as_ruled(ruleset: Ruleset, card: Card) -> Train:
    """A card as a train that may run; by some variants it never rusts."""
    train = train_of(ruleset.facts, card)
    permanent = never_rusts(ruleset, card.kind)
    return replace(train, rusts=False) if permanent else train


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


@lru_cache(maxsize=256)
def _home_is_free(facts: Facts, lying: _Lying, phase: PhaseId, company: CompanyId) -> bool:
    return home_is_possible(facts, lying.board, phase, company)


@lru_cache(maxsize=16)
def _checked(
    facts: Facts,
    lying: _Lying,
    phase: PhaseId,
    company: CompanyId,
    trains: tuple[Train, ...],
    runs: tuple[Run, ...],
    readings: Readings,
) -> Checked:
    return checked(facts, lying.board, phase, company, trains=trains, runs=runs, readings=readings)


@lru_cache(maxsize=64)
def _one_can_run(
    facts: Facts,
    lying: _Lying,
    company: CompanyId,
    trains: tuple[Train, ...],
    readings: Readings,
) -> bool:
    on = field_of(facts, lying.board, company, readings)
    return any(idle_objections(on, trains, (), (), readings))


@lru_cache(maxsize=64)
def _best(
    facts: Facts,
    lying: _Lying,
    phase: PhaseId,
    company: CompanyId,
    trains: tuple[Train, ...],
    readings: Readings,
    both: bool,  # noqa: FBT001 - a key of the cache
) -> Best:
    return best(facts, lying.board, phase, company, trains, readings=readings, both=both)
