"""Positions of the whole box of 1830, written as one would tell them: who holds what, and where.

A position starts from a table that was really opened, so every piece that is not named lies where
the box puts it, and money not named is the players' money of the start. What players, companies and
the pool have is taken from the bank and the offering, so sums stay what they were.
"""

from collections.abc import Mapping, Sequence

import msgspec

from contracts.commands import OpenTable, Order
from contracts.frames import Frame, Round
from contracts.ids import (
    BANK,
    OFFERING,
    POOL,
    CertificateKind,
    CommandId,
    CompanyId,
    FrameId,
    Party,
    PhaseId,
    PlayerId,
    Space,
    TableId,
    TitleId,
)
from contracts.pieces import Certificates, Charter, Holdings, Marker, Seat
from contracts.rejections import Rejection
from services.engine.rules.decide import decide
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import ruleset_for, ruleset_of
from services.engine.rules.settle import settle
from services.engine.rules.shares.market import cell_of
from services.engine.table.evolve import evolve_all
from services.engine.table.state import Table, new_table

TITLE = TitleId("1830")
FOUR = ("ann", "bob", "cid", "dan")
TABLE = TableId("t")


def party(name: str) -> Party:
    return Party(name)


def player(name: str) -> PlayerId:
    return PlayerId(Party(name))


def company(name: str) -> CompanyId:
    return CompanyId(Party(name))


def ones(number: int) -> dict[CertificateKind, int]:
    """So many ordinary certificates."""
    return {CertificateKind("1"): number}


def opened(
    players: Sequence[str] = FOUR,
    rulings: Mapping[str, str] | None = None,
    variants: Mapping[str, str] | None = None,
    title: TitleId = TITLE,
) -> Table:
    """A table that has just been opened: its first round begins with the first player."""
    seats = tuple(Seat(player(name), name.title()) for name in players)
    command = OpenTable(title, seats, 1, rulings=dict(rulings or {}), variants=dict(variants or {}))
    ruleset = ruleset_for(command)
    assert not isinstance(ruleset, Rejection), ruleset
    order = Order(TABLE, CommandId("open"), players[0], player(players[0]), command)
    events = decide(ruleset, new_table(TABLE), order)
    assert not isinstance(events, Rejection), events
    return msgspec.structs.replace(evolve_all(new_table(TABLE), events), version=1)


class At(msgspec.Struct, frozen=True):
    """A started company: where its marker lies, its par, and who holds how many shares."""

    company: str
    space: str
    holds: dict[str, int]
    par: int
    director: str
    floated: bool
    cash: int


def at(
    name: str,
    space: str,
    *,
    director: str,
    par: int = 100,
    floated: bool = True,
    cash: int = 0,
    **shares: int,
) -> At:
    """A started company; `pool=2` is two shares in the pool, the rest lies in the offering."""
    return At(name, space, shares, par, director, floated, cash)


def position(
    *,
    companies: Sequence[At] = (),
    cash: Mapping[str, int] | None = None,
    privates: Mapping[str, str] | None = None,
    closed: Sequence[str] = (),
    unstarted: Mapping[str, Mapping[str, int]] | None = None,
    players: Sequence[str] = FOUR,
    phase: str = "2",
    rulings: Mapping[str, str] | None = None,
    variants: Mapping[str, str] | None = None,
) -> Table:
    """A table on which everything lies as named, between two rounds.

    Privates not named belong to the last player, so that nothing is left from the opening.
    `unstarted` are single shares of companies without a par.
    """
    table = opened(players, rulings, variants)
    accounts = dict(table.cash)
    for name, amount in {**(cash or {}), **{a.company: a.cash for a in companies}}.items():
        accounts[BANK] -= amount - accounts[party(name)]
        accounts[party(name)] = amount
    certificates = dict(table.certificates)
    charters = dict(table.charters)
    for id, charter in table.charters.items():
        if charter.kind == "private":
            owner = player((privates or {}).get(id, players[-1]))
            certificates[id], charters[id] = private(charter, owner, is_closed=id in closed)
    for name, holders in (unstarted or {}).items():
        holdings = certificates[company(name)]
        certificates[company(name)] = handed_out(holdings, None, dict(holders))
    market: dict[Space, tuple[CompanyId, ...]] = {}
    markers: dict[CompanyId, Marker] = {}
    for one in companies:
        id, space = company(one.company), Space(one.space)
        status = "floated" if one.floated else "started"
        acting = player(one.director)
        certificates[id] = handed_out(certificates[id], acting, one.holds)
        charters[id] = msgspec.structs.replace(
            charters[id], status=status, par=one.par, director=acting, acting=acting
        )
        market[space] = (*market.get(space, ()), id)
        markers[id] = Marker(space, price_of(table, space))
    return msgspec.structs.replace(
        table,
        version=10,
        cash=accounts,
        certificates=certificates,
        charters=charters,
        market=market,
        markers=markers,
        phase=PhaseId(phase),
        agenda=(),
    )


def private(charter: Charter, owner: PlayerId, *, is_closed: bool) -> tuple[Holdings, Charter]:
    """Where a private's certificate lies, and what its charter says."""
    card = CertificateKind("1d")
    if is_closed:
        return {Party("box"): {card: 1}}, msgspec.structs.replace(charter, status="closed")
    held = msgspec.structs.replace(charter, status="floated", director=owner, acting=owner)
    return {owner: {card: 1}}, held


def handed_out(
    holdings: Holdings, director: PlayerId | None, shares: Mapping[str, int]
) -> Holdings:
    """One company's holdings once players and the pool have taken theirs from the offering."""
    left = dict(holdings[OFFERING])
    taken: Holdings = {}
    for name, number in shares.items():
        single = number
        mine: Certificates = {}
        if name == director:
            mine[CertificateKind("2d")] = left.pop(CertificateKind("2d"))
            single -= 2
        if single:
            mine[CertificateKind("1")] = single
            left[CertificateKind("1")] -= single
        taken[POOL if name == "pool" else Party(name)] = mine
    rest = {kind: number for kind, number in left.items() if number}
    return {**({OFFERING: rest} if rest else {}), **taken}


def price_of(table: Table, space: str) -> int:
    """The price printed on a space."""
    row, column = cell_of(space)
    price = ruleset_of(table).facts.market.rows[row][column]
    assert price is not None, space
    return price


def stock_round(table: Table, turn: str = "ann", number: int = 2) -> Table:
    """The table as the turn of a player begins, first in a stock round."""
    playing = Round(FrameId("10.0"), "stock", number, 1, 1)
    return playing_on(msgspec.structs.replace(table, first=player(turn)), playing)


def playing_on(table: Table, *frames: Frame) -> Table:
    """The table with an agenda, moved on until somebody has to decide."""
    begun = {frame.kind: frame.number for frame in frames if isinstance(frame, Round)}
    rounds = {**table.rounds, **begun}
    draft = Draft(msgspec.structs.replace(table, agenda=frames, rounds=rounds))
    settle(ruleset_of(table), draft)
    return msgspec.structs.replace(draft.table, version=table.version + 1)
