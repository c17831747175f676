"""A player's turn in a stock round: sell, buy once, sell again, in any order (3.2.1).

Elsewhere all sales come before the purchase, which ends the turn (6.2).
"""

from services.engine.rules.acts.buy_shares import BUY
from services.engine.rules.acts.sell_block import SELL_BLOCK
from services.engine.rules.acts.sell_shares import SELL
from services.engine.rules.acts.start_company import START
from services.engine.rules.acts.trade_private import may_buy_one
from services.engine.rules.parts.kinds import Step
from services.engine.rules.turns import has_acted

STOCK = Step((BUY, START, SELL), did=has_acted, waits=may_buy_one)
SELL_THEN_BUY = Step((SELL_BLOCK, BUY, START), did=has_acted)
