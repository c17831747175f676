"""Runs and dividends."""

from contracts.commands import PayDividend, RunTrains
from contracts.ids import CompanyId, HexId, Party, TrainId
from contracts.runs import Reported
from services.engine.rules.acts.pay_dividend import least_added
from services.engine.rules.acts.run_trains import is_paid_as_reported
from services.engine.rules.network.readings import readings_of
from services.engine.rules.network.resolve import Sketch, resolve
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.track.surveys import running_trains
from services.histories.errors import HistoryError
from services.histories.game import Game, Orders
from services.histories.kinds import Dividend, Route, RunRoutes

DIVIDENDS = {"payout": "all", "withhold": "none", "hudson": "all"}
TOPPED_UP = "hudson"
"""The dividend to which a company adds money of its own."""


def run(game: Game, action: RunRoutes) -> Orders:
    """The runs, made out from the hexes that they went over; what they earn is for us to find."""
    company = CompanyId(game.party(action))
    turn = game.operating(company)
    if not action.routes and (turn is None or turn.steps[:1] != ("run",)):
        return  # Nothing was run on the site, and nothing can be run here.
    ruleset, table = ruleset_of(game.table), game.table
    found = resolve(
        ruleset.facts,
        table.board,
        table.phase,
        company,
        trains=running_trains(ruleset, table, company),
        sketches=tuple(sketch(route) for route in action.routes if route.connections),
        rulings=readings_of(ruleset.rulings),
    )
    if found.objections:
        raise HistoryError(
            "; ".join(one.because for one in found.objections), f"a run of {company}"
        )
    reported = paid_on_site(action) if is_paid_as_reported(ruleset) else None
    yield game.order(game.player(Party(company)), RunTrains(found.runs, reported))


def paid_on_site(action: RunRoutes) -> Reported:
    """What the site paid for some runs."""
    revenue = sum(route.revenue for route in action.routes) + action.extra_revenue
    return Reported(revenue, sum(route.subsidy for route in action.routes))


def sketch(route: Route) -> Sketch:
    """One train's run; after a hex's name there may stand which track of it was used."""
    stretches = (
        tuple(HexId(name.split(" ", 1)[0]) for name in stretch) for stretch in route.connections
    )
    return Sketch(TrainId(route.train), tuple(stretches), route.nodes)


def dividend(game: Game, action: Dividend) -> Orders:
    """Earnings divided."""
    if action.kind not in DIVIDENDS:
        raise HistoryError(f"{action.kind!r} is no dividend that is known here", f"{action.entity}")
    company = CompanyId(game.party(action))
    added = 0
    if action.kind == TOPPED_UP:
        added = least_added(ruleset_of(game.table), game.table, company)
    yield game.order(game.player(company), PayDividend(DIVIDENDS[action.kind], added))
