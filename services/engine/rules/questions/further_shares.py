"""Further shares of a company just started, at par and out of cash in hand (4.2)."""

from collections.abc import Iterator

from contracts import events as e
from contracts.commands import BuyShares
from contracts.frames import FurtherShares, Question
from contracts.ids import OFFERING, CompanyId, Party, PlayerId
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.buy_shares import bought, is_on_sale, too_little_cash
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Act, Asking, Offer, free_to_pass
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import price_in, smallest_kind
from services.engine.rules.shares.limits import certificate_objection, holding_objection
from services.engine.table.agenda import top
from services.engine.table.state import Table


def ask(draft: Draft, company: CompanyId, player: PlayerId, most: int) -> None:
    """Ask whether more is to be bought, as long as more is allowed."""
    if most:
        matter = FurtherShares(company, most)
        draft.emit(e.QuestionAsked(Question(draft.next_frame(), matter, (player,))))


def matter_of(table: Table) -> FurtherShares:
    """What is asked now."""
    question = top(table)
    assert isinstance(question, Question)  # the act belongs to this question
    assert isinstance(question.matter, FurtherShares)
    return question.matter


def offers(_ruleset: Ruleset, table: Table, _who: Party) -> Iterator[Offer]:
    """One share more."""
    yield Offer(BuyShares(matter_of(table).company, OFFERING, {smallest_kind(): 1}))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: BuyShares
) -> Iterator[Rejection]:
    """What speaks against one more."""
    company, player = matter_of(table).company, PlayerId(who)
    if (command.company, command.source, command.taken) != (
        company,
        OFFERING,
        {smallest_kind(): 1},
    ) or not is_on_sale(table, command):
        yield refused(
            ruleset,
            Code.NOT_ON_SALE,
            "further shares",
            f"One share of {company} out of the offering may be bought now.",
        )
        return
    for refusal in (
        certificate_objection(ruleset, table, player, company, 1),
        holding_objection(ruleset, table, player, company, 1),
    ):
        if refusal is not None:
            yield refusal
    yield from too_little_cash(ruleset, table, player, price_in(table, company, OFFERING))


def performed(ruleset: Ruleset, draft: Draft, who: Party, command: BuyShares) -> None:
    """Buy it, and ask again if more is allowed."""
    question, matter = top(draft.table), matter_of(draft.table)
    assert isinstance(question, Question)  # as above
    draft.emit(e.QuestionClosed(question.id, "answered"))
    bought(ruleset, draft, who, command)
    ask(draft, command.company, PlayerId(who), matter.most - 1)


def settled(ruleset: Ruleset, draft: Draft, question: Question) -> bool:
    """It is over when he passes, or when nothing more can be bought."""
    who = next(iter(question.asked), None)
    table = draft.table
    if who is not None and is_asked_anyway(ruleset, table, who):
        return False
    if who is not None and any(
        next(MORE.objections(ruleset, table, who, offer.command), None) is None
        for offer in offers(ruleset, table, who)
    ):
        return False
    draft.emit(e.QuestionClosed(question.id, "done"))
    return True


def is_asked_anyway(ruleset: Ruleset, table: Table, who: Party) -> bool:
    """Whether the money for a share is enough to be asked (ruling "asked for further shares")."""
    if ruleset.rulings.get("asked for further shares") != "with the money for one":
        return False
    return table.cash[who] >= price_in(table, matter_of(table).company, OFFERING)


MORE = Act(BuyShares, offers, objections, performed)
FURTHER_SHARES = Asking((MORE,), settled, free_to_pass)
