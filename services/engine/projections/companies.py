"""The companies: money, trains, tokens, shares, who directs them, and what they last earned."""

from contracts.ids import BOX, OFFERING, POOL, SUPPLY, CompanyId, Party, Space, TrainKind
from contracts.pieces import Train
from contracts.placed import Token
from contracts.titles.facts import Facts
from contracts.views import CompaniesView, CompanyView, LastRun, PlacedToken, TrainView
from services.engine.projections.pages import Page, standing
from services.engine.rules.companies import permits
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table


def view(facts: Facts, pages: tuple[Page, ...], table: Table) -> CompaniesView:
    """All companies, and the trains in the supply and in the pool."""
    runs = last_runs(pages, table)
    supply: dict[TrainKind, int] = {}
    for train in table.trains.get(SUPPLY, ()):
        supply[train.kind] = supply.get(train.kind, 0) + 1
    return CompaniesView(
        table.id,
        table.version,
        {
            company: company_view(facts, table, company, runs.get(company))
            for company in table.charters
        },
        supply,
        trains_view(table.trains.get(POOL, ())),
    )


def company_view(
    facts: Facts, table: Table, company: CompanyId, last_run: LastRun | None
) -> CompanyView:
    """One company as it stands."""
    charter = table.charters[company]
    marker = table.markers.get(company)
    holdings = table.certificates.get(company, {})
    return CompanyView(
        company=company,
        name=name_of(facts, company),
        kind=charter.kind,
        status=charter.status,
        whole=charter.whole,
        director=charter.director,
        acting=charter.acting,
        par=charter.par,
        price=None if marker is None else marker.price,
        space=None if marker is None else Space(marker.space),
        treasury=table.cash.get(company, 0),
        trains=trains_view(table.trains.get(company, ())),
        tokens=tuple(token_view(token) for token in table.board.tokens if token.company == company),
        tokens_left=charter.tokens,
        holdings={
            holder: shares_in(certificates)
            for holder, certificates in holdings.items()
            if holder not in {OFFERING, POOL, BOX}
        },
        offering=shares_in(holdings.get(OFFERING, {})),
        pool=shares_in(holdings.get(POOL, {})),
        privates=privates_of(table, company),
        counters=table.counters.get(company, {}),
        has_operated=charter.has_operated,
        last_run=last_run,
        permits=permits_of(table, company),
        column=charter.column,
        bound=charter.bound,
        in_receivership=charter.kind == "public"
        and charter.status in {"started", "floated"}
        and charter.director is None,
    )


def permits_of(table: Table, company: CompanyId) -> tuple[str, ...]:
    """The types of trains that a company may run, or will once it floats."""
    return permits.permits_of(table, company) or permits.first_permits(table, company)


def name_of(facts: Facts, company: CompanyId) -> str:
    """A company's full name."""
    entry = facts.publics.get(company) or facts.privates.get(company)
    return company if entry is None else entry.name


def privates_of(table: Table, owner: Party) -> tuple[CompanyId, ...]:
    """The private companies that somebody owns."""
    return tuple(
        company
        for company, holdings in table.certificates.items()
        if owner in holdings and table.charters[company].kind == "private"
    )


def trains_view(trains: tuple[Train, ...]) -> tuple[TrainView, ...]:
    """Train cards."""
    return tuple(TrainView(train.id, train.kind, train.side, train.warranties) for train in trains)


def token_view(token: Token) -> PlacedToken:
    """A token on the board."""
    return PlacedToken(token.company, token.place, token.city, token.slot, token.kind)


def last_runs(pages: tuple[Page, ...], table: Table) -> dict[CompanyId, LastRun]:
    """Each company's last run, with how it was divided once it has been."""
    runs: dict[CompanyId, LastRun] = {}
    for page in standing(pages, table.version):
        for one in page.earnings:
            if one.revenue is not None:
                runs[one.company] = LastRun(
                    page.version, one.revenue, one.subsidy, one.bonus, None, None
                )
            elif one.company in runs:
                run = runs[one.company]
                runs[one.company] = LastRun(
                    run.at_version, run.revenue, run.subsidy, run.bonus, one.dividend, one.kept
                )
    return runs
