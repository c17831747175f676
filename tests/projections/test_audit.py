"""The audit: it proves what is whole, and names the first thing that is not."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from contracts import events as e
from contracts.frames import Merging, OptionShare, Question, SellDown
from contracts.ids import BANK, OFFERING, POOL, SUPPLY, HexId, TableId, TileId, TrainId, TrainKind
from contracts.money import Payment, pay
from contracts.pieces import CertificateMove, Train
from contracts.placed import LaidTile
from contracts.records import FIRST_DIGEST, Record, digest
from contracts.views import Fault, Report
from services.engine.projections import api, audit_pieces
from services.engine.projections.audit import Entry, audit
from services.engine.projections.audit_pieces import Counting, event_fault, record_fault
from services.engine.projections.audit_views import Sums, wealth_fault
from services.engine.table.change import changed, with_entry
from services.engine.table.evolve import evolve
from services.engine.table.state import Table
from tests.projections.projected import state_of, view
from tests.tables import (
    ANN,
    BOB,
    CID,
    DIRECTORS,
    NYC,
    ONE,
    PRR,
    TABLE,
    Story,
    dealt,
    operated,
    token,
)

Change = Callable[[Table], Table]


def entries_of(story: Story) -> list[Entry]:
    return [(one.body, one.digest) for one in story.sealed()]


def fault_of(entries: list[Entry], **more: Any) -> Fault:
    report = audit(TABLE, entries, **more)
    assert not report.sound
    assert report.fault is not None
    return report.fault


@pytest.fixture
def entries() -> list[Entry]:
    return entries_of(operated().undo(ANN, 7).undo(BOB, 10))


def test_a_whole_minute_book_is_sound(entries):
    report = audit(TABLE, entries, seal=entries[-1][1])
    assert (report.sound, report.fault) == (True, None)
    assert (report.records, report.seal) == (12, entries[-1][1].hex())
    assert report.events == sum(len(record.events) for record in operated().records) + 2
    assert report.checks["digests"] == report.checks["records"] == 12
    assert report.checks["events"] == report.events - 2
    assert report.checks["views"] == len(api.NAMES)
    assert {"money", "certificates", "trains", "tiles", "tokens", "wealth"} <= set(report.checks)


def test_a_report_is_written_as_json_and_read_again(entries):
    report = audit(TABLE, entries[:5] + entries[6:])
    assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report


def test_an_empty_book_is_sound_and_has_the_first_digest():
    report = audit(TABLE, [])
    assert (report.sound, report.records, report.seal) == (True, 0, FIRST_DIGEST.hex())


@pytest.mark.parametrize("version", range(1, 13))
def test_a_changed_byte_is_found_wherever_it_is(entries, version):
    body, mark = entries[version - 1]
    for at in (1, len(body) // 2, len(body) - 1):
        changed_body = body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]
        fault = fault_of([*entries[: version - 1], (changed_body, mark), *entries[version:]])
        # The last record has none after it that could tell whether its version was changed.
        known = {"changed"} if version < 12 else {"changed", "missing", "repeated"}
        assert (fault.what in known, fault.version) == (True, version)


def test_a_changed_record_is_told_from_a_changed_digest(entries):
    body, mark = entries[3]
    other = body.replace(b"\xcc\x86", b"\xcc\x87")
    assert other != body
    fault = fault_of([*entries[:3], (other, mark), *entries[4:]])
    assert (fault.what, fault.version) == ("changed", 4)
    assert "the next record rests on the digest" in fault.sentence
    fault = fault_of([*entries[:3], (body, bytes(16)), *entries[4:]])
    assert (fault.what, fault.version) == ("digest", 4)


def test_a_changed_version_is_told_from_a_missing_record(entries):
    body, mark = entries[3]
    assert body[1] == 4
    fault = fault_of([*entries[:3], (body[:1] + b"\x05" + body[2:], mark), *entries[4:]])
    assert (fault.what, fault.sentence) == (
        "changed",
        "Version 4 was changed: it calls itself 5.",
    )


def test_a_record_that_cannot_be_read_was_changed_unless_its_digest_fits(entries):
    _, mark = entries[3]
    assert fault_of([*entries[:3], (b"\xc1", mark)]).what == "changed"
    fitting = digest(entries[2][1], b"\xc1")
    assert fault_of([*entries[:3], (b"\xc1", fitting)]).what == "unreadable"


def test_a_missing_record_is_named(entries):
    fault = fault_of([*entries[:3], *entries[4:]])
    assert (fault.what, fault.version) == ("missing", 4)
    assert fault.sentence == "Version 4 is missing: version 5 follows version 3."


def test_missing_records_are_named_together(entries):
    fault = fault_of([*entries[:3], *entries[6:]])
    assert fault.sentence == "Versions 4 to 6 are missing: version 7 follows version 3."


def test_a_swapped_pair_is_told_from_a_missing_record(entries):
    fault = fault_of([*entries[:3], entries[4], entries[3], *entries[5:]])
    assert (fault.what, fault.version) == ("swapped", 4)


def test_a_repeated_record_is_named(entries):
    assert fault_of([*entries[:4], entries[3], *entries[4:]]).what == "repeated"


def test_records_missing_at_the_end_are_found_by_the_seal(entries):
    assert audit(TABLE, entries[:-2]).sound
    fault = fault_of(entries[:-2], seal=entries[-1][1])
    assert (fault.what, fault.version) == ("unsealed", 10)


def test_a_table_that_went_on_after_it_was_sealed_is_sound(entries):
    assert audit(TABLE, entries, seal=entries[4][1]).sound


def test_another_tables_book_is_foreign(entries):
    report = audit(TableId("t2"), entries)
    assert report.fault is not None
    assert report.fault.what == "foreign"


def test_an_encoding_that_we_would_write_otherwise_is_found():
    (body, _), *_ = entries_of(operated())
    fields = msgspec.msgpack.decode(body)
    fields.append("one field more")
    longer = msgspec.msgpack.encode(fields)
    fault = fault_of([(longer, digest(FIRST_DIGEST, longer))])
    assert fault.what == "not canonical"


def resealed(story: Story, version: int, *events: e.AnyEvent) -> list[Entry]:
    """The book with other events at one version and every digest made anew."""
    record = story.records[version - 1]
    other = Record(record.version, record.at, record.engine, record.order, events)
    chain: list[Entry] = []
    before = FIRST_DIGEST
    for one in (*story.records[: version - 1], other, *story.records[version:]):
        body = msgspec.msgpack.encode(one)
        before = digest(before, body)
        chain.append((body, before))
    return chain


@pytest.mark.parametrize(
    ("event", "what"),
    [
        (e.SharesSold(BOB, PRR, POOL, {ONE: 1}, {}, ()), "refused"),
        (e.TurnEnded("9.9", ANN, "done"), "refused"),
        (e.TrainsMoved((TrainId("2-0"),), PRR, POOL, "discarded"), "refused"),
        (e.MoneyPaid("fee", (Payment(ANN, "nobody", 5),)), "refused"),
        (e.MoneyPaid("fee", (Payment(ANN, BANK, 0),)), "payment"),
        (e.MoneyPaid("fee", (Payment(ANN, BANK, -5),)), "payment"),
        (e.MoneyPaid("fee", (Payment(ANN, BANK, 601),)), "negative"),
        (
            e.TrainBought(PRR, Train(TrainId("2-0"), TrainKind("2")), POOL, ()),
            "refused",
        ),
        (
            e.TileLaid(PRR, HexId("F16"), TileId("57"), 0, LaidTile(TileId("14"), 0), (), None, ()),
            "tiles",
        ),
    ],
    ids=lambda part: part if isinstance(part, str) else type(part).__name__,
)
def test_an_event_that_cannot_have_happened_is_named_though_all_digests_fit(event, what):
    story = dealt()
    entries = resealed(story, 4, event, *story.records[3].events)
    fault = fault_of(entries)
    assert (fault.what, fault.version, fault.event) == (what, 4, 0)
    assert fault.event_name == type(event).__name__


def test_an_undo_into_the_future_cannot_have_happened():
    entries = resealed(dealt(), 4, e.Undone(9, ANN))
    assert (fault_of(entries).what, fault_of(entries).version) == ("refused", 4)


def test_a_director_who_holds_less_than_another_is_found():
    shares = e.SharesBought(CID, PRR, OFFERING, {ONE: 3}, {}, ())
    fault = fault_of(resealed(dealt(), 4, shares, *dealt().records[3].events[1:]))
    assert (fault.what, fault.version) == ("director", 4)
    assert fault.sentence == "Version 4: ann directs PRR with 2 shares; cid has 3."


def counted(event: e.AnyEvent, version: int = 10):
    """What an audit finds after an event at a table of an operating round."""
    table = operated().tables[version]
    return event_fault(Counting({}), table, evolve(table, event), event)


def test_tokens_that_an_event_brings_or_takes_away_are_not_missed():
    assert counted(e.TokensSet(PRR, 7, ())) is None
    assert counted(e.TokenRemoved(PRR, "H12", "lost")) is None
    assert counted(e.TokenRemoved(PRR, "H12", "charter")) is None
    assert counted(e.CharterReturned(NYC, "absorbed", opens=True)) is None


def test_a_token_removed_that_was_not_there_is_found():
    assert counted(e.TokenRemoved(PRR, "F16", "charter")) == (
        "tokens",
        "PRR had 3 tokens and has 4.",
    )
    assert counted(e.TokenRemoved(PRR, "F16", "lost")) == ("tokens", "PRR had 2 tokens and has 3.")


def record_found(*events: e.AnyEvent):
    story = operated().tell(ANN, *events)
    return record_fault(Counting({}), story.records[-1], story.table)


def test_a_company_without_a_director_has_its_certificate_with_nobody():
    assert record_found(e.DirectorChanged(PRR, None, ANN)).sentence == (
        "Version 11: ann holds the director's certificate of PRR."
    )
    pooled = e.SharesSold(ANN, PRR, POOL, {DIRECTORS: 1}, {}, pay(BANK, ANN, 71))
    assert record_found(pooled, e.DirectorChanged(PRR, None, CID)) is None
    assert record_found(pooled).sentence == ("Version 11: ann directs PRR without its certificate.")


def test_nobody_asks_who_directs_while_shares_are_halved():
    merging = Merging("11.0", "merge", ANN, PRR, NYC, 92, (ANN,), PRR)
    settling = Question("11.1", OptionShare(ANN, PRR, 46, 46), (ANN,))
    pooled = e.SharesSold(ANN, PRR, POOL, {DIRECTORS: 1}, {}, pay(BANK, ANN, 71))
    assert record_found(e.ProcedureSet(merging), pooled, e.QuestionAsked(settling)) is None


def test_a_company_that_waits_has_nothing_left_from_before():
    back = CertificateMove(DIRECTORS, 1, BOB, OFFERING)
    returned = e.CharterReturned(NYC, "fined", opens=False)
    paper = e.CertificatesMoved(NYC, (back,), "fined")
    assert record_found(returned, paper).sentence == (
        "Version 11: NYC may not be started, and is not as it began."
    )
    off = e.MarkerMoved(NYC, None, 0, 0, "fined")
    asked = e.QuestionAsked(Question("11.3", SellDown(ANN), (ANN,)))
    assert record_found(returned, paper, off, asked) is None


def test_a_table_at_which_nobody_must_act_is_found():
    story = dealt()
    fault = fault_of(resealed(story, 4, *story.records[3].events[:-1]))
    assert (fault.what, fault.version) == ("agenda", 4)


def test_a_stored_view_that_differs_is_found(entries):
    story = operated().undo(ANN, 7).undo(BOB, 10)
    right = api.views(state_of(story), story.table)
    assert audit(TABLE, entries, stored=right).sound
    wrong = {"board": msgspec.structs.replace(right["board"], supply={})}
    fault = fault_of(entries, stored=wrong)
    assert (fault.what, "board" in fault.sentence) == ("view", True)


# What no event of ours can do, but a fault in evolve could: the counts see it.

WITHOUT_A_SHARE: Change = lambda t: changed(  # noqa: E731
    t, certificates=with_entry(t.certificates, NYC, {OFFERING: {DIRECTORS: 1, ONE: 7}})
)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda t: changed(t, cash=with_entry(t.cash, ANN, 601)), "money"),
        (WITHOUT_A_SHARE, "certificates"),
        (
            lambda t: changed(
                t,
                certificates=with_entry(
                    t.certificates, NYC, {OFFERING: {DIRECTORS: 1, ONE: 8}, ANN: {ONE: 0}}
                ),
            ),
            "certificates",
        ),
        (lambda t: changed(t, trains=with_entry(t.trains, SUPPLY, ())), "trains"),
        (lambda t: changed(t, trains=with_entry(t.trains, PRR, t.trains[SUPPLY])), "trains"),
        (
            lambda t: changed(t, board=changed(t.board, supply={**t.board.supply, "57": 1})),
            "tiles",
        ),
        (
            lambda t: changed(t, board=changed(t.board, tokens=(token(PRR, "H12"),))),
            "tokens",
        ),
    ],
)
def test_anything_lost_or_made_out_of_nothing_is_counted(change: Change, what):
    before = dealt().tables[1]
    counting = audit_pieces.Counting({})
    event = e.Passed(ANN, "chose to")
    assert audit_pieces.event_fault(counting, before, before, event) is None
    found = audit_pieces.event_fault(counting, before, change(before), event)
    assert found is not None
    assert found[0] == what


def test_wealth_that_is_not_what_was_paid_and_moved_is_found():
    story = operated()
    shown = view(story, "wealth")
    assert wealth_fault(story.records, shown) is None
    wrongs: tuple[dict[str, object], ...] = ({"cash": 1}, {"total": 1}, {"shares": {}})
    for wrong in wrongs:
        players = (msgspec.structs.replace(shown.players[0], **wrong), *shown.players[1:])
        other = msgspec.structs.replace(shown, players=players)
        fault = wealth_fault(story.records, other)
        assert fault is not None
        assert fault.what == "wealth"


@pytest.mark.parametrize(
    ("price", "par", "may", "may_not"),
    [
        (71, 62, (213, 105, 106), (0, 104, 107, 186, 212)),
        (0, 62, (0, 93, 186), (71, 94)),
        (0, 0, (0,), (1,)),
    ],
)
def test_shares_count_for_their_price_or_half_of_it_or_par_where_there_is_no_price(
    price, par, may, may_not
):
    sums = Sums()
    sums.prices[PRR], sums.pars[PRR] = price, par
    assert all(sums.may_count(PRR, 3, amount) for amount in may)
    assert not any(sums.may_count(PRR, 3, amount) for amount in may_not)
