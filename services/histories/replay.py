"""A history played in process: every action decided by today's rules, in order."""

from collections.abc import Callable, Mapping

import msgspec
from msgspec import Struct

from contracts.commands import OpenTable, Order
from contracts.records import Record
from contracts.rejections import Rejection, in_words
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import Ruleset, ruleset_for
from services.engine.table.fold import applied
from services.engine.table.state import Table
from services.histories import compare
from services.histories.actions import Step
from services.histories.errors import HistoryError
from services.histories.export import Export
from services.histories.result import expected_reason, expected_result, reason_of, result_of
from services.histories.trace import State, Tracer, changes, scored
from services.histories.translate import Translator

RELEASE = "replay"
CLICKS = frozenset({"id", "user", "created_at", "auto_actions", "skip"})
"""Keys of an action that tell of the click, not of the game."""
Progress = Callable[[int, int], None]
"""Told after each step: how many are played, of how many."""


class Difference(Struct, frozen=True):
    """Where a replay first parts from what is expected, and how."""

    step: int
    action: int
    what: str


class Replay(Struct):
    """What came of a replay.

    `states` and `scored` (what was run in a step), where they were asked for, begin with setup.
    """

    title: str
    steps: int
    accepted: int = 0
    orders: int = 0
    records: list[Record] = []
    states: list[State] = []
    scored: list[State | None] = []
    table: Table | None = None
    rejection: Rejection | None = None
    first_difference: Difference | None = None
    result: dict[str, int] | None = None
    expected: dict[str, int] | None = None
    reason: str | None = None
    expected_reason: str | None = None

    @property
    def equal(self) -> bool:
        """Whether every action was accepted and everything that is known came out the same."""
        return (
            self.accepted == self.steps
            and self.first_difference is None
            and self.expected in (None, self.result)
            and self.expected_reason in (None, self.reason)
        )


class _Refused(Exception):  # noqa: N818 - reads as what happened
    def __init__(self, rejection: Rejection) -> None:
        super().__init__(in_words(rejection))
        self.rejection = rejection


class Player:
    """Plays orders at one table and tells translator and tracer."""

    def __init__(self, translator: Translator, *, traced: bool) -> None:
        """Begin before the opening."""
        self.translator = translator
        self.table = translator.game.table
        self.records: list[Record] = []
        self.seen = 0
        """How many of the records belong to steps that are over."""
        self.ruleset = _ruleset(translator.opening())
        self.tracer = Tracer(self.ruleset) if traced else None

    def play(self, order: Order) -> None:
        """Decide an order and apply what it leads to; raises `_Refused` if it is refused."""
        decision = decide(self.ruleset, self.table, order)
        if isinstance(decision, Rejection):
            raise _Refused(decision)
        record = Record(self.table.version + 1, 0, RELEASE, order, decision)
        self.table = applied(self.table, record)
        self.records.append(record)
        self.translator.played(record, self.table)
        if self.tracer is not None:
            self.tracer.played(record)


def _ruleset(opening: Order) -> Ruleset:
    if not isinstance(opening.command, OpenTable):
        raise TypeError(opening.command)
    ruleset = ruleset_for(opening.command)
    if isinstance(ruleset, Rejection):
        raise HistoryError(in_words(ruleset))
    return ruleset


def replay(
    export: Export,
    rulings: Mapping[str, str] | None = None,
    *,
    traced: bool = False,
    against: compare.Expected | None = None,
    keys: Mapping[str, tuple[str, ...]] = compare.EVERYTHING,
    progress: Progress | None = None,
) -> Replay:
    """Play a history to its end, or to the first action that is refused.

    `traced` collects the state after every step; `against` holds each against a recorded trace and
    notes the first difference (play goes on).
    """
    translator = Translator(export, rulings)
    player = Player(translator, traced=traced or against is not None)
    found = Replay(
        export.title,
        len(translator.steps),
        records=player.records,
        expected=expected_result(export),
        expected_reason=expected_reason(export),
    )
    try:
        player.play(translator.opening())
        _seen(found, player, None, against, keys)
        for step in translator.steps:
            for order in translator.orders(step):
                player.play(order)
                found.orders += 1
            found.accepted += 1
            _seen(found, player, step, against, keys)
            if progress is not None:
                progress(step.number, found.steps)
    except _Refused as refused:
        found.rejection = refused.rejection
        found.first_difference = found.first_difference or _stopped(translator, found, str(refused))
    except HistoryError as error:
        found.first_difference = found.first_difference or _stopped(translator, found, str(error))
    found.table = player.table
    found.result = result_of(player.table)
    found.reason = reason_of(player.records)
    if found.first_difference is None:
        found.first_difference = _at_the_end(translator, found)
    return found


def _stopped(translator: Translator, found: Replay, what: str) -> Difference:
    """The step after the last accepted one, and what stopped it."""
    if found.accepted >= found.steps:
        return Difference(found.steps, 0, what)
    step = translator.steps[found.accepted]
    return Difference(step.number, step.id, f"{step.action().type}: {what}")


def _seen(
    found: Replay,
    player: Player,
    step: Step | None,
    against: compare.Expected | None,
    keys: Mapping[str, tuple[str, ...]],
) -> None:
    """Keep the state after a step, and hold it against what is expected."""
    if player.tracer is None:
        return
    state = player.tracer.state(
        player.table, player.translator.in_hand, player.translator.game.links
    )
    found.states.append(state)
    found.scored.append(scored(player.records[player.seen :]))
    player.seen = len(player.records)
    number = step.number if step else 0
    if against is None or found.first_difference is not None:
        return
    if number >= len(against.states):
        what = f"the trace ends after step {len(against.states) - 1}"
        found.first_difference = Difference(number, step.id if step else 0, what)
        return
    parted = list(compare.differences(against.states[number], state, keys))
    if parted:
        found.first_difference = Difference(number, step.id if step else 0, "; ".join(parted))


def _at_the_end(translator: Translator, found: Replay) -> Difference | None:
    """What is not the same in result and reason, where the file knows them."""
    last = translator.steps[-1].id if translator.steps else 0
    if found.expected is not None and found.expected != found.result:
        what = f"result: {found.expected} expected, {found.result} here"
        return Difference(found.steps, last, what)
    if found.expected_reason not in (None, found.reason):
        what = f"reason: {found.expected_reason!r} expected, {found.reason!r} here"
        return Difference(found.steps, last, what)
    return None


def written(step: Step) -> State:
    """An action as the file has it, without who clicked when."""
    action: State = msgspec.json.decode(step.raw)
    return {key: value for key, value in action.items() if key not in CLICKS}


def trace_lines(export: Export, found: Replay) -> list[State]:
    """The lines of a trace of a replay that was traced, in the format of the recorded ones."""
    translator = Translator(export)
    first = {"n": 0, "full": True, **found.states[0]}
    lines: list[State] = [first]
    for step, before, after in zip(translator.steps, found.states, found.states[1:], strict=False):
        line: State = {"n": step.number, "id": step.id}
        if step.auto:
            line["auto"] = True
        line["action"] = written(step)
        score = found.scored[step.number]
        if score is not None:
            line["scored"] = score
        lines.append({**line, **changes(before, after)})
    lines.append(
        {
            "n": len(found.states) - 1,
            "end": True,
            "result": found.result,
            "reason": found.reason,
            "matches_file": found.expected in (None, found.result),
            "final": found.states[-1],
        }
    )
    return lines
