"""Sentences about tiles, tokens, trains, and what trains earned."""

from collections.abc import Mapping
from typing import Any, Final

from contracts import events as e
from contracts.ids import CompanyId, TrainId
from contracts.money import total
from services.engine.projections.minutes_money import price
from services.engine.projections.words import Words, counted, listed, reason
from services.engine.table.state import Table

Lines = tuple[str, ...]


def by_right(words: Words, right: CompanyId | None) -> str:
    """The private that gave a right, as the end of a clause."""
    return f", by right of {words.party(right)}" if right is not None else ""


def tile_laid(words: Words, table: Table, event: e.TileLaid) -> Lines:
    """Which tile lies where, what it replaced and what it cost."""
    who, place = words.party(event.company), words.place(event.hex)
    over = f" over tile {event.replaced.tile}" if event.replaced is not None else ""
    tail = f"{price(words, event.payments)}{by_right(words, event.right)}"
    return (f"{who} laid tile {event.tile} on {place}{over}, turned by {event.rotation}{tail}",)


def small_station_placed(words: Words, table: Table, event: e.SmallStationPlaced) -> Lines:
    """Where a small station lies, the line by the sides it joins."""
    who, place = words.party(event.company), words.place(event.hex)
    return (f"{who} placed a small station on {place}, line {event.line}",)


REMOVED: Final[Mapping[str, str]] = {
    "charter": "went back to its charter",
    "lost": "is out of the game",
    "replaced": "was replaced",
}
"""What became of a token that left the board."""


def token_removed(words: Words, table: Table, event: e.TokenRemoved) -> Lines:
    """Whose token left the board, and where it went."""
    became = REMOVED.get(event.to, f"left the board ({event.to})")
    return (f"the token of {words.party(event.company)} on {words.place(event.place)} {became}",)


def token_placed(words: Words, table: Table, event: e.TokenPlaced) -> Lines:
    """Whose token lies where, and what it cost."""
    token = event.token
    what = "its home token" if token.kind == "home" else "a token"
    tail = f"{price(words, event.payments)}{by_right(words, event.right)}"
    return (f"{words.party(token.company)} placed {what} on {words.place(token.place)}{tail}",)


def train_bought(words: Words, table: Table, event: e.TrainBought) -> Lines:
    """What a train cost, who paid towards it, and what was handed in."""
    who, seller = words.party(event.company), words.party(event.seller)
    cost = tuple(p for p in event.payments if p.payee != event.company)
    helped = [
        f"{words.party(p.payer)} put in {words.money(p.amount)}"
        for p in event.payments
        if p.payee == event.company
    ]
    given = [f"train {event.handed_in} was handed in"] if event.handed_in is not None else []
    tail = "".join(f"; {part}" for part in (*helped, *given))
    side = f" as {event.train.side}" if event.train.side else ""
    kept = f" with {warranties(event.train.warranties)}" if event.train.warranties else ""
    card = f"{counted(1, f'{event.train.kind}-train')} ({event.train.id}){side}{kept}"
    paid = f" for {words.money(total(cost))}" if cost else " for nothing"
    return (f"{who} bought {card} from {seller}{paid}{tail}",)


def warranties(number: int) -> str:
    """A number of warranties in words.

    >>> warranties(1), warranties(2)
    ('a warranty', 'two warranties')
    """
    return counted(number, "warranty" if number == 1 else "warranties")


def warranties_set(words: Words, table: Table, event: e.WarrantiesSet) -> Lines:
    """How many warranties each train has left."""
    left = [f"{train} has {warranties(number)}" for train, number in event.warranties.items()]
    return (f"of the trains of {words.party(event.company)}, {listed(left)} left",)


def owned(words: Words, table: Table, train: TrainId) -> str:
    """A train with its owner, if it has one."""
    for owner, trains in table.trains.items():
        if any(one.id == train for one in trains):
            return f"{train} ({words.party(owner)})"
    return train


def trains_moved(words: Words, table: Table, event: e.TrainsMoved) -> Lines:
    """Trains that changed hands unpaid."""
    trains = f"train{'' if len(event.trains) == 1 else 's'} {listed(event.trains)}"
    source, target = words.party(event.source), words.party(event.target)
    return (f"{trains} went from {source} to {target}{reason(event.because)}",)


def trains_rusted(words: Words, table: Table, event: e.TrainsRusted) -> Lines:
    """Which trains rusted, and whose they were."""
    trains = listed(owned(words, table, train) for train in event.trains)
    return (f"train{'' if len(event.trains) == 1 else 's'} {trains} rusted",)


def routes_run(words: Words, table: Table, event: e.RoutesRun) -> Lines:
    """What a company earned, then run by run where it went."""
    who = words.party(event.company)
    extra = [
        f"{words.money(amount)} of {what}"
        for what, amount in (("subsidy", event.subsidy), ("bonus", event.bonus))
        if amount
    ]
    tail = f", with {listed(extra)}" if extra else ""
    lines = [f"{who} earned {words.money(event.revenue)}{tail}"]
    for run in event.runs:
        stops = " - ".join(map(words.stop, run.stops))
        lines.append(f"{who} ran {listed(run.trains)}: {stops}")
    return tuple(lines)


def earnings_divided(words: Words, table: Table, event: e.EarningsDivided) -> Lines:
    """What was paid out, to whom, and what was kept."""
    who = words.party(event.company)
    added = f", {words.money(event.added)} of it added" if event.added else ""
    if not event.dividend and not event.kept:
        return (f"{who} earned nothing",)
    if not event.dividend:
        return (f"{who} kept its earnings of {words.money(event.kept)}{added}",)
    out = [
        f"{words.money(payment.amount)} to {words.party(payment.payee)}"
        for payment in event.payments
    ]
    kept = f"; {words.money(event.kept)} was kept" if event.kept else ""
    receivers = f": {listed(out)}" if out else ""
    return (f"{who} paid out {words.money(event.dividend)}{added}{receivers}{kept}",)


TELL: Final[Mapping[type, Any]] = {
    e.TileLaid: tile_laid,
    e.SmallStationPlaced: small_station_placed,
    e.TokenPlaced: token_placed,
    e.TokenRemoved: token_removed,
    e.TrainBought: train_bought,
    e.TrainsMoved: trains_moved,
    e.TrainsRusted: trains_rusted,
    e.WarrantiesSet: warranties_set,
    e.RoutesRun: routes_run,
    e.EarningsDivided: earnings_divided,
}
