"""Servers on loopback TCP ports for tests that need several, or a cluster.

They keep nothing, no append-only file, no snapshots, unless a test is about their files.
"""

import contextlib
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from services.embedded.find import find_server
from services.embedded.guard import Guard

SLOTS = 16384
_SECONDS_TO_START = 20.0
_PAUSE_SECONDS = 0.02


@dataclass(frozen=True)
class LoopbackServer:
    """One server on a port of this machine."""

    port: int
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def client(self) -> redis.Redis:
        return redis.Redis(port=self.port, socket_timeout=5, retry=Retry(NoBackoff(), 0))

    def kill(self) -> None:
        """Kill it as a crash would."""
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def loopback_servers(
    count: int, folder: Path, *, is_cluster: bool = False, keeps: bool = False
) -> Iterator[list[LoopbackServer]]:
    """Start `count` servers, each in its own folder under `folder`; stop them at the end.

    With `is_cluster` they are masters of one cluster that covers all slots and answers when given.
    With `keeps` they keep their files and go on from them, and the first one of a cluster has all
    slots, whatever it has in them.
    """
    ports = _free_ports(2 * count if is_cluster else count)
    with contextlib.ExitStack() as undo:
        servers = []
        for number in range(count):
            bus_port = ports[count + number] if is_cluster else None
            home = folder / f"server-{number}"
            home.mkdir(exist_ok=keeps)
            servers.append(undo.enter_context(_server(ports[number], bus_port, home, keeps)))
        if is_cluster:
            _join_into_cluster(servers, [SLOTS] if keeps else _even_shares(count))
        yield servers


@contextlib.contextmanager
def _server(port: int, bus_port: int | None, home: Path, keeps: bool) -> Iterator[LoopbackServer]:
    program = find_server().path
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    options += ["--appendonly", "yes" if keeps else "no", "--aof-use-rdb-preamble", "no"]
    if bus_port is not None:
        options += ["--cluster-enabled", "yes", "--cluster-port", str(bus_port)]
        options += ["--cluster-node-timeout", "2000"]
    guard = Guard()
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [program, *options],
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    guard.watch(process.pid)
    try:
        server = LoopbackServer(port, process)
        _until(lambda: _answers(server), f"the server on port {port} answers", home)
        yield server
    finally:
        process.kill()
        process.wait()
        guard.release()


def _even_shares(count: int) -> list[int]:
    """Where the slots of each of so many servers end."""
    return [SLOTS * (number + 1) // count for number in range(count)]


def _join_into_cluster(servers: list[LoopbackServer], ends: list[int]) -> None:
    first = servers[0]
    for number, server in enumerate(servers):
        with server.client() as client:
            if number < len(ends):
                _add_slots(client, ends[number - 1] if number else 0, ends[number])
            client.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
            if server is not first:
                bus_port = client.config_get("cluster-port")["cluster-port"]
                with first.client() as meeting:
                    meeting.execute_command(
                        "CLUSTER MEET", "127.0.0.1", server.port, int(bus_port or 0)
                    )
    for server in servers:
        _until(lambda server=server: _sees_all(server, len(servers)), "the cluster has formed")


def _add_slots(client: redis.Redis, begin: int, end: int) -> None:
    """Give a server slots, but for those that it has taken itself because it has keys in them."""
    taken = {
        slot
        for first, last, *_ in client.execute_command("CLUSTER SLOTS")
        for slot in range(first, last + 1)
    }
    free = [slot for slot in range(begin, end) if slot not in taken]
    client.execute_command("CLUSTER ADDSLOTS", *free)


def _sees_all(server: LoopbackServer, count: int) -> bool:
    with server.client() as client:
        state = client.cluster("INFO")
    return state["cluster_state"] == "ok" and int(state["cluster_known_nodes"]) == count


def _answers(server: LoopbackServer) -> bool:
    if server.process.poll() is not None:
        raise AssertionError(f"the server on port {server.port} ended at once")
    with server.client() as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


def _until(is_so, what: str, home: Path | None = None) -> None:
    until = time.monotonic() + _SECONDS_TO_START
    while not is_so():
        if time.monotonic() > until:
            log = f"\n{(home / 'server.log').read_text()}" if home else ""
            raise AssertionError(f"not in {_SECONDS_TO_START:.0f} s: {what}{log}")
        time.sleep(_PAUSE_SECONDS)


def _free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, all different because they are held together while chosen."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]
