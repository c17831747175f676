"""Choosing the city of a home token, where the hex has several by the first turn (3.4.8)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import PlaceToken
from contracts.frames import ChooseCity, Question
from contracts.ids import CompanyId, Party
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.network.places import home_places
from services.engine.rules.parts.kinds import Act, Asking, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.track.home import home_token, place_home
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each city that can be the home."""
    for place in home_places(ruleset.facts, table.board, CompanyId(who)):
        if place.city is not None:
            yield Offer(PlaceToken(place.hex, place.city))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: PlaceToken
) -> Iterator[Rejection]:
    """It is a city of the home hex that is asked for."""
    places = home_places(ruleset.facts, table.board, CompanyId(who))
    if (command.place, command.city, command.right) not in [(p.hex, p.city, None) for p in places]:
        yield city_refusal(ruleset, table, who)


def city_refusal(ruleset: Ruleset, table: Table, who: Party) -> Rejection:
    """What is asked for."""
    places = home_places(ruleset.facts, table.board, CompanyId(who))
    named = " or ".join(f"{place.hex} city {place.city}" for place in places)
    return refused(
        ruleset,
        Code.CITY_TO_CHOOSE,
        "home choice",
        f"The home token of {who} waits for its city.",
        f"Place it in {named}.",
    )


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: PlaceToken) -> None:
    """Place the home token, free of charge."""
    company = CompanyId(who)
    places = home_places(ruleset.facts, draft.table.board, company)
    place_home(draft, company, next(p for p in places if p.city == command.city))


def settled(_ruleset: Ruleset, draft: Draft, question: Question) -> bool:
    """It is settled once the token lies."""
    matter = question.matter
    assert isinstance(matter, ChooseCity)  # this is how the registry files it
    if home_token(draft.table, matter.company) is None:
        return False
    draft.emit(e.QuestionClosed(question.id, "answered"))
    return True


CHOOSE_CITY = Asking((Act(PlaceToken, offers, objections, perform),), settled, city_refusal)
