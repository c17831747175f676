"""The plain form: objects with names, and back."""

import json

import pytest

from contracts.commands import AnyCommand, Order, Pass
from contracts.events import AnyEvent, MoneyPaid
from contracts.plain import PlainError, from_plain, to_plain, twin
from contracts.records import Record
from tests.examples import COMMANDS, EVENTS, MORE_EVENTS
from tests.tables import ANN, TABLE, operated


@pytest.mark.parametrize("event", [*EVENTS, *MORE_EVENTS], ids=lambda e: type(e).__name__)
def test_an_event_comes_back_from_its_plain_form(event: AnyEvent):
    through_text = json.loads(json.dumps(to_plain(event)))
    assert through_text["type"] == type(event).__name__
    assert from_plain(through_text, type(event)) == event


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: type(c).__name__)
def test_a_command_comes_back_from_its_plain_form_within_its_order(command: AnyCommand):
    order = Order(TABLE, "c1", "ann", ANN, command, 3)
    assert from_plain(json.loads(json.dumps(to_plain(order))), Order) == order


def test_whole_records_come_back_of_the_very_types_that_went():
    for record in operated().records:
        back = from_plain(to_plain(record), Record)
        assert back == record
        assert type(back.events[0]) is type(record.events[0])


def test_fields_have_their_names_and_single_messages_no_type():
    event = EVENTS[[type(one).__name__ for one in EVENTS].index("CompanyFloated")]
    assert to_plain(event) == {
        "type": "CompanyFloated",
        "company": "PRR",
        "payments": [{"payer": "bank", "payee": "PRR", "amount": 670}],
    }


def test_what_has_a_default_may_be_left_out():
    plain = to_plain(Order(TABLE, "c1", "ann", ANN, Pass(), 3))
    del plain["question"]
    assert from_plain(plain, Order).question is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colour": "red"}, "unknown field `colour` - at `$.events[0]`"),
        ({"because": 7}, "Expected `str`, got `int` - at `$.events[0].because`"),
        ({"type": "MoneyBurnt"}, "Invalid value 'MoneyBurnt' - at `$.events[0].type`"),
        (
            {"payments": [{"payer": "bank", "payee": "ann"}]},
            "missing required field `amount` - at `$.events[0].payments[0]`",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_path(change, message):
    record = Record(1, 0, "", Order(TABLE, "c", "ann", ANN, Pass()), (MoneyPaid("fee", ()),))
    plain = to_plain(record)
    plain["events"][0].update(change)
    with pytest.raises(PlainError) as error:
        from_plain(plain, Record)
    assert message in str(error.value)


def test_a_class_has_one_twin_of_its_name():
    assert twin(Order) is twin(Order)
    assert twin(Order).__name__ == "Order"
