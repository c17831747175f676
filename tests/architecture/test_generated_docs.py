"""The generated references are fresh, and whole in themselves."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest

from contracts import schema
from contracts.events import AnyEvent
from contracts.rejections import MEANINGS, Code


def test_generated_references_are_fresh():
    assert schema.stale(schema.GENERATED) == [], "run `python -m contracts.schema`"


def test_a_changed_a_missing_and_a_foreign_file_are_not_fresh(tmp_path):
    folder = tmp_path / "generated"
    schema.write(folder)
    assert schema.stale(folder) == []
    (folder / "events.md").write_text("# Events\n")
    (folder / "views.json").unlink()
    (folder / "trains.md").write_text("# Trains\n")
    assert schema.stale(folder) == ["events.md", "trains.md", "views.json"]


@pytest.mark.parametrize("name", [n for n in schema.documents() if n.endswith(".json")])
def test_every_reference_within_a_schema_leads_somewhere(name):
    document = json.loads(schema.documents()[name])
    for reference in references(document):
        place: Any = document
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]
        assert isinstance(place, dict)


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref":
                yield value
            yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def test_the_page_of_events_has_every_event_with_its_fields_in_the_order_of_the_wire():
    page = schema.documents()["events.md"]
    assert [f"## {event.__name__}" in page for event in get_args(AnyEvent)] == [True] * len(
        get_args(AnyEvent)
    )
    section = page.split("## TrainBought\n")[1].split("##")[0]
    fields = [line.split("`")[1] for line in section.splitlines() if "| `" in line]
    assert fields == ["type", "company", "train", "seller", "payments", "handed_in"]


def test_every_code_of_a_rejection_says_what_it_means():
    assert set(MEANINGS) == set(Code)
    page = schema.documents()["rejections.md"]
    assert all(f"| `{code}` | {MEANINGS[code]} |" in page for code in Code)


def test_the_bus_is_described_with_the_keys_that_it_uses():
    bus = json.loads(schema.documents()["asyncapi.json"])
    assert bus["asyncapi"] == "3.0.0"
    addresses = {name: channel["address"] for name, channel in bus["channels"].items()}
    assert addresses == {
        "commands": "{tag}:commands",
        "log": "{tag}:table:{table}:log",
        "feed": "{tag}:feed",
        "dead": "{tag}:dead",
        "chat": "{tag}:table:{table}:chat",
        "talk": "minutebook:talk",
        "answers": "minutebook:answers:{client}",
        "views": "minutebook:views",
    }
    for name, channel in bus["channels"].items():
        left_open = {part.split("}")[0] for part in channel["address"].split("{")[1:]}
        assert left_open == set(channel["parameters"]), name
