"""Buying shares from the offering, the pool or the company."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.commands import BuyShares
from contracts.frames import Turn
from contracts.ids import BANK, OFFERING, POOL, CompanyId, Party, PlayerId, shares_of
from contracts.money import pay
from contracts.pieces import Certificates
from contracts.rejections import Code, Rejection
from services.engine.rules.companies.director import review
from services.engine.rules.companies.floating import float_if_due
from services.engine.rules.draft import Draft
from services.engine.rules.families.zone_effects import Effect, are_there
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.shares.counting import held, is_public, ordinary, price_in, publics
from services.engine.rules.shares.limits import certificate_objection, holding_objection
from services.engine.rules.shares.market import has_effect
from services.engine.rules.turns import has_bought
from services.engine.table.agenda import current_round, current_turn
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """One certificate of each kind on sale; in a zone that allows several, each number.

    Only what can be paid; and after a purchase, only what may be bought beside it.
    """
    turn = current_turn(table)
    is_first = turn is None or not has_bought(ruleset, turn)
    for company in publics(table):
        if table.charters[company].par is None:
            continue
        for source in (OFFERING, POOL, company):
            several = may_be_several(ruleset, table, company, source)
            if not (is_first or several):
                continue
            price = price_in(table, company, source)
            for kind, number in ordinary(held(table, company, source)).items():
                most = number if several else 1
                for count in range(1, most + 1):
                    if count * shares_of(kind) * price > table.cash[who]:
                        break
                    yield Offer(BuyShares(company, source, {kind: count}))


def may_be_several(ruleset: Ruleset, table: Table, company: CompanyId, source: Party) -> bool:
    """Whether any number may be bought from there in one turn (3.2.3, variant "brown shares")."""
    if not has_effect(ruleset, table, company, Effect.SEVERAL):
        return False
    return source == POOL or ruleset.variants["brown shares"] == "pool and offering"


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: BuyShares
) -> Iterator[Rejection]:
    """What speaks against a purchase (3.2.3 to 3.2.5)."""
    player, company, taken = PlayerId(who), command.company, command.taken
    if not is_public(table, company):
        yield refused(
            ruleset, Code.NO_SUCH_COMPANY, "buying", f"{company} is no company with shares."
        )
        return
    if table.charters[company].par is None:
        yield refused(
            ruleset,
            Code.NOT_STARTED,
            "buying",
            f"{company} has not been started.",
            "Its director's certificate comes first.",
        )
        return
    if not is_on_sale(table, command):
        yield refused(
            ruleset,
            Code.NOT_ON_SALE,
            "buying",
            f"These certificates of {company} are not on sale in the {command.source}.",
            f"There: {in_words(ordinary(held(table, company, command.source)))}.",
        )
        return
    yield from bought_before(ruleset, table, command)
    yield from sold_this_round(ruleset, table, player, company)
    number, shares = sum(taken.values()), shares_in(taken)
    for refusal in (
        certificate_objection(ruleset, table, player, company, number),
        holding_objection(ruleset, table, player, company, shares),
    ):
        if refusal is not None:
            yield refusal
    price = shares * price_in(table, company, command.source)
    yield from too_little_cash(ruleset, table, player, price)


def in_words(certificates: Certificates) -> str:
    """Certificates as a person reads them."""
    return ", ".join(f"{number} of {kind}" for kind, number in certificates.items()) or "none"


def is_on_sale(table: Table, command: BuyShares) -> bool:
    """Whether the certificates lie where they are to be bought; a director's is never bought so."""
    if command.source not in (OFFERING, POOL, command.company) or not command.taken:
        return False
    there = ordinary(held(table, command.company, command.source))
    return all(0 < number <= there.get(kind, 0) for kind, number in command.taken.items())


def bought_before(ruleset: Ruleset, table: Table, command: BuyShares) -> Iterator[Rejection]:
    """One certificate a turn; several of one company where its zone allows it (3.2.3, 2.11)."""
    turn = current_turn(table)
    before = turn.bought if isinstance(turn, Turn) else ()
    is_first = not isinstance(turn, Turn) or not has_bought(ruleset, turn)
    if is_first and sum(command.taken.values()) == 1:
        return
    sources = {command.source, *(purchase.source for purchase in before)}
    if {purchase.company for purchase in before} <= {command.company} and all(
        may_be_several(ruleset, table, command.company, source) for source in sources
    ):
        return
    legal = "Several of one company only where its marker lies in a zone that allows it."
    yield refused(
        ruleset,
        Code.ALREADY_BOUGHT,
        "bought before",
        "One certificate is bought in a turn.",
        legal if are_there(ruleset.facts, Effect.SEVERAL) else "",
    )


def sold_this_round(
    ruleset: Ruleset, table: Table, player: PlayerId, company: CompanyId
) -> Iterator[Rejection]:
    """What a player sold in this round he may not buy in it (3.2.4)."""
    playing = current_round(table)
    if playing is not None and playing.sold.get(player, {}).get(company):
        yield refused(
            ruleset,
            Code.SOLD_THIS_ROUND,
            "sold this round",
            f"{player} has sold {company} in this round.",
            "It may be bought from the next stock round on.",
        )


def too_little_cash(
    ruleset: Ruleset, table: Table, player: PlayerId, price: int
) -> Iterator[Rejection]:
    """Everything is paid at once."""
    cash = table.cash[player]
    if cash < price:
        yield refused(
            ruleset,
            Code.TOO_LITTLE_CASH,
            "buying",
            f"It costs {ruleset.money(price)}; {player} has {ruleset.money(cash)}.",
        )


def bought(ruleset: Ruleset, draft: Draft, who: Party, command: BuyShares) -> None:
    """The bank or the company is paid; a director may change, the company float (3.2.7, 3.2.8)."""
    price = shares_in(command.taken) * price_in(draft.table, command.company, command.source)
    payee = command.company if command.source == command.company else BANK
    draft.emit(
        e.SharesBought(
            who=who,
            company=command.company,
            source=command.source,
            taken=command.taken,
            given={},
            payments=pay(who, payee, price),
        )
    )
    review(ruleset, draft, command.company)
    float_if_due(ruleset, draft, command.company)


BUY = Act(BuyShares, offers, objections, bought)
