"""Rulings and variants that other places play by, each against the title's default."""

import msgspec

from contracts import events as e
from contracts.commands import BuyTrain, ExchangePrivate, Pass, TradePrivate
from contracts.ids import BANK, OFFERING, SUPPLY, Party, TrainId, TrainKind
from contracts.rejections import Code
from services.engine.rules.draft import Draft
from services.engine.rules.ending import watch_bank
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.trains.owned import bank_sells
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table
from tests.given import given
from tests.operating import board, trains, turn_of
from tests.positions import at, company, opened, player, position, stock_round

ANN, BOB = map(player, ("ann", "bob"))
CS, BO = map(company, ("CS", "BO"))
ASKED_BY_BUYER = {"private trades": "on the buyer's turn"}


def with_bank(table: Table, amount: int) -> Table:
    cash = {**table.cash, BANK: amount, Party("cid"): table.cash[BANK] - amount}
    return msgspec.structs.replace(table, cash=cash)


def is_triggered(table: Table) -> bool:
    draft = Draft(table)
    watch_bank(ruleset_of(table), draft)
    return any(isinstance(event, e.GameEndTriggered) for event in draft.events)


def test_an_empty_bank_is_broken():
    now = stock_round(position())
    assert not is_triggered(with_bank(now, 1))
    assert is_triggered(with_bank(now, 0))


def test_by_ruling_a_bank_is_broken_only_once_it_owes():
    now = stock_round(position(rulings={"bank is broken": "when it owes"}))
    assert not is_triggered(with_bank(now, 0))
    assert is_triggered(with_bank(now, -1))


def at_the_step_of_track(rulings: dict[str, str] | None = None) -> Table:
    """The PRR, whose token reaches nothing that could be built: it has no money for the rivers."""
    companies = [at("PRR", "0,6", director="ann", ann=6, cash=100)]
    there = position(companies=companies, rulings=rulings)
    empty = dict.fromkeys(there.board.supply, 0)
    there = board(there, {}, {"PRR": ["H12"]})
    bare = msgspec.structs.replace(there.board, supply=empty)
    return turn_of(msgspec.structs.replace(there, board=bare), "PRR", "track")


def step(table: Table) -> str:
    turn = current_turn(table)
    assert turn is not None
    return turn.steps[0]


def test_where_no_tile_can_be_laid_the_step_is_over():
    assert step(at_the_step_of_track()) == "trains"


def test_by_ruling_a_president_says_that_he_lays_nothing():
    now = at_the_step_of_track({"nothing to lay": "must say so"})
    assert step(now) == "track"
    assert step(given(now).when("ann", Pass()).accepted().table) == "trains"


def trading(rulings: dict[str, str] | None = None, **cash: int) -> Table:
    """A stock round in which nobody has a share to sell, and Ann's turn."""
    there = position(privates={"CS": "bob", "BO": "bob"}, rulings=rulings, cash=cash)
    return stock_round(there)


def test_by_ruling_a_private_is_asked_for_on_the_buyers_turn_only():
    given(trading()).when("ann", TradePrivate(CS, BOB, 30)).accepted()
    given(trading()).when("ann", TradePrivate(BO, BOB, 30)).accepted()
    now = given(trading(ASKED_BY_BUYER))
    now.when("ann", TradePrivate(CS, BOB, 30)).accepted()
    now.when("ann", TradePrivate(BO, BOB, 30)).then(Code.NOT_ALLOWED)
    given(stock_round(trading(ASKED_BY_BUYER), turn="bob")).when(
        "bob", TradePrivate(CS, ANN, 30)
    ).then(Code.NOT_ALLOWED)


def test_by_ruling_a_turn_stays_open_for_a_private_that_may_be_asked_for():
    poor = {"ann": 10}
    given(trading(**poor)).awaits("bob")
    given(trading(ASKED_BY_BUYER, **poor)).awaits("ann")
    given(trading(ASKED_BY_BUYER, ann=0)).awaits("bob")


def sixes(table: Table) -> list[TrainId]:
    return [train.id for train in table.trains[SUPPLY] if train.kind == "6"]


def test_a_variant_adds_a_third_6():
    assert sixes(opened()) == ["6-0", "6-1"]
    assert sixes(opened(variants={"third 6": "yes"})) == ["6-0", "6-1", "6-2"]


def test_with_a_third_6_the_first_one_still_puts_the_unlimited_trains_on_sale():
    companies = [at("PRR", "0,6", director="ann", ann=6, cash=2000)]
    there = position(companies=companies, variants={"third 6": "yes"}, phase="5")
    now = given(turn_of(trains(board(there, {}, {"PRR": ["H12"]}), left="6"), "PRR", "trains"))
    kinds = [train.kind for train in bank_sells(ruleset_of(now.table), now.table)]
    assert kinds == ["6"]
    after = now.when("ann", BuyTrain(TrainKind("6"), SUPPLY, 630)).accepted().table
    assert [train.kind for train in bank_sells(ruleset_of(after), after)] == ["6", "D"]


def short_of_money(rulings: dict[str, str] | None = None) -> Table:
    """PRR of Ann, who has the MH, must buy a 4 that she and it cannot pay for."""
    companies = [at("PRR", "0,6", director="ann", ann=5, pool=5, cash=100)]
    there = position(
        companies=companies,
        privates={"MH": "ann"},
        cash={"ann": 120},
        phase="4",
        rulings=rulings,
    )
    lying = board(there, {"H14": ("9", 1), "H16": ("57", 1)}, {"PRR": ["H12"]})
    return turn_of(trains(lying, left="4"), "PRR", "trains")


def test_by_ruling_a_private_is_exchanged_even_while_money_is_raised():
    exchange = ExchangePrivate(company("MH"), company("NYC"), OFFERING)
    given(short_of_money()).when("ann", exchange).then(Code.WRONG_STEP)
    now = given(short_of_money({"private exchange": "at any time"})).when("ann", exchange)
    now.begins(e.CertificatesMoved, e.CompanyClosed).awaits("ann")
