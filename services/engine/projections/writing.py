"""Write the page of one record."""

from contracts import events as e
from contracts.ids import Money, Party
from contracts.records import Record
from contracts.titles.load import facts as facts_of
from contracts.views import LedgerEntry, Movement, WealthPoint
from services.engine.projections import ledger, market, minutes, seats, turn, wealth
from services.engine.projections.pages import Earning, Line, Page
from services.engine.projections.words import round_name, words_of
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_round
from services.engine.table.evolve import evolve
from services.engine.table.fold import undone_to
from services.engine.table.state import Table


def page_of(record: Record, before: Table, after: Table) -> Page:
    """What a record adds, from the record and the tables before and after it alone."""
    ruleset = ruleset_of(after)
    words = words_of(after, facts_of(after.title))
    lines: list[Line] = []
    entries: list[LedgerEntry] = []
    movements: list[Movement] = []
    points: list[WealthPoint] = []
    table = before
    for place, event in enumerate(record.events):
        name = type(event).__name__
        if isinstance(event, e.Undone):
            lines.append(Line(name, minutes.taken_back(words, before, record.order, event)))
        else:
            lines += [Line(name, text) for text in minutes.told(words, table, event)]
        entries += ledger.entries(words, record.version, place, event)
        if isinstance(event, e.Undone):
            continue
        if isinstance(event, e.MarkerMoved):
            movements.append(market.movement(table, record.version, event))
        because = milestone(table, event)
        table = evolve(table, event)
        if because:
            totals = wealth.totals(ruleset, table)
            points.append(WealthPoint(record.version, record.at, because, totals))
    return Page(
        version=record.version,
        time=record.at,
        player=record.order.player,
        to=undone_to(record),
        lines=tuple(lines),
        opening=opening(record),
        entries=tuple(entries),
        movements=tuple(movements),
        points=tuple(points),
        earnings=earnings(record),
        asks=turn.asks(after),
        sat=seats.sat(record),
    )


def milestone(table: Table, event: e.AnyEvent) -> str:
    """What makes an event a point in the course of wealth, or nothing."""
    match event:
        case e.PiecesSetOut():
            return "set out"
        case e.RoundEnded():
            return f"{round_name(current_round(table))} ended"
        case e.GameEnded():
            return "the game ended"
        case _:
            return ""


def opening(record: Record) -> dict[Party, Money] | None:
    """The balances that the pieces were set out with, if they were."""
    for event in record.events:
        if isinstance(event, e.PiecesSetOut):
            return event.cash
    return None


def earnings(record: Record) -> tuple[Earning, ...]:
    """What companies earned, and how it was divided."""
    found: list[Earning] = []
    for event in record.events:
        if isinstance(event, e.RoutesRun):
            found.append(
                Earning(event.company, event.revenue, event.subsidy, event.bonus, None, None)
            )
        elif isinstance(event, e.EarningsDivided):
            found.append(Earning(event.company, None, 0, 0, event.dividend, event.kept))
    return tuple(found)
