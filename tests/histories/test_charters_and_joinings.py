"""Actions of games with charters, permits and joinings, and what a trace tells of them."""

import pytest

from contracts.commands import (
    Bid,
    BuyShares,
    BuyTokens,
    BuyTrain,
    OpenTable,
    Pass,
    PayDividend,
    PlaceSmallStation,
    RedeemShares,
    RunTrains,
    SellShares,
    StartCompany,
)
from contracts.frames import Question, Round, TokensToBuy, Turn
from contracts.ids import OFFERING, POOL, SUPPLY, CertificateKind, FrameId, HexId, TrainKind
from contracts.rejections import Rejection
from contracts.runs import Reported
from services.engine.rules.decide import decide
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_turn, top
from services.engine.table.state import Table, new_table
from services.histories.errors import HistoryError
from services.histories.optional_rules import CORRECTED, PLACE
from services.histories.trace import Tracer
from services.histories.translate import HISTORY, Translator, rulings_of, variants_of
from tests.eastern import position, railway, sold_up_to
from tests.histories.exports import Json, export
from tests.histories.test_translation import ANN, BOB, Playing, by
from tests.operating import board, turn_of
from tests.positions import company, ones, playing_on, stock_round

THREE = ("11", "12", "13")
SET = {"set": PLACE}
EUR, ECR = company("EUR"), company("ECR")
E18 = {"title": "1862"}


def ruled(**more: str) -> dict[str, str]:
    """The site's rulings, as a table has them, with others."""
    made = export(**E18)
    opening = Translator(made).opening().command
    assert isinstance(opening, OpenTable)
    from services.engine.rules.ruleset import Ruleset, ruleset_for

    found = ruleset_for(opening)
    assert isinstance(found, Ruleset)
    return {**found.rulings, **more}


def lying(step: str | None, *companies: object, **more: object) -> Table:
    """A position under the site's rulings, in a turn of the EUR, or in a stock round."""
    rulings = ruled(**more.pop("rulings", {}))
    there = position(*companies, players=THREE, rulings=rulings, **more)
    return stock_round(there, turn="11") if step is None else turn_of(there, "EUR", step)


def opened() -> Playing:
    """A table as it is opened, nothing done yet."""
    translator = Translator(export(**E18))
    order = translator.opening()
    assert isinstance(order.command, OpenTable)
    from services.engine.rules.ruleset import Ruleset, ruleset_for

    ruleset = ruleset_for(order.command)
    assert isinstance(ruleset, Ruleset)
    events = decide(ruleset, new_table(HISTORY), order)
    assert not isinstance(events, Rejection), events
    from services.engine.table.evolve import evolve_all

    return evolve_all(new_table(HISTORY), events)


def state(table: Table) -> Json:
    return Tracer(ruleset_of(table)).state(table)
