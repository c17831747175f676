"""Parts of companies that join, and of companies that must raise money, by name."""

from collections.abc import Mapping
from typing import Final

from contracts.commands import ProposeJoining
from contracts.frames import (
    BankTrain,
    CompanyMoney,
    Merging,
    OptionShare,
    SurplusTokens,
    Survivor,
)
from services.engine.rules.acts import propose_joining
from services.engine.rules.acts.consent import Proposals
from services.engine.rules.parts.kinds import Advance, Asking, Step
from services.engine.rules.procedures import merging
from services.engine.rules.questions.bank_train import BANK_TRAIN
from services.engine.rules.questions.company_money import COMPANY_MONEY
from services.engine.rules.questions.option_share import OPTION_SHARE
from services.engine.rules.questions.surplus_tokens import SURPLUS_TOKENS
from services.engine.rules.questions.survivor import SURVIVOR
from services.engine.rules.steps.joining import ACQUIRE, MERGE
from services.engine.rules.steps.money import MONEY

STEPS: Final[Mapping[str, Step]] = {"merge": MERGE, "money": MONEY, "acquire": ACQUIRE}
ASKINGS: Final[Mapping[type, Asking]] = {
    Survivor: SURVIVOR,
    OptionShare: OPTION_SHARE,
    SurplusTokens: SURPLUS_TOKENS,
    CompanyMoney: COMPANY_MONEY,
    BankTrain: BANK_TRAIN,
}
PROCEDURES: Final[Mapping[type, Advance]] = {Merging: merging.advance}
PROPOSALS: Final[Proposals] = {ProposeJoining: propose_joining.PROPOSED}
