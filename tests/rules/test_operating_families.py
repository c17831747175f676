"""Every phrase of a playable title about operating is known, and an unknown one is named."""

import pytest

from contracts.titles.load import FactsError, facts
from services.engine.rules.families.dividends import DIVIDENDS, POOL_SHARES_PAY
from services.engine.rules.families.duties import DIRECTOR_HELPS, MUST_OWN_TRAIN
from services.engine.rules.families.phrase import picked
from services.engine.rules.network.readings import runs_are_united
from services.engine.rules.network.tiles import towns_are_passed
from services.engine.rules.parts.operating import ANYTIME
from services.engine.rules.parts.registry import ANYTIME as EVERYWHERE
from services.engine.rules.parts.registry import STEPS
from services.engine.rules.track.refusals import (
    _LINKS,
    _RUNS,
    _RUNS_TOGETHER,
    _SMALL_STATIONS,
    _TILES,
    _TOKENS,
)

TITLES = ("1830", "1862")


@pytest.mark.parametrize("title", TITLES)
def test_every_phrase_about_operating_is_known(title):
    rules = facts(title).operating_rules
    assert rules.dividend in DIVIDENDS
    assert rules.pool_shares_pay in POOL_SHARES_PAY
    assert rules.must_own_train in MUST_OWN_TRAIN
    assert rules.must_own_train in DIRECTOR_HELPS


@pytest.mark.parametrize("title", TITLES)
def test_every_step_of_a_companys_turn_is_known(title):
    turns = facts(title).turns
    assert {*turns.operating, *turns.in_receivership, *turns.last_operations} <= set(STEPS)
    assert set(turns.operating_anytime) <= set(EVERYWHERE)
    assert set(ANYTIME) <= set(EVERYWHERE)


@pytest.mark.parametrize("title", TITLES)
def test_every_topic_of_a_refusal_of_track_has_its_section(title):
    one = facts(title)
    together = _RUNS_TOGETHER if runs_are_united(one) else {}
    passed = _SMALL_STATIONS if towns_are_passed(one) else {}
    linked = _LINKS if any(area.token_spaces for area in one.map.areas.values()) else {}
    topics = {
        topic
        for codes in (_TILES, _TOKENS, _RUNS, together, passed, linked)
        for _, topic in codes.values()
    }
    assert topics <= set(one.sections)


def test_a_phrase_that_nobody_wrote_is_named():
    with pytest.raises(FactsError, match="dividend: 'half' is none of: 'all or none'"):
        picked("dividend", DIVIDENDS, "half")
