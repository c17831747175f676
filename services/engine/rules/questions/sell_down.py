"""Selling down: whoever is over a limit as his turn begins sells before anything else (3.2.5)."""

from contracts import events as e
from contracts.commands import SellShares
from contracts.frames import Question, SellDown
from contracts.ids import Party, PlayerId
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.selling import SELL, objections, offers
from services.engine.rules.companies.last_operations import have_begun
from services.engine.rules.draft import Draft
from services.engine.rules.parts.kinds import Asking
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.limits import (
    certificate_limit,
    certificates_counted,
    companies_held_over,
    counts,
    is_over_certificates,
)
from services.engine.table.state import Table


def must_sell(ruleset: Ruleset, table: Table, player: PlayerId) -> bool:
    """Whether a player is over a limit and can legally do something about it.

    Nobody has to before the last operations (10.3).
    """
    if have_begun(table):
        return False
    too_many = is_over_certificates(ruleset, table, player)
    too_much = companies_held_over(ruleset, table, player)
    if not too_many and not too_much:
        return False
    for offer in offers(ruleset, table, player):
        sale = offer.command
        assert isinstance(sale, SellShares)  # what selling offers
        helps = sale.company in too_much or (too_many and counts(ruleset, table, sale.company))
        if helps and next(objections(ruleset, table, player, sale), None) is None:
            return True
    return False


def ask_if_due(ruleset: Ruleset, draft: Draft, player: PlayerId) -> None:
    """Ask a player whose turn begins to sell down, if he must and can."""
    if must_sell(ruleset, draft.table, player):
        draft.emit(e.QuestionAsked(Question(draft.next_frame(), SellDown(player), (player,))))


def settled(ruleset: Ruleset, draft: Draft, question: Question) -> bool:
    """It is settled once no limit is exceeded, or nothing more can be done about it."""
    matter = question.matter
    assert isinstance(matter, SellDown)  # this is how the registry files it
    if must_sell(ruleset, draft.table, matter.player):
        return False
    draft.emit(e.QuestionClosed(question.id, "done"))
    return True


def must_sell_first(ruleset: Ruleset, table: Table, who: Party) -> Rejection:
    """Nobody passes while he is over a limit."""
    player = PlayerId(who)
    return refused(
        ruleset,
        Code.OVER_LIMIT,
        "limits",
        f"{who} has to sell until no limit is exceeded.",
        f"Certificates that count: {certificates_counted(ruleset, table, player)} of at most "
        f"{certificate_limit(ruleset, table)}; too much of: "
        f"{', '.join(companies_held_over(ruleset, table, player)) or 'nothing'}.",
    )


SELL_DOWN = Asking((SELL,), settled, must_sell_first)
