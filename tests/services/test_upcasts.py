"""Records of older encodings are read as they are written today; their digests go on holding."""

import msgspec
import pytest

from contracts import upcasts
from contracts.ids import TableId
from contracts.records import FIRST_DIGEST, FORMAT, Record, encode, seal
from services.bus.errors import DamagedLogError
from services.bus.reading import sealed
from services.engine.table.state import new_table
from tests.ports.purse import bid, decide, opening

TABLE = TableId("friday")
RECORD = Record(1, 5, "test", opening(TABLE), decide(new_table(TABLE), opening(TABLE)))


def without_a_sender(plain):
    """An encoding, made up for this test, in which an order did not say who sent it."""
    version, at, engine, order, events = plain
    table, id, _sender, *rest = order
    return [version, at, engine, [table, id, *rest], events]


def with_a_sender(plain):
    version, at, engine, order, events = plain
    table, id, player, *rest = order
    return [version, at, engine, [table, id, player, player, *rest], events]


def in_seconds(plain):
    """An encoding before that, in which the time was in seconds."""
    version, at, *rest = plain
    return [version, at // 5, *rest]


def in_microseconds(plain):
    version, at, *rest = plain
    return [version, at * 5, *rest]


def test_todays_records_are_read_as_they_are():
    assert upcasts.read(FORMAT, encode(RECORD)) == RECORD


def test_older_records_are_read_step_by_step():
    plain = msgspec.msgpack.decode(encode(RECORD))
    steps = {1: in_microseconds, 2: with_a_sender}
    second = msgspec.msgpack.encode(without_a_sender(plain))
    first = msgspec.msgpack.encode(in_seconds(without_a_sender(plain)))
    with pytest.raises(msgspec.DecodeError):
        upcasts.read(FORMAT, second)
    assert upcasts.read(2, second, steps=steps, newest=3) == RECORD
    assert upcasts.read(1, first, steps=steps, newest=3) == RECORD


@pytest.mark.parametrize("number", [0, -1, FORMAT + 1, 99])
def test_a_newer_encoding_is_refused_by_its_number(number):
    with pytest.raises(upcasts.UnknownFormatError, match=f"encoding {number}"):
        upcasts.read(number, encode(RECORD))


def test_there_is_a_step_from_every_older_encoding():
    assert set(upcasts.STEPS) == set(range(1, FORMAT))


def book(*records: Record):
    """Log entries of records, as they lie in the store."""
    entries, previous = [], FIRST_DIGEST
    for record in records:
        one = seal(previous, record)
        fields = {b"f": b"%d" % FORMAT, b"b": one.body, b"d": one.digest}
        entries.append((b"%d-0" % record.version, fields))
        previous = one.digest
    return entries


BOOK = book(
    RECORD,
    *(
        Record(number, number, "test", bid(TABLE, f"b{number}", 1), RECORD.events[:1])
        for number in (2, 3, 4)
    ),
)


def test_a_whole_book_is_read():
    assert len(sealed(TABLE, BOOK, FIRST_DIGEST, 1)) == 4


@pytest.mark.parametrize("place", range(4))
def test_a_changed_byte_is_found_wherever_it_is(place):
    id, fields = BOOK[place]
    for byte in range(0, len(fields[b"b"]), 5):
        body = bytearray(fields[b"b"])
        body[byte] ^= 1
        damaged = [*BOOK]
        damaged[place] = (id, {**fields, b"b": bytes(body)})
        with pytest.raises(DamagedLogError, match=f"record {place + 1}:"):
            sealed(TABLE, damaged, FIRST_DIGEST, 1)


def test_a_missing_record_is_found():
    with pytest.raises(DamagedLogError, match="record 2: It is missing"):
        sealed(TABLE, [BOOK[0], *BOOK[2:]], FIRST_DIGEST, 1)


def test_a_swapped_pair_is_found():
    one, two = BOOK[1], BOOK[2]
    with pytest.raises(DamagedLogError, match="record 2"):
        sealed(TABLE, [BOOK[0], (one[0], two[1]), (two[0], one[1]), BOOK[3]], FIRST_DIGEST, 1)


def test_a_record_of_another_table_does_not_pass_for_one_of_this():
    foreign = book(RECORD, Record(2, 2, "test", bid("saturday", "b2", 1), RECORD.events[:1]))
    with pytest.raises(DamagedLogError, match="record 2: It is of table saturday"):
        sealed(TABLE, foreign, FIRST_DIGEST, 1)
