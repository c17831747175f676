"""How the people of chaos, and some rooms of their tables, are told: by signed webhooks."""

from collections.abc import Iterator, Sequence
from typing import Final

from contracts.ids import TableId
from contracts.notices import Addressee, Channel, of_player, of_table
from services.bus.client import Bus
from services.chaos.opening import people_of
from services.chaos.post import GONE_PATH, key_of
from services.notifier.accounts import account_of
from services.notifier.sealing import Seals, Target
from services.notifier.store import Store

ROOMS_OF_A_CLIENT: Final = 40
"""Of so many of its tables every other client has a room."""


def rooms_of(client: str) -> Iterator[str]:
    """The addressees of the rooms of a client's tables."""
    for number in range(1, ROOMS_OF_A_CLIENT + 1):
        yield of_table(TableId(f"{client}-{number}"))


def planted(clients: Sequence[str]) -> frozenset[str]:
    """Who can never be reached: the rooms of the first client."""
    return frozenset(rooms_of(clients[0]))


async def enrol(bus: Bus, seals: Seals, url: str, clients: Sequence[str]) -> None:
    """Have everybody told at the receiver's address, each under a path of his own."""
    outbox = Store(bus.client, bus.partitions)
    for number, client in enumerate(clients):
        for person in people_of(client):
            await outbox.set_addressee(of_player(person), _addressee(seals, url, person))
        if number % 2 == 0:
            for room in rooms_of(client):
                to = GONE_PATH if number == 0 else room.partition(":")[2]
                await outbox.set_addressee(room, _addressee(seals, url, to))


def _addressee(seals: Seals, url: str, to: str) -> Addressee:
    target = Target(f"{url}/{to}", key_of(to))
    channel = Channel("main", "http: signed webhook", seals.seal(target), account_of(target.url))
    return Addressee(channels=(channel,))
