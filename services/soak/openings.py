"""The opening of a soaked game: seats, rulings, variants and settings, drawn from its seed.

Each seed draws another mix, so that rulings and variants are played together that nobody would have
thought of together.
"""

from random import Random
from typing import Final

import msgspec

from contracts.clocking import ENDS, Clocking
from contracts.commands import OpenTable, Order
from contracts.ids import CommandId, Party, PlayerId, TableId, TitleId
from contracts.pieces import Seat, Settings
from contracts.rejections import Code, Rejection
from contracts.titles.facts import Facts, Option
from contracts.titles.load import facts as facts_of
from services.engine.rules.opening.setting_out import UNDO_RULES
from services.engine.rules.ruleset import ruleset_for

NAMES: Final = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal")
SHUFFLED_PART: Final = 0.5
"""How often the seats are drawn by lot."""


CLOCK: Final = Clocking(
    turn_seconds=86400,
    bank_seconds=3600,
    reminders=(3600,),
    leave_days=9,
    substitutes=("ivy", "jan"),
)
"""The clock of every other table, but for what its end leads to, which is drawn too."""


DRAWN: Final = tuple(then for then in ENDS if then != "resign")
"""What its end may lead to; that a seat is given up is tried at each question, and not recorded."""


class Plan:
    """Which game is played."""

    def __init__(self, title: TitleId, players: int, seed: int) -> None:
        """Name it."""
        self.title = title
        self.players = players
        self.seed = seed

    @property
    def name(self) -> TableId:
        """The table's id, which tells all that is needed to play the game again."""
        return TableId(f"soak-{self.title}-{self.players}-{self.seed}")


def players_of(title: TitleId) -> range:
    """The numbers of players that can play a title."""
    fewest, most = facts_of(title).title.players
    return range(fewest, most + 1)


def opening(plan: Plan) -> Order:
    """The order that opens the game of a plan."""
    lots = Random(f"{plan.name}/opening")
    command = _drawn(plan, lots)
    while _is_excluded(command):
        command = _drawn(plan, lots)
    return Order(plan.name, CommandId("open"), "soak", command.seats[0].player, command)


def _drawn(plan: Plan, lots: Random) -> OpenTable:
    facts = facts_of(plan.title)
    seats = tuple(Seat(PlayerId(Party(name)), name.title()) for name in NAMES[: plan.players])
    return OpenTable(
        title=plan.title,
        seats=seats,
        seed=plan.seed,
        variants=_some(facts.variants, lots),
        rulings=_rulings(facts, lots),
        settings=Settings(
            undo=lots.choice(UNDO_RULES),
            host=lots.choice((None, seats[0].player)),
            clock=_clock(plan),
        ),
        shuffled=lots.random() < SHUFFLED_PART,
    )


def _clock(plan: Plan) -> Clocking | None:
    """A clock for every other table."""
    if Random(f"{plan.name}/clock").choice((None, CLOCK)) is None:
        return None
    then = Random(f"{plan.name}/end of time").choice(DRAWN)
    clock: Clocking = msgspec.structs.replace(CLOCK, then=then)
    return clock


def _is_excluded(command: OpenTable) -> bool:
    """Whether variants were drawn that do not go together; no variants at all always do."""
    ruleset = ruleset_for(command)
    return isinstance(ruleset, Rejection) and ruleset.code == Code.EXCLUDED_VARIANTS


def _rulings(facts: Facts, lots: Random) -> dict[str, str]:
    """The rulebook's, those of a named set, or any."""
    kind = lots.randrange(3)
    if kind == 1 and facts.ruling_sets:
        return {"set": lots.choice(tuple(facts.ruling_sets))}
    return _some(facts.rulings, lots) if kind == 2 else {}


def _some(options: dict[str, Option], lots: Random) -> dict[str, str]:
    """Any choice of about half of the options, but what is for games played elsewhere."""
    return {
        id: lots.choice([one for one in option.options if one not in option.elsewhere])
        for id, option in options.items()
        if lots.random() < 0.5
    }
