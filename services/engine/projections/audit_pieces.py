"""What must never change: money and cardboard, counted again after each event.

Only what an event touched is counted; the rest is the same object as before.
"""

from collections import Counter

from msgspec import Struct

from contracts import events as e
from contracts.frames import Merging
from contracts.ids import BANK, OFFERING, CompanyId, Party, TileId, TrainId, is_directors
from contracts.money import Payments
from contracts.pieces import Holdings
from contracts.records import Record
from contracts.views import Fault
from services.engine.table.agenda import awaited
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table

Found = tuple[str, str]
"""What is wrong, by the list in `Fault`, and a sentence."""


class Counting(Struct, frozen=True):
    """How often each thing was checked."""

    checks: dict[str, int]

    def add(self, what: str) -> None:
        """One check more."""
        self.checks[what] = self.checks.get(what, 0) + 1


def event_fault(counting: Counting, before: Table, after: Table, event: e.AnyEvent) -> Found | None:
    """What an event left wrong, if anything."""
    begins = isinstance(event, e.PiecesSetOut)
    counting.add("events")
    return (
        _payments_fault(getattr(event, "payments", ()))
        or _cash_fault(counting, before, after, begins=begins)
        or _certificates_fault(counting, before, after)
        or _trains_fault(counting, before, after, event)
        or _tiles_fault(counting, before, after, begins=begins)
        or _tokens_fault(counting, before, after, event)
    )


def _payments_fault(payments: Payments) -> Found | None:
    for payment in payments:
        if payment.amount < 1 or payment.payer == payment.payee:
            sentence = f"{payment.payer} pays {payment.amount} to {payment.payee}."
            return "payment", sentence
    return None


def _cash_fault(counting: Counting, before: Table, after: Table, *, begins: bool) -> Found | None:
    if after.cash is before.cash:
        return None
    counting.add("money")
    old, new = sum(before.cash.values()), sum(after.cash.values())
    if old != new and not begins:
        return "money", f"all money together was {old} and is {new}."
    for party, amount in after.cash.items():
        if amount < 0 and party != BANK:
            return "negative", f"{party} has {amount}."
    return None


def _certificates_fault(counting: Counting, before: Table, after: Table) -> Found | None:
    if after.certificates is before.certificates:
        return None
    counting.add("certificates")
    for company, holdings in after.certificates.items():
        if holdings is before.certificates.get(company):
            continue
        shares = sum(shares_in(certificates) for certificates in holdings.values())
        whole = after.charters[company].whole
        if shares != whole:
            return "certificates", f"{company} has {shares} shares; its charter says {whole}."
        for holder, certificates in holdings.items():
            if min(certificates.values(), default=0) < 1:
                return "certificates", f"{holder} holds {certificates} of {company}."
    return None


def _trains_fault(
    counting: Counting, before: Table, after: Table, event: e.AnyEvent
) -> Found | None:
    if after.trains is before.trains:
        return None
    counting.add("trains")
    old, new = _train_places(before), _train_places(after)
    for train, places in new.items():
        if places > 1:
            return "trains", f"train {train} is in {places} places."
    lost = [train for train in old if train not in new]
    if lost:
        return "trains", f"train {lost[0]} is nowhere."
    made = [train for train in new if train not in old]
    # A kind without end makes its card when it is bought.
    allowed = {event.train.id} if isinstance(event, e.TrainBought) else set()
    if not isinstance(event, e.PiecesSetOut) and not allowed.issuperset(made):
        return "trains", f"train {made[0]} came from nowhere."
    return None


def _train_places(table: Table) -> Counter[TrainId]:
    return Counter(train.id for trains in table.trains.values() for train in trains)


def _tiles_fault(counting: Counting, before: Table, after: Table, *, begins: bool) -> Found | None:
    if after.board is before.board:
        return None
    counting.add("tiles")
    new = _tile_counts(after)
    for tile, number in after.board.supply.items():
        if number < 0:
            return "tiles", f"{number} tiles {tile} are in the supply."
    if begins:
        return None
    old = _tile_counts(before)
    for tile in after.board.supply:
        if old[tile] != new[tile]:
            return "tiles", f"there were {old[tile]} tiles {tile} and are {new[tile]}."
    return None


def _tile_counts(table: Table) -> Counter[TileId]:
    counts: Counter[TileId] = Counter(table.board.supply)
    counts.update(laid.tile for laid in table.board.tiles.values())
    return counts


def _tokens_fault(
    counting: Counting, before: Table, after: Table, event: e.AnyEvent
) -> Found | None:
    if after.board is before.board and after.charters is before.charters:
        return None
    counting.add("tokens")
    for company, charter in after.charters.items():
        if charter.tokens < 0:
            return "tokens", f"{company} has {charter.tokens} unused tokens."
    if isinstance(event, e.PiecesSetOut):
        return None
    old, new = _token_counts(before), _token_counts(after)
    _count_lost(old, before, event)
    for company in after.charters:
        if old[company] != new[company]:
            return "tokens", f"{company} had {old[company]} tokens and has {new[company]}."
    return None


def _count_lost(counts: Counter[CompanyId], before: Table, event: e.AnyEvent) -> None:
    """Tokens that an event brings into the game or takes out of it."""
    match event:
        case e.TokensSet():
            counts[event.company] += event.tokens - before.charters[event.company].tokens
        case e.CharterReturned():
            counts[event.company] -= before.charters[event.company].tokens
        case e.TokenRemoved() if event.to != "charter":
            counts[event.company] -= 1
        case _:
            pass


def _token_counts(table: Table) -> Counter[CompanyId]:
    counts = Counter({company: charter.tokens for company, charter in table.charters.items()})
    counts.update(token.company for token in table.board.tokens)
    return counts


def record_fault(counting: Counting, record: Record, after: Table) -> Fault | None:
    """What is wrong once a whole record has been applied."""
    counting.add("records")
    found = _director_fault(after) or _charter_fault(after) or _agenda_fault(after)
    if found is None:
        return None
    what, sentence = found
    return Fault(what, record.version, f"Version {record.version}: {sentence}")


def _director_fault(table: Table) -> Found | None:
    """The director of a started public company holds at least as much as anybody else."""
    joining = {
        company
        for frame in table.agenda
        if isinstance(frame, Merging)
        for company in (frame.survivor, frame.absorbed)
    }
    for company, charter in table.charters.items():
        # While shares are being halved nobody looks at who directs.
        if charter.kind != "public" or charter.status == "closed" or company in joining:
            continue
        holdings = table.certificates[company]
        holder = _directors_holder(holdings)
        if charter.director is None:
            if holder in table.order:
                return "director", f"{holder} holds the director's certificate of {company}."
            continue
        if charter.status in {"started", "floated"} and holder not in {None, charter.director}:
            return "director", f"{charter.director} directs {company} without its certificate."
        mine = shares_in(holdings.get(charter.director, {}))
        for player in table.order:
            theirs = shares_in(holdings.get(player, {}))
            if theirs > mine:
                sentence = (
                    f"{charter.director} directs {company} with {mine} shares; "
                    f"{player} has {theirs}."
                )
                return "director", sentence
    return None


def _directors_holder(holdings: Holdings) -> Party | None:
    """Who holds a company's director's certificate, if it has one."""
    for holder, certificates in holdings.items():
        if any(is_directors(kind) for kind in certificates):
            return holder
    return None


def _charter_fault(table: Table) -> Found | None:
    """A company that may not be started yet has nothing but its charter and its shares."""
    for company, charter in table.charters.items():
        if charter.status != "waiting":
            continue
        held = set(table.certificates[company]) - {OFFERING}
        if held or company in table.markers or table.trains.get(company):
            return "certificates", f"{company} may not be started, and is not as it began."
    return None


def _agenda_fault(table: Table) -> Found | None:
    """Before the end somebody must act."""
    if table.ending is not None and table.ending.over:
        return None
    if not table.agenda:
        return "agenda", "nothing is on the agenda, and the game is not over."
    if not awaited(table):
        return "agenda", "nobody is waited for, and the game is not over."
    return None
