"""Which step of its turn the site asks a corporation about, where ours may have gone on already.

Only for titles in which corporations join. The site asks about joining and track in every turn,
about a token, a train or a share to redeem only where there is one to be had, and about joining
again as the turn ends. Its passes do not say what they are of, so the steps are followed here.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from contracts.ids import POOL, CompanyId, FrameId, TileId
from contracts.titles.facts import Facts
from services.engine.rules.acts.build_link import BUILD_LINK
from services.engine.rules.acts.buy_train import BUY_TRAIN
from services.engine.rules.acts.place_token import PLACE_TOKEN
from services.engine.rules.companies.last_operations import have_begun
from services.engine.rules.network.building import allowance_objection
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.settle import any_legal
from services.engine.rules.trains.owned import cheapest, trains_of
from services.engine.table.state import Table

MERGE, TRACK, TOKEN, RUN, DIVIDEND, TRAINS, REDEEM, ACQUIRE, OVER = STEPS = (
    *("merge", "track", "token", "run", "dividend", "trains", "redeem", "acquire"),
    "over",
)
DOUBTFUL: Final = (REDEEM, TOKEN, TRAINS)
"""Steps that the site may not ask about though we think so, the most doubtful first."""


class SiteTurn(Struct):
    """A corporation's turn as the site plays it: the step it has come to, the tiles laid in it.

    `frame` is our turn that it belongs to, None if we had none as it began.
    """

    company: CompanyId
    frame: FrameId | None
    step: str
    laid: tuple[TileId, ...] = ()

    def is_past(self, step: str) -> bool:
        """Whether a step is over."""
        return STEPS.index(self.step) > STEPS.index(step)


def are_followed(facts: Facts) -> bool:
    """Whether a title's turns have so many steps that they have to be followed."""
    return MERGE in facts.turns.operating


def begun(table: Table, company: CompanyId, frame: FrameId | None) -> SiteTurn:
    """A turn at the first step that the site asks about."""
    short = have_begun(table) or table.charters[company].director is None
    return SiteTurn(company, frame, RUN if short else MERGE)


def after_track(facts: Facts, turn: SiteTurn) -> str:
    """The step that tiles laid so far lead to: a second one is asked for where it may be laid."""
    laid = turn.laid
    if not laid:
        return TRACK
    is_all = not all(laid) or allowance_objection(facts, laid, laid[-1]) is not None
    return TOKEN if is_all else TRACK


def asked_about(
    ruleset: Ruleset, table: Table, turn: SiteTurn, passes: int, upcoming: str | None
) -> str:
    """The step that a pass is of.

    `passes` is how many of the company's passes there are in a row, this one among them, and
    `upcoming` the step to which its action after them belongs, None if it does not act then.
    """
    if turn.step in (MERGE, TRACK):
        return turn.step
    if upcoming is not None and turn.is_past(upcoming):
        upcoming = None  # That is a turn to come.
    until = STEPS.index(upcoming or OVER)
    if until <= STEPS.index(DIVIDEND):
        return TOKEN
    if not turn.is_past(TRAINS) and is_in_need(ruleset, table, turn.company):
        return TRAINS if passes == 1 and upcoming != TRAINS else TOKEN
    expected = [
        step
        for step in blocking(ruleset, table, turn)
        if not turn.is_past(step) and STEPS.index(step) < until
    ]
    for step in DOUBTFUL:
        if step in expected and len(expected) > passes:
            expected.remove(step)
    return expected[0] if expected else OVER


def is_in_need(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether a company must have a train and cannot pay the bank's, so that its pass raises money.

    It may pass a token before that.
    """
    if trains_of(table, company) or table.charters[company].director is None:
        return False
    return table.cash[company] < cheapest(ruleset, table)


def blocking(ruleset: Ruleset, table: Table, turn: SiteTurn) -> Sequence[str]:
    """The steps at which the site waits for a word, as the table stands."""
    company = turn.company
    found = []
    last, director = have_begun(table), table.charters[company].director
    tokens = (PLACE_TOKEN,) if turn.laid else (PLACE_TOKEN, BUILD_LINK)
    if not last and director is not None and any_legal(ruleset, table, company, tokens):
        found.append(TOKEN)
    must_buy = not trains_of(table, company)
    if director is not None and (must_buy or any_legal(ruleset, table, company, (BUY_TRAIN,))):
        found.append(TRAINS)
    if director is not None and table.certificates[company].get(POOL):
        found.append(REDEEM)
    if director is not None and not last:
        found.append(ACQUIRE)
    return found
