"""Time and what the server does for somebody."""

import pytest

from contracts import notices
from contracts.clocking import Clocking
from contracts.commands import ClearProgramme, MakeRequest, Pass, SetProgramme
from contracts.ids import PlayerId
from contracts.programmes import OnlyChoice, Passing
from services.clock.calendar import SECOND
from services.clock.reckoning import NOTHING, reckoned
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_round
from services.engine.table.fold import tables
from services.engine.table.state import new_table
from services.players.play import next_order
from tests.clock.league import ANN, BOB, CID, TABLE, League

pytestmark = pytest.mark.anyio


async def league(clock: Clocking) -> League:
    return await League(clock).begin()


async def test_a_programme_that_an_undo_stopped_is_told_and_one_that_was_cleared_is_not():
    play = await league(Clocking(100))
    await play.do(BOB, SetProgramme(OnlyChoice()))
    await play.do(CID, SetProgramme(OnlyChoice()))
    await play.do(CID, ClearProgramme(play.table.beside.programmes[1].id))
    await play.do(ANN, Pass())
    await play.do(CID, MakeRequest("undo", 2))
    assert play.prompts == [
        notices.ProgramStopped(play.table.id, BOB, "OnlyChoice", "Moves were taken back.", BOB)
    ]


async def in_a_stock_round(clock: Clocking) -> League:
    """A table at which house players have bought all privates, at one moment."""
    play = await league(clock)
    while (playing := current_round(play.table)) is None or playing.kind != "stock":
        order = next_order(ruleset_of(play.table), play.table, 1)
        assert order is not None
        await play.do(order.player, order.command)
    return play


async def test_what_the_server_does_for_somebody_costs_him_no_time():
    play = await in_a_stock_round(Clocking(10, bank_seconds=100, increment_seconds=7))
    first, second, third = play.waiting[0], *others(play)
    await play.do(second, SetProgramme(Passing()))
    bank = banks(play)[second]
    began = play.time.time / SECOND
    await play.until(began + 5)
    while play.waiting == (first,):
        await play.do(first, Pass())
    assert play.waiting == (third,)
    assert play.engine.logs[TABLE][-1].record.order.sender.startswith("programme:")
    # His turn is over like any other, so it earns what a turn earns.
    assert banks(play)[second] == bank + 7 * SECOND
    assert play.deadlines() == {third: began + 5 + 10 + banks(play)[third] / SECOND}


def others(play: League) -> tuple[PlayerId, PlayerId]:
    """The players after the one whose turn it is, in order."""
    order = play.table.order
    place = order.index(play.waiting[0])
    return order[(place + 1) % 3], order[(place + 2) % 3]


def banks(play: League) -> dict[PlayerId, int]:
    """What players have in their time banks, by all of the book."""
    before, reckoning = new_table(TABLE), NOTHING
    for record, after in tables(TABLE, [one.record for one in play.engine.logs[TABLE]]):
        reckoning = reckoned(reckoning, before, after, record)
        before = after
    return dict(reckoning.banks)
