"""Checks and scores of the runs that a company submits (3.6).

What comes out belongs to the set of runs: their order, and the direction in which each was written
down, change nothing.
"""

from collections.abc import Iterator

from contracts.ids import CompanyId, PhaseId
from contracts.runs import Run, ScoreLine
from contracts.titles.facts import Facts
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.readings import RULEBOOK, Readings, runs_are_united
from services.engine.rules.network.united import checked_together
from services.engine.rules.network.walks import (
    Checked,
    Train,
    Walk,
    canonical,
    holders,
    is_full_of_others,
    named,
    once,
    value,
    walked,
)
from services.engine.table.board import Board

__all__ = ["Checked", "Train", "canonical", "checked", "named"]


def checked(
    facts: Facts,
    board: Board,
    phase: PhaseId,
    company: CompanyId,
    *,
    trains: tuple[Train, ...],
    runs: tuple[Run, ...],
    readings: Readings = RULEBOOK,
) -> Checked:
    """The score of a set of runs, or every reason why it is refused.

    `readings` settle what a rulebook leaves open about trains that run together.
    """
    if runs_are_united(facts):
        return checked_together(
            facts, board, phase, company, trains=trains, runs=runs, readings=readings
        )
    objections: list[Objection] = []
    walks: list[tuple[Run, Walk]] = []
    for run in sorted(map(canonical, runs), key=lambda run: (run.trains, run.stops)):
        walk = walked(facts, board, run)
        objections += _train_objections(trains, runs, run)
        if isinstance(walk, Objection):
            objections.append(walk)
            continue
        walks.append((run, walk))
        objections += _run_objections(facts, board, company, run, walk)
    objections += _shared_track(walks)
    if objections:
        return Checked(tuple(objections), (), 0)
    lines = tuple(
        ScoreLine("stop", f"{stop.hex}-{stop.node}", value(facts, board, phase, stop))
        for _, walk in walks
        for stop in walk.stops
    )
    return Checked((), lines, sum(line.amount for line in lines))


def _train_objections(
    trains: tuple[Train, ...], runs: tuple[Run, ...], run: Run
) -> Iterator[Objection]:
    known = {train.id: train for train in trains}
    if len(run.trains) != 1 or run.trains[0] not in known:
        yield Objection("no-such-train", f"{named(run)} is no train of the company.", "3.6.1")
        return
    train = known[run.trains[0]]
    if sum(1 for other in runs if train.id in other.trains) > 1:
        yield Objection("train-twice", f"{train.id} runs twice.", "3.6.1")
    if train.stations is not None and len(run.stops) > train.stations:
        because = f"{train.id} calls at {len(run.stops)} stations; at most {train.stations}."
        yield Objection("run-too-long", because, "3.6.2")


def _run_objections(
    facts: Facts, board: Board, company: CompanyId, run: Run, walk: Walk
) -> Iterator[Objection]:
    """What speaks against one run by itself, its track once found to hang together."""
    name, stops = named(run), walk.stops
    if run.stops != stops:
        yield Objection("other-stops", f"The track of {name} has other stops.", "3.6.2")
    if tuple(sorted(run.counted)) != tuple(sorted(stops)):
        yield Objection("other-count", f"{name} counts every station it passes.", "3.6.2")
    if len(stops) < 2:
        yield Objection("run-too-short", f"{name} calls at fewer than two stations.", "3.6.1")
    places = [once(facts, board, stop) for stop in stops]
    for place in sorted({place for place in places if places.count(place) > 1}):
        yield Objection("station-twice", f"{name} calls at {place} twice.", "3.6.1")
    for place in sorted({use for use in walk.used if walk.used.count(use) > 1}):
        yield Objection("track-twice", f"{name} uses {place} twice.", "3.6.1")
    if not any(holders(board, stop).count(company) for stop in stops):
        yield Objection("no-token", f"{name} calls at no token of {company}.", "3.6.1")
    for stop in stops[1:-1]:
        if stop.node[0] == "o":
            yield Objection("through-area", f"{name} runs through {stop.hex}.", "3.6.1")
        elif stop.node[0] == "c" and is_full_of_others(facts, board, company, stop):
            because = f"{name} passes {stop.hex}, full of the tokens of others."
            yield Objection("through-full-city", because, "3.5.3")


def _shared_track(walks: list[tuple[Run, Walk]]) -> Iterator[Objection]:
    users: dict[str, list[str]] = {}
    for run, walk in walks:
        for use in sorted(set(walk.used)):
            users.setdefault(use, []).append(named(run))
    for use, names in sorted(users.items()):
        if len(names) > 1:
            because = f"{' and '.join(names)} both use {use}."
            yield Objection("track-shared", because, "3.6.1")
