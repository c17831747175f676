"""Opening a table: the seats, the lots, and every piece in its place."""

from contracts import events as e
from contracts.commands import OpenTable, Order
from contracts.events import Events
from contracts.ids import BANK, RESERVED, SUPPLY, CompanyId, Party, PlayerId
from contracts.people import hint, is_composed, is_person
from contracts.pieces import Charter, Holdings
from contracts.rejections import Code, Rejection
from services.engine.rules.beside import orders as beside
from services.engine.rules.chance import draw
from services.engine.rules.draft import Draft
from services.engine.rules.opening.box import companies, first_counters, lots_to_draw, supply
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
    refusal = (
        seats_objection(ruleset, command)
        or settings_objection(command)
        or beside.opening_objection(command)
        or rulings_objection(ruleset, command)
        or lots_objection(ruleset, command)
    )
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
    draft.emit(e.OrderSet(players, players[0]))
    for purpose, things in lots_to_draw(ruleset, len(players)):
        if purpose in command.lots:
            draft.emit(e.LotsDrawn(purpose, 1, command.lots[purpose]))
        else:
            draw(draft, purpose, things)
    draft.emit(set_out(ruleset, draft.table), e.PhaseBegan(next(iter(facts.phases))))
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
        is_word = seat.player.isprintable() and " " not in seat.player
        if seat.player in taken or not is_word or not is_composed(seat.player):
            return Rejection(
                Code.BAD_SEATS,
                "design",
                f"A player cannot be called {seat.player!r}.",
                f"Names are one word, each only once, and no company's.{hint(seat.player)}",
            )
        # A seat that names nobody goes by its own name, and its orders would never be let in.
        if seat.person is None and not is_person(seat.player):
            return Rejection(
                Code.BAD_SEATS,
                "design",
                f"Nobody can be called {seat.player!r}.",
                "A player's name is one printable word, and no program's; or name his person."
                f"{hint(seat.player)}",
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


def rulings_objection(ruleset: Ruleset, command: OpenTable) -> Rejection | None:
    """What is wrong with rulings that are for games played elsewhere."""
    for id, option in ruleset.facts.rulings.items():
        choice = ruleset.rulings[id]
        if choice in option.elsewhere and not command.settings.imported:
            return Rejection(
                Code.BAD_SETTINGS,
                "design",
                f"The ruling {id} is {choice!r} only for a game that was played elsewhere.",
                f"Rule {option.default!r}, or import.",
            )
    return None


def lots_objection(ruleset: Ruleset, command: OpenTable) -> Rejection | None:
    """What is wrong with lots that were drawn elsewhere: they are for games played elsewhere."""
    drawn = dict(lots_to_draw(ruleset, len(command.seats)))
    if command.lots and not command.settings.imported:
        sentence = "Lots are drawn at the table, unless its game was played elsewhere."
        return Rejection(Code.BAD_SETTINGS, "design", sentence, "Give no lots, or import.")
    for purpose, outcome in command.lots.items():
        if sorted(outcome) != sorted(drawn.get(purpose, ())):
            return Rejection(
                Code.BAD_SETTINGS,
                "design",
                f"These are not the lots for {purpose!r}.",
                f"Drawn are: {', '.join(drawn.get(purpose, ())) or 'none'}.",
            )
    return None


def set_out(ruleset: Ruleset, table: Table) -> e.PiecesSetOut:
    """Where everything lies at the start, as the players sit and the lots have fallen."""
    facts, players = ruleset.facts, table.order
    each = facts.setup.cash[len(players)]
    companies_cash: dict[Party, int] = dict.fromkeys(facts.publics, 0)
    cash: dict[Party, int] = {
        BANK: (facts.setup.bank or 0) - each * len(players),
        **dict.fromkeys(players, each),
        **companies_cash,
    }
    certificates: dict[CompanyId, Holdings] = {}
    charters: dict[CompanyId, Charter] = {}
    for id, holdings, charter in companies(ruleset, table):
        certificates[id], charters[id] = holdings, charter
    trains = supply(ruleset, len(players))
    tiles = {id: tile.count for id, tile in facts.tiles.items() if tile.count is not None}
    counters = first_counters(ruleset, table)
    return e.PiecesSetOut(cash, certificates, charters, {SUPPLY: trains}, tiles, (), counters)
