"""A table as a file: what was archived comes back byte for byte, and whatever is wrong is said."""

import gzip
import lzma

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.archived import Resealed
from contracts.book import read as read_book
from contracts.book import written as book_written
from contracts.records import FIRST_DIGEST, Sealed, decode, digest
from contracts.rejections import Code, Rejection
from contracts.streams import Refused, encode
from services.archive.errors import FileError
from services.archive.form import Contents, Kept, read, written
from tests.archive.shelf import OVER, contents

REFUSED = encode(Refused(Rejection(Code.STALE, "design", "Too late.")))
BEGUN = contents(most=120)
FULL = msgspec.structs.replace(
    BEGUN,
    outcomes={**BEGUN.outcomes, b"late": REFUSED},
    kept=(
        Kept("chat", "stream", [[b"1-0", [b"f", b"ann", b"t", "Fünf!".encode()]]]),
        Kept("told", "field", bytes(range(256))),
    ),
    resealed=(Resealed(3, b"\x01" * 16, b"\x02" * 16, ("removed-1",), 7),),
    at=1_700_000_000_000_000,
)
FILE = written(FULL)


@pytest.mark.parametrize("name", ["soak-1830-6-17", "soak-1862-7-26"])
def test_every_kept_book_comes_back_byte_for_byte(name):
    found = contents(name)
    assert read(written(found)) == found


def test_outcomes_talk_and_what_is_remembered_come_back_too():
    assert read(FILE) == FULL


def test_it_is_lines_of_json_that_any_xz_shows():
    lines = lzma.decompress(FILE).splitlines()
    assert msgspec.json.decode(lines[0])["table"] == OVER
    assert msgspec.json.decode(lines[1])["order"]["command"]["type"] == "OpenTable"


def test_it_is_less_than_half_of_an_export_packed_by_gzip():
    found = contents()
    exported = "".join(f"{line}\n" for line in book_written(found.table, found.sealed))
    assert 2 * len(written(found)) < len(gzip.compress(exported.encode()))


def older(sealed: tuple[Sealed, ...]) -> tuple[Sealed, ...]:
    """A book as a release wrote it that did not know the last fields of orders and settings."""
    found: list[Sealed] = []
    previous = FIRST_DIGEST
    for one in sealed:
        plain = msgspec.msgpack.decode(one.body)
        while len(plain[3]) > 5 and plain[3][-1] is None:
            plain[3].pop()
        if one.record.version == 1:
            plain[4][0][5] = plain[4][0][5][:2]
        body = msgspec.msgpack.encode(plain)
        previous = digest(previous, body)
        found.append(Sealed(decode(body), body, previous))
    return tuple(found)


def test_records_that_an_older_release_wrote_shorter_stay_so():
    sealed = older(BEGUN.sealed)
    assert sum(len(one.body) for one in sealed) < sum(len(one.body) for one in BEGUN.sealed)
    found = Contents(BEGUN.table, sealed, {})
    assert [one.body for one in read(written(found)).sealed] == [one.body for one in sealed]


def test_an_export_of_such_records_is_read_again():
    sealed = older(BEGUN.sealed)
    assert read_book(book_written(BEGUN.table, sealed)).sealed == sealed


def test_a_record_in_any_other_encoding_is_kept_as_bytes():
    first = BEGUN.sealed[0]
    plain = msgspec.msgpack.decode(first.body)
    # An integer may be written longer than need be; no release of ours does so.
    body = msgspec.msgpack.encode(plain)
    assert body[1] == 1
    longer = body[:1] + b"\xd1\x00\x01" + body[2:]
    sealed = Sealed(decode(longer), longer, digest(FIRST_DIGEST, longer))
    found = Contents(first.record.order.table, (sealed,), {})
    assert read(written(found)).sealed == (sealed,)


# --- what is wrong is said -----------------------------------------------------------------------


@given(st.integers(0, len(FILE) - 1))
def test_a_file_that_is_cut_off_is_found_out(size):
    with pytest.raises(FileError):
        read(FILE[:size])


@given(st.integers(0, len(FILE) - 1), st.integers(1, 255))
def test_a_changed_byte_is_found_out(place, change):
    changed = bytearray(FILE)
    changed[place] ^= change
    with pytest.raises(FileError):
        read(bytes(changed))


def packed_anew(change) -> bytes:
    """The file with other lines, packed by somebody else."""
    lines = lzma.decompress(FILE).splitlines(keepends=True)
    return lzma.compress(b"".join(change(lines)))


def test_lines_that_were_changed_and_packed_anew_are_found_out():
    with pytest.raises(FileError, match="changed: its checksum is another"):
        read(packed_anew(lambda lines: [lines[0], *reversed(lines[1:3]), *lines[3:]]))


def test_a_file_without_its_last_line_is_cut_off():
    with pytest.raises(FileError, match="its last line is no checksum"):
        read(packed_anew(lambda lines: lines[:-1]))


def test_a_file_of_another_table_is_refused():
    with pytest.raises(FileError, match=f"of table {OVER}, not of friday"):
        read(FILE, "friday")


def test_a_form_of_a_later_release_is_refused_in_words():
    later = packed_anew(
        lambda lines: [lines[0].replace(b'archive":1', b'archive":2'), b'{"of":"a later form"}\n']
    )
    with pytest.raises(FileError, match="written in form 2; this release reads form 1"):
        read(later)


@pytest.mark.parametrize("text", [b"", b"{}", b"[]\n", b"not json", b'{"minutebook":1}\n'])
def test_what_is_no_file_of_the_archive_is_refused_in_words(text):
    with pytest.raises(FileError, match="first line does not say so"):
        read(lzma.compress(text))
