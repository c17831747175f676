"""A minute book as a file: what is whole is read, what is damaged is found and placed."""

import json

import pytest

from contracts.book import BookError, entries, read, written
from tests.tables import TABLE, operated


@pytest.fixture
def lines() -> list[str]:
    return list(written(TABLE, operated().undo("ann", 7).sealed()))


def test_what_was_written_is_read_again(lines):
    story = operated().undo("ann", 7)
    book = read(lines)
    assert book.records == tuple(story.records)
    assert book.sealed == tuple(story.sealed())
    assert (book.header.table, book.header.title, book.header.records) == (TABLE, "1830", 11)


def test_each_line_names_its_version_and_its_events(lines):
    line = json.loads(lines[4])
    assert (line["version"], line["order"]["player"]) == (4, "cid")
    assert [event["type"] for event in line["events"]] == ["SharesBought", "TurnEnded", "TurnBegan"]
    assert len(bytes.fromhex(line["digest"])) == 16


def test_empty_lines_say_nothing(lines):
    assert read([*lines[:3], "\n", *lines[3:], ""]) == read(lines)


def refusal(lines) -> tuple[int, str]:
    with pytest.raises(BookError) as error:
        read(lines)
    return error.value.line, error.value.field


def test_a_file_cut_off_within_a_line_is_found_out(lines):
    assert refusal([*lines[:-1], lines[-1][:-10]]) == (12, "the line")


def test_a_file_cut_off_between_lines_is_found_out(lines):
    assert refusal(lines[:-2]) == (10, "records")


def test_a_changed_amount_does_not_fit_its_digest(lines):
    lines[4] = lines[4].replace('"amount":134', '"amount":135')
    assert refusal(lines) == (5, "digest")


def test_a_left_out_record_is_found_by_its_version(lines):
    del lines[4]
    assert refusal(lines) == (5, "version")


def test_two_swapped_records_are_found_by_their_versions(lines):
    lines[4], lines[5] = lines[5], lines[4]
    assert refusal(lines) == (5, "version")


def test_a_wrong_kind_of_value_is_named_with_its_field(lines):
    lines[4] = lines[4].replace('"amount":134', '"amount":"134"')
    assert refusal(lines) == (5, "events[0].payments[0].amount")


def test_a_digest_that_is_none_is_named(lines):
    line = json.loads(lines[2])
    assert refusal([*lines[:2], json.dumps(line | {"digest": "xyz"}), *lines[3:]]) == (3, "digest")
    del line["digest"]
    assert refusal([*lines[:2], json.dumps(line), *lines[3:]]) == (3, "digest")


@pytest.mark.parametrize(
    ("first", "where"),
    [
        ('{"id": 29133, "title": "1830", "actions": []}', (1, "minutebook")),
        ('{"minutebook": 99}', (1, "minutebook")),
        ('{"minutebook": 1, "table": "t1"}', (1, "the line")),
        ("[1, 2]", (1, "the line")),
        ("\x7fELF", (1, "the line")),
    ],
)
def test_a_foreign_file_is_refused_by_its_first_line(lines, first, where):
    assert refusal([first, *lines[1:]]) == where


def test_an_empty_file_is_no_minute_book():
    assert refusal([]) == (1, "the line")


def test_records_of_another_table_do_not_belong(lines):
    lines[0] = lines[0].replace('"table":"t1"', '"table":"t2"')
    assert refusal(lines) == (2, "order.table")


def test_a_header_with_another_last_digest_is_found_out(lines):
    header = json.loads(lines[0]) | {"seal": "00" * 16}
    assert refusal([json.dumps(header), *lines[1:]]) == (1, "seal")


def test_entries_are_read_as_they_stand_for_an_audit_to_judge(lines):
    lines[4] = lines[4].replace('"amount":134', '"amount":135')
    header, found = entries(lines)
    assert header.records == len(found) == 11
    assert found[0] == (operated().sealed()[0].body, operated().sealed()[0].digest)
    assert found[3][0] != operated().sealed()[3].body
