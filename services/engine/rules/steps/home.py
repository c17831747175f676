"""The step of the home token: nobody chooses, unless the hex has several cities by then (3.5.1)."""

from contracts import events as e
from contracts.frames import ChooseCity, Question
from contracts.ids import CompanyId, Party
from services.engine.rules.draft import Draft
from services.engine.rules.home import home_token, place_home
from services.engine.rules.network.places import home_places
from services.engine.rules.parts import Step
from services.engine.rules.ruleset import Ruleset


def by_itself(ruleset: Ruleset, draft: Draft, who: Party) -> str | None:
    """Place the home token, or ask for its city (3.4.8)."""
    company = CompanyId(who)
    first_turn = not draft.table.charters[company].has_operated
    if home_token(draft.table, company) is not None:
        return "done" if first_turn else "nothing to do"
    places = home_places(ruleset.facts, draft.table.board, company)
    if not places:
        return "nothing to do"
    if len(places) == 1:
        place_home(draft, company, places[0])
        return "done"
    question = Question(draft.next_frame(), ChooseCity(company, places[0].hex), (company,))
    draft.emit(e.QuestionAsked(question))
    return None


HOME_STEP = Step(by_itself=by_itself)
