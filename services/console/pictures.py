"""Views as a person reads them at a terminal."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TypeVar

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from contracts import views as v
from contracts import views_beside
from contracts.choices import Choice, Interval, OpenForm, OpenRoutes
from contracts.ids import CompanyId, Money, Party
from contracts.notation import written
from services.console import beside, pictures_beside
from services.console.screen import table

L = TypeVar("L")
FOLDED = 12
"""So many prices stand beside each other where a market is one line."""


def picture(view: v.AnyView, last: int | None = None) -> RenderableType:
    """A view; of what grows with the game, only the `last` lines."""
    match view:
        case v.WealthView():
            return wealth(view)
        case v.OrderView():
            return order(view)
        case v.MarketView():
            return market(view)
        case v.CompaniesView():
            return companies(view)
        case v.BoardView():
            return board(view)
        case v.TurnView():
            return turn(view)
        case v.LedgerView():
            return ledger(view, last)
        case v.MinutesView():
            return minutes(view, last)
        case v.TableLine():
            return lobby([view])
        case views_beside.SeatsView():
            return pictures_beside.seats(view)
        case views_beside.ProgrammesView():
            return pictures_beside.programmes(view)
        case views_beside.RequestsView():
            return pictures_beside.requests(view)
        case views_beside.ClockView():
            return pictures_beside.clock(view)


def wealth(view: v.WealthView) -> Table:
    """Who owns what, the richest first."""
    shown = table(
        ("player", "total", "cash", "shares", "privates", "holds"),
        right=("total", "cash", "shares", "privates"),
        title=f"Wealth at version {view.version}",
    )
    for player in view.players:
        shares = sum(holding.amount for holding in player.shares.values())
        privates = sum(player.privates.values())
        held = [f"{holding.shares} {company}" for company, holding in player.shares.items()]
        shown.add_row(
            Text(player.name),
            *(str(amount) for amount in (player.total, player.cash, shares, privates)),
            Text(", ".join([*held, *player.privates])),
        )
    return shown


def order(view: v.OrderView) -> RenderableType:
    """Who has operated, who operates, who follows; and the next round as the market stands."""
    shown = table(
        ("when", "company", "price", "acting"),
        right=("price",),
        title=f"Operating order at version {view.version}",
    )
    groups = (
        ("has operated", view.operated),
        ("operates now", (view.operating,) if view.operating else ()),
        ("follows", view.following),
        ("next round", view.next_round),
    )
    for words, operators in groups:
        for operator in operators:
            acting = operator.acting or "nobody"
            shown.add_row(words, Text(operator.company), str(operator.price), Text(acting))
    return shown if shown.row_count else Text("No company would operate.")


def market(view: v.MarketView) -> Table:
    """The chart of prices, each space with its stack, top first."""
    spaces = {(space.row, space.column): space for space in view.spaces}
    columns = range(max((column for _, column in spaces), default=-1) + 1)
    rows = range(max((row for row, _ in spaces), default=-1) + 1)
    if len(rows) == 1:
        # One line of prices is shown as on its board: folded, read from left to right.
        spaces = {divmod(column, FOLDED): space for (_, column), space in spaces.items()}
        rows = range(-(-len(columns) // FOLDED))
        columns = range(min(FOLDED, len(columns)))
    shown = table(
        [str(column) for column in columns],
        right=[str(column) for column in columns],
        title=f"Market at version {view.version}",
    )
    shown.show_header = False
    for row in rows:
        found = [spaces.get((row, column)) for column in columns]
        shown.add_row(*(Text(_space(space)) for space in found))
    return shown


def _space(space: v.SpaceView | None) -> str:
    if space is None:
        return ""
    return "\n".join([str(space.price), *space.stack])


def companies(view: v.CompaniesView) -> RenderableType:
    """The companies, and the trains still to be had."""
    shown = table(
        ("company", "status", "director", "price", "treasury", "trains", "tokens", "holders"),
        right=("price", "treasury"),
        title=f"Companies at version {view.version}",
    )
    for company in view.companies.values():
        trains = " ".join(map(_train, company.trains))
        tokens = " ".join(token.place for token in company.tokens)
        left = f" +{company.tokens_left}" if company.tokens_left else ""
        places = (("offering", company.offering), ("pool", company.pool))
        holders = [*company.holdings.items(), *places]
        shown.add_row(
            Text(company.company),
            "in receivership" if company.in_receivership else company.status,
            Text(company.director or ""),
            "" if company.price is None else str(company.price),
            str(company.treasury) if company.kind != "private" else "",
            Text(f"{trains} ({', '.join(company.permits)})" if company.permits else trains),
            Text(f"{tokens}{left}".strip()),
            Text(", ".join(f"{holder} {shares}" for holder, shares in holders if shares)),
        )
    supply = ", ".join(f"{number} of {kind}" for kind, number in view.supply.items() if number)
    pool = ", ".join(train.kind for train in view.pool_trains)
    left = f"Trains to be had: {supply or 'none'}" + (f"; in the pool: {pool}" if pool else "")
    return Group(shown, Text(f"{left}."))


def _train(train: v.TrainView) -> str:
    side = f" {train.side}" if train.side else ""
    return f"{train.kind}{side}{'*' * train.warranties}"


def board(view: v.BoardView) -> Table:
    """What lies on the board, hex by hex."""
    shown = table(
        ("hex", "tile", "turned", "tokens", "small stations"),
        title=f"Board at version {view.version}",
    )
    for place, hex_view in view.hexes.items():
        tokens = ", ".join(_token(token) for token in hex_view.tokens)
        turned = f"r{hex_view.rotation}" if hex_view.tile else ""
        shown.add_row(
            Text(place),
            Text(hex_view.tile or "printed"),
            turned,
            Text(tokens),
            ", ".join(hex_view.small_stations),
        )
    return shown


def _token(token: v.PlacedToken) -> str:
    return token.company if token.city is None else f"{token.company} in city {token.city}"


def turn(view: v.TurnView) -> RenderableType:
    """Who must act."""
    lines = [view.sentence]
    lines += [
        f"{asked.name} for {asked.party}: {asked.words}"
        if asked.party != asked.player
        else f"{asked.name}: {asked.words}"
        for asked in view.asked
    ]
    lines += [
        f"Request {request.id} of {request.player}: {request.words} "
        f"Waited for: {', '.join(request.waiting) or 'nobody'}."
        for request in view.requests
    ]
    return Text("\n".join(lines))


def ledger(view: v.LedgerView, last: int | None = None) -> RenderableType:
    """Each movement of money, and what everybody has."""
    shown = table(
        ("version", "from", "to", "amount", "for"),
        right=("version", "amount"),
        title=f"Ledger at version {view.version}",
    )
    for entry in _ending(view.entries, last):
        parties = (Text(entry.payer), Text(entry.payee))
        shown.add_row(str(entry.at_version), *parties, str(entry.amount), entry.reason)
    return Group(shown, Text(_balances(view.balances)))


def _balances(balances: Mapping[Party, Money]) -> str:
    owned = (f"{party} {amount}" for party, amount in balances.items() if amount)
    return f"Balances: {', '.join(owned)}."


def minutes(view: v.MinutesView, last: int | None = None) -> RenderableType:
    """What happened, in sentences."""
    lines = []
    for line in _ending(view.lines, last):
        undone = " (undone)" if line.undone else ""
        lines.append(f"{line.at_version:>5}  {line.text}{undone}")
    return Text("\n".join(lines))


def lobby(lines: Iterable[v.TableLine]) -> Table:
    """Tables, one a line."""
    shown = table(("table", "title", "players", "status", "round", "waits for", "last activity"))
    for line in lines:
        players = ", ".join(seat.name for seat in line.seats)
        active = datetime.fromtimestamp(line.last_activity / 1e6, UTC)
        shown.add_row(
            Text(line.table),
            Text(line.title),
            Text(players),
            line.status,
            line.round,
            Text(waited(line)),
            f"{active:%Y-%m-%d %H:%M}",
        )
    return shown


def waited(line: v.TableLine) -> str:
    """Whom a table waits for, who has a request to answer; or who won."""
    answering = [f"{player} (to answer)" for player in line.answering if player not in line.waiting]
    won = [f"won by {', '.join(line.winners)}"] if line.winners else []
    return ", ".join([*line.waiting, *answering] or won)


def choice_line(choice: Choice, company: CompanyId | None = None) -> str:
    """A choice in one line: its command, and what is open in it."""
    line = written(choice.command, company)
    match choice.open:
        case None:
            return line
        case Interval(field, least, most, step):
            by = f" in steps of {step}" if step != 1 else ""
            return f"{line}   ({field} from {least} to {most}{by})"
        case OpenRoutes(_, revenue, proven):
            words = "and none earn more" if proven else "others may earn more"
            return f"run best   (earns {revenue}, {words}; or any runs of your own)"
        case OpenForm():
            return beside.form_line(choice.command, choice.open)


def _ending(lines: tuple[L, ...], last: int | None) -> tuple[L, ...]:
    return lines if last is None else lines[max(0, len(lines) - last) :]
