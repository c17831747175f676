"""The best runs of all trains of a company together, and how far that is proven.

Paths are listed and combined exactly; where a train is so long that they cannot all be listed, the
dearest path is searched for itself and combined with what was listed. Work is limited by counts, so
a result is the same everywhere and for ever; a clock may cut it shorter for somebody who waits.
"""

from collections.abc import Iterable

from contracts.ids import CompanyId, PhaseId, TrainId
from contracts.runs import Run
from contracts.titles.facts import Facts
from services.engine.rules.network.bounded import longest
from services.engine.rules.network.disjoint import Choice, Group, chosen
from services.engine.rules.network.limits import DEFAULT_LIMITS, Best, Limits
from services.engine.rules.network.paths import Ground, Path, ground, listed, run_of
from services.engine.rules.network.readings import RULEBOOK, Readings, runs_are_united
from services.engine.rules.network.routes import Train, canonical, checked
from services.engine.rules.network.together import Asked, best_together
from services.engine.table.board import Board

__all__ = ["DEFAULT_LIMITS", "Best", "Limits", "best"]


def best(
    facts: Facts,
    board: Board,
    phase: PhaseId,
    company: CompanyId,
    trains: tuple[Train, ...],
    *,
    known: tuple[Run, ...] = (),
    limits: Limits = DEFAULT_LIMITS,
    readings: Readings = RULEBOOK,
    both: bool = False,
) -> Best:
    """The best set of runs; never less than `known`, which counts only if it is legal.

    A subsidy decides only between sets that earn the same, or with `both` counts as much.
    """
    if runs_are_united(facts):
        return best_together(
            Asked(facts, board, phase, company, trains, readings, both=both), known, limits
        )
    at_least = checked(facts, board, phase, company, trains=trains, runs=known).revenue
    on = ground(facts, board, phase, company)
    kinds = _kinds(trains)
    paths, complete = _listed(on, kinds, limits)
    if complete >= max((most for most, _ in kinds), default=0):
        choice = chosen(_groups(kinds, paths), at_least, limits.nodes, limits.expired)
    else:
        choice = _with_long_trains(on, kinds, paths, (complete, at_least), limits)
    if choice.picks:
        runs = _runs(on, kinds, choice)
    else:
        runs = tuple(sorted(map(canonical, known), key=lambda run: run.trains)) if at_least else ()
    return Best(runs, choice.value, choice.proven, choice.bound)


_EVERY = 10_000
"""Stations of a train without end: more than any board has."""

# A node of the search for one long path is dear: it looks at all that may still be reached.
_LONG_PARTS = 30

_Kinds = list[tuple[int, list[TrainId]]]
"""Stations that trains may call at, longest first, with the trains."""


def _kinds(trains: tuple[Train, ...]) -> _Kinds:
    kinds: dict[int, list[TrainId]] = {}
    for train in sorted(trains, key=lambda train: train.id):
        most = _EVERY if train.stations is None else min(train.stations, _EVERY)
        kinds.setdefault(most, []).append(train.id)
    return sorted(kinds.items(), reverse=True)


def _listed(on: Ground, kinds: _Kinds, limits: Limits) -> tuple[tuple[Path, ...], int]:
    """Paths, and the number of stations up to which they are all there."""
    longest_train = max((most for most, _ in kinds), default=0)
    if longest_train < 2:
        return (), longest_train
    whole = listed(on, longest_train, limits.steps, limits.part(3).expired)
    if whole.complete:
        return whole.paths, longest_train
    # Too many: list what is shorter, a station more each time, while that can be done.
    paths: tuple[Path, ...] = ()
    complete = 1
    less = limits.part(3)
    steps_left = less.steps
    while complete + 1 < longest_train:
        shorter = listed(on, complete + 1, steps_left, less.expired)
        steps_left -= shorter.steps
        if not shorter.complete:
            break
        paths, complete = shorter.paths, complete + 1
    return paths, complete


def _groups(kinds: _Kinds, paths: tuple[Path, ...]) -> tuple[Group, ...]:
    return tuple(
        Group(_dearest(path for path in paths if path.stations <= most), len(ids))
        for most, ids in kinds
    )


def _dearest(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Paths, dearest first, one for each set of track; equal ones as they were found."""
    first: dict[int, Path] = {}
    for path in sorted(paths, key=lambda path: -path.value):
        first.setdefault(path.mask, path)
    return tuple(first.values())


def _with_long_trains(
    on: Ground,
    kinds: _Kinds,
    paths: tuple[Path, ...],
    known: tuple[int, int],
    limits: Limits,
) -> Choice:
    """The choice where some trains are longer than the paths listed: good, and bounded."""
    complete, at_least = known
    bound = 0
    groups = []
    for (most, ids), group in zip(kinds, _groups(kinds, paths), strict=True):
        if most <= complete:
            groups.append(group)
            bound += sum(path.value for path in group.paths[: len(ids)])
            continue
        less = limits.part(_LONG_PARTS)
        found = longest(on, most, used=0, at_least=0, nodes_most=less.nodes, expired=less.expired)
        bound += found.bound * len(ids)
        extra = () if found.path is None else (found.path,)
        groups.append(Group(_dearest((*extra, *group.paths)), len(ids)))
    less = limits.part(3)
    choice = chosen(tuple(groups), at_least, less.nodes, less.expired)
    picks = _longer(on, kinds, choice, complete, limits)
    value = max(choice.value, sum(path.value for _, path in picks))
    bound = max(bound, value)
    return Choice(picks, value, proven=value == bound, bound=bound)


def _longer(
    on: Ground, kinds: _Kinds, choice: Choice, complete: int, limits: Limits
) -> tuple[tuple[int, Path], ...]:
    """The picks with each long train run anew on the track that the others leave free."""
    picks = list(choice.picks)
    for number, (most, ids) in enumerate(kinds):
        if most <= complete or not picks:
            continue
        for turn in range(len(ids)):
            mine = [at for at, (group, _) in enumerate(picks) if group == number]
            at = mine[turn] if turn < len(mine) else len(picks)
            used = sum(path.mask for other, (_, path) in enumerate(picks) if other != at)
            less = limits.part(_LONG_PARTS)
            found = longest(
                on,
                most,
                used=used,
                at_least=picks[at][1].value if at < len(picks) else 0,
                nodes_most=less.nodes,
                expired=less.expired,
            )
            if found.path is not None:
                picks[at : at + 1] = [(number, found.path)]
    return tuple(picks)


def _runs(on: Ground, kinds: _Kinds, choice: Choice) -> tuple[Run, ...]:
    idle = [list(ids) for _, ids in kinds]
    runs = [
        canonical(run_of(on, idle[number].pop(0), path.start, path.trail))
        for number, path in choice.picks
    ]
    return tuple(sorted(runs, key=lambda run: run.trains))
