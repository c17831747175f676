"""Benchmarks: that they work, and that figures are held against the last ones the right way round.

How fast anything is is no matter of tests.
"""

import msgspec
import pytest

from benchmarks.catalogue import BENCHMARKS
from benchmarks.measuring import Figure
from benchmarks.results import TOLD, Conditions, Results, Taken, beside, kept, told
from tests.console.calls import minutebook

PURE = [one.name for one in BENCHMARKS if one.is_pure]
NOW = Conditions("2026-01-01 00:00 UTC", "3.11", "Linux", 1, 0.0)


def test_what_needs_no_store_is_measured_quickly(tmp_path):
    called = minutebook(tmp_path, "bench", *PURE, "--quick", "--json")
    assert called.code == 0, called.errors
    taken = msgspec.json.decode(called.output, type=Results)
    assert list(taken) == PURE
    for one in taken.values():
        assert one.figures
        assert all(figure.value > 0 for figure in one.figures)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("speed",), "no benchmark speed"), (("--quick", "--write"), "whole measurements")],
)
def test_what_cannot_be_measured_is_said_in_words(tmp_path, arguments, said):
    called = minutebook(tmp_path, "bench", *arguments)
    assert called.code == 2
    assert said in called.errors


@pytest.mark.parametrize(("should_grow", "dearer"), [(False, 2.0), (True, 0.5)])
def test_a_figure_is_held_against_the_last_kept_by_its_ratio(should_grow, dearer):
    old = Figure("x", 100, "ms", "b", 2.0, should_grow=should_grow)
    new = Figure("x", 1, "ms", "b", 4.0, should_grow=should_grow)
    assert beside(new, {"some": Taken(NOW, (old,))}) == dearer
    assert beside(new, {}) is None


def test_the_page_of_results_is_that_of_the_figures_kept():
    assert TOLD.read_text() == told(kept())


def test_every_figure_kept_has_a_name_of_its_own():
    names = [figure.name for taken in kept().values() for figure in taken.figures]
    assert names
    assert len(names) == len(set(names))
