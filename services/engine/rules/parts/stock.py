"""Parts of the opening auction and of the stock round, by name."""

from collections.abc import Mapping
from typing import Final

from contracts.commands import TradePrivate
from contracts.frames import Auction, SellDown, StartPrice, Waterfall
from services.engine.rules.acts.consent import Proposals
from services.engine.rules.acts.exchange_private import EXCHANGE
from services.engine.rules.acts.trade_private import PROPOSED, TRADE
from services.engine.rules.parts.kinds import Act, Advance, Asking, RoundKind, Step
from services.engine.rules.procedures import auction, waterfall
from services.engine.rules.questions.sell_down import SELL_DOWN
from services.engine.rules.questions.start_price import START_PRICE
from services.engine.rules.rounds.opening import OPENING
from services.engine.rules.rounds.stock import STOCK
from services.engine.rules.steps import bidding, stock_turn

STEPS: Final[Mapping[str, Step]] = {
    "waterfall": bidding.WATERFALL,
    "bid": bidding.BID,
    "stock": stock_turn.STOCK,
}
ANYTIME: Final[Mapping[str, tuple[Act, ...]]] = {
    "trade private": (TRADE,),
    "exchange private": (EXCHANGE,),
}
ASIDES: Final[tuple[Act, ...]] = (EXCHANGE,)
ASKINGS: Final[Mapping[type, Asking]] = {StartPrice: START_PRICE, SellDown: SELL_DOWN}
PROCEDURES: Final[Mapping[type, Advance]] = {
    Waterfall: waterfall.advance,
    Auction: auction.advance,
}
ROUNDS: Final[Mapping[str, RoundKind]] = {"opening": OPENING, "stock": STOCK}
PROPOSALS: Final[Proposals] = {TradePrivate: PROPOSED}
