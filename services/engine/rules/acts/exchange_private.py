"""Exchanging a private for a share, where its card says so (3.8.2).

The company need not have been started: the share then counts as held, and nobody directs it.
"""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import ExchangePrivate
from contracts.frames import Turn
from contracts.ids import CertificateKind, Party, PlayerId
from contracts.pieces import CertificateMove
from contracts.rejections import Code, Rejection
from contracts.titles.facts import PrivateExchange
from services.engine.rules.companies.director import review
from services.engine.rules.companies.floating import float_if_due
from services.engine.rules.companies.privates import owner_of
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import held, smallest_kind
from services.engine.rules.shares.limits import holding_objection
from services.engine.rules.turns import has_acted
from services.engine.table.agenda import current_round, player_of, top
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each private of the player's that may be exchanged, from each place its card names."""
    player = player_of(table, who)
    for private in ruleset.facts.privates.values():
        right = private.exchange
        if right is not None and player is not None and owner_of(table, private.id) == player:
            for source in right.from_:
                yield Offer(ExchangePrivate(private.id, right.company, Party(source)))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: ExchangePrivate
) -> Iterator[Rejection]:
    """What speaks against an exchange."""
    player = player_of(table, who)
    private = ruleset.facts.privates.get(command.private)
    right = None if private is None else private.exchange
    if right is None or right.company != command.company:
        yield refused(
            ruleset,
            Code.NO_RIGHT,
            "private exchange",
            f"{command.private} cannot be exchanged for a share of {command.company}.",
        )
        return
    if player is None or owner_of(table, command.private) != player:
        yield refused(
            ruleset, Code.NOT_YOURS, "private exchange", f"{command.private} is not {player}'s."
        )
        return
    yield from not_now(ruleset, table, player)
    kind = kind_of(table, right)
    there = held(table, command.company, command.source)
    if command.source not in right.from_ or not there.get(kind):
        yield refused(
            ruleset,
            Code.NOT_ON_SALE,
            "private exchange",
            f"No {right.percent}% certificate of {command.company} lies in the {command.source}.",
            f"It may come from: {', '.join(right.from_)}.",
        )
    shares = right.percent * table.charters[right.company].whole // 100
    over = holding_objection(ruleset, table, player, right.company, shares)
    if over is not None:
        yield over


def not_now(ruleset: Ruleset, table: Table, player: PlayerId) -> Iterator[Rejection]:
    """On one's own stock turn, or between turns (ruling "private exchange").

    Who exchanges at any time may do so while a question waits, too, his own or another's.
    """
    playing, frame = current_round(table), top(table)
    if playing is not None and playing.kind in ("stock", "operating"):
        if ruleset.rulings["private exchange"] == "at any time":
            return
        is_own = isinstance(frame, Turn) and frame.who == player and playing.kind == "stock"
        if is_own or (isinstance(frame, Turn) and not has_acted(frame)):
            return
    yield refused(
        ruleset,
        Code.WRONG_STEP,
        "private exchange",
        "A private is exchanged on its owner's stock turn, or between two turns.",
        "Wait for the next turn.",
    )


def kind_of(table: Table, right: PrivateExchange) -> CertificateKind:
    """The kind of certificate that the private is exchanged for."""
    return smallest_kind(right.percent * table.charters[right.company].whole // 100)


def exchanged(ruleset: Ruleset, draft: Draft, who: Party, command: ExchangePrivate) -> None:
    """The share is the player's; the private closes, if its card says so."""
    player = player_of(draft.table, who)
    right = ruleset.facts.privates[command.private].exchange
    assert player is not None  # the objections saw to it
    assert right is not None
    move = CertificateMove(kind_of(draft.table, right), 1, command.source, player)
    draft.emit(e.CertificatesMoved(command.company, (move,), "exchange"))
    if right.closes:
        draft.emit(e.CompanyClosed(command.private, "exchanged"))
    review(ruleset, draft, command.company)
    float_if_due(ruleset, draft, command.company)


EXCHANGE = Act(ExchangePrivate, offers, objections, exchanged)
