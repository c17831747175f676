"""The par of a company whose charter was won, which buys the director's certificate (4.2)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import StartCompany
from contracts.frames import CharterPrice, Question
from contracts.ids import BANK, OFFERING, CompanyId, Money, Party, PlayerId, is_directors, shares_of
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.buy_shares import too_little_cash
from services.engine.rules.companies.director import changed, directors_shares
from services.engine.rules.companies.floating import float_if_due
from services.engine.rules.companies.starting import prices_in, way_in
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Asking, Offer
from services.engine.rules.questions import further_shares
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import moves
from services.engine.rules.shares.market import started
from services.engine.table.agenda import matter_of, top
from services.engine.table.state import Table

PARLIAMENT = "parliament"
"""The kind of round in which charters are won."""


def asked_for(table: Table) -> CompanyId | None:
    """The company whose par is asked for now."""
    matter = matter_of(table, CharterPrice)
    return None if matter is None else matter.company


def offers(ruleset: Ruleset, table: Table, _who: Party) -> Iterable[Offer]:
    """Every par of a charter."""
    company = asked_for(table)
    if company is not None:
        for price in prices_in(ruleset, PARLIAMENT):
            yield Offer(StartCompany(company, price))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: StartCompany
) -> Iterator[Rejection]:
    """It is this company's par, one of the chart, and three shares can be paid at once."""
    company = asked_for(table)
    if command.company != company:
        yield refused(
            ruleset,
            Code.WRONG_STEP,
            "charter",
            f"The par of {company} is asked for, not of {command.company}.",
        )
        return
    prices = prices_in(ruleset, PARLIAMENT)
    if command.price not in prices:
        yield refused(
            ruleset,
            Code.BAD_PRICE,
            "charter",
            f"No chartered company starts at {ruleset.money(command.price)}.",
            f"It may at: {', '.join(map(ruleset.money, prices))}.",
        )
    yield from too_little_cash(ruleset, table, PlayerId(who), certificate_cost(table, command))


def certificate_cost(table: Table, command: StartCompany) -> Money:
    """What the director's certificate costs at a par."""
    return command.price * directors_shares(table, command.company)


def performed(ruleset: Ruleset, draft: Draft, who: Party, command: StartCompany) -> None:
    """He buys the director's certificate, and perhaps further shares."""
    table, player, company = draft.table, PlayerId(who), command.company
    question, way = top(table), way_in(ruleset, PARLIAMENT)
    assert isinstance(question, Question)  # the objections saw to it
    assert way is not None  # charters are a way to start
    offered = table.certificates[company][OFFERING]
    certificate = {kind: number for kind, number in offered.items() if is_directors(kind)}
    cost = command.price * sum(map(shares_of, certificate))
    draft.emit(
        e.CompanyStarted(
            company=company,
            player=player,
            price=command.price,
            certificates=moves(certificate, OFFERING, player),
            payments=pay(player, BANK, cost),
        ),
        e.ParSet(company, command.price, way.id),
        changed(company, player),
    )
    if ruleset.rulings.get("chartered marker") == "as it starts":
        draft.emit(started(ruleset, draft.table, company, command.price))
    draft.emit(e.QuestionClosed(question.id, "answered"))
    float_if_due(ruleset, draft, company)
    further_shares.ask(draft, company, player, ruleset.facts.auction.shares_after_win)


def waits(_ruleset: Ruleset, _draft: Draft, _question: Question) -> bool:
    """Only the answer settles it."""
    return False


def must_name_one(ruleset: Ruleset, table: Table, who: Party) -> Rejection:
    """The company is started at once."""
    return refused(
        ruleset,
        Code.WRONG_STEP,
        "charter",
        f"{who} has to set the par of {asked_for(table)} now.",
    )


CHARTER_PRICE = Asking((Act(StartCompany, offers, objections, performed),), waits, must_name_one)
