"""Starting a company: taking its director's certificate at a par of one's choice."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import StartCompany
from contracts.frames import Turn
from contracts.ids import BANK, OFFERING, CompanyId, Party, PlayerId, is_directors, shares_of
from contracts.money import pay
from contracts.rejections import Code, Rejection
from services.engine.rules.acts.buy_shares import sold_this_round, too_little_cash
from services.engine.rules.companies.director import changed
from services.engine.rules.companies.floating import float_if_due
from services.engine.rules.companies.starting import in_parliament_only, prices_in, way_in
from services.engine.rules.draft import Draft
from services.engine.rules.joining.price import joined_par
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import directors_kind, is_public, moves, publics
from services.engine.rules.shares.limits import certificate_objection, holding_objection
from services.engine.rules.shares.market import started
from services.engine.rules.track.surveys import home_is_free
from services.engine.rules.turns import has_bought
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table

STOCK = "stock"
"""The kind of round in which a player may start a company on his turn."""
NOT_YET = {
    "waiting": "{} cannot be started yet.",
    "closed": "{} is out of the game.",
}


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """Each company that may be started, at each price that can be paid; none after a purchase."""
    turn = current_turn(table)
    if in_parliament_only(ruleset) or (turn is not None and has_bought(ruleset, turn)):
        return
    for company in publics(table):
        kind = directors_kind(table, company, OFFERING)
        if table.charters[company].status == "open" and kind is not None:
            for price in prices_in(ruleset, STOCK):
                if shares_of(kind) * price <= table.cash[who]:
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
        yield not_to_be_started(ruleset, table, company)
        return
    if in_parliament_only(ruleset):
        yield refused(
            ruleset, Code.NOT_ALLOWED, "starting", "Companies start in parliament rounds only."
        )
    yield from not_a_start_price(ruleset, command)
    yield from no_home(ruleset, table, company)
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


def not_to_be_started(
    ruleset: Ruleset, table: Table, company: CompanyId, topic: str = "starting"
) -> Rejection:
    """The refusal to start a company that is started, waits for its time, or is out of the game."""
    status = table.charters[company].status
    sentence = NOT_YET.get(status, "The director's certificate of {} is sold.").format(company)
    code = Code.NOT_ON_SALE if status in NOT_YET else Code.ALREADY_STARTED
    return refused(ruleset, code, topic, sentence)


def no_home(ruleset: Ruleset, table: Table, company: CompanyId) -> Iterator[Rejection]:
    """A company may have to be able to place its home token, where homes are not kept (3.2)."""
    if ruleset.facts.token_rules.homes_kept or home_is_free(ruleset, table, company):
        return
    yield refused(
        ruleset,
        Code.NO_FREE_SLOT,
        "home of a start",
        f"{company} could not place its home token.",
        "Its home has no circle free, and no upgrade there is now would make one.",
    )


def not_a_start_price(ruleset: Ruleset, command: StartCompany) -> Iterator[Rejection]:
    """A company starts on one of the spaces for it."""
    prices = prices_in(ruleset, STOCK)
    if command.price not in prices:
        yield refused(
            ruleset,
            Code.BAD_PRICE,
            "starting",
            f"No company starts at {ruleset.money(command.price)}.",
            f"It may at: {', '.join(ruleset.money(price) for price in sorted(prices))}.",
        )


def performed(ruleset: Ruleset, draft: Draft, who: Party, command: StartCompany) -> None:
    """The director pays for his certificate; the marker goes under any others (3.2.3).

    Where the company keeps the unsold shares it is paid for them, and so for his (6.5.3).
    """
    table, company, player = draft.table, command.company, PlayerId(who)
    way = way_in(ruleset, STOCK)
    to_company = way is not None and way.unsold_shares == "company"
    offered = table.certificates[company][OFFERING]
    certificates = {kind: number for kind, number in offered.items() if is_directors(kind)}
    rest = {kind: number for kind, number in offered.items() if kind not in certificates}
    cost = command.price * sum(shares_of(kind) for kind in certificates)
    draft.emit(
        e.CompanyStarted(
            company=company,
            player=player,
            price=command.price,
            certificates=moves(certificates, OFFERING, player)
            + (moves(rest, OFFERING, company) if to_company else ()),
            payments=pay(player, company if to_company else BANK, cost),
        )
    )
    if way is not None:
        draft.emit(e.ParSet(company, joined_par(ruleset, command.price), way.id))
    draft.emit(changed(company, player), started(ruleset, table, company, command.price))
    float_if_due(ruleset, draft, company)


START = Act(StartCompany, offers, objections, performed)
