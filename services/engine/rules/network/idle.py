"""Trains that stand although they could run beside the others (7.8)."""

from collections.abc import Iterator

from contracts.runs import Stop
from services.engine.rules.network.chains import Chains, Freight
from services.engine.rules.network.field import Field
from services.engine.rules.network.freight import End
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.readings import Readings
from services.engine.rules.network.trips import Ends, can_run, plan_of, trips_of
from services.engine.rules.network.walks import Train

# Far more than any board of a box has; beyond it an idle train is let be.
_MOST_STEPS = 100_000


def idle_objections(
    on: Field,
    idle: tuple[Train, ...],
    freights: tuple[tuple[End, End, bool], ...],
    stops: tuple[Stop, ...],
    readings: Readings,
) -> Iterator[Objection]:
    """Each idle train that could be added to runs which call at these stops.

    `freights` are the ends of those that run, and whether they rust. A train need not run well, but
    if it can it must.
    """
    if not on.home:
        return
    met = on.home
    for stop in stops:
        met |= on.spots.get(stop, 0)
    ends = Ends(on, readings.entry)
    running: list[Freight] = []
    for first, second, rusts in freights:
        one, other = ends.of(first), ends.of(second)
        running.append((min(one, other), max(one, other), rusts))
    for train in idle:
        plan = plan_of(train)
        # A freight beside no others is a chain by itself.
        if plan.side != "freight" or not running:
            could_run = can_run(on, plan, _MOST_STEPS, met)
        else:
            trips = trips_of(on, plan, ends, _MOST_STEPS)
            chains = Chains(on, ends, {plan: trips})
            could_run = chains.take(plan, trips, running, met, apart=readings.permanents_apart)
        if could_run:
            because = f"{train.id} stands, and could run beside the others."
            yield Objection("train-idle", because, "7.8")
