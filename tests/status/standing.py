"""A store and services as `status` finds them, all well unless a test says otherwise."""

from contracts.heartbeats import Heartbeat, Trouble
from contracts.notices import READER
from contracts.streams import CLOCK_READER, VIEWS_READER
from services.bus.lag import Behind
from services.console.status.facts import Facts, Held, Living, Node, Read, Tables
from services.console.status.words import SERVICES, report

NOW = 1_700_000_000_000_000
SECOND = 1_000_000
HOLDER = "oak/12/ab"


def ago(seconds: float) -> int:
    return NOW - round(seconds * SECOND)


def living(
    service: str,
    *,
    silent: float = 0.0,
    stands_still: float = 0.0,
    waits_for: str = "",
    release: str = "1.0",
    troubles: tuple[Trouble, ...] = (),
) -> Living:
    sign = Heartbeat(
        service=service,
        name=HOLDER,
        host="oak",
        process=12,
        release=release,
        began=ago(3600),
        at=NOW,
        progressed=ago(stands_still),
        is_ready=not waits_for,
        waits_for=waits_for,
        troubles=troubles,
    )
    return Living(sign, silent)


def facts(**changed) -> Facts:
    """All is well but for what is changed."""
    fine = {
        "now": NOW,
        "nodes": (Node("Valkey 9.1.2", 12_600_000, 0),),
        "leases": (Held(HOLDER, 9.0),) * 16,
        "processes": tuple(living(service) for service in SERVICES),
        "commands": (Behind(),) * 16,
        "readers": {VIEWS_READER: Read(), CLOCK_READER: Read(), READER: Read()},
        "tables": Tables(3, 40),
    }
    return Facts(**{**fine, **changed})


def said(**changed) -> list[str]:
    """What is said of what is changed; what is not well has a mark before it."""
    return [
        f"{'' if one.is_well else '! '}{one.words}" for one in report(facts(**changed)).sentences
    ]


def verdict(**changed) -> str:
    return report(facts(**changed)).verdict
