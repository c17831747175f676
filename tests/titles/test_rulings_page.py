"""The page of a title's rulings tells each ruling and variant, with its default and the set's."""

import re

import pytest

from contracts.ids import TitleId
from contracts.titles.load import facts
from tests.architecture.source import ROOT

PAGED = (TitleId("1862"),)
ROW = re.compile(
    r"^\| (?P<id>[^|(]+) \([\d.]+\) \| (?P<default>[^|]+) \| (?P<third>[^|]+) \|", re.MULTILINE
)


def rows(title):
    page = (ROOT / "docs" / "rulings" / f"{title}.md").read_text(encoding="utf-8")
    return {found["id"].strip(): found for found in ROW.finditer(page)}


@pytest.mark.parametrize("title", PAGED)
def test_every_ruling_is_told_with_its_default_and_what_another_place_does(title):
    read, shown = facts(title), rows(title)
    site = read.ruling_sets["18xx.games"]
    wanted = {
        id: (option.default, site.get(id, option.default)) for id, option in read.rulings.items()
    }
    told = {id: (shown[id]["default"], shown[id]["third"]) for id in wanted if id in shown}
    assert told == wanted


@pytest.mark.parametrize("title", PAGED)
def test_every_variant_is_told_with_its_default_and_the_page_tells_no_other(title):
    read, shown = facts(title), rows(title)
    variants = {id: option.default for id, option in read.variants.items()}
    assert {id: shown[id]["default"] for id in variants if id in shown} == variants
    assert set(shown) == {*read.rulings, *read.variants}
