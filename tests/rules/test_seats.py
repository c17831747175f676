"""Who may act for which seat: people, the host, programs, and a substitute who takes over."""

from random import Random

import msgspec
import pytest

from contracts import events as e
from contracts.clocking import Clocking, Hours, Leave
from contracts.commands import (
    AnswerRequest,
    AnyCommand,
    AssignSeat,
    BuyShares,
    CallTime,
    ClearProgramme,
    MakeRequest,
    OpenTable,
    Order,
    Pass,
    SetHours,
    SetProgramme,
    TakeLeave,
)
from contracts.ids import OFFERING, CommandId, FrameId
from contracts.people import NOBODY
from contracts.pieces import Seat, Settings
from contracts.programmes import Passing
from contracts.records import Record
from contracts.rejections import Code, Rejection
from contracts.views_beside import SeatsView
from services.engine.projections import api
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_for, ruleset_of
from services.engine.table.change import changed
from services.engine.table.fold import applied, restored, table_at, tables
from services.engine.table.state import Beside, Table, new_table
from services.soak.near import KINDS, made_up
from tests.positions import TABLE, TITLE, at, company, ones, player, position, stock_round

PRR = company("PRR")
ANN, BOB, CID, DAN = map(player, ("ann", "bob", "cid", "dan"))
PEOPLE = {ANN: "Andrea", BOB: "Boris", CID: "Cilla", DAN: "Dirk"}


def table(settings: Settings | None = None, people: dict | None = None, turn="ann") -> Table:
    there = stock_round(position(companies=[at("PRR", "0,6", director="bob", bob=4)]), turn=turn)
    beside = Beside(people=PEOPLE if people is None else people)
    seats = tuple(Seat(one, one, person) for one, person in PEOPLE.items())
    return changed(there, settings=settings or Settings(host=DAN), seats=seats, beside=beside)


def outcome(there: Table, sender: str, who: str, command: AnyCommand):
    order = Order(TABLE, CommandId("c"), sender, player(who), command, there.version)
    return decide(ruleset_of(there), there, order)


def code(there: Table, sender: str, who: str, command: AnyCommand) -> Code | None:
    found = outcome(there, sender, who, command)
    return found.code if isinstance(found, Rejection) else None


BUY = BuyShares(PRR, OFFERING, ones(1))


def test_an_order_for_somebody_elses_seat_is_refused_whatever_it_asks():
    for command in (BUY, Pass(), MakeRequest("end"), SetProgramme(Passing())):
        assert code(table(), "Boris", "ann", command) == Code.NOT_YOUR_SEAT
    assert code(table(), "Andrea", "ann", BUY) is None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_command_there_is_may_be_given_for_somebody_elses_seat(kind):
    there = table()
    command = made_up(ruleset_of(there), there, Random(1), kind)
    expected = Code.TABLE_EXISTS if kind is OpenTable else Code.NOT_YOUR_SEAT
    for stranger in ("Boris", "Boris/Andrea", "Eva", "nobody", "ann"):
        assert code(there, stranger, "ann", command) == expected


def test_a_program_may_do_what_its_person_may_and_no_more():
    there = table(Settings(host=DAN, host_acts=True))
    assert code(there, "Andrea/robot", "ann", BUY) is None
    assert code(there, "Boris/robot", "ann", BUY) == Code.NOT_YOUR_SEAT
    assert code(there, "Andrea/robot", "ann", AssignSeat(ANN, "Doris")) == Code.NOT_YOUR_SEAT
    assert code(there, "Dirk/robot", "ann", BUY) is None, "the host's program acts for the host"
    for sender in ("clock/robot", "nobody/robot", "programme:1.0/robot"):
        assert code(there, sender, "ann", BUY) == Code.NOT_YOUR_SEAT
        assert code(there, sender, "ann", CallTime(there.agenda[-1].id)) == Code.NOT_YOUR_SEAT


def test_a_seat_that_somebody_resigned_is_nobodys_to_move():
    resigned = table(people={**PEOPLE, ANN: NOBODY})
    for sender in (NOBODY, "Andrea", "ann"):
        assert code(resigned, sender, "ann", BUY) == Code.NOT_YOUR_SEAT
    assert code(resigned, "Dirk", "dan", AssignSeat(ANN, "Doris")) is None


def test_a_program_is_given_no_seat_and_is_no_person_of_a_table():
    wrong = ("Andrea/robot", "nobody", "clock", "programme:1.0", "a b", "x" * 65, "", "Rene\u0301")
    for name in wrong:
        assert code(table(), "Dirk", "dan", AssignSeat(ANN, name)) == Code.BAD_SEATS
        command = OpenTable(TITLE, (Seat(ANN, "Ann", name), Seat(BOB, "Bob"), Seat(CID, "Cid")), 1)
        ruleset = ruleset_for(command)
        assert not isinstance(ruleset, Rejection)
        order = Order(TABLE, CommandId("c"), "ann", ANN, command)
        refused = decide(ruleset, new_table(TABLE), order)
        assert isinstance(refused, Rejection)
        assert refused.code == Code.BAD_SEATS


def test_a_name_in_separate_letters_is_refused_with_a_hint_as_it_looks_like_another():
    found = outcome(table(), "Dirk", "dan", AssignSeat(ANN, "Rene\u0301"))
    assert isinstance(found, Rejection)
    assert found.legal.endswith(
        "Letters with marks are written as one character each (Unicode NFC)."
    )
    assert code(table(), "Dirk", "dan", AssignSeat(ANN, "Ren\u00e9")) is None


def test_where_a_table_names_nobody_anybody_may_act():
    assert code(table(people={}), "Boris", "ann", BUY) is None
    assert code(table(people={BOB: "Boris"}), "Boris", "ann", BUY) is None


def test_the_host_may_act_for_all_seats_only_where_the_settings_say_so():
    assert code(table(), "Dirk", "ann", BUY) == Code.NOT_YOUR_SEAT
    assert code(table(Settings(host=DAN, host_acts=True)), "Dirk", "ann", BUY) is None


def test_a_host_need_not_sit_at_the_table():
    outside = table(Settings(host=player("Olga")))
    assert code(outside, "Olga", "ann", AssignSeat(ANN, "Doris")) is None
    assert code(outside, "Olga", "ann", MakeRequest("undo", 1)) is None
    assert code(outside, "Olga", "ann", BUY) == Code.NOT_YOUR_SEAT


def test_no_person_is_taken_for_the_clock_or_a_programme():
    there = table(people={})
    frame = there.agenda[-1].id
    assert code(there, "Andrea", "ann", CallTime(frame)) == Code.NOT_YOUR_SEAT
    assert code(there, "clock", "ann", BUY) == Code.NOT_YOUR_SEAT
    assert code(there, "programme:1.0", "ann", BUY) == Code.NOT_YOUR_SEAT


def test_only_the_host_gives_a_seat_to_a_person_and_only_to_a_person():
    assert code(table(), "Andrea", "ann", AssignSeat(ANN, "Doris")) == Code.NOT_YOUR_SEAT
    assert code(table(Settings()), "Dirk", "dan", AssignSeat(ANN, "Doris")) == Code.NOT_YOUR_SEAT
    assert code(table(), "Dirk", "dan", AssignSeat(ANN, "clock")) == Code.BAD_SEATS
    assert code(table(), "Dirk", "dan", AssignSeat(player("eve"), "Eva")) == Code.NOT_SEATED
    stale = Order(TABLE, CommandId("c"), "Dirk", DAN, AssignSeat(ANN, "Doris"), 0)
    found = decide(ruleset_of(table()), table(), stale)
    assert isinstance(found, Rejection)
    assert found.code == Code.STALE


def test_who_is_refused_is_told_who_may():
    there = table(Settings(host=DAN))

    def said(sender: str, command: AnyCommand) -> str:
        order = Order(TABLE, CommandId("c"), sender, ANN, command, there.version)
        found = decide(ruleset_of(there), there, order)
        assert isinstance(found, Rejection)
        return f"{found.sentence} {found.legal}"

    assert said("Boris", Pass()) == "Boris does not act for ann. Andrea does."
    assert said("Andrea", AssignSeat(BOB, "Eva")) == (
        "Andrea gives nobody a seat. The host does: Dirk."
    )
    assert said("Andrea", CallTime(FrameId("1.0"))) == (
        "Andrea does not keep the time. The clock does."
    )


def test_a_substitute_takes_over_with_everything_and_the_one_before_may_not_act_any_more():
    there = table()
    events = outcome(there, "Dirk", "dan", AssignSeat(ANN, "Doris"))
    assert events == (e.SeatTaken(ANN, "Doris", there.version + 1),)
    order = Order(TABLE, CommandId("c"), "Dirk", DAN, AssignSeat(ANN, "Doris"), there.version)
    after = applied(there, Record(there.version + 1, 0, "", order, events))
    assert code(after, "Andrea", "ann", BUY) == Code.NOT_YOUR_SEAT
    assert code(after, "Doris", "ann", BUY) is None
    unchanged = changed(after, beside=there.beside, version=there.version)
    assert unchanged == there


# --- books ---------------------------------------------------------------------------------------


class Book:
    """A minute book written by the rules."""

    def __init__(self, settings: Settings) -> None:
        seats = tuple(Seat(name, name, PEOPLE[name]) for name in (ANN, BOB, CID, DAN))
        self.records: list[Record] = []
        self.tables = [new_table(TABLE)]
        self.do("Dirk", DAN, OpenTable(TITLE, seats, 1, settings=settings))

    @property
    def table(self) -> Table:
        return self.tables[-1]

    def do(self, sender: str, who, command: AnyCommand) -> tuple:
        there = self.table
        id = CommandId(f"c{there.version}")
        order = Order(TABLE, id, sender, who, command, there.version)
        ruleset = ruleset_for(command) if there.version == 0 else ruleset_of(there)
        events = decide(ruleset, there, order)
        assert not isinstance(events, Rejection), events
        record = Record(there.version + 1, 0, "", order, events)
        undone = events[0].to if isinstance(events[0], e.Undone) else None
        earlier = None if undone is None else self.tables[undone]
        after = applied(there, record) if earlier is None else restored(there, earlier, record)
        self.records.append(record)
        self.tables.append(after)
        return events


def test_the_opening_names_the_people():
    assert Book(Settings(host=DAN)).table.people == PEOPLE


@pytest.mark.parametrize("name", ["clock", "nobody", "programme:4.0", "c/y", "x" * 65])
def test_a_seat_that_names_nobody_goes_by_its_own_name_so_that_is_a_persons(name):
    """Or none of its orders would ever be let in."""
    there = new_table(TABLE)

    def opened(person: str | None):
        seats = (Seat(player(name), "Name", person), Seat(BOB, "Bob"), Seat(CID, "Cid"))
        command = OpenTable(TITLE, seats, 1)
        ruleset = ruleset_for(command)
        assert not isinstance(ruleset, Rejection)
        return decide(ruleset, there, Order(TABLE, CommandId("o"), "bob", BOB, command))

    refused = opened(None)
    assert isinstance(refused, Rejection)
    assert refused.code == Code.BAD_SEATS
    assert not isinstance(opened("Eva"), Rejection)


def test_a_seat_in_separate_letters_is_refused_as_it_looks_like_another():
    command = OpenTable(TITLE, (Seat(player("Rene\u0301"), "R", "Eva"), Seat(BOB, "B")), 1)
    ruleset = ruleset_for(command)
    assert not isinstance(ruleset, Rejection)
    order = Order(TABLE, CommandId("o"), "bob", BOB, command)
    refused = decide(ruleset, new_table(TABLE), order)
    assert isinstance(refused, Rejection)
    assert (refused.code, "Unicode NFC" in refused.legal) == (Code.BAD_SEATS, True)


def test_an_undo_takes_back_no_seat_and_the_book_folds_to_the_same_table_each_way():
    book = Book(Settings(host=DAN, clock=Clocking(turn_seconds=60, leave_days=3)))
    waiting = book.table.order[0]
    book.do(PEOPLE[waiting], waiting, Pass())
    book.do("Dirk", DAN, AssignSeat(BOB, "Berta"))
    book.do("Cilla", CID, TakeLeave(Leave("2026-12-24", "2026-12-26")))
    book.do("Cilla", CID, SetHours(Hours("Europe/Berlin", 1080, 1500)))
    book.do("Dirk", DAN, MakeRequest("pause"))
    book.do("Dirk", DAN, MakeRequest("undo", 1))
    there = book.table
    assert there.people[BOB] == "Berta"
    assert there.beside.leave == {CID: (Leave("2026-12-24", "2026-12-26"),)}
    assert there.beside.hours[CID].zone == "Europe/Berlin"
    assert there.beside.paused
    for version in range(1, len(book.records) + 1):
        assert table_at(TABLE, book.records, version) == book.tables[version]
    assert [after for _, after in tables(TABLE, book.records)] == book.tables[1:]


def test_a_substitute_answers_what_the_seat_was_asked_before_and_has_its_leave():
    book = Book(Settings(host=DAN, clock=Clocking(turn_seconds=60, leave_days=3)))
    book.do("Boris", BOB, TakeLeave(Leave("2026-12-24", "2026-12-26")))
    book.do("Andrea", ANN, MakeRequest("pause"))
    request = book.table.requests[0].id
    book.do("Dirk", DAN, AssignSeat(BOB, "Berta"))
    answer = AnswerRequest(request, yes=True)
    assert code(book.table, "Boris", "bob", answer) == Code.NOT_YOUR_SEAT
    assert code(book.table, "Berta", "bob", answer) is None
    more = TakeLeave(Leave("2027-01-01", "2027-01-01"))
    assert code(book.table, "Berta", "bob", more) == Code.BAD_REQUEST


def test_the_host_is_a_person_and_stays_the_host_whoever_sits_in_his_seat():
    book = Book(Settings(host=DAN))
    book.do("Dirk", DAN, AssignSeat(DAN, "Doris"))
    assert code(book.table, "Dirk", "dan", AssignSeat(ANN, "Anton")) is None
    assert code(book.table, "Doris", "dan", AssignSeat(ANN, "Anton")) == Code.NOT_YOUR_SEAT
    assert code(book.table, "Dirk", "dan", MakeRequest("undo", 1)) is None
    assert code(book.table, "Dirk", "dan", Pass()) == Code.NOT_YOUR_SEAT, "he plays there no more"


@pytest.mark.parametrize("then", ["resign", "substitute"])
def test_a_host_whose_own_time_was_called_stays_the_host(then):
    clock = Clocking(turn_seconds=60, then=then, substitutes=("Zoe",))
    host = Book(Settings()).table.order[0]
    book = Book(Settings(host=host, clock=clock))
    book.do("clock", host, CallTime(book.table.agenda[-1].id))
    sits_there = book.table.people[host]
    assert sits_there == (NOBODY if then == "resign" else "Zoe")
    assert code(book.table, sits_there, host, AssignSeat(host, "Eva")) == Code.NOT_YOUR_SEAT
    other = book.table.order[1]
    assert code(book.table, "Eva", other, AssignSeat(host, "Eva")) == Code.NOT_YOUR_SEAT
    book.do(PEOPLE[host], other, AssignSeat(host, "Eva"))
    assert book.table.people[host] == "Eva"


def test_the_book_shows_who_sat_where_when_and_who_really_acted():
    book = Book(Settings(host=DAN, host_acts=True, undo="free"))
    first, second, *_ = book.table.order
    book.do(f"{PEOPLE[first]}/robot", first, Pass())
    book.do("Dirk", DAN, AssignSeat(first, "Berta"))
    book.do("Dirk", second, Pass())
    book.do("Berta", first, MakeRequest("undo", 1))
    book.do("Dirk", DAN, AssignSeat(first, "Bernd"))
    taken = [
        event for one in book.records for event in one.events if isinstance(event, e.SeatTaken)
    ]
    assert taken == [e.SeatTaken(first, "Berta", 3), e.SeatTaken(first, "Bernd", 6)]
    state, before = api.start(TABLE), new_table(TABLE)
    for record, after in tables(TABLE, book.records):
        state, before = api.project(state, record, before, after), after
    shown = api.view(state, before, "seats")
    assert isinstance(shown, SeatsView)
    held = next(one for one in shown.seats if one.player == first)
    assert [(one.person, one.since, one.until) for one in held.sittings] == [
        (PEOPLE[first], 1, 3),
        ("Berta", 3, 6),
        ("Bernd", 6, None),
    ]
    assert [(one.order.player, one.order.sender) for one in book.records[1:4]] == [
        (first, f"{PEOPLE[first]}/robot"),
        (DAN, "Dirk"),
        (second, "Dirk"),
    ]


def test_what_is_done_beside_the_game_is_nobodys_move():
    book = Book(Settings(host=DAN))
    waiting = book.table.order[0]
    book.do(PEOPLE[waiting], waiting, Pass())
    book.do("Dirk", DAN, AssignSeat(BOB, "Berta"))
    assert (book.table.mover, book.table.moved_from) == (waiting, 1)
    assert isinstance(book.do(PEOPLE[waiting], waiting, MakeRequest("undo", 1))[0], e.Undone)


def test_a_pause_by_consent_begins_with_the_last_yes():
    book = Book(Settings(clock=Clocking(turn_seconds=60)))
    book.do("Andrea", ANN, MakeRequest("pause"))
    request = book.table.requests[0].id
    for who in (BOB, CID, DAN):
        assert not book.table.beside.paused
        book.do(PEOPLE[who], who, AnswerRequest(request, yes=True))
    assert book.table.beside.paused
    assert book.table.requests == ()
    ruleset = ruleset_of(book.table)
    again = Order(TABLE, CommandId("x"), "Andrea", ANN, MakeRequest("pause"), book.table.version)
    refused = decide(ruleset, book.table, again)
    assert isinstance(refused, Rejection)
    assert refused.code == Code.BAD_REQUEST


def test_leave_is_taken_out_of_the_allowance():
    there = table(Settings(clock=Clocking(turn_seconds=60, leave_days=4)))
    assert code(there, "Andrea", "ann", TakeLeave(Leave("2026-12-30", "2027-01-03"))) is not None
    assert code(there, "Andrea", "ann", TakeLeave(Leave("2027-02-29", "2027-03-01"))) is not None
    assert code(there, "Andrea", "ann", TakeLeave(Leave("2026-12-03", "2026-12-01"))) is not None
    first = TakeLeave(Leave("2026-12-30", "2027-01-01"))
    assert outcome(there, "Andrea", "ann", first) == (e.LeaveTaken(ANN, first.leave),)
    taken = changed(there, beside=changed(there.beside, leave={ANN: (first.leave,)}))
    assert code(taken, "Andrea", "ann", first) == Code.BAD_REQUEST
    assert code(taken, "Andrea", "ann", TakeLeave(Leave("2027-01-05", "2027-01-05"))) is None


@pytest.mark.parametrize(
    "hours",
    [Hours("no zone"), Hours(start=-1), Hours(end=0), Hours(start=60, end=1501), Hours(days=(7,))],
    ids=str,
)
def test_hours_have_to_be_hours(hours):
    assert code(table(), "Andrea", "ann", SetHours(hours)) == Code.BAD_SETTINGS
    there = table(Settings(clock=Clocking(turn_seconds=60)))
    assert code(there, "Andrea", "ann", SetHours(Hours(start=1080, end=1500))) is None


@pytest.mark.parametrize(
    "clock",
    [
        Clocking(),
        Clocking(60, then="nothing"),
        Clocking(-1, 60),
        Clocking(60, bank_most=-1),
        Clocking(60, reminders=(-5,)),
        Clocking(60, free_days=("Sunday",)),
        Clocking(60, hours={player("eve"): Hours()}),
        Clocking(60, hours={ANN: Hours(days=())}),
        Clocking(60, substitutes=("clock",)),
        Clocking(60, substitutes=("eve", ANN)),
    ],
    ids=range(10),
)
def test_a_clock_that_cannot_run_is_refused(clock):
    seats = tuple(Seat(name, name) for name in (ANN, BOB, CID))
    command = OpenTable(TITLE, seats, 1, settings=Settings(clock=clock))
    order = Order(TABLE, CommandId("c"), "ann", ANN, command)
    ruleset = ruleset_for(command)
    assert not isinstance(ruleset, Rejection)
    refused = decide(ruleset, new_table(TABLE), order)
    assert isinstance(refused, Rejection)
    assert refused.code in {Code.BAD_SETTINGS, Code.BAD_SEATS}
    good = msgspec.structs.replace(command, settings=Settings(clock=Clocking(60)))
    order = msgspec.structs.replace(order, command=good)
    assert not isinstance(decide(ruleset, new_table(TABLE), order), Rejection)


def test_a_programme_that_is_not_ones_own_is_not_cleared():
    assert code(table(), "Andrea", "ann", ClearProgramme(FrameId("1.0"))) == Code.BAD_REQUEST
