"""Corporations that join, what is chosen on the way, and refinancing."""

from contracts.commands import (
    Answer,
    BuyTokens,
    ChooseSurvivor,
    ChooseTokens,
    ProposeJoining,
    Refinance,
    SettleOption,
)
from contracts.frames import OptionShare, Question, Survivor, TokensToBuy
from contracts.ids import CompanyId, Party
from services.engine.table.agenda import current_turn, player_of, top
from services.histories.errors import HistoryError
from services.histories.game import Game, Orders, number
from services.histories.kinds import Choose, Convert, Merge, RemoveFrom

OPTIONS = {"redeem": True, "sell": False}


def merge(game: Game, action: Merge) -> Orders:
    """Two corporations join; the other director agrees, as he did on the site."""
    company = CompanyId(game.party(action))
    turn = current_turn(game.table)
    kind = turn.steps[0] if turn is not None and turn.who == company else "merge"
    partner = CompanyId(Party(action.corporation))
    yield game.order(game.player(company), ProposeJoining(kind, (company, partner)))
    for player in game.consent():
        yield game.order(player, Answer(yes=True))


def choose(game: Game, action: Choose) -> Orders:
    """The answer to the question that is open."""
    question = top(game.table)
    matter = question.matter if isinstance(question, Question) else None
    asked = question.asked[0] if isinstance(question, Question) and question.asked else None
    player = None if asked is None else player_of(game.table, asked)
    said = str(action.choice)
    if player is None:
        raise HistoryError(f"{said!r} is chosen, and nothing is asked", f"{action.entity}")
    if isinstance(matter, TokensToBuy):
        yield game.order(player, BuyTokens(number(said, "a number of tokens")))
    elif isinstance(matter, Survivor) and said in ("first", "last"):
        chosen = matter.companies[0 if said == "first" else -1]
        yield game.order(player, ChooseSurvivor(chosen))
    elif isinstance(matter, OptionShare) and said in OPTIONS:
        yield game.order(player, SettleOption(OPTIONS[said]))
    else:
        raise HistoryError(f"{said!r} is no answer to what is asked", f"{action.entity}")


def remove(game: Game, action: RemoveFrom) -> Orders:
    """A surplus token of a joined corporation leaves the board."""
    hex_id = game.hex_of(action.city)
    place = game.area_of(hex_id) or hex_id
    player = game.player(game.party(action))
    yield game.order(player, ChooseTokens((place,)))


def convert(game: Game, action: Convert) -> Orders:
    """Refinanced by choice: the steps before it are passed, and then it is chosen."""
    yield from game.passed_over()
    yield game.order(game.player(game.party(action)), Refinance())
