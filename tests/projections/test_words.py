"""Words: everything that a title can ask for has a name in plain English."""

from typing import get_args

import pytest

from contracts.frames import Matter, Question
from contracts.titles.load import all_titles, facts
from services.engine.projections.words import STEPS, question_task, words_of
from tests.examples import EVENTS, MORE_EVENTS
from tests.tables import operated

TITLES = all_titles()


@pytest.mark.parametrize("title", TITLES)
def test_every_step_of_a_title_is_called_something(title):
    turns = facts(title).turns
    steps = {step for name in turns.__struct_fields__ for step in getattr(turns, name) if step}
    anytime = {*turns.stock_anytime, *turns.operating_anytime}
    assert steps - anytime <= set(STEPS)


def matters() -> list[Matter]:
    questions = [getattr(event, "question", None) for event in (*EVENTS, *MORE_EVENTS)]
    return [question.matter for question in questions if isinstance(question, Question)]


def test_every_question_is_among_the_examples():
    assert {type(matter) for matter in matters()} == set(get_args(Matter))


@pytest.mark.parametrize("matter", matters(), ids=lambda matter: type(matter).__name__)
def test_every_question_tells_what_is_to_be_done(matter):
    told = question_task(words_of(operated().table, facts(TITLES[0])), matter)
    assert told[0].islower()
    assert "None" not in told
    assert "'" not in told.replace("director's", "")
