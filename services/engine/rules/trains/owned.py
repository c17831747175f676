"""Trains: who owns which, what is on sale, how many a company may own (3.7)."""

from contracts.ids import POOL, SUPPLY, CompanyId, Money, Party, TrainId, TrainKind
from contracts.pieces import Train
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table


def trains_of(table: Table, owner: Party) -> tuple[Train, ...]:
    """The trains of a company, or those in the pool, in the supply or in the box."""
    return table.trains.get(owner, ())


def face_value(ruleset: Ruleset, kind: TrainKind) -> Money:
    """The price printed on a train."""
    return ruleset.facts.trains[kind].price


def train_limit(ruleset: Ruleset, table: Table) -> int:
    """The most trains that a company may own now (3.7.3)."""
    return ruleset.facts.phases[table.phase].train_limit


def never_rusts(ruleset: Ruleset, kind: TrainKind) -> bool:
    """Whether trains of a kind last for ever, by themselves or by a variant."""
    card = ruleset.facts.trains[kind]
    return card.rusted_by is None or any(
        ruleset.variants.get(id) == choice for id, choice in card.permanent_when.items()
    )


def rusted_kinds(ruleset: Ruleset, table: Table) -> tuple[TrainKind, ...]:
    """The kinds that have rusted by now, in the order in which they did."""
    rusted: list[TrainKind] = []
    for id, phase in ruleset.facts.phases.items():
        rusted += (kind for kind in phase.rusts if not never_rusts(ruleset, kind))
        if id == table.phase:
            break
    return tuple(rusted)


def surplus(ruleset: Ruleset, table: Table, company: Party) -> int:
    """How many trains a company has above the limit and must give up."""
    if ruleset.facts.operating_rules.surplus_trains == "kept":
        return 0
    return max(0, len(trains_of(table, company)) - train_limit(ruleset, table))


def bank_sells(ruleset: Ruleset, table: Table) -> tuple[Train, ...]:
    """The next card of each kind that the bank sells: the lowest left, and what stands beside it.

    A kind without end has no cards in the supply; each is made when it is bought (3.7.1).
    """
    left = trains_of(table, SUPPLY)
    on_sale = list(left[:1])
    for kind, card in ruleset.facts.trains.items():
        if card.count is not None:
            continue
        if not left or _has_been_sold(table, card.available_after):
            on_sale.append(Train(_next_id(table, kind), kind))
    return tuple(on_sale)


def pool_sells(table: Table) -> tuple[Train, ...]:
    """The trains in the pool, at face value."""
    return trains_of(table, POOL)


def cheapest(ruleset: Ruleset, table: Table) -> Money:
    """The lowest price of a train of the bank or the pool (3.7.6)."""
    return min(
        face_value(ruleset, train.kind)
        for train in (*bank_sells(ruleset, table), *pool_sells(table))
    )


def sellers(table: Table, buyer: CompanyId) -> tuple[CompanyId, ...]:
    """The other companies that have a train."""
    return tuple(
        company for company in table.charters if company != buyer and trains_of(table, company)
    )


def _has_been_sold(table: Table, kind: TrainKind | None) -> bool:
    """Whether the first train of a kind has left the supply."""
    return any(
        train.kind == kind
        for owner, owned in table.trains.items()
        if owner != SUPPLY
        for train in owned
    )


def _next_id(table: Table, kind: TrainKind) -> TrainId:
    made = sum(1 for owned in table.trains.values() for train in owned if train.kind == kind)
    return TrainId(f"{kind}-{made}")
