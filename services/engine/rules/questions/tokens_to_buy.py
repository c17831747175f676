"""How many tokens a company that floats buys, the home token among them (6.5.4.2)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.choices import Interval
from contracts.commands import BuyTokens
from contracts.frames import Question, TokensToBuy
from contracts.ids import BANK, CompanyId, Party
from contracts.money import pay
from contracts.rejections import Code, Rejection
from contracts.titles.facts import Starting
from services.engine.rules.companies.starting import way_of
from services.engine.rules.companies.tokens import most_tokens
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Asking, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.table.agenda import top
from services.engine.table.state import Table


def way(ruleset: Ruleset, table: Table, company: Party) -> Starting:
    """How the company was started."""
    started = way_of(ruleset, table, CompanyId(company))
    assert started is not None  # only who chooses a number is asked for one
    return started


def bounds(ruleset: Ruleset, table: Table, company: Party) -> tuple[int, int]:
    """The fewest and the most tokens that the company may and can buy."""
    started = way(ruleset, table, company)
    fewest, most = started.tokens
    limit = most_tokens(ruleset)
    allowed = most if limit is None else limit
    return fewest, min(allowed, table.cash[company] // started.token_cost)


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each number that it can pay for."""
    fewest, most = bounds(ruleset, table, who)
    if fewest <= most:
        yield Offer(BuyTokens(fewest), Interval("number", fewest, most, 1))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: BuyTokens
) -> Iterator[Rejection]:
    """What speaks against a number."""
    fewest, most = bounds(ruleset, table, who)
    if not fewest <= command.number <= most:
        cost = ruleset.money(way(ruleset, table, who).token_cost)
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "tokens bought",
            f"{who} cannot buy {command.number} tokens at {cost} each.",
            f"It may buy {fewest} to {most}.",
        )


def performed(ruleset: Ruleset, draft: Draft, who: Party, command: BuyTokens) -> None:
    """Pay for the tokens at once."""
    question = top(draft.table)
    assert isinstance(question, Question)  # an answer to it
    cost = command.number * way(ruleset, draft.table, who).token_cost
    draft.emit(
        e.TokensSet(CompanyId(who), command.number, pay(who, BANK, cost)),
        e.QuestionClosed(question.id, "answered"),
    )


def waits(_ruleset: Ruleset, _draft: Draft, question: Question) -> bool:
    """Only the answer settles it."""
    assert isinstance(question.matter, TokensToBuy)  # this is how the registry files it
    return False


def must_say(ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """The tokens are bought at once."""
    return refused(
        ruleset, Code.WRONG_STEP, "tokens bought", f"{who} has to say now how many tokens it buys."
    )


TOKENS_TO_BUY = Asking((Act(BuyTokens, offers, objections, performed),), waits, must_say)
