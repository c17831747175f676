"""Games of house players, written down as the site would and read back: the same orders again."""

import msgspec
import pytest

from contracts.commands import Answer, AnyCommand, OpenTable, Order, Pass, PlaceToken, RunTrains
from contracts.ids import CommandId, Party, PlayerId, TitleId
from contracts.pieces import Seat, Settings
from contracts.records import Record
from contracts.rejections import Rejection
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import Ruleset, ruleset_for
from services.engine.table.agenda import current_turn
from services.engine.table.fold import applied
from services.engine.table.state import Table, new_table
from services.histories import draws
from services.histories.optional_rules import PLACE
from services.histories.replay import replay
from services.histories.translate import HISTORY
from services.players.play import next_order
from tests.histories.site import Scribe

MOST = 450
"""Orders of a game that are played: two sets of operating rounds and more."""


def opening(players: int, seed: int) -> tuple[Ruleset, Order]:
    """A table of the site with its own draws."""
    seats = tuple(Seat(PlayerId(Party(str(100 + n))), f"Player {n}") for n in range(players))
    command = OpenTable(
        TitleId("1862"), seats, seed, rulings={"set": PLACE}, settings=Settings(imported=True)
    )
    ruleset = ruleset_for(command)
    assert isinstance(ruleset, Ruleset), ruleset
    command = msgspec.structs.replace(command, lots=dict(draws.lots(ruleset, seed, players)))
    first = seats[0].player
    return ruleset, Order(HISTORY, CommandId("open"), first, first, command, 0)


def as_on_the_site(table: Table, order: Order) -> Order:
    """What the site has no action for: a refusal, and a link to an area before the token's step."""
    turn, command = current_turn(table), order.command
    if isinstance(command, Answer):
        return msgspec.structs.replace(order, command=Answer(yes=True))
    if isinstance(command, PlaceToken) and turn is not None and turn.steps[0] == "track":
        return msgspec.structs.replace(order, command=Pass())
    return order


def what(order: Order) -> tuple[PlayerId, AnyCommand | type]:
    """Who ordered what; of equal runs others may be found."""
    is_run = isinstance(order.command, RunTrains)
    return order.player, RunTrains if is_run else order.command


@pytest.mark.parametrize(("players", "seed"), [(3, 4), (2, 7), (6, 1)])
def test_a_game_that_the_site_wrote_down_is_played_again_order_for_order(players, seed):
    ruleset, first = opening(players, seed)
    order: Order | None = first
    table, scribe, orders = new_table(HISTORY), None, []
    while order is not None and table.version < MOST:
        order = as_on_the_site(table, order)
        events = decide(ruleset, table, order)
        assert not isinstance(events, Rejection), events
        before, record = table, Record(table.version + 1, 0, "test", order, events)
        table = applied(table, record)
        scribe = scribe or Scribe("1862", table, seed)
        scribe.wrote(before, record, table)
        orders.append(what(order))
        order = next_order(ruleset, table, seed)
    assert scribe is not None
    found = replay(scribe.export(table), traced=True)
    assert found.first_difference is None
    assert [what(record.order) for record in found.records] == orders
    assert found.table is not None
    assert (found.table.cash, found.table.certificates) == (table.cash, table.certificates)
