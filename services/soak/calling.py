"""Time called at a table, with every end that it may have: everybody has a neutral move."""

from typing import Final

import msgspec

from contracts.clocking import ENDS, Clocking
from contracts.commands import CallTime, Order
from contracts.events import Events
from contracts.frames import Consent, Question, Turn
from contracts.ids import CommandId, PlayerId
from contracts.people import CLOCK, NOBODY
from contracts.rejections import Rejection, in_words
from services.engine.projections.audit_pieces import Counting
from services.engine.rules.beside.neutral import neutral_command
from services.engine.rules.decide import decide, game_choices
from services.engine.rules.listing import is_listed
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import awaited, top
from services.engine.table.evolve import evolve_all
from services.engine.table.state import Table
from services.soak import checks
from services.soak.coverage import Coverage
from services.soak.failure import Failure, FailureError, expect

SUBSTITUTE: Final = "zoe"


def every_end(ruleset: Ruleset, table: Table, coverage: Coverage, counting: Counting) -> None:
    """Call the time of everybody who is waited for, at a table with each sort of clock.

    None of it is recorded.
    """
    for player in awaited(table):
        for then in ENDS:
            ends(ruleset, clocked(table, then), player, then, counting)
        coverage.called(table)


def clocked(table: Table, then: str) -> Table:
    """A table as it is, but for its clock."""
    clock = Clocking(turn_seconds=60, then=then, substitutes=(SUBSTITUTE,))
    settings = msgspec.structs.replace(table.settings, clock=clock)
    beside = msgspec.structs.replace(table.beside, paused=False)
    changed: Table = msgspec.structs.replace(table, settings=settings, beside=beside)
    return changed


def ends(ruleset: Ruleset, table: Table, player: PlayerId, then: str, counting: Counting) -> None:
    """What comes of a call is what its sort of clock says, and leaves nobody stuck."""
    frame = top(table)
    assert isinstance(frame, Turn | Question)  # somebody is waited for
    order = Order(table.id, CommandId("call"), CLOCK, player, CallTime(frame.id))
    version = table.version
    neutral_is_listed(ruleset, table, player, order)
    events = decided(ruleset, table, order)
    checks.after_events(ruleset, table, events, counting)
    after = evolve_all(table, events)
    person = after.people.get(player)
    waits = player in awaited(after) and any(one.id == frame.id for one in after.agenda)
    is_consent = isinstance(frame, Question) and isinstance(frame.matter, Consent)
    is_seated = SUBSTITUTE not in table.people.values()
    goes_on = (then == "call" and not is_consent) or (then == "substitute" and is_seated)
    expect(waits == goes_on, then, version, f"{player} waits on: {waits}", order)
    if then == "resign":
        expect(person == NOBODY, then, version, f"{person} has the seat", order)
    elif then == "substitute" and is_seated:
        expect(person == SUBSTITUTE, then, version, f"{person} has the seat", order)
    else:
        expect(person == table.people.get(player), then, version, f"{person} sits there", order)


def decided(ruleset: Ruleset, table: Table, order: Order) -> Events:
    """What a call leads to; it is never refused."""
    try:
        events = decide(ruleset, table, order)
    except Exception as error:
        raise FailureError(Failure("crash", table.version, repr(error), order)) from error
    if isinstance(events, Rejection):
        raise FailureError(Failure("call refused", table.version, in_words(events), order))
    return events


def neutral_is_listed(ruleset: Ruleset, table: Table, player: PlayerId, order: Order) -> None:
    """Whoever is waited for has a neutral move, and it is one of his choices."""
    found = neutral_command(ruleset, table, player)
    expect(found is not None, "neutral", table.version, f"{player} has no neutral move", order)
    assert found is not None
    listed = is_listed(tuple(game_choices(ruleset, table, player)), found.command)
    sentence = f"{found.command} of {player} is none of his choices"
    expect(listed, "neutral", table.version, sentence, order)
