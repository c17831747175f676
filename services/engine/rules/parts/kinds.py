"""What rules are made of: acts, steps, questions, procedures, round kinds.

An act is one kind of command with the one home of its legality: `offers` lists what might be done,
`objections` says what speaks against a command, and the same objections serve `decide` (refuse with
the first), `choices` (list offers without any) and a person who asks why not (all of them).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from contracts.choices import Interval, OpenRoutes
from contracts.commands import AnyCommand
from contracts.frames import Question, Round, Turn
from contracts.ids import Party
from contracts.rejections import Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table


class Offer(Struct, frozen=True):
    """A command that might be legal, with at most one thing left open."""

    command: AnyCommand
    open: Interval | OpenRoutes | None = None


class Act(Struct, frozen=True):
    """One kind of command, done for a party (`who`): a player, or a company through its director.

    `offers` may list too much; `objections` decides. An offer with an open amount must be legal at
    each amount of its interval. `fits` tells whether a command is among an act's business at all,
    where several acts take the same kind of command.
    """

    command: type
    offers: Callable[[Ruleset, Table, Party], Iterable[Offer]]
    objections: Callable[[Ruleset, Table, Party, Any], Iterator[Rejection]]
    perform: Callable[[Ruleset, Draft, Party, Any], None]
    fits: Callable[[Any], bool] = lambda _command: True


def free_to_pass(_ruleset: Ruleset, _table: Table, _who: Party) -> Rejection | None:
    """Nothing speaks against passing."""
    return None


def nothing_by_itself(_ruleset: Ruleset, _draft: Draft, _who: Party) -> str | None:
    """Nothing happens by itself: the step waits, if there is something to choose."""
    return None


def waits_for_choices(_ruleset: Ruleset, _table: Table, _who: Party) -> bool:
    """A step waits as long as there is something to choose, and no longer."""
    return False


class Step(Struct, frozen=True):
    """A step of a turn.

    `by_itself` does what nobody chooses and returns why the step is over, or None if it waits; it
    is asked each time play comes back to the step. A step with nothing to choose is over: `done` if
    `did` says that something was done in it; where `waits` it is not over until somebody passes.
    `no_pass` says what speaks against passing.
    """

    acts: tuple[Act, ...] = ()
    did: Callable[[Turn], bool] = lambda _turn: False
    no_pass: Callable[[Ruleset, Table, Party], Rejection | None] = free_to_pass
    by_itself: Callable[[Ruleset, Draft, Party], str | None] = nothing_by_itself
    waits: Callable[[Ruleset, Table, Party], bool] = waits_for_choices


class Asking(Struct, frozen=True):
    """A kind of question: what may be done in answer to it.

    `settled` is asked each time play comes back to the question; it does what follows, closes the
    question if it is settled, and says whether it did (True: play goes on). A pass is recorded as
    the answer `pass`. `no_pass` says what speaks against passing.
    """

    acts: tuple[Act, ...]
    settled: Callable[[Ruleset, Draft, Question], bool]
    no_pass: Callable[[Ruleset, Table, Party], Rejection | None]


Advance = Callable[[Ruleset, Draft, Any], None]
"""Moves a procedure on by one stage; called when it is the top frame."""


class RoundKind(Struct, frozen=True):
    """A kind of round: how it begins (events before its first turn) and how it goes on.

    `advance` is called when the round is the top frame: it begins the next turn, or says why the
    round is over (after the events that its end brings).
    """

    begin: Callable[[Ruleset, Draft, Round], None]
    advance: Callable[[Ruleset, Draft, Round], str | None]
