"""Moves left to the server, and how they stop when something was not foreseen."""

import pytest

from contracts import events as e
from contracts.commands import (
    Answer,
    AnyCommand,
    BuyCompany,
    BuyShares,
    ClearProgramme,
    ExchangePrivate,
    MakeRequest,
    OpenTable,
    Order,
    Pass,
    SellShares,
    SetProgramme,
    TradePrivate,
)
from contracts.frames import Turn
from contracts.ids import OFFERING, POOL, CommandId, FrameId, TitleId
from contracts.pieces import Seat, Settings
from contracts.programmes import REASONS, Buying, Held, OnlyChoice, Passing
from contracts.records import Record
from contracts.rejections import Code, Rejection
from services.engine.rules.beside.programmes import automatic, only_choice
from services.engine.rules.decide import decide, game_choices
from services.engine.rules.ruleset import ruleset_for, ruleset_of
from services.engine.table.agenda import awaited
from services.engine.table.fold import applied, beside_after, restored
from services.engine.table.state import Table, new_table
from services.players.play import next_order
from tests.positions import TABLE, at, company, ones, player, position, stock_round

PRR, NYC, SV, MH = map(company, ("PRR", "NYC", "SV", "MH"))
ANN, BOB, CID, DAN = map(player, ("ann", "bob", "cid", "dan"))


class Play:
    """A table as the engine plays at it: automatic moves follow each order."""

    def __init__(self, there: Table) -> None:
        self.tables = [there]
        self.records: list[Record] = []
        self.first = there.version

    @property
    def table(self) -> Table:
        return self.tables[-1]

    def do(self, who: str, command: AnyCommand) -> "Play":
        self.ordered(self.order(who, command))
        while (move := automatic(ruleset_of(self.table), self.table)) is not None:
            self.ordered(move)
        return self

    def order(self, who: str, command: AnyCommand) -> Order:
        question = self.table.agenda[-1].id if isinstance(command, Answer) else None
        version = self.table.version
        return Order(TABLE, CommandId("c"), who, player(who), command, version, question)

    def ordered(self, order: Order) -> None:
        events = decide(ruleset_of(self.table), self.table, order)
        assert not isinstance(events, Rejection), (order, events)
        record = Record(self.table.version + 1, 0, "", order, events)
        if isinstance(events[0], e.Undone):
            earlier = self.tables[events[0].to - self.first]
            self.tables.append(restored(self.table, earlier, record))
        else:
            self.tables.append(applied(self.table, record))
        self.records.append(record)

    def refused(self, who: str, command: AnyCommand) -> Code:
        found = decide(ruleset_of(self.table), self.table, self.order(who, command))
        assert isinstance(found, Rejection), found
        return found.code

    def stopped(self) -> list[tuple[str, str, str | None]]:
        """Whose programmes stopped, why, and by whom."""
        return [
            (event.held.player, event.because, event.by)
            for record in self.records
            for event in record.events
            if isinstance(event, e.ProgrammeStopped)
        ]

    def moves(self, who: str) -> list[AnyCommand]:
        """What the server did for somebody."""
        return [
            record.order.command
            for record in self.records
            if record.order.sender.startswith("programme:") and record.order.player == who
        ]


def table(turn: str = "ann", **cash: int) -> Table:
    companies = [
        at("PRR", "0,6", director="bob", bob=4, ann=2, floated=False),
        at("NYC", "0,6", director="dan", dan=3, floated=False),
    ]
    there = position(companies=companies, cash=cash, privates={"SV": "ann", "MH": "bob"})
    return stock_round(there, turn=turn)


def test_it_passes_until_somebody_sells_what_one_holds_and_says_whose_doing_it_was():
    play = Play(table("bob")).do("ann", SetProgramme(Passing()))
    play.do("bob", Pass()).do("cid", Pass())
    assert awaited(play.table) == (DAN,)
    play.do("dan", BuyShares(NYC, OFFERING, ones(1))).do("dan", Pass())
    assert play.moves("ann") == [Pass()]
    assert awaited(play.table) == (BOB,)
    play.do("bob", SellShares(PRR, ones(1)))
    assert play.stopped() == [(ANN, "sold", BOB)]
    assert play.table.beside.programmes == ()


def test_a_sale_of_what_one_does_not_hold_is_foreseen():
    play = Play(table("dan")).do("ann", SetProgramme(Passing())).do("dan", SellShares(NYC, ones(1)))
    assert play.stopped() == []


def test_it_can_be_set_again_in_the_turn_in_which_it_stopped():
    play = Play(table("bob")).do("ann", SetProgramme(Passing()))
    play.do("bob", SellShares(PRR, ones(1))).do("ann", SetProgramme(Passing()))
    play.do("bob", Pass()).do("cid", Pass()).do("dan", Pass())
    assert play.moves("ann") == [Pass()]


def test_an_automatic_move_is_a_record_of_its_own_that_names_its_programme():
    play = Play(table()).do("ann", SetProgramme(Passing()))
    held = play.table.beside.programmes[0]
    assert [record.order.sender for record in play.records] == ["ann", f"programme:{held.id}"]
    assert held == Held(held.id, ANN, Passing(), held.round)
    move = play.records[1].order
    assert move.id == f"programme:{held.id}:{move.version}"


def test_to_decide_a_book_again_gives_the_same_and_makes_no_move_anew():
    play = Play(table()).do("ann", SetProgramme(Passing())).do("bob", Pass())
    for number, record in enumerate(play.records):
        before = play.tables[number]
        assert decide(ruleset_of(before), before, record.order) == record.events


def test_nobody_passes_his_own_idea_off_as_a_programmes():
    play = Play(table("bob")).do("ann", SetProgramme(Passing()))
    held = play.table.beside.programmes[0]
    for who, command in (("bob", Pass()), ("ann", Pass()), ("ann", BuyShares(NYC, POOL, ones(1)))):
        order = Order(
            TABLE, CommandId("c"), f"programme:{held.id}", player(who), command, play.table.version
        )
        found = decide(ruleset_of(play.table), play.table, order)
        assert isinstance(found, Rejection)
        assert found.code == Code.NOT_YOUR_SEAT


def rounds_of(play: Play, *players: str) -> Play:
    for who in players:
        if awaited(play.table) == (player(who),):
            play.do(who, Pass())
    return play


def test_it_buys_a_share_a_turn_until_the_company_floats_and_does_not_become_passing():
    play = Play(table("ann", ann=1000)).do("ann", SetProgramme(Buying(NYC, OFFERING, 100)))
    assert play.moves("ann") == [BuyShares(NYC, OFFERING, ones(1)), Pass()]
    rounds_of(play, "bob", "cid")
    play.do("dan", BuyShares(NYC, OFFERING, ones(1))).do("dan", Pass())
    # Ann's second share is the sixth of ten.
    assert play.stopped() == [(ANN, "floated", None)]
    assert play.moves("ann")[2:] == [BuyShares(NYC, OFFERING, ones(1))]
    assert awaited(play.table) == (ANN,)
    play.do("ann", Pass())
    rounds_of(play, "bob", "cid", "dan")
    assert awaited(play.table) == (ANN,)
    assert len(play.moves("ann")) == 3


def test_it_stops_where_a_share_costs_more_than_was_allowed_or_cannot_be_bought():
    dear = Play(table("dan", ann=1000)).do("ann", SetProgramme(Buying(NYC, OFFERING, 99)))
    dear.do("dan", Pass())
    assert dear.stopped() == [(ANN, "price", DAN)]
    poor = Play(table("dan", ann=50)).do("ann", SetProgramme(Buying(NYC, OFFERING, 100)))
    poor.do("dan", Pass())
    assert poor.stopped() == [(ANN, "refused", DAN)]
    assert poor.moves("ann") == []


def test_one_that_is_set_in_ones_own_turn_and_cannot_go_on_there_stops_at_once_and_says_why():
    """Nothing is bought for more than was allowed, and none is held that will never move."""
    dear = Play(table("ann", ann=500)).do("ann", SetProgramme(Buying(PRR, OFFERING, 50)))
    poor = Play(table("ann", ann=10)).do("ann", SetProgramme(Buying(PRR, OFFERING, 500)))
    for play, because in ((dear, "price"), (poor, "refused")):
        assert play.moves("ann") == []
        assert play.stopped() == [(ANN, because, None)]
        assert play.table.beside.programmes == ()
        assert awaited(play.table) == (ANN,)
        play.do("ann", Pass())


def test_it_stops_when_its_player_moves_himself_when_he_clears_it_and_when_he_sets_another():
    play = Play(table("dan")).do("ann", SetProgramme(Passing()))
    play.do("ann", SetProgramme(Buying(NYC, OFFERING, 100)))
    play.do("ann", ClearProgramme(play.table.beside.programmes[0].id))
    play.do("bob", SetProgramme(Passing()))
    play.do("bob", ExchangePrivate(MH, NYC, OFFERING))
    assert play.stopped() == [
        (ANN, "replaced", None),
        (ANN, "cleared", None),
        (BOB, "moved", None),
    ]
    assert play.refused("ann", ClearProgramme(FrameId("1.0"))) == Code.BAD_REQUEST


def test_it_stops_when_its_player_is_asked_something():
    play = Play(table("ann")).do("cid", SetProgramme(Passing()))
    play.do("ann", TradePrivate(SV, CID, 30))
    assert play.stopped() == [(CID, "asked", ANN)]


def test_it_ends_with_its_round():
    play = Play(table("ann")).do("ann", SetProgramme(Passing()))
    rounds_of(play, "bob", "cid", "dan")
    assert (ANN, "round over", DAN) in play.stopped()


def test_an_undo_stops_every_programme():
    play = Play(table("ann"))
    play.do("ann", SetProgramme(Passing())).do("bob", Pass())
    free = Settings(undo="free")
    play.tables = [type(one)(**{**struct(one), "settings": free}) for one in play.tables]
    play.do("ann", MakeRequest("undo", play.first + 1))
    assert play.table.beside.programmes == ()
    assert beside_after(play.records).programmes == ()
    assert awaited(play.table) == (ANN,)


def struct(one: Table) -> dict:
    return {name: getattr(one, name) for name in one.__struct_fields__}


def test_the_only_thing_to_do_is_done_and_nothing_that_is_a_choice():
    play = Play(table("ann", ann=0, bob=0)).do("bob", SetProgramme(OnlyChoice()))
    play.do("ann", Pass())
    frame = play.table.agenda[-1]
    assert isinstance(frame, Turn)
    assert frame.who == BOB  # he may sell, or pass
    assert play.moves("bob") == []


def test_where_nobody_moves_by_his_own_hand_somebody_is_asked_again_after_each_round():
    play = Play(table("ann"))
    for one in ("ann", "bob", "cid", "dan"):
        play.do(one, SetProgramme(OnlyChoice()))
    while not any(isinstance(one, e.RoundEnded) for one in play.records[-1].events):
        assert play.stopped() == []
        play.do(awaited(play.table)[0], Pass())
    found = {(one, because) for one, because, _ in play.stopped()}
    assert found == {(one, "alone") for one in (ANN, BOB, CID, DAN)}
    assert not play.table.beside.programmes


def test_a_programme_for_the_only_choice_holds_over_rounds_while_others_move_themselves():
    play = Play(table("ann"))
    for one in ("ann", "bob", "cid"):
        play.do(one, SetProgramme(OnlyChoice()))
    while not any(isinstance(one, e.RoundEnded) for one in play.records[-1].events):
        play.do(awaited(play.table)[0], Pass())
    assert play.stopped() == []


@pytest.mark.parametrize(("title", "seed"), [("1830", 3), ("1862", 4)])
def test_where_a_programme_finds_one_thing_to_do_nothing_else_is_possible(title, seed):
    seats = tuple(Seat(one, one) for one in (ANN, BOB, CID))
    command = OpenTable(TitleId(title), seats, seed)
    ruleset = ruleset_for(command)
    assert not isinstance(ruleset, Rejection)
    there, found = new_table(TABLE), 0
    order = Order(TABLE, CommandId("open"), "ann", ANN, command)
    for _ in range(400):
        events = decide(ruleset, there, order)
        assert not isinstance(events, Rejection)
        there = applied(there, Record(there.version + 1, 0, "", order, events))
        for waiting in awaited(there):
            only = only_choice(ruleset, there, waiting)
            if only is not None:
                found += 1
                beside = (BuyCompany, TradePrivate, ExchangePrivate)
                listed = game_choices(ruleset, there, waiting)
                assert only.open is None
                assert [one for one in listed if not isinstance(one.command, beside)] == [only]
        house = next_order(ruleset, there, seed)
        assert house is not None
        order = house
    assert found


@pytest.mark.parametrize(
    ("programme", "code"),
    [
        (Buying(company("XYZ"), OFFERING, 100), Code.NO_SUCH_COMPANY),
        (Buying(SV, OFFERING, 100), Code.NO_SUCH_COMPANY),
    ],
)
def test_a_programme_that_can_never_move_is_refused(programme, code):
    assert Play(table()).refused("ann", SetProgramme(programme)) == code


def test_every_reason_has_its_words():
    assert {"sold", "floated", "moved", "price", "refused", "asked", "round over"} <= set(REASONS)
