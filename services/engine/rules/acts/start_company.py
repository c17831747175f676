"""Starting a company: taking its director's certificate at a par of one's choice."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import StartCompany
from contracts.frames import Turn
from contracts.ids import BANK, OFFERING, Party, PlayerId, is_directors, shares_of
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.buy_shares import sold_this_round, too_little_cash
from services.engine.rules.director import changed
from services.engine.rules.draft import Draft
from services.engine.rules.floating import float_if_due
from services.engine.rules.limits import certificate_objection, holding_objection
from services.engine.rules.market import start_spaces, started
from services.engine.rules.parts import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares import directors_kind, is_public, moves, publics
from services.engine.rules.turns import has_bought
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each company that may be started, at each price."""
    for company in publics(table):
        if table.charters[company].status == "open":
            for price in start_spaces(ruleset):
                yield Offer(StartCompany(company, price))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: StartCompany
) -> Iterator[Rejection]:
    """What speaks against starting a company (3.2.3)."""
    player, company = PlayerId(who), command.company
    if not is_public(table, company):
        yield refused(
            ruleset, Code.NO_SUCH_COMPANY, "starting", f"{company} is no company with shares."
        )
        return
    kind = directors_kind(table, company, OFFERING)
    if table.charters[company].status != "open" or kind is None:
        yield refused(
            ruleset,
            Code.ALREADY_STARTED,
            "starting",
            f"The director's certificate of {company} is sold.",
        )
        return
    yield from not_a_start_price(ruleset, command)
    turn = current_turn(table)
    if isinstance(turn, Turn) and has_bought(ruleset, turn):
        yield refused(
            ruleset,
            Code.ALREADY_BOUGHT,
            "bought before",
            "One certificate is bought in a turn.",
        )
    yield from sold_this_round(ruleset, table, player, company)
    for refusal in (
        certificate_objection(ruleset, table, player, company, 1),
        holding_objection(ruleset, table, player, company, shares_of(kind)),
    ):
        if refusal is not None:
            yield refusal
    yield from too_little_cash(ruleset, table, player, shares_of(kind) * command.price)


def not_a_start_price(ruleset: Ruleset, command: StartCompany) -> Iterator[Rejection]:
    """A company starts on one of the par spaces."""
    prices = start_spaces(ruleset)
    if command.price not in prices:
        yield refused(
            ruleset,
            Code.BAD_PRICE,
            "starting",
            f"No company starts at {ruleset.money(command.price)}.",
            f"It may at: {', '.join(ruleset.money(price) for price in sorted(prices))}.",
        )


def performed(ruleset: Ruleset, draft: Draft, who: Party, command: StartCompany) -> None:
    """The director pays for his certificate; the marker goes under any others (3.2.3)."""
    table, company, player = draft.table, command.company, PlayerId(who)
    certificates = {
        kind: number
        for kind, number in table.certificates[company][OFFERING].items()
        if is_directors(kind)
    }
    cost = command.price * sum(shares_of(kind) for kind in certificates)
    draft.emit(
        e.CompanyStarted(
            company=company,
            player=player,
            price=command.price,
            certificates=moves(certificates, OFFERING, player),
            payments=pay(player, BANK, cost),
        ),
        changed(company, player),
        started(ruleset, table, company, command.price),
    )
    float_if_due(ruleset, draft, company)


START = Act(StartCompany, offers, objections, performed)
