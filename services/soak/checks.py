"""What must always hold: after each event, after each record, and of every view.

What the audit of a minute book counts is counted here by the same functions. Added is what needs
the facts of a title or its rules: slots of cities, prices of the market, limits, and that somebody
can always do something.
"""

from collections import Counter
from collections.abc import Sequence

from contracts import events as e
from contracts.frames import DiscardTrains, Question
from contracts.ids import POOL, HexId, Space
from contracts.records import Record, decode, encode
from contracts.views import (
    BoardView,
    CompaniesView,
    LedgerView,
    MarketView,
    OrderView,
    TurnView,
    WealthView,
)
from services.engine.projections import api
from services.engine.projections.audit_pieces import Counting, event_fault, record_fault
from services.engine.projections.audit_views import views_fault
from services.engine.rules.companies.order import operating_order
from services.engine.rules.decide import game_choices
from services.engine.rules.network.tiles import face_at
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import percent, publics, shares_held
from services.engine.rules.shares.market import cell_of
from services.engine.rules.shares.worth import total_worth
from services.engine.rules.trains.owned import surplus
from services.engine.table.agenda import awaited
from services.engine.table.evolve import evolve
from services.engine.table.fold import table_at
from services.engine.table.state import Table
from services.soak.failure import expect


def after_events(
    ruleset: Ruleset, table: Table, events: Sequence[e.AnyEvent], counting: Counting
) -> None:
    """Apply events one by one and look at the table after each."""
    for place, event in enumerate(events):
        after = evolve(table, event)
        found = event_fault(counting, table, after, event)
        name = type(event).__name__
        expect(
            found is None,
            found[0] if found else "",
            table.version,
            f"event {place}, {name}: {found[1] if found else ''}",
        )
        if after.board is not table.board:
            slots_hold(ruleset, after)
        table = after


def slots_hold(ruleset: Ruleset, table: Table) -> None:
    """Every token lies in a circle of its city, one in each, and no company twice in a city."""
    lying: Counter[tuple[str, int, int | None]] = Counter()
    companies: Counter[tuple[str, int, str]] = Counter()
    for token in table.board.tokens:
        if token.city is None or (token.slot is None and token.kind == "home"):
            # A home token that waits for a city, or for room in one.
            continue
        cities = face_at(ruleset.facts, table.board, HexId(token.place)).cities
        fits = token.city < len(cities) and token.slot in range(cities[token.city].slots)
        expect(fits, "slots", table.version, f"{token} lies outside the city.")
        lying[token.place, token.city, token.slot] += 1
        companies[token.place, token.city, token.company] += 1
    twice = [place for place, number in (*lying.items(), *companies.items()) if number > 1]
    expect(not twice, "slots", table.version, f"two tokens in one: {twice}")


def after_record(ruleset: Ruleset, record: Record, table: Table, counting: Counting) -> None:
    """What holds whenever somebody is to decide."""
    fault = record_fault(counting, record, table)
    expect(
        fault is None, fault.what if fault else "", table.version, fault.sentence if fault else ""
    )
    expect(
        decode(encode(record)) == record, "encoding", table.version, "the record reads otherwise"
    )
    market_holds(ruleset, table)
    limits_hold(ruleset, table)
    somebody_can(ruleset, table)


def market_holds(ruleset: Ruleset, table: Table) -> None:
    """Each marker lies once, on a space, at the price printed there."""
    stacked = Counter(company for stack in table.market.values() for company in stack)
    expect(
        stacked == Counter(table.markers.keys()),
        "market",
        table.version,
        f"stacks {table.market}, markers {sorted(table.markers)}",
    )
    for company, marker in table.markers.items():
        row, column = cell_of(marker.space)
        printed = ruleset.facts.market.rows[row][column]
        there = company in table.market.get(Space(marker.space), ())
        expect(
            there and printed == marker.price,
            "market",
            table.version,
            f"{company} at {marker}, where {printed} is printed",
        )


def limits_hold(ruleset: Ruleset, table: Table) -> None:
    """Nobody is above a train limit unless he is asked to discard; the pool is not overfull."""
    asked = {
        frame.matter.company
        for frame in table.agenda
        if isinstance(frame, Question) and isinstance(frame.matter, DiscardTrains)
    }
    over = [
        company
        for company in publics(table)
        if surplus(ruleset, table, company) and company not in asked
    ]
    expect(not over or _is_over(table), "train limit", table.version, f"above it: {over}")
    most = ruleset.facts.share_rules.pool_limit_percent
    for company in publics(table):
        there = percent(table, company, shares_held(table, company, POOL))
        expect(there <= most, "pool limit", table.version, f"{there}% of {company} in the pool")


def _is_over(table: Table) -> bool:
    return table.ending is not None and table.ending.over


def somebody_can(ruleset: Ruleset, table: Table) -> None:
    """Whoever is waited for has something to choose; once it is over nobody has."""
    for player in table.order if _is_over(table) else awaited(table):
        able = bool(game_choices(ruleset, table, player))
        sentence = f"{player} has {'a' if able else 'no'} choice"
        expect(able != _is_over(table), "stuck", table.version, sentence)


def views_hold(ruleset: Ruleset, records: Sequence[Record], state: api.State, table: Table) -> None:
    """Replay equals live, each view equals its rebuild, and figures come out on other paths too."""
    expect(table_at(table.id, records) == table, "replay", table.version, "another table comes out")
    fault = views_fault(records, state, table, {}, {})
    expect(fault is None, "views", table.version, fault.sentence if fault else "")
    for name in api.NAMES:
        wrong = wrong_figure(ruleset, table, api.view(state, table, name))
        expect(wrong is None, "figures", table.version, f"the view {name}: {wrong}")


def wrong_figure(ruleset: Ruleset, table: Table, view: object) -> str | None:
    """What a view tells that the table, asked another way, does not."""
    match view:
        case LedgerView():
            wrong = {
                party: sum_ for party, sum_ in view.balances.items() if table.cash[party] != sum_
            }
            return f"balances {wrong}" if wrong else None
        case WealthView():
            return _wrong_wealth(ruleset, table, view)
        case MarketView():
            shown = {space.space: space.stack for space in view.spaces if space.stack}
            there = {space: stack for space, stack in table.market.items() if stack}
            return None if shown == there else f"stacks {shown}, {there} on the table"
        case OrderView():
            shown_order = tuple(one.company for one in view.next_round)
            order = operating_order(ruleset, table)
            return None if shown_order == order else f"order {shown_order}, {order} by the rules"
        case CompaniesView():
            return _wrong_company(table, view)
        case BoardView():
            tokens = [token for hex_view in view.hexes.values() for token in hex_view.tokens]
            same = len(tokens) == len(table.board.tokens)
            return None if same else f"{len(tokens)} tokens of {len(table.board.tokens)}"
        case TurnView():
            asked = tuple(dict.fromkeys(one.player for one in view.asked))
            return None if asked == awaited(table) else f"{asked} asked, {awaited(table)} awaited"
        case _:
            return None


def _wrong_wealth(ruleset: Ruleset, table: Table, view: WealthView) -> str | None:
    shown = {one.player: one.total for one in view.players}
    right = {player: total_worth(ruleset, table, player) for player in table.order}
    if shown != right:
        return f"totals {shown}, {right} by the rules"
    if table.ending is not None and table.ending.over:
        final = {standing.player: standing.total for standing in table.ending.standings}
        if final != right:
            return f"standings {final}, {right} by the rules"
    return None


def _wrong_company(table: Table, view: CompaniesView) -> str | None:
    for company, shown in view.companies.items():
        if shown.status == "closed":
            continue
        whole = sum(shown.holdings.values()) + shown.offering + shown.pool
        if whole != shown.whole:
            return f"{company} has {whole} shares of {shown.whole}"
        if shown.treasury != table.cash.get(company, 0):
            return f"{company} has {shown.treasury}"
    return None
