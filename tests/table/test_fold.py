"""The table out of its records, with undo and redo."""

import pytest

from contracts import events as e
from services.engine.table.change import changed
from services.engine.table.fold import effective, table_at, tables
from tests.tables import ANN, BOB, CID, TABLE, dealt, operated


@pytest.mark.parametrize("version", range(11))
def test_the_table_at_a_version_is_the_same_by_either_way(version):
    story = operated()
    assert table_at(TABLE, story.records, version) == story.tables[version]


def test_an_undo_makes_the_table_that_was_and_counts_on():
    story = operated().undo(ANN, 7)
    undone, earlier = story.table, story.tables[7]
    assert (undone.version, undone.mover) == (11, ANN)
    assert changed(undone, version=7, mover=earlier.mover, moved_from=earlier.moved_from) == earlier


def test_an_undo_of_an_undo_is_a_redo():
    story = operated().undo(ANN, 7).undo(ANN, 10)
    assert effective(story.records) == list(range(1, 11))
    assert changed(story.table, version=10) == changed(
        story.tables[10], mover=story.table.mover, moved_from=story.table.moved_from
    )


def test_what_stands_after_play_went_on_from_an_undo_skips_what_was_undone():
    story = dealt().undo(CID, 3).tell(CID, e.Passed(CID, "chose to")).undo(BOB, 2)
    assert effective(story.records, 4) == [1, 2, 3, 4]
    assert effective(story.records, 6) == [1, 2, 3, 6]
    assert effective(story.records) == [1, 2]


def test_all_tables_come_in_order_undone_ones_too():
    story = operated().undo(ANN, 7)
    assert [table for _, table in tables(TABLE, story.records)] == story.tables[1:]


def test_who_moved_since_when_is_followed_through_undo():
    story = dealt()
    assert [(table.mover, table.moved_from) for table in story.tables[1:]] == [
        (None, 1),
        (ANN, 1),
        (BOB, 2),
        (CID, 3),
    ]
    story.undo(CID, 3)
    assert (story.table.mover, story.table.moved_from) == (CID, 3)
