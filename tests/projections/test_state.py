"""The state of the projections: folded, stored, taken back."""

import msgspec
import pytest

from contracts import events as e
from contracts.views import AnyView
from services.engine.projections import api
from tests.projections.projected import plain, state_of, view
from tests.tables import ANN, BOB, NYC, dealt, operated, started

TOLD = ("minutes",)
"""Views that tell of undone records too."""


def views_without_versions(story, version=None):
    return {
        name: plain(view(story, name, version), "version", "last_activity")
        for name in api.NAMES
        if name not in TOLD
    }


@pytest.mark.parametrize("to", range(1, 10))
def test_views_after_an_undo_are_those_of_a_table_that_never_had_the_undone_records(to):
    assert views_without_versions(operated().undo(ANN, to)) == views_without_versions(
        operated(), to
    )


@pytest.mark.parametrize("to", range(1, 10))
def test_views_after_undo_and_redo_are_those_from_before(to):
    story = operated().undo(ANN, to).undo(BOB, 10)
    assert views_without_versions(story) == views_without_versions(operated())


def test_views_after_play_went_on_from_an_undo_know_nothing_of_what_was_undone():
    other = started(NYC, BOB, 100, "0,6")
    straight = dealt().undo(BOB, 2).tell(BOB, *other)
    long_way = dealt().undo(ANN, 1).undo(ANN, 3).undo(BOB, 2).tell(BOB, *other)
    one, two = views_without_versions(straight), views_without_versions(long_way)
    # Only the versions and times of the last record tell the two apart.
    assert one["companies"] == two["companies"]
    assert one["order"] == two["order"]
    assert [m["company"] for m in two["market"]["movements"]] == ["PRR", "NYC"]
    assert [entry["amount"] for entry in two["ledger"]["entries"]] == [134, 200]
    assert [entry["amount"] for entry in one["ledger"]["entries"]] == [134, 200]


@pytest.mark.parametrize("version", range(1, 11))
def test_a_longer_state_shows_an_earlier_version_as_it_was_then(version):
    story = operated()
    short = operated()
    del short.records[version:], short.tables[version + 1 :]
    for name in api.NAMES:
        assert view(story, name, version) == view(short, name)


@pytest.mark.parametrize("name", api.NAMES)
def test_a_view_names_itself_and_is_read_again_from_its_map(name):
    shown = view(operated(), name)
    encoded = msgspec.msgpack.encode(shown)
    assert msgspec.msgpack.decode(encoded)["view"] == name
    assert msgspec.msgpack.Decoder(AnyView).decode(encoded) == shown
    assert (shown.table, shown.version) == ("t1", 10)


def test_a_state_is_stored_at_any_point_and_goes_on_from_there():
    story = operated().undo(ANN, 7)
    state = api.start(story.id)
    for record, before, after in zip(story.records, story.tables, story.tables[1:], strict=False):
        state = api.decoded(api.encoded(api.project(state, record, before, after)))
    assert state == state_of(story)


def test_a_state_is_put_together_from_pages_stored_one_by_one():
    whole = state_of(operated())
    stored = [api.encoded_page(page) for page in whole.pages]
    state = api.start(whole.table)
    for body in stored:
        state = api.with_page(state, api.decoded_page(body))
    assert state == whole


def test_a_record_projected_twice_counts_once_and_a_gap_is_refused():
    story = operated()
    state = state_of(story)
    again = api.project(state, story.records[3], story.tables[3], story.tables[4])
    assert again is state
    with pytest.raises(api.OutOfOrderError):
        api.project(api.start(story.id), story.records[3], story.tables[3], story.tables[4])


def test_the_state_only_ever_grows_by_its_last_page():
    story = dealt()
    before = state_of(story)
    story.tell(ANN, e.Passed(ANN, "chose to"))
    assert state_of(story).pages[:-1] == before.pages
