"""Near-legal commands: a listed one with one field changed, or one made up from what there is.

They try both halves of the third law: what is not listed has to be refused, and what is accepted
has to be listed.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, get_args

import msgspec

from contracts.choices import Choice, Interval, filled
from contracts.commands import AnyCommand, OpenTable, RunTrains
from contracts.ids import BANK, BOX, OFFERING, POOL, SUPPLY, HexId, TrainId
from contracts.runs import Run, Track
from contracts.titles.facts import Facts
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table

Values = Callable[[Facts, Table, Random], Any]
"""Draws a value of a field from what there is at a table, now and then from what there is not."""

DEFAULT_LEFT: Final = 0.3
NO_TRAIN: Final = TrainId("X-0")


def one_of(lots: Random, *things: Sequence[Any]) -> Any:  # noqa: ANN401 - any field's value
    """One thing of several sequences together."""
    every = [thing for some in things for thing in some]
    return lots.choice(every)


def _company(facts: Facts, _table: Table, lots: Random) -> Any:  # noqa: ANN401
    return one_of(lots, tuple(facts.publics), tuple(facts.privates), ("nobody",))


def _private(facts: Facts, _table: Table, lots: Random) -> Any:  # noqa: ANN401
    return one_of(lots, tuple(facts.privates), tuple(facts.publics)[:1])


def _right(facts: Facts, _table: Table, lots: Random) -> Any:  # noqa: ANN401
    return one_of(lots, tuple(facts.privates), (None,))


def _amount(facts: Facts, table: Table, lots: Random) -> Any:  # noqa: ANN401
    pars = tuple(price for row in facts.market.rows for price in row if price is not None)
    return one_of(
        lots,
        (-1, 0, 1, lots.randrange(1000), 10**6),
        tuple(table.cash.values()),
        tuple(card.price for card in facts.trains.values()),
        pars,
    )


def _extra(facts: Facts, table: Table, lots: Random) -> Any:  # noqa: ANN401
    return 0 if lots.random() < 0.5 else _amount(facts, table, lots)


def _source(facts: Facts, table: Table, lots: Random) -> Any:  # noqa: ANN401
    return one_of(
        lots, (OFFERING, POOL, SUPPLY, BANK, BOX), tuple(facts.publics), tuple(table.order)
    )


def _certificates(_facts: Facts, _table: Table, lots: Random) -> Any:  # noqa: ANN401
    kinds = ("1", "2d", "2")
    number = lots.choice((1, 1, 1, 2, 3, 5, 0, -1, 11))
    given = {lots.choice(kinds): number}
    if lots.random() < 0.1:
        given[lots.choice(kinds)] = 1
    return {} if lots.random() < 0.02 else given


def _hex(facts: Facts, table: Table, lots: Random) -> Any:  # noqa: ANN401
    blocked = tuple(hex_id for private in facts.privates.values() for hex_id in private.blocks)
    classes: tuple[Sequence[Any], ...] = (
        tuple(facts.map.hexes),
        tuple(table.board.tiles),
        tuple(token.place for token in table.board.tokens),
        blocked,
        ("Z99",),
    )
    return lots.choice(lots.choice([some for some in classes if some]))


def _train(_facts: Facts, table: Table, lots: Random) -> Any:  # noqa: ANN401
    return one_of(lots, _trains(table), (None, None))


FIELDS: Final[Mapping[str, Values]] = {
    "company": _company,
    "lot": _company,
    "private": _private,
    "right": _right,
    "amount": _amount,
    "price": _amount,
    "director_pays": _extra,
    "source": _source,
    "seller": _source,
    "taken": _certificates,
    "given": _certificates,
    "hex": _hex,
    "place": _hex,
    "tile": lambda facts, _table, lots: one_of(lots, tuple(facts.tiles), ("999",)),
    "rotation": lambda _facts, _table, lots: lots.choice((0, 1, 2, 3, 4, 5, 6, -1)),
    "city": lambda _facts, _table, lots: lots.choice((0, 1, 2, -1)),
    "kind": lambda facts, _table, lots: one_of(
        lots, tuple(facts.trains), ("X", "merge", "acquire")
    ),
    "side": lambda _facts, _table, lots: lots.choice((None, None, None, "front")),
    "warranties": lambda _facts, _table, lots: lots.choice((0, 0, 0, 1, 3, -1)),
    "added": _extra,
    "number": lambda _facts, _table, lots: lots.choice((0, 1, 2, 3, 7, -1)),
    "redeem": lambda _facts, _table, lots: lots.random() < 0.5,
    "line": lambda _facts, _table, lots: lots.choice(("0-3", "1-2", "3-0", "9")),
    "companies": lambda facts, _table, lots: (
        lots.choice(tuple(facts.publics)),
        lots.choice(tuple(facts.publics)),
    ),
    "places": lambda facts, table, lots: (_hex(facts, table, lots),),
    "train": _train,
    "handed_in": _train,
    "dividend": lambda _facts, _table, lots: lots.choice(("all", "none", "half")),
    "other": lambda _facts, table, lots: one_of(lots, table.order, ("nobody",)),
    "yes": lambda _facts, _table, lots: lots.random() < 0.5,
    "what": lambda _facts, _table, lots: lots.choice(("undo", "end", "tea")),
    "version": lambda _facts, table, lots: one_of(
        lots, (None, 0, -1), (table.version - 1, table.version, table.version + 1)
    ),
    "request": lambda _facts, table, lots: one_of(
        lots, tuple(request.id for request in table.requests), ("0.0",)
    ),
}
"""How each field of a command is drawn."""

KINDS: Final = tuple(
    kind
    for kind in get_args(AnyCommand)
    if kind not in (OpenTable, RunTrains) and set(kind.__struct_fields__) <= set(FIELDS)
)
"""The kinds that are made up; a run is not, nor is an opening in the middle of a game."""


def with_amount(choice: Choice, lots: Random) -> AnyCommand:
    """The command of a choice, its open amount named: an end of the interval, or any between."""
    if not isinstance(choice.open, Interval):
        return choice.command
    span = choice.open
    steps = (span.most - span.least) // span.step
    step = lots.choice((0, steps, lots.randint(0, steps)))
    return filled(choice.command, span, span.least + span.step * step)


def at_both_ends(choice: Choice) -> tuple[AnyCommand, ...]:
    """The command of a choice, with its open amount at the least and at the most."""
    if not isinstance(choice.open, Interval):
        return (choice.command,)
    span = choice.open
    most = span.least + (span.most - span.least) // span.step * span.step
    return tuple(filled(choice.command, span, amount) for amount in {span.least: 0, most: 0})


def beside(choice: Choice, lots: Random) -> AnyCommand:
    """The command of a choice with its open amount just outside the interval."""
    if not isinstance(choice.open, Interval):
        return choice.command
    span = choice.open
    return filled(choice.command, span, lots.choice((span.least - span.step, span.most + 1)))


def mutated(ruleset: Ruleset, table: Table, command: AnyCommand, lots: Random) -> AnyCommand:
    """A command with one field drawn anew."""
    if isinstance(command, RunTrains):
        return RunTrains(_other_runs(table, command.runs, lots))
    fields = [name for name in command.__struct_fields__ if name in FIELDS]
    if not fields:
        return made_up(ruleset, table, lots)
    name = lots.choice(fields)
    value = FIELDS[name](ruleset.facts, table, lots)
    changed: AnyCommand = msgspec.structs.replace(command, **{name: value})
    return changed


def made_up(
    ruleset: Ruleset, table: Table, lots: Random, kind: type[AnyCommand] | None = None
) -> AnyCommand:
    """A command of a kind, or of any, its fields drawn; what need not be named seldom is."""
    kind = lots.choice(KINDS) if kind is None else kind
    fields = {
        field.name: FIELDS[field.name](ruleset.facts, table, lots)
        for field in msgspec.structs.fields(kind)
        if field.required or lots.random() < DEFAULT_LEFT
    }
    made: AnyCommand = kind(**fields)
    return made


def _other_runs(table: Table, runs: tuple[Run, ...], lots: Random) -> tuple[Run, ...]:
    """Runs with one thing about them changed: what is run, by which train, or how it is written."""
    if not runs:
        return (Run((NO_TRAIN,), (Track(HexId("Z99"), "0", "1"),), (), ()),)
    place = lots.randrange(len(runs))
    run = runs[place]
    rest = (*runs[:place], *runs[place + 1 :])
    change = msgspec.structs.replace
    return lots.choice(
        (
            rest,
            (*runs, run),
            (*rest, change(run, track=run.track[1:])),
            (*rest, change(run, track=run.track[:-1], stops=run.stops[:-1])),
            (*rest, change(run, stops=run.stops[1:])),
            (*rest, change(run, counted=run.counted[1:])),
            (*rest, change(run, track=run.track[::-1], stops=run.stops[::-1])),
            (*rest, change(run, trains=(lots.choice(_trains(table)),))),
            (change(run, trains=()), *rest),
            tuple(reversed(runs)),
        )
    )


def _trains(table: Table) -> tuple[TrainId, ...]:
    """All trains there are, and one that there is not."""
    return (*(train.id for owned in table.trains.values() for train in owned), NO_TRAIN)
