"""Cards with several sides: which types there are, which of them a company may run or buy.

A card is one train, bought from the bank as one of its sides for good; what it costs follows from
the bands that have been sold (7.9).
"""

from functools import lru_cache

from contracts.ids import CompanyId, Money, TrainKind
from contracts.pieces import Train
from contracts.titles.facts import Facts, TrainLimit
from services.engine.rules.companies.permits import permits_of
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.trains.owned import bank_sells, face_value, trains_of
from services.engine.table.state import Table

TYPES = "train types"
"""The variant that says which types there are."""
EVERY_TYPE = "all"
GAMES = {1: "one type", 2: "two types"}
"""By the number of types: the game whose limits hold; with more it is that of all types."""


@lru_cache(maxsize=64)
def have_sides(facts: Facts) -> bool:
    """Whether a title's cards run as one of several sides."""
    return any(card.sides for card in facts.trains.values())


@lru_cache(maxsize=64)
def types_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The types of trains that there are, in the order of the cards' sides (11.1)."""
    sides = next(card.sides for card in ruleset.facts.trains.values())
    played = ruleset.variants.get(TYPES, EVERY_TYPE)
    return tuple(side for side in sides if played == EVERY_TYPE or side in played.split(" and "))


def needs_permits(ruleset: Ruleset) -> bool:
    """Whether a company needs a permit to run a train of a type (11.1)."""
    return bool(ruleset.facts.setup.permits.get(ruleset.variants.get(TYPES, EVERY_TYPE)))


def may_run(ruleset: Ruleset, table: Table, company: CompanyId, card: Train) -> bool:
    """Whether a company may run a train of its own: one without sides, or of a permitted type."""
    return card.side is None or card.side in permitted_types(ruleset, table, company)


def permitted_types(ruleset: Ruleset, table: Table, company: CompanyId) -> tuple[str, ...]:
    """The types that a company may run (7.8)."""
    permits = permits_of(table, company)
    return tuple(one for one in types_of(ruleset) if one in permits or not needs_permits(ruleset))


def limit_now(ruleset: Ruleset, table: Table) -> TrainLimit:
    """How many trains a company may own now, of each type or in all (7.9, 9.0, 11.1)."""
    game = GAMES.get(len(types_of(ruleset)), EVERY_TYPE)
    return ruleset.facts.phases[table.phase].limits[game]


def has_room(ruleset: Ruleset, table: Table, company: CompanyId, side: str | None) -> bool:
    """Whether a company may buy a train of a type: it has fewer than it may (7.9)."""
    limit, owned = limit_now(ruleset, table), trains_of(table, company)
    if limit.total is not None and len(owned) >= limit.total:
        return False
    same = sum(1 for train in owned if train.side == side)
    return limit.each is None or same < limit.each


def set_price(ruleset: Ruleset, table: Table, kind: TrainKind) -> Money:
    """What a train costs now: its face value, half once one of a later band was sold (7.9)."""
    begun = ruleset.facts.phases[table.phase].first_train
    kinds = list(ruleset.facts.trains)
    outdated = begun is not None and kinds.index(begun) > kinds.index(kind)
    face = face_value(ruleset, kind)
    return face // 2 if outdated else face


def next_of_bank(ruleset: Ruleset, table: Table) -> Train:
    """The card that the bank sells next (7.9)."""
    return bank_sells(ruleset, table)[0]
