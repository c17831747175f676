"""A process answers over HTTP whatever its event loop is doing, and says what is wrong."""

import asyncio
import json
import threading
import time

import pytest

from services.running.__main__ import main
from services.running.answering import answering
from services.running.metrics import REGISTRY
from services.running.settings import SettingsError, address
from services.running.standing import Standing
from tests.running.asking import asked, figures, problems

NOWHERE = "127.0.0.1:0"


@pytest.fixture
def standing() -> Standing:
    return Standing("clock")


@pytest.fixture
def where(standing):
    with answering(NOWHERE, standing) as found:
        assert found is not None
        yield f"{found[0]}:{found[1]}"


def test_it_is_alive_from_the_start_and_ready_once_it_says_so(standing, where):
    assert problems(where, "/health") == []
    assert problems(where, "/ready") == ["It waits for the store."]
    standing.ready([0])
    assert problems(where, "/ready") == []
    _, body = asked(where, "/ready")
    assert json.loads(body)["service"] == "clock"


def test_its_figures_are_read_by_prometheus(where):
    found = figures(where)
    assert ("minutebook_ready", ()) in found
    assert ("minutebook_event_loop_lag_seconds_count", ()) in found
    assert any(name == "process_resident_memory_bytes" for name, _ in found)


def test_what_is_not_there_is_not_found_and_nothing_is_taken(where):
    assert asked(where, "/")[0] == 404
    assert asked(where, "/health/../secrets")[0] == 404


def test_it_answers_while_the_loop_is_busy(where):
    """Deciding may take a second or two, and nobody else's thread is to wait for it."""
    seconds: list[float] = []

    def ask() -> None:
        began = time.monotonic()
        assert asked(where, "/health")[0] == 200
        seconds.append(time.monotonic() - began)

    async def busy() -> None:
        asker = threading.Thread(target=ask)
        asker.start()
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            sum(range(1000))
        assert seconds, "it was answered only after the loop was free"
        asker.join()

    asyncio.run(busy())


def test_nobody_answers_where_no_address_is_given(standing):
    with answering("", standing) as found:
        assert found is None
    assert not any(thread.name == "http" for thread in threading.enumerate())


def test_an_address_that_is_taken_is_said_in_words(standing, where):
    with (
        pytest.raises(SettingsError, match=rf"the address {where} cannot be answered at \(Address"),
        answering(where, standing),
    ):
        raise AssertionError


@pytest.mark.parametrize("text", ["9101", "localhost", "localhost:", ":9101", "x:99999", "x:y"])
def test_what_is_no_address_is_said_in_words(text):
    with pytest.raises(SettingsError, match=r"write it as 127\.0\.0\.1:9101"):
        address(text)


def test_a_check_of_a_container_asks_and_says_what_is_wrong(standing, where, capsys):
    assert main([where]) == 1
    assert capsys.readouterr().err == "It waits for the store.\n"
    assert main([where, "--health"]) == 0
    standing.ready([0])
    assert main([where]) == 0
    assert main(["127.0.0.1:1"]) == 1
    assert "does not answer as a service of Minutebook does" in capsys.readouterr().err
    assert main([]) == main(["nowhere"]) == 2
    assert "Usage: python -m services.running HOST:PORT" in capsys.readouterr().err


def test_names_of_figures_are_those_that_prometheus_wants():
    from services.clock import noting as clock
    from services.engine import noting as engine
    from services.engine import projector
    from services.notifier import noting as notifier

    # They register their figures when they are imported.
    assert all(module.__doc__ for module in (clock, engine, projector, notifier))
    labels: set[str] = set()
    for family in REGISTRY.collect():
        if not family.name.startswith("minutebook_"):
            continue
        assert family.name == family.name.lower()
        assert family.documentation.endswith("."), family.name
        for sample in family.samples:
            labels |= sample.labels.keys()
            if family.type == "counter":
                assert sample.name.endswith("_total")
    # Who plays where is bounded by nothing.
    assert not labels & {"table", "player", "addressee", "id", "partition"}
