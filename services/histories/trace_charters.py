"""What a trace tells of companies that are started by charter, dealt into groups, and join."""

from collections.abc import Iterator, Mapping
from typing import Any

from contracts.frames import Frame, Merging, OptionShare, Procedure, Question, TokensToBuy
from contracts.ids import BOX, CompanyId, HexId, Money, PlayerId
from contracts.pieces import Train
from services.engine.rules.companies.groups import REMOVED, groups_of
from services.engine.rules.companies.permits import permits_of
from services.engine.rules.companies.starting import way_in
from services.engine.rules.procedures.merging import TOKENS
from services.engine.rules.ruleset import Ruleset
from services.engine.table.agenda import top, topmost
from services.engine.table.on_money import shares_in
from services.engine.table.state import Table

PARLIAMENT = "parliament"
"""The kind of round in which charters are won."""


def by_charter(ruleset: Ruleset) -> str | None:
    """The way to start a company by a charter, if there is one."""
    way = way_in(ruleset, PARLIAMENT)
    return None if way is None else way.id


def in_the_game(table: Table, company: CompanyId) -> bool:
    """Whether a company is not out of the game: put away at setup, or when it cannot start."""
    return BOX not in table.certificates[company]


def dealt(ruleset: Ruleset, table: Table) -> Iterator[CompanyId]:
    """The companies for which somebody may be under obligation, where there are obligations."""
    if by_charter(ruleset) is not None:
        yield from (id for id, group in groups_of(ruleset, table).items() if group != REMOVED)


def bound_to(table: Table, player: PlayerId) -> Iterator[CompanyId]:
    """The companies that a player is under obligation for."""
    return (id for id, charter in table.charters.items() if charter.bound == player)


def train_name(ruleset: Ruleset, train: Train) -> str:
    """What the site calls a train: its side's name, and a star for each warranty."""
    card = ruleset.facts.trains[train.kind]
    side = train.kind if train.side is None else card.sides[train.side].name
    return side + "*" * train.warranties


def tokens_left(ruleset: Ruleset, table: Table, company: CompanyId) -> int:
    """The tokens that a company has not placed, as the site counts them before they are bought."""
    charter, chartered = table.charters[company], way_in(ruleset, PARLIAMENT)
    bought = charter.status == "floated" and not are_to_be_bought(table, company)
    if chartered is None or bought:
        return charter.tokens
    way = chartered if charter.column is None else ruleset.facts.starting[charter.column]
    return way.tokens[0]


def are_to_be_bought(table: Table, company: CompanyId) -> bool:
    """Whether it is just being asked how many tokens a company buys."""
    return any(
        isinstance(frame, Question) and frame.matter == TokensToBuy(company)
        for frame in table.agenda
    )


def of_charter(
    ruleset: Ruleset, table: Table, company: CompanyId, *, chartered: bool
) -> Mapping[str, Any]:
    """Permits, and whether it has its charter from parliament; nothing where there is neither."""
    if by_charter(ruleset) is None:
        return {}
    return {"permits": list(permits_of(table, company)), "chartered": chartered}


def absorbed_now(table: Table) -> tuple[CompanyId, ...]:
    """The company that has just been absorbed, while tokens are still to be settled."""
    merging = topmost(table.agenda, Merging)
    joined = None if merging is None else joined_by(merging)
    return () if joined is None or joined.absorbed is None else (joined.absorbed,)


def joined_by(procedure: Procedure) -> Merging | None:
    """A joining of which only the tokens are still to be settled."""
    is_joined = isinstance(procedure, Merging) and procedure.stage == TOKENS
    return procedure if isinstance(procedure, Merging) and is_joined else None


def is_chartered(ruleset: Ruleset, table: Table, company: CompanyId) -> bool:
    """Whether a company has its charter from parliament."""
    charter = table.charters[company]
    is_written = charter.column is not None and charter.column == by_charter(ruleset)
    return (is_written and company not in absorbed_now(table)) or charter.bound is not None


def par_of(table: Table, company: CompanyId, *, chartered: bool) -> Money | None:
    """A company's par; the site shows the market's price for one that is paid for its shares."""
    charter, marker = table.charters[company], table.markers.get(company)
    if chartered or charter.column is None or marker is None:
        return charter.par
    return marker.price


def shares_kept(table: Table, company: CompanyId) -> Mapping[str, Any]:
    """Shares in a company's treasury: its own, and for a while those of one that it joins."""
    state: dict[str, Any] = {"treasury": _percent(table, company, company)}
    held = {
        other: _percent(table, other, company)
        for other, holdings in table.certificates.items()
        if other != company and company in holdings and table.charters[other].kind == "public"
    }
    return {**state, "holds": held} if held else state


def money_lent(table: Table, company: CompanyId) -> Money:
    """What the site takes from a company to its partner for the companies' own option.

    Both companies pay for that option; the site puts their money together before it asks.
    """
    question, merging = top(table), topmost(table.agenda, Merging)
    if merging is None or merging.absorbed is None or not asks_companies(question):
        return 0
    partner = merging.absorbed if merging.operator == merging.survivor else merging.survivor
    cash = table.cash[partner]
    return cash if company == partner else -cash if company == merging.operator else 0


def asks_companies(frame: Frame | None) -> bool:
    """Whether an option is asked about that companies have themselves."""
    if not isinstance(frame, Question) or not isinstance(frame.matter, OptionShare):
        return False
    return frame.matter.holder not in frame.asked


def _percent(table: Table, company: CompanyId, holder: CompanyId) -> int:
    shares = shares_in(table.certificates[company].get(holder, {}))
    return shares * 100 // table.charters[company].whole


def place_names(places: Iterator[str], link: HexId | None, areas: frozenset[str]) -> list[str]:
    """Where tokens lie, an area being the hex of it that the site has put the token on."""
    return sorted(link if place in areas and link is not None else place for place in places)
