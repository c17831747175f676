"""What lies beside the game, thrown at a table: by its players, its host, strangers and programs.

Both halves of the third law are tried for each sender: what is listed for him is accepted however
its open field is filled in, and what is not listed is refused.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from contracts.choices import Choice, Interval, OpenForm, with_value
from contracts.clocking import Hours, Leave
from contracts.commands import (
    AnswerRequest,
    AnyCommand,
    AssignSeat,
    CallTime,
    ClearProgramme,
    ExpireRequest,
    MakeRequest,
    Order,
    SetHours,
    SetProgramme,
    TakeLeave,
)
from contracts.ids import OFFERING, POOL, SUPPLY, CommandId, CompanyId, FrameId, Party, PlayerId
from contracts.people import CLOCK, NOBODY, PROGRAMME
from contracts.programmes import Buying, OnlyChoice, Passing
from services.engine.projections.audit_pieces import Counting
from services.engine.rules.beside.listed import sender_for
from services.engine.rules.decide import choices
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table
from services.soak.coverage import Coverage
from services.soak.near import with_amount

TRIES: Final = 6
LISTED_PART: Final = 0.5
"""How often an order is one that is listed, with its open field filled in."""
OWN_PART: Final = 0.5
"""How often it is sent by whoever sits there."""
PERSONS: Final = (
    "somebody",
    "ann",
    "zoe",
    "zoe/robot",
    CLOCK,
    NOBODY,
    f"{PROGRAMME}1.0",
    "a b",
    "",
)
DAYS: Final = ("2026-12-24", "2026-12-31", "2027-01-03", "2028-02-29", "2027-02-29", "soon")
ZONES: Final = ("Europe/Berlin", "UTC", "America/New_York", "no zone", "")
MINUTES: Final = (0, 480, 1080, 1380, 1440, 1500, 2880, -1)

Judge = Callable[[Ruleset, Table, Order, Coverage, Counting], None]


def _leave(lots: Random) -> Leave:
    return Leave(lots.choice(DAYS), lots.choice(DAYS))


def _hours(lots: Random) -> Hours:
    days = tuple(lots.sample(range(-1, 8), lots.randrange(4)))
    if lots.random() < 0.5:
        return Hours("Europe/Berlin", 480, lots.choice((1380, 1500)), days or (0, 6))
    return Hours(lots.choice(ZONES), lots.choice(MINUTES), lots.choice(MINUTES), days)


VALUES: Final[Mapping[str, Callable[[Random], Any]]] = {
    "person": lambda lots: lots.choice(PERSONS),
    "leave": _leave,
    "hours": _hours,
    "amount": lambda lots: lots.choice((-1, 0, 1, 100, 10**6)),
}
"""How a field of each form is filled in, rightly or not."""


def filled_in(choice: Choice, lots: Random) -> AnyCommand:
    """The command of a choice with its open field filled in, rightly or not."""
    if isinstance(choice.open, OpenForm):
        filled: AnyCommand = with_value(
            choice.command, choice.open.field, VALUES[choice.open.form](lots)
        )
        return filled
    return with_amount(choice, lots) if isinstance(choice.open, Interval) else choice.command


def made_up(table: Table, lots: Random) -> AnyCommand:
    """Any command beside the game, its fields drawn from what there is, or is not."""
    frames = [FrameId("0.0"), *(frame.id for frame in table.agenda)]
    held = [FrameId("0.0"), *(one.id for one in table.beside.programmes)]
    asked = [FrameId("0.0"), *(one.id for one in table.requests)]
    companies = [CompanyId(Party("nobody")), *map(CompanyId, table.charters)]
    company = lots.choice(companies)
    source = lots.choice((OFFERING, POOL, SUPPLY, company))
    buying = Buying(company, source, VALUES["amount"](lots))
    seat = lots.choice((*table.order, PlayerId(Party("stranger"))))
    version = lots.choice((None, 0, 1, table.version - 1, table.version))
    wish = lots.choice(("undo", "end", "pause", "resume", "tea"))
    return lots.choice(
        (
            AssignSeat(seat, lots.choice(PERSONS)),
            CallTime(lots.choice(frames)),
            ExpireRequest(lots.choice(asked)),
            SetProgramme(lots.choice((Passing(), OnlyChoice(), buying, buying))),
            ClearProgramme(lots.choice(held)),
            TakeLeave(_leave(lots)),
            SetHours(_hours(lots)),
            MakeRequest(wish, version),
            AnswerRequest(lots.choice(asked), lots.random() < 0.5),
        )
    )


def senders(table: Table) -> Sequence[str]:
    """Everybody who may have something to say at a table, and some who may not."""
    programmes = (f"{PROGRAMME}{held.id}" for held in table.beside.programmes)
    host = () if table.settings.host is None else (table.settings.host,)
    people = table.people.values()
    programs = (*programmes, f"{PROGRAMME}0.0", CLOCK, CLOCK, CLOCK)
    return (*table.order, *people, *host, *programs, NOBODY, "stranger")


def drawn(ruleset: Ruleset, table: Table, lots: Random) -> Order:
    """An order beside the game, or near one."""
    player = lots.choice(table.order)
    own = lots.random() < OWN_PART
    sender = sender_for(table, player) if own else lots.choice(senders(table))
    offered = [one for one in choices(ruleset, table, player, sender) if one.beside]
    if offered and lots.random() < LISTED_PART:
        command = filled_in(lots.choice(offered), lots)
    else:
        command = made_up(table, lots)
    return Order(table.id, CommandId("aside"), sender, player, command, table.version)


def tried(
    judged: Judge,
    ruleset: Ruleset,
    table: Table,
    lots: Random,
    coverage: Coverage,
    counting: Counting,
) -> None:
    """Throw some orders at a table, each to be judged."""
    for _ in range(TRIES):
        judged(ruleset, table, drawn(ruleset, table, lots), coverage, counting)


def to_be_done(ruleset: Ruleset, table: Table, lots: Random) -> Order | None:
    """Something that somebody may do beside the game, requests left out; None if it is nothing."""
    player = lots.choice(table.order)
    sender = sender_for(table, player)
    offered = [
        choice
        for choice in choices(ruleset, table, player, sender)
        if choice.beside and not isinstance(choice.command, MakeRequest | AnswerRequest)
    ]
    if not offered:
        return None
    kinds = sorted({type(choice.command).__name__ for choice in offered})
    kind = lots.choice(kinds)
    choice = lots.choice([one for one in offered if type(one.command).__name__ == kind])
    id = CommandId(f"aside-{table.version}")
    return Order(table.id, id, sender, player, choice.command, table.version)
