"""Books of an older release, written before some field was added, are as whole as ever."""

import json

import msgspec
import pytest

from contracts.book import BookError, entries, read, written
from contracts.records import FIRST_DIGEST, digest, encode
from services.engine.projections.audit import audit
from tests.tables import TABLE, operated

NEWEST_FIELD = "reported"
"""The last field of an order; it has a default, and was not there always."""


def older_entries() -> list[tuple[bytes, bytes]]:
    """What a release before that field wrote: each order one element shorter."""
    chain = []
    before = FIRST_DIGEST
    for record in operated().records:
        raw = msgspec.msgpack.decode(encode(record))
        assert raw[3].pop() is None
        body = msgspec.msgpack.encode(raw)
        before = digest(before, body)
        chain.append((body, before))
    return chain


def older_lines() -> list[str]:
    """The same book as a file, as that release wrote it."""
    header, *lines = map(json.loads, written(TABLE, operated().sealed()))
    chain = older_entries()
    for line, (_, mark) in zip(lines, chain, strict=True):
        del line["order"][NEWEST_FIELD]
        line["digest"] = mark.hex()
    header["seal"] = chain[-1][1].hex()
    return [json.dumps(line) for line in (header, *lines)]


def test_an_older_file_is_read_and_its_digests_hold():
    book = read(older_lines())
    assert book.records == tuple(operated().records)
    assert [(one.body, one.digest) for one in book.sealed] == older_entries()


def test_an_older_file_that_was_changed_is_found_out():
    lines = older_lines()
    lines[4] = lines[4].replace('"amount": 134', '"amount": 135')
    with pytest.raises(BookError) as error:
        read(lines)
    assert (error.value.line, error.value.field) == (5, "digest")


def test_a_field_that_was_added_to_an_older_file_is_found_out():
    lines = older_lines()
    line = json.loads(lines[4])
    line["order"][NEWEST_FIELD] = None
    lines[4] = json.dumps(line)
    with pytest.raises(BookError) as error:
        read(lines)
    assert (error.value.line, error.value.field) == (5, "digest")


def test_an_older_log_is_sound():
    report = audit(TABLE, older_entries())
    assert report.sound, report.fault
    header, found = entries(older_lines())
    assert audit(TABLE, found, bytes.fromhex(header.seal)).sound


def test_a_record_that_nobody_writes_so_is_not_canonical():
    record = operated().records[0]
    raw = msgspec.msgpack.decode(encode(record))
    longer = b"\xdc" + len(raw).to_bytes(2, "big") + encode(record)[1:]
    assert msgspec.msgpack.decode(longer) == raw
    fault = audit(TABLE, [(longer, digest(FIRST_DIGEST, longer))]).fault
    assert fault is not None
    assert fault.what == "not canonical"
