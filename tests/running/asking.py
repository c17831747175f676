"""Ask a process over HTTP how it is."""

import contextlib
import json
import socket
import time
import urllib.error
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

SECONDS = 20.0


def free_address() -> str:
    """An address that nobody answers at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{one.getsockname()[1]}"


def asked(address: str, path: str) -> tuple[int, str]:
    """What it answers: the status and the body."""
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def problems(address: str, path: str) -> list[str]:
    """What it says is wrong; nothing if it answers 200."""
    status, body = asked(address, path)
    found = json.loads(body)["problems"]
    assert (status == 200) == (not found)
    return found


def until(is_so, seconds: float = SECONDS) -> None:
    """Wait until something is so; what cannot be asked yet is not."""
    ends = time.monotonic() + seconds
    while True:
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            if is_so():
                return
        assert time.monotonic() < ends
        time.sleep(0.05)


def figures(address: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """All its figures, by name and labels, as Prometheus reads them."""
    status, body = asked(address, "/metrics")
    assert status == 200
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(body)
        for sample in family.samples
    }
