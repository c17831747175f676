"""Every phrase of a playable title about operating is known, and an unknown one is named."""

import pytest

from contracts.titles.load import FactsError, facts, titles
from services.engine.rules.families.dividends import DIVIDENDS, POOL_SHARES_PAY
from services.engine.rules.families.duties import MUST_OWN_TRAIN
from services.engine.rules.families.phrase import picked
from services.engine.rules.operating_parts import ANYTIME, STEPS
from services.engine.rules.registry import ANYTIME as EVERYWHERE
from services.engine.rules.track_refusals import _RUNS, _TILES, _TOKENS


@pytest.mark.parametrize("title", titles())
def test_every_phrase_about_operating_is_known(title):
    rules = facts(title).operating_rules
    assert rules.dividend in DIVIDENDS
    assert rules.pool_shares_pay in POOL_SHARES_PAY
    assert rules.must_own_train in MUST_OWN_TRAIN


@pytest.mark.parametrize("title", titles())
def test_every_step_of_a_companys_turn_is_known(title):
    turns = facts(title).turns
    assert set(turns.operating) <= set(STEPS)
    assert set(turns.operating_anytime) <= set(EVERYWHERE)
    assert set(ANYTIME) <= set(EVERYWHERE)


@pytest.mark.parametrize("title", titles())
def test_every_topic_of_a_refusal_of_track_has_its_section(title):
    topics = {topic for codes in (_TILES, _TOKENS, _RUNS) for _, topic in codes.values()}
    assert topics <= set(facts(title).sections)


def test_a_phrase_that_nobody_wrote_is_named():
    with pytest.raises(FactsError, match="dividend: 'half' is none of: 'all or none'"):
        picked("dividend", DIVIDENDS, "half")
