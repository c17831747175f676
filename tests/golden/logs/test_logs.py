"""The two promises on our own logs: each replays for ever, and is decided again as it was."""

import tomllib

import pytest

from services.engine.projections.audit import audit
from services.engine.rules.redecide import redecided, told
from tests.architecture.source import ROOT
from tests.golden.logs import kept

SIGNED = ROOT / "tests" / "golden" / "signed_differences.toml"


def signed(name: str) -> dict[int, dict[str, str]]:
    """The signed differences of a log, by version."""
    entries = tomllib.loads(SIGNED.read_text())
    return {
        entry["version"]: entry for entry in entries.get("difference", []) if entry["log"] == name
    }


def test_there_is_a_log_for_each_number_of_players():
    missing = [
        f"{title}-{players}"
        for title, players, seed in kept.GAMES
        if f"soak-{title}-{players}-{seed}" not in kept.names()
    ]
    assert not missing, "write them: python -m tests.golden.logs.write"


@pytest.mark.parametrize("name", kept.names())
def test_a_log_replays_to_the_table_that_was_noted_with_it(name):
    assert list(kept.parted(kept.table_of(name), kept.noted(name))) == []


@pytest.mark.parametrize("name", kept.names())
def test_a_log_is_sound(name):
    book = kept.book(name)
    entries = [(entry.body, entry.digest) for entry in book.sealed]
    report = audit(book.header.table, entries, bytes.fromhex(book.header.seal))
    assert report.sound, report.fault


@pytest.mark.parametrize("name", kept.names())
def test_a_log_is_decided_again_as_it_was_or_the_difference_is_signed(name):
    book = kept.book(name)
    found = {one.version: one for one in redecided(book.header.table, book.records).differences}
    expected = signed(name)
    unsigned = [told(one) for version, one in found.items() if version not in expected]
    assert not unsigned, "\n".join(unsigned)
    assert set(expected) == set(found), "signed, but decided as it was"


def test_every_signature_says_rule_reason_and_changelog_entry():
    for entry in tomllib.loads(SIGNED.read_text()).get("difference", []):
        assert set(entry) == {"log", "version", "rule", "reason", "changelog"}, entry
        assert entry["log"] in kept.names()
        assert entry["changelog"] in (ROOT / "CHANGELOG.md").read_text()


def test_a_table_that_is_not_the_noted_one_is_found_out():
    name = kept.names()[0]
    note = kept.noted(name)
    note["cash"]["bank"] += 1
    note["agenda"] = [*note["agenda"], None]
    found = list(kept.parted(kept.table_of(name), note))
    assert [line.partition(":")[0] for line in found] == ["table.cash[bank]", "table.agenda"]
