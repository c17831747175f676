"""What a trace tells of companies that are started by charter, dealt into groups, and join."""

from collections.abc import Iterator, Mapping
from typing import Any

from contracts.frames import Merging, Question, TokensToBuy
from contracts.ids import BOX, CompanyId, HexId, Money, PlayerId
from contracts.pieces import Train
from services.engine.rules.groups import REMOVED, groups_of
from services.engine.rules.permits import permits_of
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.starting import way_in
from services.engine.table.agenda import topmost
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


def of_charter(ruleset: Ruleset, table: Table, company: CompanyId) -> Mapping[str, Any]:
    """Permits, and whether it has its charter from parliament; nothing where there is neither."""
    chartered = by_charter(ruleset)
    if chartered is None:
        return {}
    charter = table.charters[company]
    return {
        "permits": list(permits_of(table, company)),
        "chartered": charter.column == chartered or charter.bound is not None,
    }


def par_of(ruleset: Ruleset, table: Table, company: CompanyId) -> Money | None:
    """A company's par; the site shows the market's price for one that is paid for its shares."""
    charter, chartered = table.charters[company], by_charter(ruleset)
    marker = table.markers.get(company)
    if chartered in (None, charter.column) or marker is None:
        return charter.par
    return marker.price


def shares_kept(table: Table, company: CompanyId) -> Mapping[str, Any]:
    """Shares in a company's treasury, as the site has them while companies join.

    It puts those of both companies into the hands of the one whose turn it is.
    """
    merging = topmost(table.agenda, Merging)
    own = _percent(table, company, company)
    if merging is None or merging.absorbed is None:
        return {"treasury": own}
    if company not in (merging.survivor, merging.absorbed):
        return {"treasury": own}
    if company != merging.operator:
        return {"treasury": 0}
    other = merging.absorbed if company == merging.survivor else merging.survivor
    held = _percent(table, other, other)
    return {"treasury": own, "holds": {other: held}} if held else {"treasury": own}


def _percent(table: Table, company: CompanyId, holder: CompanyId) -> int:
    shares = shares_in(table.certificates[company].get(holder, {}))
    return shares * 100 // table.charters[company].whole


def place_names(places: Iterator[str], link: HexId | None, areas: frozenset[str]) -> list[str]:
    """Where tokens lie, an area being the hex of it that the site has put the token on."""
    return sorted(link if place in areas and link is not None else place for place in places)
