"""A player's turn in a parliament round: he opens the auction of one charter, or passes (4.1)."""

from services.engine.rules.acts.open_auction import OPEN_AUCTION
from services.engine.rules.parts.kinds import Step
from services.engine.rules.steps.bidding import acted

CHARTER = Step((OPEN_AUCTION,), by_itself=acted)
