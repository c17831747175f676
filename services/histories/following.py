"""Following the site's numbered certificates through everything that moves them.

A sale names its certificates; what a change of director then does to them is the site's own affair.
Everything else is followed move by move, with the site's habit of which of several goes first: its
lists are gone through from the front, but shares that are merged are given up from the back, those
of the company that does not survive apart.
"""

from typing import Final

from contracts import events as e
from contracts.frames import Merging
from contracts.ids import OFFERING, POOL, CompanyId, Party, is_directors
from contracts.pieces import CertificateMove
from contracts.records import Record
from services.engine.table.agenda import topmost
from services.engine.table.state import Table
from services.histories.actions_of import shares
from services.histories.game import Game
from services.histories.kinds import SellOf
from services.histories.site_turn import are_followed

FROM_THE_BACK: Final = frozenset({"exchange", "returned", "not swapped", "option relinquished"})
"""Reasons for which merged shares are given up, the last to have come first."""
SWAP: Final = "swap"
RETURNED: Final = "returned"


def follow(game: Game, before: Table, record: Record) -> None:
    """Follow the certificates through a record."""
    action = game.current
    has_sold = any(isinstance(event, e.SharesSold) for event in record.events)
    sold = action if isinstance(action, SellOf) and has_sold else None
    if sold is not None:
        _sold(game, before, record, sold)
    elif not are_followed(game.facts):
        for event in record.events:
            if isinstance(event, e.DirectorChanged):
                _director_changed(game, before, event)
    if are_followed(game.facts):
        _followed(game, before, record, names_them=sold is not None)


def _followed(game: Game, before: Table, record: Record, *, names_them: bool) -> None:
    """Follow every move; where a sale names certificates, they and the director's have moved."""
    merging = topmost(before.agenda, Merging)
    for event in record.events:
        if isinstance(event, e.ProcedureSet) and isinstance(event.procedure, Merging):
            merging = event.procedure
        elif isinstance(event, e.CertificatesMoved):
            if names_them and event.because == SWAP:
                continue
            absorbed = None if merging is None else merging.absorbed
            _moved(game, event, absorbed, merges=merging is not None)
        elif isinstance(event, e.CompanyStarted):
            for move in event.certificates:
                _move(game, event.company, move)
        elif isinstance(event, e.CharterReturned):
            game.certificates.sorted_in(event.company, OFFERING)
        elif isinstance(event, e.SharesSold) and not names_them:
            for kind, number in event.given.items():
                _move(game, event.company, CertificateMove(kind, number, event.who, event.target))


def _sold(game: Game, before: Table, record: Record, action: SellOf) -> None:
    """What a sale names goes to the pool, and perhaps the director changes."""
    percent = shares.percent_sold(game, action)
    for certificate in action.shares:
        game.certificates.moved(certificate, POOL)
    changes = [event for event in record.events if isinstance(event, e.DirectorChanged)]
    # Who acts without a director may change once more as a round ends.
    for event in changes[:1]:
        _director_changed(game, before, event, action.shares, percent)


def _director_changed(
    game: Game,
    before: Table,
    event: e.DirectorChanged,
    sold: tuple[str, ...] = (),
    percent: int = 0,
) -> None:
    """A director's certificate goes to somebody else; without one it stays in the pool."""
    old, new = before.charters[event.company].director, event.director
    if old is None or old == new:
        return
    if new is not None:
        game.certificates.director_changed(event.company, old, new, sold, percent)
    elif sold:
        game.certificates.given_back(event.company, old, sold, percent)


def _moved(
    game: Game, event: e.CertificatesMoved, absorbed: CompanyId | None, *, merges: bool
) -> None:
    """Certificates that moved unpaid, in a merging of shares or without one."""
    is_absorbed = event.company == absorbed
    back = event.because in FROM_THE_BACK and not (is_absorbed and event.because == RETURNED)
    back = merges and (back or (is_absorbed and event.because == SWAP))
    for move in event.moves:
        _move(game, event.company, move, from_the_back=back)


def _move(
    game: Game, company: CompanyId, move: CertificateMove, *, from_the_back: bool = False
) -> None:
    """Certificates of one kind go from one holder to another, as far as they are known there."""
    certificates = game.certificates
    source: Party = move.source
    if is_directors(move.kind):
        there = certificates.first(company, source, directors=True)
        going: tuple[str, ...] = () if there is None else (there,)
    else:
        ordinary = certificates.ordinary(company, source)
        going = (ordinary[::-1] if from_the_back else ordinary)[: move.number]
    for certificate in going:
        certificates.moved(certificate, move.target)
