"""Which tokens of a joined company leave the board where it has too many: one after the other.

(7.5.6) All may be chosen, the survivor's home token too, without which no train of it may run.
"""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import ChooseTokens
from contracts.frames import Merging, Question, SurplusTokens
from contracts.ids import Party
from contracts.placed import Token
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.joining.assets import joined_tokens
from services.engine.rules.parts.kinds import Act, Asking, Offer
from services.engine.rules.questions.answering import must_choose, question_on_top
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.table.agenda import topmost
from services.engine.table.state import Table


def tokens(table: Table) -> tuple[Token, ...]:
    """The tokens among which is chosen."""
    merging = topmost(table.agenda, Merging)
    assert merging is not None  # only companies that join have too many
    assert merging.absorbed is not None
    return joined_tokens(table, merging.survivor, merging.absorbed)


def offers(_ruleset: Ruleset, table: Table, _who: Party) -> Iterable[Offer]:
    """Each token on the board."""
    return tuple(Offer(ChooseTokens((token.place,))) for token in tokens(table))


def objections(
    ruleset: Ruleset, table: Table, _who: Party, command: ChooseTokens
) -> Iterator[Rejection]:
    """It is one of the tokens, named by its place."""
    places = [token.place for token in tokens(table)]
    if len(command.places) != 1 or command.places[0] not in places:
        yield refused(
            ruleset,
            Code.NOT_YOURS,
            "surplus tokens",
            "One token after the other leaves the board.",
            f"Name one of: {', '.join(places)}.",
        )


def perform(_ruleset: Ruleset, draft: Draft, _who: Party, command: ChooseTokens) -> None:
    """The token is out of the game, and one fewer is too many."""
    question = question_on_top(draft.table)
    matter = question.matter
    assert isinstance(matter, SurplusTokens)  # this is how the registry files it
    token = next(token for token in tokens(draft.table) if token.place == command.places[0])
    draft.emit(e.TokenRemoved(token.company, token.place, "lost"))
    left = SurplusTokens(matter.company, matter.number - 1)
    draft.emit(e.QuestionAsked(Question(question.id, left, question.asked)))


def settled(_ruleset: Ruleset, draft: Draft, question: Question) -> bool:
    """It is settled once none is too many."""
    matter = question.matter
    assert isinstance(matter, SurplusTokens)  # this is how the registry files it
    if matter.number:
        return False
    draft.emit(e.QuestionClosed(question.id, "answered"))
    return True


def no_pass(ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """Tokens above the limit have to go."""
    return must_choose(ruleset, "surplus tokens", who, "Name a token that leaves the board.")


SURPLUS_TOKENS = Asking((Act(ChooseTokens, offers, objections, perform),), settled, no_pass)
