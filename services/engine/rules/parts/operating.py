"""Parts of the operating round, by name."""

from collections.abc import Mapping
from typing import Final

from contracts.commands import BuyCompany, BuyTrain
from contracts.frames import ChooseCity, DiscardTrains, RaiseMoney
from services.engine.rules.acts import buy_private, buy_train
from services.engine.rules.acts.consent import Proposals
from services.engine.rules.acts.lay_by_right import LAY_BY_RIGHT
from services.engine.rules.acts.token_by_right import TOKEN_BY_RIGHT
from services.engine.rules.parts.kinds import Act, Advance, Asking, RoundKind, Step
from services.engine.rules.questions.choose_city import CHOOSE_CITY
from services.engine.rules.questions.discard_trains import DISCARD_TRAINS
from services.engine.rules.questions.raise_money import RAISE_MONEY
from services.engine.rules.rounds.operating import OPERATING
from services.engine.rules.steps.dividend import DIVIDEND
from services.engine.rules.steps.home import HOME_STEP
from services.engine.rules.steps.privates import PRIVATES
from services.engine.rules.steps.redeem import REDEEM
from services.engine.rules.steps.run import RUN
from services.engine.rules.steps.token import TOKEN
from services.engine.rules.steps.track import TRACK
from services.engine.rules.steps.trains import TRAINS

STEPS: Final[Mapping[str, Step]] = {
    "home": HOME_STEP,
    "track": TRACK,
    "token": TOKEN,
    "run": RUN,
    "dividend": DIVIDEND,
    "trains": TRAINS,
    "privates": PRIVATES,
    "redeem": REDEEM,
}
ANYTIME: Final[Mapping[str, tuple[Act, ...]]] = {
    "buy private": (buy_private.BUY_PRIVATE,),
    "lay by right": (LAY_BY_RIGHT,),
    "token by right": (TOKEN_BY_RIGHT,),
}
ASIDES: Final[tuple[Act, ...]] = ()
ASKINGS: Final[Mapping[type, Asking]] = {
    RaiseMoney: RAISE_MONEY,
    DiscardTrains: DISCARD_TRAINS,
    ChooseCity: CHOOSE_CITY,
}
PROCEDURES: Final[Mapping[type, Advance]] = {}
ROUNDS: Final[Mapping[str, RoundKind]] = {"operating": OPERATING}
PROPOSALS: Final[Proposals] = {BuyTrain: buy_train.PROPOSED, BuyCompany: buy_private.PROPOSED}
