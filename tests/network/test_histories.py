"""Games that people played elsewhere: every lay, token and run of theirs is legal here too."""

import pytest

from contracts.ids import CompanyId, HexId, TrainId, TrainKind
from services.engine.rules.network.best import best
from services.engine.rules.network.lays import lay_objections, legal_lays
from services.engine.rules.network.places import legal_places, place_objections
from services.engine.rules.network.resolve import Sketch, resolve
from services.engine.rules.network.routes import Train, checked
from tests.network.recorded import Moment, lay_of, moments

COUNTED = {"1830_game_end_bank": (62, 9, 99), "29133": (32, 7, 24)}


@pytest.fixture(params=sorted(COUNTED))
def game(request, box, histories):
    """The actions of one game that concern the map, by type."""
    trace = histories / box.title.id / f"{request.param}.jsonl.gz"
    if not trace.is_file():
        pytest.skip(f"no recorded game {request.param}")
    met: dict[str, list[Moment]] = {"lay_tile": [], "place_token": [], "run_routes": []}
    for moment in moments(box, trace):
        if moment.action["type"] in met:
            met[moment.action["type"]].append(moment)
    assert tuple(map(len, met.values())) == COUNTED[request.param]
    return met


def test_every_recorded_lay_is_legal(box, game):
    for moment in game["lay_tile"]:
        # A private's own lay needs no route and may be made on the hex that it blocks.
        is_private = moment.action["entity_type"] == "company"
        options = {"blocked": () if is_private else moment.blocked, "needs_route": not is_private}
        company = CompanyId(moment.action["entity"])
        lay = lay_of(moment.action)
        refused = lay_objections(box, moment.board, moment.phase, company, lay, **options)
        assert not refused, (moment.n, refused)
        assert lay in set(legal_lays(box, moment.board, moment.phase, company, **options))


def test_every_recorded_token_is_legal(box, game):
    for moment in game["place_token"]:
        company = CompanyId(moment.action.get("tokener") or moment.action["entity"])
        if moment.settles_home:
            continue
        places = [
            place
            for place in legal_places(box, moment.board, company)
            if (place.hex, place.city) == (moment.placed.place, moment.placed.city)
        ]
        assert len(places) == 1, moment.n
        assert not place_objections(box, moment.board, company, places[0])


def test_every_recorded_run_scores_as_it_did_and_the_best_is_no_less(box, game):
    for moment in game["run_routes"]:
        company = CompanyId(moment.action["entity"])
        routes = moment.action["routes"]
        trains = tuple(train_of(box, route["train"]) for route in routes)
        found = resolve(
            box,
            moment.board,
            moment.phase,
            company,
            trains=trains,
            sketches=tuple(sketch_of(route) for route in routes),
        )
        outcome = checked(box, moment.board, moment.phase, company, trains=trains, runs=found.runs)
        assert (found.objections, outcome.objections) == ((), ()), moment.n
        assert outcome.revenue == moment.scored["revenue"], moment.n
        dearest = best(box, moment.board, moment.phase, company, trains, known=found.runs)
        assert dearest.proven
        assert dearest.revenue >= outcome.revenue
        alone = best(box, moment.board, moment.phase, company, trains)
        assert (alone.revenue, alone.proven) == (dearest.revenue, True)
        again = checked(box, moment.board, moment.phase, company, trains=trains, runs=alone.runs)
        assert (again.objections, again.revenue) == ((), alone.revenue)


def train_of(box, name):
    kind = TrainKind(name.split("-")[0])
    return Train(TrainId(name), kind, box.trains[kind].stations)


def sketch_of(route):
    stretches = tuple(tuple(HexId(name) for name in part) for part in route["connections"])
    return Sketch(TrainId(route["train"]), stretches, tuple(route.get("nodes", ())))
