"""Decide every recorded order of a minute book again, and say where today's rules part from it.

Each order is decided against the table as the records have it, so one difference brings no others
after it. Nothing is changed: what was recorded stands, whatever the rules say today.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from contracts import commands as c
from contracts import events as e
from contracts.events import Events
from contracts.ids import TableId
from contracts.records import Record
from contracts.rejections import Code, Rejection, in_words
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import Ruleset, ruleset_for, ruleset_of
from services.engine.table.fold import tables
from services.engine.table.state import Table, new_table

Progress = Callable[[int, int], None]
"""Told after each record: how many are decided, of how many."""

TOPICS: Final[Mapping[type, str]] = {
    c.OpenTable: "players",
    c.Bid: "auction",
    c.StartCompany: "starting",
    c.BuyShares: "buying",
    c.SellShares: "selling",
    c.LayTile: "tile",
    c.PlaceToken: "token",
    c.RunTrains: "route",
    c.PayDividend: "dividend",
    c.BuyTrain: "train sales",
    c.DiscardTrain: "train limit",
    c.BuyCompany: "private to company",
    c.TradePrivate: "private trades",
    c.ExchangePrivate: "private exchange",
    c.DeclareBankruptcy: "bankruptcy",
    c.PlaceSmallStation: "small station",
    c.RedeemShares: "redeeming",
    c.ProposeJoining: "joining",
    c.ChooseSurvivor: "survivor",
    c.SettleOption: "options",
    c.BuyTokens: "tokens bought",
    c.SellTreasuryShares: "company sells",
    c.Refinance: "refinancing",
    c.ChooseTokens: "surplus tokens",
    e.DirectorChanged: "directorship",
    e.TrainsRusted: "train limit",
    e.SharesSold: "selling",
    e.EarningsDivided: "dividend",
    e.RoutesRun: "route",
    e.TileLaid: "tile",
    e.TokenPlaced: "token",
    e.CharterTaken: "charter",
    e.CharterReturned: "charter",
    e.CompaniesMerged: "joining",
    e.TokensSet: "tokens bought",
    e.SmallStationPlaced: "small station",
    e.TokenRemoved: "surplus tokens",
    e.WarrantiesSet: "warranties",
}
"""What a command, or an event in which books part, is about."""

MARKER_TOPICS: Final[Mapping[str, str]] = {
    "started": "starting",
    "paid": "dividend",
    "withheld": "dividend",
    "sold": "selling",
    "sold out": "operating order",
}
"""What a marker's move is about, by its reason."""


class Difference(Struct, frozen=True):
    """An order that today's rules decide otherwise.

    `place` is that of the first event that is not the same. `today` are the events of today, none
    where `rejection` refuses the order or `fault` says how the rules failed at it.
    """

    version: int
    order: c.Order
    rule: str
    place: int
    recorded: Events
    today: Events
    rejection: Rejection | None = None
    fault: str = ""


class Redecided(Struct, frozen=True):
    """What came of a whole book."""

    table: TableId
    title: str
    records: int
    differences: tuple[Difference, ...]


def redecided(
    id: TableId, records: Sequence[Record], progress: Progress | None = None
) -> Redecided:
    """Decide every order of a book again."""
    before = new_table(id)
    found: list[Difference] = []
    for record, after in tables(id, records):
        difference = difference_of(before, record)
        if difference is not None:
            found.append(difference)
        if progress is not None:
            progress(record.version, len(records))
        before = after
    return Redecided(id, before.title, len(records), tuple(found))


def difference_of(before: Table, record: Record) -> Difference | None:
    """How today's rules decide one order otherwise, if they do."""
    outcome = _again(before, record.order)
    if isinstance(outcome, str):
        return Difference(record.version, record.order, "", 0, record.events, (), None, outcome)
    if isinstance(outcome, Rejection):
        rule = outcome.rule
        return Difference(record.version, record.order, rule, 0, record.events, (), outcome)
    today = _as_recorded(record.events, outcome)
    if today == record.events:
        return None
    place = first_other(record.events, today)
    ruleset = _ruleset(before, record.order)
    rule = _rule(ruleset, record, today, place) if isinstance(ruleset, Ruleset) else ""
    return Difference(record.version, record.order, rule, place, record.events, today)


def _ruleset(before: Table, order: c.Order) -> Ruleset | Rejection:
    """The rules by which an order is decided."""
    if before.version:
        return ruleset_of(before)
    if isinstance(order.command, c.OpenTable):
        return ruleset_for(order.command)
    return Rejection(Code.UNKNOWN_TABLE, "design", f"There is no table {order.table}.")


def _again(before: Table, order: c.Order) -> Events | Rejection | str:
    """Today's decision; words where the rules fail."""
    try:
        ruleset = _ruleset(before, order)
        return ruleset if isinstance(ruleset, Rejection) else decide(ruleset, before, order)
    except Exception as error:  # noqa: BLE001 - whatever the rules of today raise is a difference
        return f"{type(error).__name__}: {error}"


def _as_recorded(recorded: Events, today: Events) -> Events:
    """Today's events without rulings and variants that had no name then: they are at default."""
    if not recorded or not today:
        return today
    then, now = recorded[0], today[0]
    if not isinstance(then, e.TableOpened) or not isinstance(now, e.TableOpened):
        return today
    known = msgspec.structs.replace(
        now,
        rulings={id: choice for id, choice in now.rulings.items() if id in then.rulings},
        variants={id: choice for id, choice in now.variants.items() if id in then.variants},
    )
    return (known, *today[1:])


def first_other(recorded: Events, today: Events) -> int:
    """The place of the first event that is not the same.

    >>> first_other((e.BidMade("SV", "ann", 5),), ())
    0
    """
    for place, (then, now) in enumerate(zip(recorded, today, strict=False)):
        if then != now:
            return place
    return min(len(recorded), len(today))


def _rule(ruleset: Ruleset, record: Record, today: Events, place: int) -> str:
    """The section that rules on the first event that differs, or on the command."""
    for events in (record.events, today):
        event = events[place] if place < len(events) else None
        topic = (
            MARKER_TOPICS.get(event.because)
            if isinstance(event, e.MarkerMoved)
            else TOPICS.get(type(event))
        )
        if topic in ruleset.facts.sections:
            return ruleset.section(topic)
    topic = TOPICS.get(type(record.order.command))
    return ruleset.section(topic) if topic in ruleset.facts.sections else ""


def told(difference: Difference) -> str:
    """A difference in a few lines: which order, which rule, what was recorded and what is said."""
    order = difference.order
    head = f"version {difference.version} · {difference.rule or 'no section'} · {order.player}: "
    then = _event(difference.recorded, difference.place)
    if difference.fault:
        now = f"the rules fail: {difference.fault}"
    elif difference.rejection is not None:
        now = f"refused: {in_words(difference.rejection)}"
    else:
        now = _event(difference.today, difference.place)
    return f"{head}{order.command}\n  recorded: {then}\n  today:    {now}"


def _event(events: Events, place: int) -> str:
    return str(events[place]) if place < len(events) else "nothing more"
