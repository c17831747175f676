"""Which actions of a history stand."""

import pytest

from services.histories.actions import steps
from services.histories.errors import HistoryError
from services.histories.kinds import Remark
from tests.histories.exports import chat, export, passing, redo, undo


def ids(*actions, **keys) -> list[int]:
    return [step.id for step in steps(export(*actions, **keys))]


def test_an_undo_takes_back_the_last_action_that_stands():
    assert ids(passing(), passing(), undo(), passing()) == [1, 4]


def test_a_second_undo_takes_back_the_action_before():
    assert ids(passing(), passing(), passing(), undo(), undo(), passing()) == [1, 6]


def test_an_undo_looks_past_chat_and_leaves_it():
    assert ids(passing(), passing(), chat(), undo(), passing()) == [1, 5]


def test_a_redo_brings_back_what_the_last_undo_took():
    assert ids(passing(), passing(), passing(), undo(), undo(), redo(), passing()) == [1, 2, 7]


def test_all_undone_actions_can_be_redone_one_undo_at_a_time():
    assert ids(passing(), passing(), undo(), undo(), redo(), redo(), passing()) == [1, 2, 7]


def test_an_undo_with_an_action_takes_back_all_after_it():
    assert ids(passing(), passing(), passing(), undo(to=1), passing()) == [1, 5]


def test_an_undo_to_nought_takes_back_everything():
    assert ids(passing(), passing(), undo(to=0), passing()) == [4]


def test_a_redo_after_an_undo_to_an_action_brings_all_of_it_back():
    assert ids(passing(), passing(), passing(), undo(to=1), redo(), passing()) == [1, 2, 3, 6]


def test_an_undo_to_an_action_that_is_undone_itself_takes_back_what_stands_after_it():
    history = (passing(), passing(), undo(), passing(), passing(), undo(to=2), passing())
    assert ids(*history) == [1, 7]


def test_chat_between_undo_and_redo_spoils_nothing():
    assert ids(passing(), passing(), undo(), chat(), redo()) == [1, 2]


def test_a_redo_after_something_else_was_done_is_an_error():
    with pytest.raises(HistoryError, match="action 4: a redo with nothing to bring back"):
        ids(passing(), undo(), passing(), redo())


def test_an_undo_with_nothing_to_take_back_takes_nothing():
    assert ids(undo(), passing()) == [2]


def test_an_undo_to_an_unknown_action_names_it():
    with pytest.raises(HistoryError, match="goes back to action 40, which is not in the file"):
        ids(passing(), undo(to=40))


def test_automatic_actions_are_steps_right_after_their_carrier():
    found = steps(export(passing(11, passing(12), passing(13)), passing(11)))
    assert [(step.number, step.id, step.auto, step.action().entity) for step in found] == [
        (1, 1, False, 11),
        (2, 1, True, 12),
        (3, 1, True, 13),
        (4, 2, False, 11),
    ]


def test_undo_of_a_carrier_takes_its_automatic_actions_and_redo_brings_them_back():
    carrier = passing(11, passing(12))
    assert ids(carrier, undo(), passing()) == [3]
    assert ids(carrier, undo(), redo(), passing()) == [1, 1, 4]


def test_the_flag_that_marks_skipped_actions_is_not_needed_and_not_believed():
    assert ids(passing(skip=True), passing(), undo()) == [1]


def test_actions_without_numbers_are_numbered_in_the_order_of_the_file():
    actions = [{key: value for key, value in passing().items() if key != "id"} for _ in range(3)]
    actions[1]["type"] = "undo"
    assert ids(actions=actions) == [3]


def test_standing_orders_of_any_name_and_remarks_are_steps_that_change_nothing():
    programme = {"type": "program_close_pass", "entity": 11, "entity_type": "player", "odd": 1}
    remark = {"type": "log", "entity": 11, "entity_type": "player", "message": "x"}
    assert [type(step.action()) for step in steps(export(programme, remark))] == [Remark, Remark]


def test_an_unknown_kind_that_stands_is_named_with_its_action():
    (step,) = steps(export({"type": "dance", "entity": 11, "entity_type": "player"}))
    with pytest.raises(HistoryError, match="action 1: 'dance' is no kind of action known here"):
        step.action()


def test_an_unknown_kind_that_was_taken_back_disturbs_nobody():
    dance = {"type": "dance", "entity": 11, "entity_type": "player"}
    assert ids(dance, undo(), passing()) == [3]


def test_a_field_that_its_kind_needs_is_named_when_it_is_missing():
    (step,) = steps(export({"type": "bid", "entity": 11, "entity_type": "player", "company": "SV"}))
    with pytest.raises(HistoryError, match=r"action 1: .*missing required field `price`"):
        step.action()
