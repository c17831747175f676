"""The last step: privates may still be bought, now that the trains are (3.3.3, 3.8.1)."""

from services.engine.rules.acts.buy_private import BUY_PRIVATE
from services.engine.rules.parts import Step

PRIVATES = Step((BUY_PRIVATE,))
