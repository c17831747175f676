"""Opening the auction of a charter with a first bid (4.1)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import Bid
from contracts.frames import Auction, Lot
from contracts.ids import Party, PlayerId
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.bid import no_room, raises, too_dear, too_low
from services.engine.rules.acts.start_company import no_home, not_to_be_started
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.seating import from_left_of
from services.engine.rules.shares.counting import is_public, publics
from services.engine.table.agenda import current_round
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each charter that may be taken, for all that the player can bid."""
    for company in publics(table):
        if table.charters[company].status == "open":
            yield from raises(ruleset, table, who, Lot(company, 0))


def objections(ruleset: Ruleset, table: Table, who: Party, command: Bid) -> Iterator[Rejection]:
    """What speaks against putting a charter up."""
    company = command.lot
    if not is_public(table, company):
        yield refused(
            ruleset, Code.NO_SUCH_COMPANY, "auction", f"{company} is no company with a charter."
        )
        return
    if table.charters[company].status != "open":
        yield not_to_be_started(ruleset, table, company, "auction")
        return
    yield from no_home(ruleset, table, company)
    playing = current_round(table)
    if playing is not None and playing.bought.get(PlayerId(who)):
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "auction",
            f"{who} has won a charter in this round.",
            "He may bid in auctions that others open.",
        )
    yield from too_low(ruleset, Lot(company, 0), command)
    yield from too_dear(ruleset, table, who, command)
    yield from no_room(ruleset, table, who, command)


def performed(_ruleset: Ruleset, draft: Draft, who: Party, command: Bid) -> None:
    """All may bid, clockwise from the left of who opened it."""
    player = PlayerId(who)
    bidders = from_left_of(draft.table, player)
    draft.emit(
        e.ProcedureSet(Auction(draft.next_frame(), Lot(command.lot, 0), bidders)),
        e.BidMade(command.lot, player, command.amount),
    )


OPEN_AUCTION = Act(Bid, offers, objections, performed)
