"""Games that people played elsewhere with trains that share track: all of it is legal here too."""

import pytest

from contracts.ids import CompanyId
from services.engine.rules.network.best import best
from services.engine.rules.network.building import legal_small_stations, small_station_objections
from services.engine.rules.network.lays import lay_objections, legal_lays, small_stations_after
from services.engine.rules.network.places import link_objections
from services.engine.rules.network.readings import RULEBOOK, readings_of
from services.engine.rules.network.resolve import resolve
from services.engine.rules.network.routes import checked
from tests.network.recorded_united import (
    Step,
    by_name,
    lay_of,
    lines_of,
    place_of,
    sketch_of,
    small_station_of,
    steps,
)

COUNTED = {"1862_game_end_bank": (65, 24, 44), "46925": (68, 23, 67)}


@pytest.fixture(params=sorted(COUNTED))
def game(request, anglia, histories):
    """The actions of one game that concern the map, by type."""
    trace = histories / anglia.title.id / f"{request.param}.jsonl.gz"
    if not trace.is_file():
        pytest.skip(f"no recorded game {request.param}")
    met: dict[str, list[Step]] = {"lay_tile": [], "place_token": [], "run_routes": []}
    for step in steps(anglia, trace):
        if step.action["type"] in met:
            met[step.action["type"]].append(step)
    assert tuple(map(len, met.values())) == COUNTED[request.param]
    return met


def test_every_recorded_lay_is_legal_and_keeps_its_small_stations(anglia, game):
    for step in game["lay_tile"]:
        company = CompanyId(step.action["entity"])
        place = small_station_of(step.board, step.action)
        if place is not None:
            assert not small_station_objections(anglia, step.board, place), step.n
            assert place in set(legal_small_stations(anglia, step.board))
            continue
        lay = lay_of(step.action)
        refused = lay_objections(anglia, step.board, step.phase, company, lay)
        assert not refused, (step.n, refused)
        assert lay in set(legal_lays(anglia, step.board, step.phase, company, hex_id=lay.hex))
        assert small_stations_after(anglia, step.board, lay.hex) == lines_of(step.action)


def test_amounts_recorded_before_a_correction_of_the_site_follow_from_another_reading(anglia, game):
    """Until 31 July 2021 it measured freights between the hexes entered."""
    site = readings_of({**anglia.ruling_sets["18xx.games"], "freight entry": "hex entered"})
    for step in game["run_routes"]:
        recorded = step.scored.get("recorded")
        if recorded is None:
            continue
        company, routes = CompanyId(step.action["entity"]), step.action["routes"]
        names = {train["train"]: train["name"] for train in step.scored["trains"]}
        trains = tuple(
            by_name(anglia, names[route["train"]], number) for number, route in enumerate(routes)
        )
        at = (anglia, step.board, step.phase, company)
        sketches = tuple(sketch_of(*pair) for pair in zip(trains, routes, strict=True))
        found = resolve(*at, trains=trains, sketches=sketches, rulings=site)
        outcome = checked(*at, trains=trains, runs=found.runs, readings=site)
        assert (outcome.objections, outcome.revenue) == ((), recorded["revenue"]), step.n
        assert outcome.revenue != step.scored["revenue"]


def test_every_recorded_link_to_london_is_legal(anglia, game):
    links = 0
    for step in game["place_token"]:
        hex_id = step.action["city"].split("-")[0]
        if hex_id in anglia.map.hexes:
            company = CompanyId(step.action.get("tokener") or step.action["entity"])
            area = place_of(anglia, hex_id)
            assert not link_objections(anglia, step.board, company, area), step.n
            links += 1
    assert links


def test_every_recorded_run_scores_as_it_did_and_the_best_is_no_less(anglia, game):
    site = readings_of(anglia.ruling_sets["18xx.games"])
    for step in game["run_routes"]:
        company, routes = CompanyId(step.action["entity"]), step.action["routes"]
        names = {train["train"]: train["name"] for train in step.scored["trains"]}
        trains = tuple(
            by_name(anglia, names[route["train"]], number) for number, route in enumerate(routes)
        )
        at = (anglia, step.board, step.phase, company)
        sketches = tuple(sketch_of(*pair) for pair in zip(trains, routes, strict=True))
        found = resolve(*at, trains=trains, sketches=sketches, rulings=site)
        assert not found.objections, step.n
        outcome = checked(*at, trains=trains, runs=found.runs, readings=site)
        assert not outcome.objections, step.n
        recorded = (step.scored["revenue"], step.scored["subsidy"])
        assert (outcome.revenue, outcome.subsidy) == recorded, step.n
        dearest = best(*at, step.fleet, readings=site)
        assert dearest.proven
        assert (dearest.revenue, dearest.subsidy) >= recorded
        ours = best(*at, step.fleet)
        assert ours.proven
        again = checked(*at, trains=step.fleet, runs=ours.runs, readings=RULEBOOK)
        assert (again.objections, again.revenue) == ((), ours.revenue)
