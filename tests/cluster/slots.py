"""Move partitions of a cluster from one server to another, as an operator's tool does."""

from redis.crc import key_slot

from contracts import streams
from tests.servers import LoopbackServer


def slot_of(partition: int) -> int:
    """The slot in which all keys of a partition lie."""
    return key_slot(streams.commands(partition).encode())


def owners(servers: list[LoopbackServer], partitions: int) -> dict[int, int]:
    """Which server of the list each partition lies on."""
    found: dict[int, int] = {}
    with servers[0].client() as client:
        ranges = client.execute_command("CLUSTER SLOTS")
    ports = {server.port: number for number, server in enumerate(servers)}
    for partition in range(partitions):
        slot = slot_of(partition)
        port = next(master[1] for first, last, master, *_ in ranges if first <= slot <= last)
        found[partition] = ports[int(port)]
    return found


def move(partition: int, source: LoopbackServer, target: LoopbackServer, all_servers) -> None:
    """Move a partition with all its keys; it can be used all the while."""
    slot = slot_of(partition)
    with source.client() as giving, target.client() as taking:
        names = {server.port: identity(server) for server in (source, target)}
        taking.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", names[source.port])
        giving.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", names[target.port])
        while keys := giving.execute_command("CLUSTER GETKEYSINSLOT", slot, 1000):
            giving.execute_command("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
        for server in (target, source, *all_servers):
            with server.client() as client:
                client.execute_command("CLUSTER SETSLOT", slot, "NODE", names[target.port])


def identity(server: LoopbackServer) -> str:
    """A server's name in its cluster."""
    with server.client() as client:
        return str(client.execute_command("CLUSTER MYID").decode())


def keys_on(server: LoopbackServer) -> int:
    with server.client() as client:
        count = client.dbsize()
        assert isinstance(count, int)
        return count
