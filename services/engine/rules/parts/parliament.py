"""Parts of parliament rounds, and of stock rounds in which shares are sold first, by name."""

from collections.abc import Mapping
from typing import Final

from contracts.frames import CharterPrice, Fines, FurtherShares, PayFine, TokensToBuy
from services.engine.rules.parts.kinds import Advance, Asking, RoundKind, Step
from services.engine.rules.procedures import fines
from services.engine.rules.questions.charter_price import CHARTER_PRICE
from services.engine.rules.questions.further_shares import FURTHER_SHARES
from services.engine.rules.questions.pay_fine import PAY_FINE
from services.engine.rules.questions.tokens_to_buy import TOKENS_TO_BUY
from services.engine.rules.rounds.parliament import PARLIAMENT
from services.engine.rules.steps.charter import CHARTER
from services.engine.rules.steps.stock_turn import SELL_THEN_BUY

STEPS: Final[Mapping[str, Step]] = {"charter": CHARTER, "sell, then buy": SELL_THEN_BUY}
ASKINGS: Final[Mapping[type, Asking]] = {
    CharterPrice: CHARTER_PRICE,
    FurtherShares: FURTHER_SHARES,
    PayFine: PAY_FINE,
    TokensToBuy: TOKENS_TO_BUY,
}
PROCEDURES: Final[Mapping[type, Advance]] = {Fines: fines.advance}
ROUNDS: Final[Mapping[str, RoundKind]] = {"parliament": PARLIAMENT}
