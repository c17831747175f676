"""Runs and dividends."""

from contracts.commands import PayDividend, RunTrains
from contracts.ids import CompanyId, HexId, Party, TrainId
from services.engine.rules.network.resolve import Sketch, resolve
from services.engine.rules.network.routes import Train
from services.engine.rules.ruleset import ruleset_of
from services.histories.errors import HistoryError
from services.histories.game import Game, Orders
from services.histories.kinds import Dividend, Route, RunRoutes

DIVIDENDS = {"payout": "all", "withhold": "none"}


def run(game: Game, action: RunRoutes) -> Orders:
    """The runs, made out from the hexes that they went over; what they earn is for us to find."""
    company = CompanyId(game.party(action))
    turn = game.operating(company)
    if not action.routes and (turn is None or turn.steps[:1] != ("run",)):
        return  # Nothing was run on the site, and nothing can be run here.
    facts = ruleset_of(game.table).facts
    trains = tuple(
        Train(train.id, train.kind, facts.trains[train.kind].stations)
        for train in game.table.trains.get(company, ())
    )
    sketches = tuple(sketch(route) for route in action.routes if route.connections)
    found = resolve(
        facts, game.table.board, game.table.phase, company, trains=trains, sketches=sketches
    )
    if found.objections:
        raise HistoryError(
            "; ".join(one.because for one in found.objections), f"a run of {company}"
        )
    yield game.order(game.player(Party(company)), RunTrains(found.runs))


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
    yield game.order(game.player(game.party(action)), PayDividend(DIVIDENDS[action.kind]))
