"""Going through a corporation's turn step by step with the site, where the steps are followed."""

from collections.abc import Mapping
from typing import Final

from contracts.commands import Pass, SellTreasuryShares
from contracts.frames import BankTrain, CompanyMoney, Question, Turn
from contracts.ids import CompanyId
from services.engine.rules.acts.sell_treasury import needed
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.trains.owned import trains_of
from services.engine.table.agenda import current_turn, top
from services.histories.game import Game, Orders
from services.histories.kinds import (
    Action,
    BuyA,
    BuyOf,
    Convert,
    Dividend,
    Lay,
    Merge,
    PassOn,
    PlaceIn,
    RunRoutes,
)
from services.histories.site_turn import (
    ACQUIRE,
    DIVIDEND,
    MERGE,
    OVER,
    REDEEM,
    RUN,
    STEPS,
    TOKEN,
    TRACK,
    TRAINS,
    SiteTurn,
    after_track,
    are_followed,
    asked_about,
    begun,
)
from services.histories.small_stations import tile_of

STEP_OF: Final[Mapping[type[Action], str]] = {
    Lay: TRACK,
    PlaceIn: TOKEN,
    RunRoutes: RUN,
    Dividend: DIVIDEND,
    BuyA: TRAINS,
    Convert: TRAINS,
    BuyOf: REDEEM,
}
"""The step to which an action belongs, whatever the turn."""
NEXT: Final[Mapping[str, str]] = {
    TRACK: TOKEN,
    TOKEN: RUN,
    RUN: DIVIDEND,
    DIVIDEND: TRAINS,
    TRAINS: REDEEM,
    REDEEM: ACQUIRE,
    ACQUIRE: OVER,
}
OURS: Final[Mapping[str, str]] = {"home": MERGE, "money": TRAINS}
"""Steps of ours that the site does not have, and those that they come with."""


def is_followed(game: Game, action: Action) -> bool:
    """Whether an action is part of a turn whose steps are followed."""
    if not are_followed(game.facts) or not isinstance(action, (*STEP_OF, Merge, PassOn)):
        return False
    return game.in_operating_round() and game.party(action) not in game.table.order


def entered(game: Game, action: Action) -> Orders:
    """See whose turn it is on the site; ours of the turn before is over by then."""
    if not is_followed(game, action):
        return
    company = CompanyId(game.party(action))
    old, ours = game.site_turn, current_turn(game.table)
    if old is not None and ours is not None and ours.id == old.frame and ours.who == company:
        old.company = company  # It may have joined another, whose turn it was.
    has_another = ours is not None and ours.who == company and old is not None
    has_another = has_another and ours is not None and old is not None and ours.id != old.frame
    if old is None or old.company != company or has_another or is_new(old, action):
        if old is not None:
            yield from left_behind(game, old, OVER)
        ours = current_turn(game.table)
        frame = ours.id if ours is not None and ours.who == company else None
        game.site_turn = begun(game.table, company, frame)


def is_new(turn: SiteTurn, action: Action) -> bool:
    """Whether an action of the same corporation belongs to a new turn."""
    if turn.step == OVER:
        return True
    step = STEP_OF.get(type(action))
    return step is not None and turn.is_past(step)


def gone_on(game: Game, action: Action) -> None:
    """Note where an action has brought the turn on the site."""
    turn = game.site_turn
    if turn is None or not are_followed(game.facts) or turn.company != str(action.entity):
        return
    if isinstance(action, Lay):
        is_home = turn.step == MERGE
        name = action.tile.rpartition("-")[0]
        # A tile with its small stations is none that may be the first of two.
        turn.laid = (*turn.laid, tile_of(name) if name == tile_of(name) else tile_of(""))
        turn.step = MERGE if is_home else after_track(game.facts, turn)
    elif isinstance(action, Merge):
        turn.step = after_track(game.facts, turn) if turn.step == MERGE else OVER
    elif isinstance(action, BuyA | Convert):
        turn.step = TRAINS
    elif type(action) in STEP_OF:
        turn.step = NEXT[STEP_OF[type(action)]]


def step_passed(game: Game, company: CompanyId) -> Orders:
    """A pass of the step that the site asks about: ours goes on to it, and then past it."""
    turn = game.site_turn
    if turn is None or not game.in_operating_round():
        return
    passes, then = game.passes_in_a_row(company)
    upcoming = None if then is None else STEP_OF.get(type(then), ACQUIRE)
    if isinstance(then, BuyA) and then.price > game.table.cash[company]:
        upcoming = None  # Money is to come from somewhere first.
    step = asked_about(ruleset_of(game.table), game.table, turn, passes, upcoming)
    is_forced = step == TRAINS and not trains_of(game.table, company)
    yield from left_behind(game, turn, step)
    if step != OVER and not is_forced:
        # Money is raised by the pass of a company without a train, which is then still to buy one.
        turn.step = after_track(game.facts, turn) if step == MERGE else NEXT[step]


def left_behind(game: Game, turn: SiteTurn, step: str) -> Orders:
    """Pass all steps of our turn up to and with one of the site's."""
    yield from no_more_trains(game, turn.company)
    while True:
        ours = current_turn(game.table)
        if ours is None or ours.id != turn.frame or not isinstance(top(game.table), Turn):
            return
        reached = OURS.get(ours.steps[0], ours.steps[0])
        if STEPS.index(reached) > STEPS.index(step):
            return
        before = game.table
        yield from game.passed_over()
        if game.table is before:
            return
        yield from shares_sold_for_train(game, turn.company)


def no_more_trains(game: Game, company: CompanyId) -> Orders:
    """Whoever has the train that was forced buys no other, though asked."""
    question = top(game.table)
    if isinstance(question, Question) and question.matter == BankTrain(company):
        yield game.order(game.player(company), Pass())


def shares_sold_for_train(game: Game, company: CompanyId) -> Orders:
    """Whoever leaves the trains without one sells shares of the company there, if that will do."""
    question = top(game.table)
    if isinstance(question, Question) and isinstance(question.matter, CompanyMoney):
        number = needed(ruleset_of(game.table), game.table, company)
        yield game.order(game.player(company), SellTreasuryShares(number))
