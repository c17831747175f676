"""Opening a table: the seats, the lots, and every piece in its place."""

from contracts import events as e
from contracts.commands import OpenTable, Order
from contracts.events import Events
from contracts.ids import (
    BANK,
    OFFERING,
    RESERVED,
    SUPPLY,
    CertificateKind,
    CompanyId,
    Party,
    PlayerId,
    TrainId,
)
from contracts.pieces import Charter, Holdings, Train
from contracts.rejections import Code, Rejection
from contracts.titles.facts import Public, TrainCard
from services.engine.rules.chance import draw
from services.engine.rules.draft import Draft
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.settle import settle
from services.engine.table.state import Table

UNDO_RULES = ("own", "free", "consent")


def open_table(ruleset: Ruleset, table: Table, order: Order) -> Events | Rejection:
    """What the first order of a table leads to."""
    command = order.command
    if not isinstance(command, OpenTable):
        return Rejection(
            Code.UNKNOWN_TABLE, "design", f"There is no table {order.table}.", "Open it first."
        )
    if table.version:
        return Rejection(
            Code.TABLE_EXISTS, "design", f"Table {order.table} is open.", version=table.version
        )
    refusal = seats_objection(ruleset, command) or settings_objection(command)
    if refusal is not None:
        return refusal
    draft = Draft(table)
    facts = ruleset.facts
    draft.emit(
        e.TableOpened(
            title=facts.title.id,
            edition=facts.title.edition,
            variants=ruleset.variants,
            rulings=ruleset.rulings,
            settings=command.settings,
            seats=command.seats,
            seed=command.seed,
        )
    )
    players = tuple(seat.player for seat in command.seats)
    if command.shuffled:
        players = tuple(PlayerId(Party(name)) for name in draw(draft, "seats", players))
    draft.emit(
        e.OrderSet(players, players[0]),
        set_out(ruleset, players),
        e.PhaseBegan(next(iter(facts.phases))),
    )
    settle(ruleset, draft)
    return tuple(draft.events)


def seats_objection(ruleset: Ruleset, command: OpenTable) -> Rejection | None:
    """What is wrong with the seats: how many, or a name that another party has."""
    fewest, most = ruleset.facts.title.players
    if not fewest <= len(command.seats) <= most:
        return Rejection(
            Code.BAD_SEATS,
            ruleset.section("players"),
            f"{len(command.seats)} cannot play this title.",
            f"{fewest} to {most} can.",
        )
    taken: set[str] = {*RESERVED, *ruleset.facts.publics, *ruleset.facts.privates, ""}
    for seat in command.seats:
        if seat.player in taken or not seat.player.isprintable() or " " in seat.player:
            return Rejection(
                Code.BAD_SEATS,
                "design",
                f"A player cannot be called {seat.player!r}.",
                "Names are one word, each only once, and no company's.",
            )
        taken.add(seat.player)
    return None


def settings_objection(command: OpenTable) -> Rejection | None:
    """What is wrong with the settings."""
    if command.settings.undo not in UNDO_RULES:
        return Rejection(
            Code.BAD_SETTINGS,
            "design",
            f"The setting undo cannot be {command.settings.undo!r}.",
            f"It may be: {', '.join(UNDO_RULES)}.",
        )
    return None


def set_out(ruleset: Ruleset, players: tuple[PlayerId, ...]) -> e.PiecesSetOut:
    """Where everything lies at the start."""
    facts = ruleset.facts
    each = facts.setup.cash[len(players)]
    companies: dict[Party, int] = dict.fromkeys(facts.publics, 0)
    cash: dict[Party, int] = {
        BANK: (facts.setup.bank or 0) - each * len(players),
        **dict.fromkeys(players, each),
        **companies,
    }
    certificates: dict[CompanyId, Holdings] = {
        id: {OFFERING: {CertificateKind("1d"): 1}} for id in facts.privates
    }
    charters = {id: Charter("private", "open", whole=1, tokens=0) for id in facts.privates}
    for id, public in facts.publics.items():
        certificates[id] = {OFFERING: printed_certificates(public)}
        charters[id] = Charter("public", "open", whole=whole_of(public), tokens=len(public.tokens))
    trains = tuple(
        Train(TrainId(f"{kind}-{number}"), kind)
        for kind, card in facts.trains.items()
        for number in range(printed_trains(ruleset, card))
    )
    tiles = {id: tile.count for id, tile in facts.tiles.items() if tile.count is not None}
    return e.PiecesSetOut(cash, certificates, charters, {SUPPLY: trains}, tiles, (), {})


def printed_trains(ruleset: Ruleset, card: TrainCard) -> int:
    """How many cards of a kind there are, with those that variants add; none of one without end."""
    added = (number for variant, number in card.more.items() if ruleset.variants[variant] == "yes")
    return 0 if card.count is None else card.count + sum(added)


def whole_of(public: Public) -> int:
    """How many shares make the company: its smallest certificate is one share."""
    return 100 // min(public.certificates)


def printed_certificates(public: Public) -> dict[CertificateKind, int]:
    """The company's certificates by kind; the first printed is the director's."""
    share = min(public.certificates)
    kinds: dict[CertificateKind, int] = {}
    for place, percent in enumerate(public.certificates):
        kind = CertificateKind(f"{percent // share}{'' if place else 'd'}")
        kinds[kind] = kinds.get(kind, 0) + 1
    return kinds
