"""Positions of 1862, written as one would tell them: who holds what, which trains run, what lies.

As in `positions.py` a position starts from a table that was really opened; what players, companies
and the pool have is taken from the bank and the offering. Permits are as named, whatever was drawn.
"""

from collections.abc import Mapping, Sequence

import msgspec

from contracts.ids import (
    BANK,
    OFFERING,
    POOL,
    SUPPLY,
    CertificateKind,
    CompanyId,
    Party,
    PhaseId,
    Space,
    TitleId,
    TrainKind,
)
from contracts.pieces import Certificates, Drawn, Holdings, Marker, Train
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.state import Table
from tests import positions
from tests.positions import company, party, player

TITLE = TitleId("1862")
THREE = ("ann", "bob", "cid")
DIRECTORS = CertificateKind("3d")
ONE = CertificateKind("1")


def opened(
    players: Sequence[str] = THREE,
    rulings: Mapping[str, str] | None = None,
    variants: Mapping[str, str] | None = None,
) -> Table:
    """A table that has just been opened."""
    return positions.opened(players, rulings, variants, TITLE)


class Railway(msgspec.Struct, frozen=True):
    """A floated company: its price and par, who holds its shares, what it owns."""

    company: str
    price: int
    holds: dict[str, int]
    par: int
    column: str
    director: str | None
    cash: int
    trains: tuple[str, ...]
    permits: tuple[str, ...]
    tokens: int


def railway(
    name: str,
    price: int,
    *,
    director: str | None,
    par: int = 100,
    column: str = "chartered",
    cash: int = 0,
    trains: Sequence[str] = (),
    permits: Sequence[str] = ("local",),
    tokens: int = 3,
    **shares: int,
) -> Railway:
    """A floated company; `pool=2` is two shares in the pool, `treasury=1` one on its charter.

    The rest lies in the offering. A director's shares are his certificate and the rest; without a
    director the certificate lies in the pool beside the shares named. Trains are `A local`, with
    warranties `A local 2`.
    """
    return Railway(
        name, price, shares, par, column, director, cash, tuple(trains), tuple(permits), tokens
    )


def position(
    *railways: Railway,
    cash: Mapping[str, int] | None = None,
    players: Sequence[str] = THREE,
    phase: str = "B",
    rulings: Mapping[str, str] | None = None,
    variants: Mapping[str, str] | None = None,
) -> Table:
    """A table on which everything lies as named, between two rounds; other companies are open."""
    table = opened(players, rulings, variants)
    accounts = dict(table.cash)
    named = {**(cash or {}), **{one.company: one.cash for one in railways}}
    for name, amount in named.items():
        accounts[BANK] -= amount - accounts[party(name)]
        accounts[party(name)] = amount
    certificates, charters = dict(table.certificates), dict(table.charters)
    market: dict[Space, tuple[CompanyId, ...]] = {}
    markers: dict[CompanyId, Marker] = {}
    trains, counters = dict(table.trains), dict(table.counters)
    for one in railways:
        id = company(one.company)
        certificates[id] = handed_out(one)
        acting = player(one.director or players[0])
        charters[id] = msgspec.structs.replace(
            charters[id],
            status="floated",
            par=one.par,
            column=one.column,
            director=None if one.director is None else acting,
            acting=acting,
            tokens=one.tokens,
            has_operated=True,
        )
        space = space_of(table, one.price)
        market[space] = (*market.get(space, ()), id)
        markers[id] = Marker(space, one.price)
        counters[id] = {f"permit {permit}": 1 for permit in one.permits}
        trains[id], trains[SUPPLY] = taken(trains[SUPPLY], one.trains)
    return msgspec.structs.replace(
        table,
        version=10,
        cash=accounts,
        certificates=certificates,
        charters=charters,
        market=market,
        markers=markers,
        trains=trains,
        counters=counters,
        phase=PhaseId(phase),
        agenda=(),
        rounds={"parliament": 2, "stock": 1},
        lots=drawn_for(table, railways),
    )


def drawn_for(table: Table, railways: Sequence[Railway]) -> dict[str, Drawn]:
    """The lots, as if the first permit named had been drawn for each company."""
    if "permits" not in table.lots:
        return table.lots
    companies = tuple(one.company for one in railways)
    others = tuple(c for c in table.lots["companies"].outcome if c not in companies)
    permits = tuple(one.permits[0] for one in railways)
    left = table.lots["permits"].outcome[len(permits) :]
    return {"companies": Drawn(1, (*companies, *others)), "permits": Drawn(1, (*permits, *left))}


def handed_out(one: Railway) -> Holdings:
    """Where a company's certificates lie."""
    holdings: Holdings = {}
    left = 10 - sum(one.holds.values())
    for name, number in one.holds.items():
        mine: Certificates = {}
        single = number
        if name == one.director:
            mine[DIRECTORS] = 1
            single -= 3
        if single:
            mine[ONE] = single
        where = {"pool": POOL, "treasury": party(one.company)}.get(name, party(name))
        holdings[where] = mine
    if one.director is None:
        holdings[POOL] = {DIRECTORS: 1, **holdings.get(POOL, {})}
        left -= 3
    if left:
        holdings[OFFERING] = {ONE: left}
    return holdings


def taken(
    supply: tuple[Train, ...], wanted: Sequence[str]
) -> tuple[tuple[Train, ...], tuple[Train, ...]]:
    """Trains out of the supply, as the sides named, and what is left there."""
    left, out = list(supply), []
    for words in wanted:
        kind, side, *warranties = words.split(" ")
        card = next(train for train in left if train.kind == TrainKind(kind))
        left.remove(card)
        tokens = int(warranties[0]) if warranties else 0
        out.append(msgspec.structs.replace(card, side=side, warranties=tokens))
    return tuple(out), tuple(left)


def sold_up_to(table: Table, kind: str) -> Table:
    """The table with all trains before a kind out of the game."""
    kinds = list(ruleset_of(table).facts.trains)
    before = kinds[: kinds.index(TrainKind(kind))]
    supply = table.trains[SUPPLY]
    gone = tuple(train for train in supply if train.kind in before)
    trains = {
        **table.trains,
        SUPPLY: tuple(train for train in supply if train not in gone),
        Party("box"): (*table.trains.get(Party("box"), ()), *gone),
    }
    return msgspec.structs.replace(table, trains=trains)


def space_of(table: Table, price: int) -> Space:
    """The space with a price."""
    (row,) = ruleset_of(table).facts.market.rows
    return Space(f"0,{row.index(price)}")


def shares(table: Table, name: str) -> dict[str, int]:
    """Where a company's shares are, by holder; a director's certificate counts its shares."""
    return {
        holder: sum(int(kind.removesuffix("d")) * number for kind, number in kinds.items())
        for holder, kinds in table.certificates[company(name)].items()
    }
