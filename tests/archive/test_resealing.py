"""A book is sealed anew: the same game with another name, and the old seal can still be proved."""

import msgspec
import pytest

from contracts.records import digest, seal
from contracts.rejections import Code, Rejection
from contracts.streams import Refused, decode_outcome, encode
from services.archive import resealing
from services.archive.errors import ArchiveError
from services.archive.form import Contents, Kept
from services.archive.resealing import earlier_seal, names_at, without
from services.engine.projections.audit import audit
from services.engine.table.fold import table_at
from tests.archive.shelf import OVER, contents

BEGUN = contents(most=120)
"""How a game begins."""


def records(found: Contents):
    return [one.record for one in found.sealed]


def removed(found: Contents, name: str = "ann", stand_in: str = "removed-1") -> Contents:
    after = without(found, names_at(records(found), name, stand_in), 7)
    assert after is not None
    return after


@pytest.mark.parametrize("name", ["soak-1830-6-17", "soak-1862-7-26"])
def test_the_book_of_a_whole_game_is_sound_and_names_her_nowhere(name):
    after = removed(contents(name))
    entries = [(one.body, one.digest) for one in after.sealed]
    assert audit(after.table, entries, after.seal).fault is None
    assert not any(b"\xa3ann" in one.body or b"\xa3Ann" in one.body for one in after.sealed)


def test_the_game_its_result_and_its_length_stay():
    before, after = contents(), removed(contents())
    old, new = table_at(OVER, records(before)), table_at(OVER, records(after))
    assert old.ending is not None
    assert new.ending is not None
    assert len(after.sealed) == len(before.sealed)
    assert [one.total for one in new.ending.standings] == [
        one.total for one in old.ending.standings
    ]
    assert {one.player for one in new.ending.standings} == {"removed-1", "bob"}
    assert [(one.record.version, one.record.at) for one in after.sealed] == [
        (one.record.version, one.record.at) for one in before.sealed
    ]


def test_who_knows_the_name_proves_the_old_seal_and_nobody_else_does():
    before, after = BEGUN, removed(BEGUN)
    (one,) = after.resealed
    assert (one.version, one.before, one.after) == (before.version, before.seal, after.seal)
    known = {"removed-1": "ann", "Removed-1": "Ann"}
    assert earlier_seal(after.sealed, one, known) == before.seal
    assert earlier_seal(after.sealed, one, {**known, "removed-1": "amy"}) != before.seal


def test_the_old_seal_is_proved_though_the_game_went_on():
    found = BEGUN
    half = Contents(found.table, found.sealed[:70], {})
    after = removed(half)
    moved = msgspec.structs.replace(after.sealed[-1].record, version=71)
    longer = (*after.sealed, seal(after.seal, moved))
    known = {"removed-1": "ann", "Removed-1": "Ann"}
    assert earlier_seal(longer, after.resealed[0], known) == half.seal


def test_two_people_can_go_one_after_the_other():
    after = removed(removed(BEGUN), "bob", "removed-2")
    first, second = after.resealed
    bob = {"removed-2": "bob", "Removed-2": "Bob"}
    ann = {"removed-1": "ann", "Removed-1": "Ann"}
    assert earlier_seal(after.sealed, second, bob) == second.before == first.after
    assert earlier_seal(after.sealed, first, {**ann, **bob}) == first.before == BEGUN.seal


def test_whoever_is_not_there_changes_nothing():
    found = BEGUN
    assert without(found, names_at(records(found), "zoe", "removed-1"), 7) is None


def test_a_removal_that_was_made_is_not_made_again():
    after = removed(BEGUN)
    assert without(after, names_at(records(after), "ann", "removed-1"), 8) is None


def test_a_stand_in_who_plays_there_himself_is_refused():
    found = BEGUN
    with pytest.raises(ArchiveError, match="somebody's name already"):
        without(found, names_at(records(found), "ann", "bob"), 7)


def test_outcomes_go_by_their_new_ids_and_refusals_name_her_no_more():
    found = BEGUN
    refusal = encode(Refused(Rejection(Code.NOT_YOUR_TURN, "design", "Nobody waits for ann.")))
    found = msgspec.structs.replace(found, outcomes={**found.outcomes, b"ann-9": refusal})
    after = removed(found)
    outcome = decode_outcome(after.outcomes[b"removed-1-9"])
    assert isinstance(outcome, Refused)
    assert outcome.rejection.sentence == "Nobody waits for removed-1."
    assert len(after.outcomes) == len(found.outcomes)
    assert {one.record.order.id.encode() for one in after.sealed} < set(after.outcomes)


def test_a_person_who_only_asked_and_was_refused_leaves_the_book_as_it_was():
    found = BEGUN
    refusal = encode(Refused(Rejection(Code.NOT_SEATED, "design", "zoe has no seat here.")))
    found = msgspec.structs.replace(found, outcomes={**found.outcomes, b"c9": refusal})
    after = removed(found, "zoe")
    assert after.sealed == found.sealed
    assert after.resealed == ()
    assert b"zoe" not in after.outcomes[b"c9"]


def test_chat_keeps_its_lines_and_his_notes_and_marks_go():
    found = msgspec.structs.replace(
        BEGUN,
        kept=(
            Kept("chat", "stream", [
                [b"1-0", [b"f", b"ann/robot", b"t", b"ann says hi", b"o", b"bob ann"]],
                [b"2-0", [b"f", b"bob", b"t", b"Hi Ann, annual meeting?"]],
            ]),
            Kept("chat:read", "hash", [[b"ann", b"2-0"], [b"bob", b"1-0"]]),
            Kept("chat:sent", "hash", [[b"ann\0x", b"1-0"], [b"bob\0x", b"2-0"]]),
            Kept("notes", "hash", [[b"ann", b"\x91"], [b"bob", b"\x90"]]),
        ),
    )  # fmt: skip
    chat, read, sent, notes = removed(found).kept
    assert chat.value == [
        [b"1-0", [b"f", b"removed-1/robot", b"t", b"removed-1 says hi", b"o", b"bob removed-1"]],
        [b"2-0", [b"f", b"bob", b"t", b"Hi Removed-1, annual meeting?"]],
    ]
    assert [read.value, sent.value, notes.value] == [
        [[b"bob", b"1-0"]], [[b"bob\0x", b"2-0"]], [[b"bob", b"\x90"]],
    ]  # fmt: skip


def test_what_notifier_and_clock_remember_goes_by_the_new_name():
    memory = msgspec.msgpack.encode([7, [], [["ann", "since 5", 5, "friday/5/ann/turn/0"]], [], {}])
    timers = b"7\nfriday 5.0 6 remind-60 ann\nfriday 5.0 6 remind-60 bob"
    found = msgspec.structs.replace(
        BEGUN, kept=(Kept("told", "field", memory), Kept("timers", "field", timers))
    )
    told, done = removed(found).kept
    open_notice = ["removed-1", "since 5", 5, "friday/5/removed-1/turn/0"]
    assert msgspec.msgpack.decode(told.value) == [7, [], [open_notice], [], {}]
    assert done.value == timers.replace(b"ann", b"removed-1")


def test_a_renaming_that_would_make_another_game_is_refused(monkeypatch):
    """Were a place forgotten along the types, the two tables would not be the same."""
    whole = resealing.renamed_body

    def forgetful(body, names):
        plain, before = msgspec.msgpack.decode(whole(body, names)), msgspec.msgpack.decode(body)
        if before[0] == 1:
            plain[4][1] = before[4][1]
        return msgspec.msgpack.encode(plain)

    monkeypatch.setattr(resealing, "renamed_body", forgetful)
    found = BEGUN
    with pytest.raises(ArchiveError, match=r"another game|turned back"):
        without(found, names_at(records(found), "ann", "removed-1"), 7)


def test_each_record_follows_from_the_one_before():
    after = removed(BEGUN)
    for one, following in zip(after.sealed, after.sealed[1:], strict=False):
        assert digest(one.digest, following.body) == following.digest
