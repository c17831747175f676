"""What the box of a title holds for a number of players: companies, certificates, trains."""

from collections.abc import Iterator

from contracts.ids import (
    BOX,
    OFFERING,
    CertificateKind,
    CompanyId,
    Party,
    TrainId,
    TrainKind,
)
from contracts.pieces import Charter, Holdings, Train
from contracts.titles.facts import Public, TrainCard
from services.engine.rules.companies.groups import COMPANIES, REMOVED, START, WAITING, column, dealt
from services.engine.rules.companies.permits import DRAWN, PERMIT
from services.engine.rules.ruleset import Ruleset
from services.engine.table.state import Table

FEW = 4
"""The most players with whom the shorter game has the trains of the short one (11.2)."""


def lots_to_draw(ruleset: Ruleset, players: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What is drawn by lot before anything is set out: a purpose, and what is shuffled."""
    setup = ruleset.facts.setup
    if not setup.company_groups:
        return
    yield COMPANIES, tuple(ruleset.facts.publics)
    permits = setup.permits[ruleset.variants["train types"]]
    if permits:
        numbers = permits[column(ruleset, players)]
        yield DRAWN, tuple(kind for kind, number in numbers.items() for _ in range(number))


def companies(ruleset: Ruleset, table: Table) -> Iterator[tuple[CompanyId, Holdings, Charter]]:
    """Every company: where its certificates lie and what its charter says at the start."""
    for private in ruleset.facts.privates:
        holdings: Holdings = {OFFERING: {CertificateKind("1d"): 1}}
        yield private, holdings, Charter("private", "open", whole=1, tokens=0)
    drawn = table.lots.get(COMPANIES)
    groups = {} if drawn is None else dealt(ruleset, len(table.order), drawn.outcome)
    status = {START: "open", REMOVED: "closed"}
    for id, public in ruleset.facts.publics.items():
        group = groups.get(id, START)
        place = BOX if group == REMOVED else OFFERING
        charter = Charter(
            kind="public",
            status=status.get(group, WAITING),
            whole=whole_of(public),
            tokens=len(public.tokens),
        )
        yield id, {place: printed_certificates(public)}, charter


def first_counters(ruleset: Ruleset, table: Table) -> dict[Party, dict[str, int]]:
    """The permit of each company that plays (2.4.1)."""
    companies, permits = table.lots.get(COMPANIES), table.lots.get(DRAWN)
    if companies is None or permits is None:
        return {}
    groups = dealt(ruleset, len(table.order), companies.outcome)
    # Permits left over are put away unseen.
    return {
        CompanyId(Party(company)): {PERMIT + permit: 1}
        for company, permit in zip(companies.outcome, permits.outcome, strict=False)
        if groups[CompanyId(Party(company))] != REMOVED
    }


def supply(ruleset: Ruleset, players: int) -> tuple[Train, ...]:
    """The trains that the bank has to sell, in the order of sale."""
    return tuple(
        Train(TrainId(f"{kind}-{number}"), TrainKind(kind))
        for kind, card in ruleset.facts.trains.items()
        for number in range(printed_trains(ruleset, card, players))
    )


def printed_trains(ruleset: Ruleset, card: TrainCard, players: int) -> int:
    """How many cards of a kind there are, with those that variants add; none of one without end."""
    if card.count is None:
        return 0
    added = (number for variant, number in card.more.items() if ruleset.variants[variant] == "yes")
    return card.counts.get(length_of(ruleset, players), card.count) + sum(added)


def length_of(ruleset: Ruleset, players: int) -> str:
    """How long a game is played: `standard`, or a length that has its own numbers of trains."""
    if ruleset.variants.get("shorter game") == "yes":
        return "short" if players <= FEW else "standard"
    return ruleset.variants.get("length", "standard")


def whole_of(public: Public) -> int:
    """How many shares make the company: its smallest certificate is one share."""
    return 100 // min(public.certificates)


def printed_certificates(public: Public) -> dict[CertificateKind, int]:
    """The company's certificates by kind; the first printed is the director's."""
    share = min(public.certificates)
    kinds: dict[CertificateKind, int] = {}
    for place, percent in enumerate(public.certificates):
        kind = CertificateKind(f"{percent // share}{'' if place else 'd'}")
        kinds[kind] = kinds.get(kind, 0) + 1
    return kinds
