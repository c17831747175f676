"""What is listed beside the game: for whoever sits there, the host, a stranger, and programs."""

import pytest

from contracts.choices import FORMS, Choice, OpenForm, with_value
from contracts.clocking import Clocking, Hours, Leave
from contracts.commands import (
    AnyCommand,
    AssignSeat,
    BuyShares,
    CallTime,
    ClearProgramme,
    ExpireRequest,
    MakeRequest,
    Order,
    Pass,
    SetHours,
    SetProgramme,
    TakeLeave,
)
from contracts.frames import Request
from contracts.ids import OFFERING, POOL, CommandId, FrameId
from contracts.people import NOBODY
from contracts.pieces import Seat, Settings
from contracts.programmes import Buying, Held, OnlyChoice, Passing
from contracts.rejections import Code, Rejection
from services.engine.rules.beside.forms import CHECKS
from services.engine.rules.decide import choices, decide, game_choices
from services.engine.rules.listing import is_listed
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.change import changed
from services.engine.table.state import Beside, Ending, Table
from tests.positions import TABLE, at, company, player, position, stock_round

PRR, NYC = map(company, ("PRR", "NYC"))
ANN, BOB, CID, DAN = map(player, ("ann", "bob", "cid", "dan"))
PEOPLE = {ANN: "Andrea", BOB: "Boris", CID: "Cilla", DAN: "Dirk"}
CLOCK = Clocking(turn_seconds=3600, leave_days=5)
ONLY = Held(FrameId("3.0"), ANN, OnlyChoice())


def table(beside: Beside | None = None, **settings) -> Table:
    """A stock round in which Ann is to act; Olga is its host."""
    there = stock_round(position(companies=[at("PRR", "0,6", director="bob", bob=4)]), turn="ann")
    how = Settings(**{"host": player("Olga"), "clock": CLOCK, **settings})
    seats = tuple(Seat(one, one, person) for one, person in PEOPLE.items())
    return changed(there, settings=how, seats=seats, beside=beside or Beside(people=PEOPLE))


def listed(there: Table, who: str, sender: str | None = None) -> tuple[Choice, ...]:
    return choices(ruleset_of(there), there, player(who), sender)


def kinds(there: Table, who: str, sender: str | None = None) -> set[type]:
    return {type(choice.command) for choice in listed(there, who, sender) if choice.beside}


def refusal(there: Table, sender: str, who: str, command: AnyCommand) -> Code | None:
    order = Order(TABLE, CommandId("c"), sender, player(who), command, there.version)
    found = decide(ruleset_of(there), there, order)
    return found.code if isinstance(found, Rejection) else None


def test_what_the_game_asks_comes_first_and_is_told_apart():
    there = table()
    found = listed(there, "ann")
    own = game_choices(ruleset_of(there), there, ANN)
    assert own
    assert found[: len(own)] == own
    assert not any(choice.beside for choice in own)
    assert all(choice.beside for choice in found[len(own) :])


def test_who_sits_there_has_requests_programmes_hours_and_leave():
    expected = {MakeRequest, SetProgramme, SetHours, TakeLeave}
    assert kinds(table(), "ann") == expected
    assert kinds(table(), "bob") == expected
    held = table(Beside(people=PEOPLE, programmes=(ONLY,)))
    assert kinds(held, "ann") == {*expected, ClearProgramme}
    assert kinds(held, "bob") == expected


def test_the_host_gives_seats_and_asks_for_every_seat_but_moves_only_where_he_may():
    assert kinds(table(), "ann", "Olga") == {MakeRequest, AssignSeat}
    assert not any(not choice.beside for choice in listed(table(), "ann", "Olga"))
    acting = table(host_acts=True)
    assert AssignSeat in kinds(acting, "ann", "Olga")
    assert any(isinstance(one.command, BuyShares) for one in listed(acting, "ann", "Olga"))
    seats = [
        one.command.seat
        for one in listed(table(), "ann", "Olga")
        if one.open is not None and isinstance(one.command, AssignSeat)
    ]
    assert seats == [ANN, BOB, CID, DAN]


def test_a_host_who_sits_at_the_table_gives_seats_from_his_own():
    assert AssignSeat in kinds(table(host=DAN), "dan")
    assert AssignSeat not in kinds(table(host=DAN), "ann")


@pytest.mark.parametrize("sender", ["Boris", "stranger", NOBODY, "programme:9.0"])
def test_who_has_no_business_there_is_listed_nothing(sender):
    assert listed(table(), "ann", sender) == ()


def test_a_persons_program_may_do_what_he_may():
    assert listed(table(), "ann", "Andrea/robot") == listed(table(), "ann")


def test_the_clock_may_call_the_time_of_who_is_to_act_and_nothing_else():
    there = table()
    (only,) = listed(there, "ann", "clock")
    assert only.command == CallTime(there.agenda[-1].id)
    assert listed(there, "bob", "clock") == ()
    assert listed(changed(there, beside=Beside(people=PEOPLE, paused=True)), "ann", "clock") == ()


def test_the_clock_may_end_a_request_that_has_waited_whichever_seat_it_names():
    request = Request(FrameId("2.0"), "end", BOB, (ANN, CID, DAN))
    there = changed(table(), requests=(request,))
    for who in ("ann", "bob"):
        assert ExpireRequest(request.id) in [one.command for one in listed(there, who, "clock")]
        assert refusal(there, "clock", who, ExpireRequest(request.id)) is None
    for_ever = changed(there, settings=Settings(request_seconds=0))
    assert ExpireRequest not in kinds(for_ever, "bob", "clock")
    assert refusal(for_ever, "clock", "bob", ExpireRequest(request.id)) == Code.NOT_ALLOWED


def test_a_programme_may_make_its_own_move():
    passing = Held(FrameId("3.0"), ANN, Passing(), FrameId(table().agenda[0].id))
    there = table(Beside(people=PEOPLE, programmes=(passing,)))
    (only,) = listed(there, "ann", "programme:3.0")
    assert only.command == Pass()
    assert refusal(there, "programme:3.0", "ann", Pass()) is None
    assert listed(there, "ann", "programme:4.0") == ()


def test_days_off_are_listed_only_as_long_as_there_are_any_left():
    def span(there: Table) -> object:
        found = [one.open for one in listed(there, "ann") if isinstance(one.command, TakeLeave)]
        return found[0] if found else None

    assert span(table()) == OpenForm("leave", "leave", 5)
    some = (Leave("2026-12-01", "2026-12-03"),)
    assert span(table(Beside(people=PEOPLE, leave={ANN: some}))) == OpenForm("leave", "leave", 2)
    assert span(table(Beside(people=PEOPLE, leave={ANN: (*some, *some)}))) is None
    assert span(table(clock=None)) is None


def test_a_programme_buys_only_what_lies_where_it_is_to_be_bought():
    there = table()
    source = {
        (one.command.programme.company, one.command.programme.source)
        for one in listed(there, "ann")
        if isinstance(one.command, SetProgramme) and isinstance(one.command.programme, Buying)
    }
    assert (NYC, OFFERING) in source
    assert (NYC, POOL) not in source
    assert refusal(there, "Andrea", "ann", SetProgramme(Buying(NYC, POOL, 80))) == Code.BAD_REQUEST
    assert refusal(there, "Andrea", "ann", SetProgramme(Buying(NYC, OFFERING, 0))) is not None
    assert refusal(there, "Andrea", "ann", SetProgramme(Buying(NYC, OFFERING, 80))) is None


def test_once_the_game_is_over_nobody_plans_ahead_but_it_may_be_taken_back():
    over = changed(table(), ending=Ending("bank", "", over=True))
    assert kinds(over, "ann") == {MakeRequest}
    for command in (SetProgramme(OnlyChoice()), SetHours(Hours())):
        assert refusal(over, "Andrea", "ann", command) == Code.GAME_OVER
    leave = TakeLeave(Leave("2026-12-24", "2026-12-24"))
    assert refusal(over, "Andrea", "ann", leave) == Code.GAME_OVER


RIGHT_AND_WRONG = {
    "person": ("zoe@example.org", "a b"),
    "leave": (Leave("2026-12-30", "2027-01-03"), Leave("2026-12-30", "2027-01-04")),
    "hours": (Hours("Asia/Tokyo", 60, 120, (6,)), Hours("Asia/Tokyo", 60, 60)),
    "amount": (1, 0),
}


def test_every_form_has_its_check():
    assert set(FORMS) == set(CHECKS) == set(RIGHT_AND_WRONG)


def test_an_open_field_takes_what_decide_accepts_and_nothing_else():
    there, seen = table(), set()
    for sender in ("Andrea", "Olga"):
        for choice in listed(there, "ann", sender):
            if not isinstance(choice.open, OpenForm):
                continue
            seen.add(choice.open.form)
            right, wrong = (
                with_value(choice.command, choice.open.field, value)
                for value in RIGHT_AND_WRONG[choice.open.form]
            )
            assert is_listed([choice], right)
            assert refusal(there, sender, "ann", right) is None
            assert not is_listed([choice], wrong)
            assert refusal(there, sender, "ann", wrong) is not None
            assert refusal(there, sender, "ann", choice.command) is None
    assert seen == set(FORMS)
