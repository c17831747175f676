"""Many freights: their orders and ways to part them stay within bounds, however many there are.

A company that has joined others may own a dozen; the orders of twelve different trains are half a
milliard, and a search that lists them never ends.
"""

from services.engine.rules.network.best import Limits, best
from services.engine.rules.network.chains import ORDERS_MOST, Chains, orders_of
from services.engine.rules.network.field import field_of
from services.engine.rules.network.readings import RULEBOOK
from services.engine.rules.network.together import _ARRANGEMENTS_MOST, _arrangements
from services.engine.rules.network.trips import Ends, Plan, plan_of, trips_of_all
from tests.network.recorded_united import runners
from tests.network.united_boards import united_board


def freight(hexes: int, *, rusts: bool = False) -> Plan:
    return Plan("freight", 0, 0, hexes, rusts)


def test_trains_of_one_plan_have_one_order_of_each_length():
    orders, is_all = orders_of([freight(5)] * 12)
    assert [len(order) for order in orders] == list(range(1, 13))
    assert is_all


def test_of_an_order_and_its_opposite_one_is_tried():
    orders, is_all = orders_of([freight(3), freight(5), freight(7)])
    assert (len(orders), is_all) == (3 + 3 + 3, True)
    assert all(order[::-1] == order or order[::-1] not in orders for order in orders)


def test_twelve_different_trains_are_tried_in_so_many_orders_of_each_length_and_it_is_said():
    orders, is_all = orders_of([freight(hexes) for hexes in range(1, 13)])
    assert not is_all
    lengths = [len(order) for order in orders]
    assert max(lengths.count(length) for length in set(lengths)) == ORDERS_MOST
    assert set(lengths) == set(range(1, 13))


def test_twelve_different_trains_are_parted_in_so_many_ways_and_it_is_said():
    trains = tuple(freight(hexes, rusts=hexes < 5) for hexes in range(1, 13))
    ways, is_all = _arrangements(trains, apart=True)
    assert not is_all
    assert 0 < len(ways) <= _ARRANGEMENTS_MOST
    assert all(sorted(sum(way, ()), key=repr) == sorted(trains, key=repr) for way in ways)


def test_four_trains_are_parted_in_all_ways():
    ways, is_all = _arrangements(tuple(freight(hexes) for hexes in range(4)), apart=True)
    assert (len(ways), is_all) == (15, True)


def test_what_six_freights_cannot_exceed_is_said_within_reason(anglia):
    board, company = united_board(anglia, 1_002, lays=400, radius=20)
    trains = runners(anglia, "3F", "5F", "6F", "7F", "8F", "9F")
    found = best(anglia, board, "H", company, trains, limits=Limits(steps=20_000, nodes=20_000))
    assert 0 < found.revenue <= found.bound < 2 * found.revenue


def test_a_search_for_chains_ends_soon_after_its_time_is_up(anglia):
    board, company = united_board(anglia, 1_002, lays=400, radius=20)
    field = field_of(anglia, board, company, RULEBOOK)
    ends = Ends(field, RULEBOOK.entry)
    plans = tuple(plan_of(train) for train in runners(anglia, "3F", "5F", "6F", "7F", "8F", "9F"))
    trips = trips_of_all(field, plans, ends, 100_000)
    in_time = Chains(field, ends, trips)
    late = Chains(field, ends, trips, expired=lambda: True)
    orders, _ = orders_of(plans[:4])
    pairs, fewer = in_time.pairs(orders), late.pairs(orders)
    assert (in_time.gave_up, late.gave_up) == (False, True)
    assert late.is_spent
    assert all(set(ways) <= set(pairs[pair]) for pair, ways in fewer.items())
    assert sum(map(len, fewer.values())) < sum(map(len, pairs.values()))
