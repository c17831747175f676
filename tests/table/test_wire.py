"""Golden encodings: what was written once is read for ever, with the same meaning."""

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from contracts.commands import AnyCommand
from contracts.events import AnyEvent
from contracts.plain import from_plain
from contracts.records import FIRST_DIGEST, Record, digest
from tests.golden.wire.write import goldens

WIRE = Path(__file__).parents[1] / "golden" / "wire"
KINDS: dict[str, tuple[type, ...]] = {
    "events": get_args(AnyEvent),
    "commands": get_args(AnyCommand),
}
DECODERS: dict[str, msgspec.msgpack.Decoder[Any]] = {
    "events": msgspec.msgpack.Decoder(AnyEvent),
    "shapes": msgspec.msgpack.Decoder(AnyEvent),
    "commands": msgspec.msgpack.Decoder(AnyCommand),
    "shapes-of-commands": msgspec.msgpack.Decoder(AnyCommand),
    "records": msgspec.msgpack.Decoder(Record),
}
GOLDEN = sorted(f"{path.parent.name}/{path.stem}" for path in WIRE.glob("*/*.json"))


def golden(name: str) -> tuple[bytes, dict[str, Any]]:
    found = json.loads((WIRE / f"{name}.json").read_text())
    return bytes.fromhex(found["wire"]), found["plain"]


def decoded(name: str) -> Any:
    return DECODERS[name.split("/", maxsplit=1)[0]].decode(golden(name)[0])


@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_encoding_still_reads_as_it_did(name):
    message = decoded(name)
    assert message == from_plain(golden(name)[1], type(message))


@pytest.mark.parametrize("name", GOLDEN)
def test_todays_encoding_only_adds_fields_at_the_ends(name):
    today = msgspec.msgpack.encode(decoded(name))
    assert begins(msgspec.msgpack.decode(today), msgspec.msgpack.decode(golden(name)[0]))


@pytest.mark.parametrize("folder", KINDS)
def test_every_message_has_a_golden_encoding_of_its_own_kind(folder):
    there = {path.stem for path in (WIRE / folder).glob("*.json")}
    assert there == {kind.__name__ for kind in KINDS[folder]}
    for kind in KINDS[folder]:
        assert type(decoded(f"{folder}/{kind.__name__}")) is kind


def test_every_example_has_its_golden_encoding():
    assert sorted(name for name, _ in goldens()) == GOLDEN


def test_a_chain_of_golden_records_has_the_digest_it_always_had():
    mark = FIRST_DIGEST
    for name in GOLDEN:
        if name.startswith("records/"):
            mark = digest(mark, golden(name)[0])
    assert mark.hex() == "a6503911da8e89b0e535cc68820e4825"


def begins(longer: Any, shorter: Any) -> bool:
    """Whether arrays go on where older ones ended, at any depth, all else being equal."""
    if isinstance(longer, list) and isinstance(shorter, list):
        if len(longer) < len(shorter):
            return False
        return all(begins(one, other) for one, other in zip(longer, shorter, strict=False))
    if isinstance(longer, dict) and isinstance(shorter, dict):
        return longer.keys() == shorter.keys() and all(
            begins(longer[key], shorter[key]) for key in shorter
        )
    return bool(longer == shorter) and type(longer) is type(shorter)


def test_a_changed_order_of_fields_would_be_seen():
    assert begins(["A", 1, [2], 3], ["A", 1, [2]])
    assert not begins(["A", [2], 1], ["A", 1, [2]])
    assert not begins(["A", 1], ["A", 1, 2])
    assert not begins([True], [1])
