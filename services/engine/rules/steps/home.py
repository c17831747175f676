"""The step of the home token: nobody chooses, unless the hex has several cities by then (3.5.1)."""

from contracts import events as e
from contracts.frames import ChooseCity, Question
from contracts.ids import CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.acts.lay_tile import LAY_TILE
from services.engine.rules.draft import Draft
from services.engine.rules.network.places import home_places
from services.engine.rules.parts.kinds import Step
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.track.first_build import (
    DISPLACE,
    comes_before_joining,
    displaced,
    duty_of,
    must_build,
)
from services.engine.rules.track.home import home_token, place_home
from services.engine.table.state import Table


def by_itself(ruleset: Ruleset, draft: Draft, who: Party) -> str | None:
    """Place the home token, or ask for its city (3.4.8); by ruling make room for it at once."""
    company = CompanyId(who)
    because = home_placed(ruleset, draft, company)
    duty = duty_of(ruleset, draft.table, company)
    if because is None or duty is None or not comes_before_joining(ruleset, duty):
        return because
    if duty.kind == DISPLACE:
        displaced(ruleset, draft, duty)
        return because
    return None


def home_placed(ruleset: Ruleset, draft: Draft, company: CompanyId) -> str | None:
    """Place the home token; a company that has lost it to the limit of tokens has no other."""
    first_turn = not draft.table.charters[company].has_operated
    if home_token(draft.table, company) is not None:
        return "done" if first_turn else "nothing to do"
    if any(token.company == company for token in draft.table.board.tokens):
        return "nothing to do"
    places = home_places(ruleset.facts, draft.table.board, company)
    if not places:
        return "nothing to do"
    if len(places) == 1:
        place_home(draft, company, places[0])
        return "done"
    question = Question(draft.next_frame(), ChooseCity(company, places[0].hex), (company,))
    draft.emit(e.QuestionAsked(question))
    return None


def no_pass(ruleset: Ruleset, table: Table, who: Party) -> Rejection | None:
    """Where room must be made at once nobody passes."""
    duty = duty_of(ruleset, table, CompanyId(who))
    if duty is None or not comes_before_joining(ruleset, duty):
        return None
    return must_build(ruleset, CompanyId(who), duty)


HOME_STEP = Step((LAY_TILE,), no_pass=no_pass, by_itself=by_itself)
