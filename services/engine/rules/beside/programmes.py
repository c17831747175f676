"""Programmes: what the server does for a player, and what makes it stop.

What a programme does next is worked out from the table alone, so an automatic move can be decided
again like any other. Each record stops the programmes that it foils, so one that is still held when
its player is to act has a legal move.
"""

from collections.abc import Iterator

from contracts import events as e
from contracts.choices import Choice
from contracts.commands import AnyCommand, BuyShares, Order, Pass
from contracts.frames import Auction, Question, Turn
from contracts.ids import (
    OFFERING,
    POOL,
    CertificateKind,
    CommandId,
    CompanyId,
    Money,
    Party,
    PlayerId,
)
from contracts.people import NOBODY, PROGRAMME
from contracts.programmes import Buying, Held, OnlyChoice, Passing
from contracts.rejections import Code, Rejection
from services.engine.rules import passing
from services.engine.rules.beside.neutral import asked_for
from services.engine.rules.draft import Draft
from services.engine.rules.permitted import permits
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import held as held_by
from services.engine.rules.shares.counting import ordinary, price_in
from services.engine.table.agenda import awaited, current_round, player_of, top
from services.engine.table.state import Table

ONE = CertificateKind("1")


def automatic(ruleset: Ruleset, table: Table) -> Order | None:
    """The next move that a programme makes, or None where it is a person's turn to decide.

    Where a player has two programmes, what he has no choice about comes first.
    """
    if not table.beside.programmes or (table.ending is not None and table.ending.over):
        return None
    waiting = awaited(table)
    for held in sorted(table.beside.programmes, key=is_of_one_round):
        if held.player not in waiting:
            continue
        choice = next_move(ruleset, table, held)
        if choice is not None:
            return Order(
                table=table.id,
                id=CommandId(f"{PROGRAMME}{held.id}:{table.version}"),
                sender=f"{PROGRAMME}{held.id}",
                player=held.player,
                command=choice.command,
                version=None if choice.question is not None else table.version,
                question=choice.question,
            )
    return None


def is_of_one_round(held: Held) -> bool:
    """Whether a programme ends with the round that it was set in."""
    return not isinstance(held.programme, OnlyChoice)


def is_automatic(ruleset: Ruleset, table: Table, order: Order) -> bool:
    """Whether an order is just what a programme does now, and not somebody else's idea of it."""
    expected = automatic(ruleset, table)
    return expected is not None and (expected.sender, expected.player, expected.command) == (
        order.sender,
        order.player,
        order.command,
    )


def next_move(ruleset: Ruleset, table: Table, held: Held) -> Choice | None:
    """What a programme does at a table that waits for its player, if it does anything there."""
    if isinstance(held.programme, OnlyChoice):
        return only_choice(ruleset, table, held.player)
    frame = top(table)
    if not isinstance(frame, Turn) or frame.who != held.player:
        return None
    playing = current_round(table)
    if playing is None or playing.id != held.round:
        return None
    if isinstance(held.programme, Buying) and not frame.bought:
        return Choice(held.player, purchase(held.programme))
    return Choice(held.player, Pass())


def purchase(buying: Buying) -> BuyShares:
    """The purchase of one share."""
    return BuyShares(buying.company, buying.source, {ONE: 1})


def only_choice(ruleset: Ruleset, table: Table, player: PlayerId) -> Choice | None:
    """The only thing that a player can do, if there is only one and nothing of it is open."""
    frame = top(table)
    question = frame.id if isinstance(frame, Question) else None
    found: list[Choice] = []
    if passing.objection(ruleset, table, player) is None:
        found.append(Choice(player, Pass(), question=question))
    for choice in asked_for(ruleset, table, player):
        found.append(choice)
        if len(found) > 1 or choice.open is not None:
            return None
    return found[0] if found else None


# --- setting and clearing --------------------------------------------------------------------


def set_objection(table: Table, held: Held) -> Rejection | None:
    """What is wrong with a programme."""
    playing = current_round(table)
    if is_of_one_round(held) and (playing is None or playing.kind != "stock"):
        return _refused("It is set in a stock round, for that round.")
    if isinstance(held.programme, Buying):
        return buying_objection(table, held.programme)
    return None


def buying_objection(table: Table, buying: Buying) -> Rejection | None:
    """What is wrong with buying a company until it floats."""
    company, source = buying.company, buying.source
    charter = table.charters.get(company)
    if charter is None or charter.kind != "public":
        return Rejection(Code.NO_SUCH_COMPANY, "design", "There is no such company to buy.")
    if charter.status not in {"open", "started"}:
        return _refused(f"{company} has floated, or cannot be started.")
    if source not in sources(company) or not ordinary(held_by(table, company, source)):
        return _refused(f"There is nothing of {company} to buy from {source}.")
    return most_objection(buying.most)


def sources(company: CompanyId) -> tuple[Party, ...]:
    """Where shares of a company may be bought."""
    return (OFFERING, POOL, company)


def most_objection(most: Money) -> Rejection | None:
    """What is wrong with the most that is to be paid for a share."""
    return None if most > 0 else _refused("A share costs at least 1.")


def _refused(sentence: str) -> Rejection:
    return Rejection(Code.BAD_REQUEST, "design", sentence)


def replaced_by(table: Table, held: Held) -> Iterator[Held]:
    """The programmes that a new one takes the place of: those of the same sort and player."""
    for old in table.beside.programmes:
        if old.player == held.player and is_of_one_round(old) == is_of_one_round(held):
            yield old


# --- stopping --------------------------------------------------------------------------------


def stop_foiled(ruleset: Ruleset, draft: Draft, order: Order) -> None:
    """Stop the programmes that did not foresee what an order led to."""
    alone = goes_on_by_itself(draft)
    for held in draft.table.beside.programmes:
        because = foiled(ruleset, draft, held, order)
        if because is None and alone and not is_of_one_round(held):
            because = "alone"
        if because is not None:
            other = order.player if order.player != held.player else None
            draft.emit(e.ProgrammeStopped(held, because, other))


def goes_on_by_itself(draft: Draft) -> bool:
    """Whether a round has ended and nobody is left who would move by his own hand.

    Where each seat is resigned or answers whatever has one answer, passes alone could go round
    without an end, all in one moment; so somebody is asked again at the end of a round.
    """
    if not any(isinstance(one, e.RoundEnded) for one in draft.events):
        return False
    table = draft.table
    answering = {one.player for one in table.beside.programmes if not is_of_one_round(one)}
    return all(one in answering or table.people.get(one) == NOBODY for one in table.order)


def foiled(ruleset: Ruleset, draft: Draft, held: Held, order: Order) -> str | None:
    """Why a programme is over after an order, or None."""
    if not is_of_one_round(held):
        return None
    if any(isinstance(one, e.RoundEnded) and one.id == held.round for one in draft.events):
        floats = isinstance(held.programme, Buying) and has_floated(draft, held.programme)
        return "floated" if floats else "round over"
    for event in draft.events:
        because = event_foils(draft, held, order, event)
        if because is not None:
            return because
    if order.player == held.player and not order.sender.startswith(PROGRAMME):
        return "moved"
    return cannot_go_on(ruleset, draft.table, held)


def has_floated(draft: Draft, buying: Buying) -> bool:
    """Whether the company floated, of itself or as the round ended."""
    return draft.table.charters[buying.company].status not in {"waiting", "open", "started"}


def event_foils(draft: Draft, held: Held, order: Order, event: e.AnyEvent) -> str | None:
    """Why an event stops a programme, if it does."""
    player, table = held.player, draft.table
    match event:
        case e.SharesSold():
            mine = order.player == player
            return "sold" if not mine and concerns(draft.before, held, event.company) else None
        case e.DirectorChanged():
            concerned = concerns(draft.before, held, event.company)
            return "director changed" if concerned and order.player != player else None
        case e.CompanyFloated() if isinstance(held.programme, Buying):
            return "floated" if event.company == held.programme.company else None
        case e.QuestionAsked():
            asked = {player_of(table, party) for party in event.question.asked}
            return "asked" if player in asked else None
        case e.ProcedureSet() if isinstance(event.procedure, Auction):
            return "auction" if player in event.procedure.bidders else None
    return None


def concerns(table: Table, held: Held, company: CompanyId) -> bool:
    """Whether a programme cares about a company: it buys it, or its player holds some of it."""
    if isinstance(held.programme, Buying) and held.programme.company == company:
        return True
    holdings = table.certificates.get(company, {})
    return isinstance(held.programme, Passing) and bool(holdings.get(held.player))


def cannot_go_on(ruleset: Ruleset, table: Table, held: Held) -> str | None:
    """Why a programme whose player is to act has no legal move, or one too dear."""
    if held.player not in awaited(table):
        return None
    choice = next_move(ruleset, table, held)
    if choice is None:
        return None
    if isinstance(choice.command, Pass):
        refusal = passing.objection(ruleset, table, held.player)
        return None if refusal is None else "refused"
    if not is_legal(ruleset, table, held.player, choice.command):
        return "refused"
    programme = held.programme
    if isinstance(programme, Buying):
        dear = price_in(table, programme.company, programme.source) > programme.most
        return "price" if dear else None
    return None


def is_legal(ruleset: Ruleset, table: Table, player: PlayerId, command: AnyCommand) -> bool:
    """Whether nothing speaks against a command in answer to what is asked of a player."""
    return any(
        next(act.objections(ruleset, table, permit.who, command), None) is None
        for permit in permits(table, player)
        if permit.asked
        for act in permit.acts
        if act.command is type(command) and act.fits(command)
    )
