"""The auction of one lot among those who have bid for it (3.1.4)."""

from contracts import events as e
from contracts.frames import Auction, Turn
from services.engine.rules.draft import Draft
from services.engine.rules.procedures.lots import ask_for_par, won
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import replaced

STEPS = ("bid",)
"""What a turn in an auction is made of."""


def advance(ruleset: Ruleset, draft: Draft, frame: Auction) -> None:
    """The last bidder pays his bid; until then the next one speaks."""
    highest, amount = frame.lot.bids[-1]
    if len(frame.bidders) == 1:
        won(ruleset, draft, frame.lot.company, highest, amount)
        draft.emit(e.ProcedureEnded(frame.id, "won"))
        ask_for_par(ruleset, draft, frame.lot.company, highest)
        return
    speaker = frame.bidders[0]
    if speaker == highest:
        frame = replaced(frame, bidders=(*frame.bidders[1:], speaker))
        draft.emit(e.ProcedureSet(frame))
        speaker = frame.bidders[0]
    draft.emit(e.TurnBegan(Turn(draft.next_frame(), speaker, STEPS)))
