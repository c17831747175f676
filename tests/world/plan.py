"""What a seed draws: how big the world is, how it is used, and what goes wrong in it how often.

Each fault has a rate of its own, and often none: a world in which everything goes wrong all the
time never gets far enough to go wrong in an interesting way.
"""

from random import Random

import msgspec
from msgspec import Struct


class Rates(Struct, frozen=True):
    """How often something goes wrong, as a chance for each request, or for each second."""

    crash: float = 0.0
    """A process dies while it waits for the store, before or after the store has acted."""
    lost_request: float = 0.0
    lost_answer: float = 0.0
    late_request: float = 0.0
    """The sender has given up, perhaps died, when the store acts."""
    slow: float = 0.0
    twice: float = 0.0
    """The store gives out an entry that it has given out before."""
    lost_message: float = 0.0
    """An answer that was published does not come."""
    message_twice: float = 0.0
    kill: float = 0.0
    freeze: float = 0.0
    """A process is stopped for longer than its lease, and goes on as if nothing had been."""
    power: float = 0.0
    """The store is restarted; without an fsync for each act it loses the tail of its file."""
    clock: float = 0.0

    def without_crashes(self) -> "Rates":
        """The same, for a process that does not die."""
        return msgspec.structs.replace(self, crash=0.0)


NO_FAULTS = Rates()


class Plan(Struct, frozen=True):
    """One world."""

    seed: int
    partitions: int
    engines: int
    projectors: int
    clients: int
    tables: int
    orders: int
    """Of each client."""
    at_once: int
    """Orders that a client has under way at once."""
    games: int
    """Tables played by the rules, beside those of the purse."""
    moves: int
    """Of each such game."""
    batch: int
    snapshot_every: int
    tables_at_hand: int
    lease_seconds: float
    is_durable: bool
    """Whether the store writes each act to its disk before it answers (`appendfsync always`)."""
    trouble_seconds: float
    rates: Rates


STORM = 0.3
"""How often there is one kind of trouble only, and much of it."""
RATES: dict[str, tuple[float, float]] = {
    "crash": (0.001, 0.02),
    "lost_request": (0.002, 0.02),
    "lost_answer": (0.002, 0.03),
    "late_request": (0.002, 0.02),
    "slow": (0.01, 0.1),
    "twice": (0.01, 0.2),
    "lost_message": (0.05, 0.5),
    "message_twice": (0.02, 0.2),
    "kill": (0.03, 0.3),
    "freeze": (0.03, 0.3),
    "power": (0.02, 0.3),
    "clock": (0.05, 0.5),
}


def rates_of(lots: Random) -> Rates:
    """Some of every trouble, each little, much or none; or very much of one."""
    if lots.random() < STORM:
        name = lots.choice(tuple(RATES))
        return Rates(**{name: 3 * RATES[name][1]})
    return Rates(
        **{
            name: lots.choice((0.0, least, (least + most) / 2, most))
            for name, (least, most) in RATES.items()
        }
    )


def planned(seed: int) -> Plan:
    """The world of a seed."""
    lots = Random(f"plan {seed}")
    games = lots.choice((0, 0, 0, 1))
    return Plan(
        seed=seed,
        partitions=lots.choice((1, 1, 2, 3)),
        engines=lots.choice((1, 2, 2, 3)),
        projectors=lots.choice((1, 2, 2)),
        clients=lots.randint(1, 3),
        tables=lots.randint(1, 4),
        orders=lots.randint(3, 30),
        at_once=lots.randint(1, 4),
        games=games,
        moves=lots.randint(8, 90) if games else 0,
        batch=lots.choice((1, 2, 5, 32)),
        snapshot_every=lots.choice((2, 5, 100)),
        tables_at_hand=lots.choice((1, 2, 512)),
        lease_seconds=lots.choice((1.0, 3.0, 10.0)),
        is_durable=lots.random() < 0.6,
        trouble_seconds=lots.choice((5.0, 15.0, 40.0)),
        rates=rates_of(lots),
    )
