"""Runs and dividends."""

from contracts.commands import PayDividend, RunTrains
from contracts.ids import CompanyId, HexId, Party, TrainId
from services.engine.rules.network.resolve import Sketch, resolve
from services.engine.rules.network.routes import Train
from services.histories.errors import HistoryError
from services.histories.game import Game, Orders
from services.histories.kinds import Dividend, RunRoutes

DIVIDENDS = {"payout": "all", "withhold": "none"}


def run(game: Game, action: RunRoutes) -> Orders:
    """The runs, made out from the hexes that they went over; what they earn is for us to find."""
    company = CompanyId(game.party(action))
    turn = game.operating(company)
    if not action.routes and (turn is None or turn.steps[:1] != ("run",)):
        return  # Nothing was run on the site, and nothing can be run here.
    trains = tuple(
        Train(train.id, train.kind, game.facts.trains[train.kind].stations)
        for train in game.table.trains.get(company, ())
    )
    sketches = tuple(
        Sketch(
            TrainId(route.train),
            tuple(tuple(map(HexId, stretch)) for stretch in route.connections),
            route.nodes,
        )
        for route in action.routes
    )
    found = resolve(
        game.facts, game.table.board, game.table.phase, company, trains=trains, sketches=sketches
    )
    if found.objections:
        raise HistoryError(
            "; ".join(one.because for one in found.objections), f"a run of {company}"
        )
    yield game.order(game.player(Party(company)), RunTrains(found.runs))


def dividend(game: Game, action: Dividend) -> Orders:
    """Earnings divided."""
    if action.kind not in DIVIDENDS:
        raise HistoryError(f"{action.kind!r} is no dividend that is known here", f"{action.entity}")
    yield game.order(game.player(game.party(action)), PayDividend(DIVIDENDS[action.kind]))
