"""What the site draws at setup, drawn again from the seed."""

from itertools import islice

import pytest

from services.engine.rules.ruleset import Ruleset, composed
from services.histories.draws import in_rounds, lots, numbers, shuffled

EVERY = {"train types": "all", "extra companies": "yes"}


def ruleset(title: str = "1862", **variants: str) -> Ruleset:
    return composed(title, {}, {**EVERY, **variants} if title == "1862" else {})


def test_the_numbers_come_from_the_seed_alone():
    assert list(islice(numbers(1), 3)) == [1103527590, 377401575, 662824084]
    assert list(islice(numbers(1 + 2**31), 2)) == list(islice(numbers(1), 2))


def test_a_shuffle_takes_one_number_for_each_thing():
    drawn = iter([5, 1, 3, 9])
    assert shuffled(["a", "b", "c"], drawn) == ["b", "c", "a"]
    assert next(drawn) == 9


def test_permits_are_shuffled_from_rounds_of_all_kinds():
    assert in_rounds(["f", "f", "e", "l"]) == ["f", "e", "l", "f"]


@pytest.mark.parametrize(("players", "out"), [(2, 4), (6, 4), (7, 3), (8, 2)])
def test_companies_out_of_the_game_come_last_and_all_others_have_a_permit(players, out):
    drawn = lots(ruleset(), 7, players)
    companies, permits = drawn["companies"], drawn["permits"]
    assert sorted(companies) == sorted(ruleset().facts.publics)
    assert len(permits) >= len(companies) - out
    first = shuffled(tuple(ruleset().facts.publics), numbers(7))
    assert list(companies) == first[out:] + first[:out]


def test_a_title_that_deals_nothing_draws_nothing():
    assert lots(ruleset("1830"), 7, 4) == {}
