"""At fixed points of the golden logs there are as many legal commands as ever, in their order."""

import json

import pytest

from tests.golden.counts import counting
from tests.golden.logs import kept


def test_every_log_is_counted():
    assert kept.names()
    assert all(counting.path_of(name).exists() for name in kept.names())


@pytest.mark.parametrize("name", kept.names())
def test_the_legal_commands_are_as_many_and_in_the_same_order(name):
    then = json.loads(counting.path_of(name).read_text())
    now = counting.all_of(name)
    for noted, found in zip(then, now, strict=True):
        assert found == noted


def test_the_points_see_many_kinds_of_command_and_many_steps():
    every = [one for name in kept.names() for one in json.loads(counting.path_of(name).read_text())]
    kinds = {kind for one in every for kind in one["counts"]}
    assert {"BuyShares", "SellShares", "LayTile", "PlaceToken", "RunTrains", "BuyTrain"} <= kinds
    assert {"waterfall", "stock", "track", "token", "run", "dividend", "trains"} <= {
        one["at"] for one in every
    }
