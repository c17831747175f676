"""The par of a company whose director's certificate came with a private (3.1.6)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import StartCompany
from contracts.frames import Question, StartPrice
from contracts.ids import CompanyId, Party, PlayerId
from contracts.rejections import Code, Rejection
from contracts.titles.facts import ComesWith
from services.engine.rules.acts.start_company import not_a_start_price
from services.engine.rules.companies.director import changed
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Asking, Offer
from services.engine.rules.procedures.lots import share_with_private
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.market import start_spaces, started
from services.engine.table.agenda import matter_of, top
from services.engine.table.state import Table


def asked_for(table: Table) -> CompanyId | None:
    """The company whose par is asked for now."""
    matter = matter_of(table, StartPrice)
    return None if matter is None else matter.company


def offers(ruleset: Ruleset, table: Table, _who: Party) -> Iterable[Offer]:
    """Every par."""
    company = asked_for(table)
    if company is not None:
        for price in start_spaces(ruleset):
            yield Offer(StartCompany(company, price))


def objections(
    ruleset: Ruleset, table: Table, _who: Party, command: StartCompany
) -> Iterator[Rejection]:
    """It is this company's par that is asked for, and one of those on the market."""
    company = asked_for(table)
    if command.company != company:
        yield refused(
            ruleset,
            Code.WRONG_STEP,
            "par by private",
            f"The par of {company} is asked for, not of {command.company}.",
        )
    yield from not_a_start_price(ruleset, command)


def with_private(ruleset: Ruleset, company: CompanyId) -> ComesWith:
    """What came with the private that brought the company its director."""
    return next(
        private.comes_with
        for private in ruleset.facts.privates.values()
        if private.comes_with is not None
        and private.comes_with.company == company
        and private.comes_with.sets_par
    )


def performed(ruleset: Ruleset, draft: Draft, who: Party, command: StartCompany) -> None:
    """The company is started, and its certificate, paid with the private, is the winner's."""
    player, company = PlayerId(who), command.company
    question = top(draft.table)
    assert isinstance(question, Question)  # the objections saw to it
    draft.emit(
        e.CompanyStarted(company, player, command.price, (), ()),
        share_with_private(draft.table, with_private(ruleset, company), player),
        changed(company, player),
        started(ruleset, draft.table, company, command.price),
        e.QuestionClosed(question.id, "answered"),
    )


def waits(_ruleset: Ruleset, _draft: Draft, _question: Question) -> bool:
    """Only the answer settles it."""
    return False


def must_name_one(ruleset: Ruleset, table: Table, who: Party) -> Rejection:
    """The par is set at once."""
    return refused(
        ruleset,
        Code.WRONG_STEP,
        "par by private",
        f"{who} has to set the par of {asked_for(table)} now.",
    )


SET_PAR = Act(StartCompany, offers, objections, performed)
START_PRICE = Asking((SET_PAR,), waits, must_name_one)
