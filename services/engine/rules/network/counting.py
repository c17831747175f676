"""Which of the stations that trains call at they count: the most that all can earn together.

A train that calls at more stations than it counts leaves some out; what another counts is no loss
(7.8.2, 7.8.3). Freights count the outer ends of their chain (7.8.1).
"""

from itertools import combinations

from contracts.ids import PhaseId
from contracts.runs import Run, Stop
from contracts.titles.facts import Facts
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.readings import Readings
from services.engine.rules.network.united import FREIGHT, Ran, chains_of, read
from services.engine.rules.network.walks import Train, canonical, once, value
from services.engine.table.board import Board


def with_counted(
    facts: Facts,
    board: Board,
    phase: PhaseId,
    trains: tuple[Train, ...],
    runs: tuple[Run, ...],
    readings: Readings,
) -> tuple[Run, ...]:
    """The runs with the stations counted that earn most; runs that cannot be read stay as given."""
    ordered = tuple(map(canonical, runs))
    found = [read(facts, board, trains, ordered, run) for run in ordered]
    ran = [one for one in found if not isinstance(one, Objection)]
    counted = _outer_ends(facts, ran, readings)
    scored = frozenset(once(facts, board, stop) for stops in counted.values() for stop in stops)
    counted.update(_dearest(facts, board, phase, ran, scored))
    return tuple(
        run
        if isinstance(one, Objection)
        else Run(run.trains, run.track, one.calls, counted[run.trains])
        for run, one in zip(ordered, found, strict=True)
    )


_Counted = dict[tuple[str, ...], tuple[Stop, ...]]
"""By the trains of a run: the stops that it counts."""


def _outer_ends(facts: Facts, ran: list[Ran], readings: Readings) -> _Counted:
    counted: _Counted = {
        one.run.trains: (one.calls[0], one.calls[-1]) for one in ran if one.train.side == FREIGHT
    }
    chains = chains_of(facts, ran, readings)
    if not isinstance(chains, Objection):
        for chain in chains:
            outer = [end.stop for end in chain.outer]
            for one in chain.runs:
                counted[one.run.trains] = tuple(stop for stop in one.calls if stop in outer)
    return counted


def _dearest(
    facts: Facts, board: Board, phase: PhaseId, ran: list[Ran], by_freights: frozenset[str]
) -> _Counted:
    """What local and express trains count beside freights; of equal choices the first."""
    places = {stop: once(facts, board, stop) for one in ran for stop in one.calls}
    worth = {places[stop]: value(facts, board, phase, stop) for stop in places}
    choices: dict[frozenset[str], tuple[tuple[Stop, ...], ...]] = {by_freights: ()}
    counting = [one for one in ran if one.train.side != FREIGHT]
    for one in counting:
        number = min(one.train.counts or 0, len(one.calls))
        grown: dict[frozenset[str], tuple[tuple[Stop, ...], ...]] = {}
        for scored, chosen in choices.items():
            for stops in combinations(one.calls, number):
                together = scored | {places[stop] for stop in stops}
                grown.setdefault(together, (*chosen, stops))
        choices = grown
    best = max(choices, key=lambda scored: sum(map(worth.__getitem__, scored)))
    return {one.run.trains: stops for one, stops in zip(counting, choices[best], strict=True)}
