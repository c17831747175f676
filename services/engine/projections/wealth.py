"""Player wealth: what everybody owns, what it is worth, and the course of it over the game."""

from contracts.ids import CompanyId, Money, Party, PlayerId
from contracts.views import SharesWorth, Wealth, WealthPoint, WealthView
from services.engine.projections.pages import Page, standing
from services.engine.projections.words import Words
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import market_price
from services.engine.rules.shares.worth import worth
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table


def totals(ruleset: Ruleset, table: Table) -> dict[PlayerId, Money]:
    """What everybody is worth, in the order of the seats."""
    return {
        player: sum(part.amount for part in worth(ruleset, table, player))
        for player in table.order
        if player in table.cash
    }


def view(ruleset: Ruleset, words: Words, pages: tuple[Page, ...], table: Table) -> WealthView:
    """Everybody's wealth, the richest first, and its course up to now."""
    owners = [player for player in table.order if player in table.cash]
    wealth = [owned(ruleset, words, table, player) for player in owners]
    wealth.sort(key=lambda one: -one.total)
    ranked = tuple(
        _ranked(one, 1 + sum(other.total > one.total for other in wealth)) for one in wealth
    )
    return WealthView(table.id, table.version, ranked, series(ruleset, pages, table))


def _ranked(wealth: Wealth, rank: int) -> Wealth:
    return Wealth(
        wealth.player,
        wealth.name,
        rank,
        wealth.total,
        wealth.cash,
        wealth.shares,
        wealth.privates,
        wealth.loans,
        wealth.other,
    )


def owned(ruleset: Ruleset, words: Words, table: Table, player: PlayerId) -> Wealth:
    """One player's wealth, part by part as the rules count it; not ranked yet."""
    cash = loans = 0
    amounts: dict[CompanyId, Money] = {}
    privates: dict[CompanyId, Money] = {}
    other: dict[str, Money] = {}
    for part in worth(ruleset, table, player):
        match part.what:
            case "cash":
                cash += part.amount
            case "shares":
                amounts[CompanyId(Party(part.of))] = part.amount
            case "private":
                privates[CompanyId(Party(part.of))] = part.amount
            case "loans":
                loans -= part.amount
            case _:
                name = f"{part.what} {part.of}".strip()
                other[name] = other.get(name, 0) + part.amount
    total = cash + sum(amounts.values()) + sum(privates.values()) + sum(other.values()) - loans
    shares = {
        company: SharesWorth(number, market_price(table, company), amounts.get(company, 0))
        for company, number in _shares(table, player).items()
    }
    return Wealth(player, words.party(player), 0, total, cash, shares, privates, loans, other)


def _shares(table: Table, player: PlayerId) -> dict[CompanyId, int]:
    """The player's shares of companies that are no privates."""
    return {
        company: shares_in(holdings[player])
        for company, holdings in table.certificates.items()
        if player in holdings and table.charters[company].kind != "private"
    }


def series(ruleset: Ruleset, pages: tuple[Page, ...], table: Table) -> tuple[WealthPoint, ...]:
    """The points that stand, and where everybody is now."""
    chain = standing(pages, table.version)
    points = [point for page in chain for point in page.points]
    if not chain or not table.cash:
        return tuple(points)
    now = WealthPoint(chain[-1].version, chain[-1].time, "now", totals(ruleset, table))
    last = points[-1] if points else None
    if last is None or (last.at_version, last.totals) != (now.at_version, now.totals):
        points.append(now)
    return tuple(points)
