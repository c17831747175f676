"""The step of redeeming: one share of its own a turn (7.13)."""

from services.engine.rules.acts.redeem_shares import REDEEM_SHARES
from services.engine.rules.parts import Step

REDEEM = Step((REDEEM_SHARES,))
