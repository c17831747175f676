"""Buying trains that run as one of several types: 7.9, 7.10, 8.0, 9.0, faults A07 and A18."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import Answer, BuyTrain, Pass
from contracts.frames import Consent, Question
from contracts.ids import BANK, SUPPLY, PhaseId, TrainId, TrainKind
from contracts.pieces import Train
from contracts.rejections import Code
from services.engine.rules.acts import buy_train
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.trains.sided import set_price
from services.engine.table.agenda import current_turn, top
from services.engine.table.state import Table
from tests.eastern import position, railway, sold_up_to
from tests.given import Given, given
from tests.operating import turn_of
from tests.positions import company, party

Y_AND_N, ECR = company("Y&N"), company("ECR")


def of_the_bank(kind: str, price: int, side: str = "local", warranties: int = 0) -> BuyTrain:
    return BuyTrain(TrainKind(kind), SUPPLY, price, side=side, warranties=warranties)


def of(seller: str, kind: str, price: int, train: str) -> BuyTrain:
    return BuyTrain(TrainKind(kind), party(seller), price, TrainId(train))


def at_the_trains(*trains: str, phase: str = "B", cash: int = 1000, **variants: str) -> Given:
    """Y&N with trains, at its step of buying some; the bank sells the band of the phase."""
    names = {name.replace("_", " "): choice for name, choice in variants.items()}
    table = position(
        railway("Y&N", 95, director="ann", ann=5, cash=cash, trains=trains),
        railway("ECR", 90, director="bob", bob=5, ann=1, cash=500, trains=("C freight 1",)),
        phase=phase,
        variants=names,
    )
    return given(turn_of(sold_up_to(table, phase), "Y&N", "trains"))


def owned(now: Given, name: str = "Y&N") -> list[tuple[str, str | None, int]]:
    return [(one.kind, one.side, one.warranties) for one in now.table.trains[company(name)]]


def test_the_bank_sells_its_next_card_as_any_type_with_warranties_for_fifty_each():
    now = at_the_trains().when("ann", of_the_bank("B", 200, "express", 2))
    (bought, *_) = now.happened()
    assert isinstance(bought, e.TrainBought)
    assert bought.train == Train(TrainId("B-0"), TrainKind("B"), "express", 2)
    assert now.table.cash[Y_AND_N] == 1000 - 200 - 2 * 50
    after = now.when("ann", of_the_bank("B", 200, "freight"))
    assert owned(after) == [("B", "express", 2), ("B", "freight", 0)]


@pytest.mark.parametrize("band", ["A", "D"])
def test_a_and_d_trains_have_one_for_nothing_and_may_have_two_more(band):
    """7.10.1, A18 (2)."""
    price = {"A": 100, "D": 360}[band]
    now = at_the_trains(phase=band)
    now.when("ann", of_the_bank(band, price, warranties=3)).then(Code.NOT_ALLOWED)
    assert owned(now.when("ann", of_the_bank(band, price, warranties=2))) == [(band, "local", 3)]
    assert owned(now.when("ann", of_the_bank(band, price))) == [(band, "local", 1)]


def test_a_train_that_never_rusts_may_have_warranties_too():
    """A18 (3)."""
    now = at_the_trains(phase="E").when("ann", of_the_bank("E", 500, warranties=3))
    assert owned(now) == [("E", "local", 3)]


def test_warranties_are_paid_out_of_the_treasury():
    now = at_the_trains(cash=249)
    now.when("ann", of_the_bank("B", 200, warranties=1)).then(Code.TOO_LITTLE_CASH)
    now.when("ann", of_the_bank("B", 200)).accepted()


def test_new_players_buy_no_warranties():
    """11.3."""
    now = at_the_trains(train_types="express", new_players="yes", phase="D")
    now.when("ann", of_the_bank("D", 360, "express", 1)).then(Code.NOT_ALLOWED)
    assert owned(now.when("ann", of_the_bank("D", 360, "express"))) == [("D", "express", 1)]


def test_a_type_that_is_not_played_is_not_sold():
    """11.1."""
    now = at_the_trains(train_types="freight and local")
    now.when("ann", of_the_bank("B", 200, "express")).then(Code.NO_SUCH_TRAIN)
    now.when("ann", of_the_bank("B", 200, "freight")).accepted()


def test_the_price_is_set_and_the_band_is_the_next():
    now = at_the_trains()
    now.when("ann", of_the_bank("B", 199)).then(Code.BAD_PRICE)
    now.when("ann", of_the_bank("C", 280)).then(Code.NO_SUCH_TRAIN)
    now.when("ann", BuyTrain(TrainKind("B"), SUPPLY, 200)).then(Code.NO_SUCH_TRAIN)


class TestFromAnotherCompany:
    """7.9: at the set price, half once a later band has been sold; A18 (1)."""

    def test_a_used_train_costs_its_price_and_keeps_its_warranties(self):
        now = at_the_trains(phase="C").when("ann", of("ECR", "C", 280, "C-0"))
        now = now.awaits("bob").when("bob", Answer(yes=True))
        assert owned(now) == [("C", "freight", 1)]
        assert (now.table.cash[Y_AND_N], now.table.cash[ECR]) == (720, 780)

    def test_it_costs_half_once_a_later_band_was_sold(self):
        now = at_the_trains(phase="D")
        now.when("ann", of("ECR", "C", 280, "C-0")).then(Code.BAD_PRICE)
        after = now.when("ann", of("ECR", "C", 140, "C-0")).when("bob", Answer(yes=True))
        assert owned(after) == [("C", "freight", 1)]

    def test_its_director_may_refuse_and_is_not_asked_again(self):
        now = at_the_trains("B local", phase="C").when("ann", of("ECR", "C", 280, "C-0"))
        now = now.when("bob", Answer(yes=False)).awaits("ann")
        assert owned(now) == [("B", "local", 0)]
        now.when("ann", of("ECR", "C", 280, "C-0")).then(Code.ALREADY_REFUSED)

    def test_warranties_are_not_bought_for_it(self):
        now = at_the_trains(phase="C")
        command = msgspec.structs.replace(of("ECR", "C", 280, "C-0"), warranties=1)
        now.when("ann", command).then(Code.NOT_ALLOWED)

    def test_a_company_in_receivership_sells_none(self):
        """8.0, A07."""
        table = position(
            railway("Y&N", 95, director="ann", ann=5, cash=1000, trains=("B local",)),
            railway("ECR", 90, director=None, ann=2, trains=("C freight",)),
            phase="C",
        )
        now = given(turn_of(sold_up_to(table, "C"), "Y&N", "trains"))
        now.when("ann", of("ECR", "C", 280, "C-0")).then(Code.NOT_ALLOWED)

    def test_in_the_last_operations_the_bank_alone_sells(self):
        """10.3."""
        table = at_the_trains("E local", phase="H").table
        counters = {**table.counters, BANK: {"lner": 1}}
        now = given(msgspec.structs.replace(table, counters=counters))
        now.when("ann", of("ECR", "C", 140, "C-0")).then(Code.NOT_ALLOWED)
        now.when("ann", of_the_bank("H", 800)).accepted()

    def test_one_director_of_both_needs_nobodys_consent(self):
        table = position(
            railway("Y&N", 95, director="ann", ann=5, cash=1000),
            railway("ECR", 90, director="ann", ann=5, trains=("C freight",)),
            phase="C",
        )
        now = given(turn_of(sold_up_to(table, "C"), "Y&N", "trains"))
        now.when("ann", of("ECR", "C", 280, "C-0")).begins(e.TrainBought)


class TestLimits:
    """7.9, 9.0, 11.1, A18 (4) to (6)."""

    def test_three_of_each_type_up_to_phase_d(self):
        now = at_the_trains("B local", "B local", "B local")
        now.when("ann", of_the_bank("B", 200, "local")).then(Code.TRAIN_LIMIT)
        now.when("ann", of_the_bank("B", 200, "express")).accepted()

    def test_two_of_each_type_from_phase_e(self):
        now = at_the_trains("C local", "D local", phase="E")
        refused = now.when("ann", of_the_bank("E", 500, "local"))
        refused.then(Code.TRAIN_LIMIT)
        assert "2 of each type" in refused.refusals[0].sentence
        now.when("ann", of_the_bank("E", 500, "freight")).accepted()

    def test_three_in_all_from_phase_g(self):
        now = at_the_trains("E local", "E express", "F freight", phase="G")
        assert self.objections(now, of_the_bank("G", 700, "freight")) == [Code.TRAIN_LIMIT]

    def test_what_is_too_much_already_stays_and_no_more_is_bought(self):
        now = at_the_trains(*["C local"] * 3, "D local", phase="E")
        now.when("ann", of_the_bank("E", 500, "local")).then(Code.TRAIN_LIMIT)
        assert len(owned(now)) == 4

    def test_at_the_limit_even_a_purchase_that_rusts_a_train_is_refused(self):
        table = at_the_trains("B local", "B local", "B local", phase="D").table
        now = given(sold_up_to(table, "E"))
        now.when("ann", of_the_bank("E", 500, "local")).then(Code.TRAIN_LIMIT)

    def test_four_in_all_where_there_is_one_type(self):
        now = at_the_trains(*["B express"] * 4, train_types="express")
        assert self.objections(now, of_the_bank("B", 200, "express")) == [Code.TRAIN_LIMIT]

    def objections(self, now: Given, command: BuyTrain) -> list[Code]:
        """What speaks against a purchase; a step in which none is possible is over by itself."""
        found = buy_train.objections(ruleset_of(now.table), now.table, Y_AND_N, command)
        return [refusal.code for refusal in found]


class TestRusting:
    """7.9, 7.10, 9.0."""

    def first_of(self, band: str, *trains: str, before: str, **variants: str) -> Given:
        table = at_the_trains(*trains, phase=before, **variants).table
        price = ruleset_of(table).facts.trains[TrainKind(band)].price
        return given(sold_up_to(table, band)).when("ann", of_the_bank(band, price, "express"))

    def test_the_first_c_rusts_what_has_no_warranty(self):
        now = self.first_of("C", "A local", "A local 1", before="B")
        assert e.TrainsRusted((TrainId("A-0"),)) in now.happened()
        assert owned(now) == [("A", "local", 1), ("C", "express", 0)]

    def test_trains_above_a_limit_that_falls_are_kept(self):
        now = self.first_of("E", *["C local"] * 3, before="D")
        assert now.table.phase == PhaseId("E")
        assert len(owned(now)) == 4
        assert not isinstance(top(now.table), Question)

    def test_in_the_shorter_game_d_trains_never_rust(self):
        now = self.first_of("G", "D local", before="F", shorter_game="yes")
        assert owned(now) == [("D", "local", 0), ("G", "express", 0)]
        now = self.first_of("G", "D local", before="F")
        assert owned(now) == [("G", "express", 0)]


def test_prices_fall_by_half_with_the_first_sale_of_a_later_band():
    table: Table = at_the_trains(phase="D").table
    prices = {kind: set_price(ruleset_of(table), table, TrainKind(kind)) for kind in "ABCDE"}
    assert prices == {"A": 50, "B": 100, "C": 140, "D": 360, "E": 500}


def test_a_company_that_can_pay_the_bank_does_not_pass_without_a_train():
    """7.11."""
    now = at_the_trains()
    now.when("ann", Pass()).then(Code.MUST_BUY_TRAIN)
    with_one = at_the_trains("B local").when("ann", Pass()).accepted()
    playing = current_turn(with_one.table)
    assert playing is not None
    assert playing.who == ECR


def test_one_that_cannot_may_still_ask_other_companies_first():
    """7.11: only then must it raise money."""
    now = at_the_trains(cash=150, phase="D").awaits("ann")
    asked = now.when("ann", of("ECR", "C", 140, "C-0"))
    frame = top(asked.table)
    assert isinstance(frame, Question)
    assert isinstance(frame.matter, Consent)
    bought = asked.when("bob", Answer(yes=True))
    assert owned(bought) == [("C", "freight", 1)]


class TestReceivership:
    """7.3, 8.0: one train of the bank by the order of permits, or bankrupt without one."""

    def turn(self, cash: int, *trains: str, permits: tuple[str, ...]) -> Table:
        table = position(
            railway("Y&N", 95, director=None, ann=2, cash=cash, trains=trains, permits=permits),
            phase="B",
        )
        return turn_of(sold_up_to(table, "B"), "Y&N", "trains")

    def test_the_first_of_express_freight_and_local_for_which_it_has_a_permit(self):
        table = self.turn(500, permits=("local", "freight"))
        (train,) = table.trains[Y_AND_N]
        assert (train.side, train.warranties) == ("freight", 0)
        assert table.cash[Y_AND_N] == 300

    def test_the_next_of_them_where_there_is_no_room(self):
        table = self.turn(900, *["B freight"] * 3, permits=("local", "freight"))
        assert [train.side for train in table.trains[Y_AND_N]] == ["freight"] * 3 + ["local"]

    def test_too_poor_for_a_second_train_it_keeps_what_it_has(self):
        table = self.turn(100, "B local", permits=("local",))
        assert len(table.trains[Y_AND_N]) == 1
        assert table.charters[Y_AND_N].status == "floated"

    def test_without_a_train_and_the_money_for_one_it_is_bankrupt(self):
        table = self.turn(199, permits=("local",))
        assert table.charters[Y_AND_N].status == "open"
        # 7.12: half the price for each of two shares.
        before = position(railway("Y&N", 95, director=None, ann=2, cash=199), phase="B")
        assert table.cash[party("ann")] == before.cash[party("ann")] + 2 * 47
