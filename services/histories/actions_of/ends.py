"""Passing, and an agreed finish."""

from contracts.commands import AnswerRequest, MakeRequest, Pass
from contracts.ids import CompanyId, Party, PlayerId
from services.engine.rules.acts.place_token import PLACE_TOKEN
from services.engine.rules.ruleset import ruleset_of
from services.engine.rules.settle import any_legal
from services.engine.table.agenda import awaited, current_turn
from services.histories.game import Game, Orders
from services.histories.in_step import step_passed
from services.histories.kinds import EndGame, PassOn
from services.histories.pace import is_passed_already
from services.histories.site_turn import are_followed


def pass_on(game: Game, action: PassOn) -> Orders:
    """A pass, unless what is passed over has settled itself at our table already."""
    party = game.party(action)
    player = game.player(party)
    if party in game.facts.privates:
        yield from right_left(game, player)
        return
    if are_followed(game.facts) and party not in game.table.order:
        yield from step_passed(game, CompanyId(party))
        return
    if player not in awaited(game.table) or is_passed_already(game, party):
        return
    yield game.order(player, Pass())


def right_left(game: Game, player: PlayerId) -> Orders:
    """A private's token declined: the step of the token goes on only for an ordinary one."""
    turn = current_turn(game.table)
    if turn is None or turn.steps[:1] != ("token",):
        return
    if not any_legal(ruleset_of(game.table), game.table, turn.who, (PLACE_TOKEN,)):
        yield game.order(player, Pass())


def end(game: Game, action: EndGame) -> Orders:
    """A finish by agreement: somebody asks, everybody else agrees."""
    asking = game.party(action)
    player = PlayerId(asking) if asking in game.table.order else game.player(asking)
    if player not in game.table.order:
        player = PlayerId(Party(game.table.order[0]))
    yield game.order(player, MakeRequest("end"))
    for request in game.table.requests:
        if request.what == "end":
            for other in request.waiting:
                yield game.order(other, AnswerRequest(request.id, yes=True))
