"""A title's file is read strictly, and what is wrong with it is said with its place."""

from importlib.resources import files

import pytest

from contracts.titles.load import FactsError, all_titles, facts, parsed, titles


@pytest.fixture
def text() -> str:
    return files("contracts.titles").joinpath(f"{titles()[0]}.toml").read_text(encoding="utf-8")


def test_the_same_title_is_the_same_object():
    assert facts(titles()[0]) is facts(titles()[0])


def test_a_title_without_rules_has_facts_and_is_not_offered():
    assert set(titles()) <= set(all_titles())
    for title in all_titles():
        assert facts(title).title.playable == (title in titles())
    assert set(all_titles()) >= {"1830", "1862"}


def test_an_unknown_title_is_refused_with_those_that_there_are():
    with pytest.raises(FactsError, match=f"no title '1800'.*{titles()[0]}"):
        facts("1800")


@pytest.mark.parametrize(
    ("line", "wrong", "message"),
    [
        ('rusted_by = "4"', 'rusts_with = "4"', r"unknown field `rusts_with` - at `\$.train"),
        ("bid_step = 5", "", r"missing required field `bid_step` - at `\$.auction"),
        ("count = 6", 'count = "six"', r"`\$.train.*count"),
        ('area = "chicago"', 'area = "boston"', "unknown area 'boston'"),
        ('track = ["0 5"]', 'track = ["0 6"]', "A17 has the impossible track '0 6'"),
        ('track = ["0 5"]', 'track = ["0 c"]', "A17 has the impossible track '0 c'"),
        ('id = "57"', 'id = "58"', "tile '58' is there twice"),
        ('rusted_by = "4"', 'sides.long = { name = "2" }', "train 2 has stations and sides"),
        ("[setup]", "[setup", "toml: "),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text, line, wrong, message):
    assert line in text
    with pytest.raises(FactsError, match=message) as refused:
        parsed(text.replace(line, wrong, 1), "some.toml")
    assert str(refused.value).startswith("some.toml: ")


def test_ends_without_a_number_are_the_first_of_their_kind():
    tile = facts("1830").tiles["57"]
    assert tile.track == (("0", "c0"), ("3", "c0"))
