"""The rules of one table: facts of its title, its variants, its rulings.

Families pick their phrase from the facts (`families/`), so nothing here or below asks which title
it serves.
"""

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from contracts.commands import OpenTable
from contracts.ids import AreaId
from contracts.rejections import Code, Rejection
from contracts.titles.facts import Facts, Option
from contracts.titles.load import FactsError, facts, titles
from services.engine.table.state import Table

RULING_SET = "set"
"""Key of `OpenTable.rulings` that picks a named set of the title's rulings."""


class Ruleset(Struct, frozen=True, eq=False):
    """Facts of a title with everything that may be chosen, chosen."""

    facts: Facts
    rulings: dict[str, str]
    variants: dict[str, str]

    def section(self, topic: str) -> str:
        """Where the title's rulebook speaks of a topic, as `<title> <section>`."""
        return f"{self.facts.title.id} {self.facts.sections[topic]}"

    def money(self, amount: int) -> str:
        """An amount as the title writes it."""
        return f"{self.facts.title.currency}{amount:,}"


def refused(ruleset: Ruleset, code: Code, topic: str, sentence: str, legal: str = "") -> Rejection:
    """A rejection that cites the title's own rule on a topic."""
    return Rejection(code, ruleset.section(topic), sentence, legal)


@lru_cache(maxsize=64)
def _composed(
    title: str, rulings: tuple[tuple[str, str], ...], variants: tuple[tuple[str, str], ...]
) -> Ruleset:
    read = facts(title)
    # A table opened before a ruling or variant had a name plays by its default.
    ruled = {id: option.default for id, option in read.rulings.items()} | dict(rulings)
    varied = {id: option.default for id, option in read.variants.items()} | dict(variants)
    return Ruleset(_ruled(read, ruled), ruled, varied)


def _ruled(read: Facts, rulings: dict[str, str]) -> Facts:
    """The facts of a title as the rulings of a table have them: areas taken apart (`Option`)."""
    areas, hexes = dict(read.map.areas), dict(read.map.hexes)
    for id, option in read.rulings.items():
        for hex_id in option.apart.get(rulings[id], ()):
            ends = []
            for end in hexes[hex_id].offboard:
                own = AreaId(f"{end.area} {hex_id}")
                areas[own] = replace(areas[end.area], id=own)
                ends.append(replace(end, area=own))
            hexes[hex_id] = replace(hexes[hex_id], offboard=tuple(ends))
    if areas == read.map.areas:
        return read
    return replace(read, map=replace(read.map, areas=areas, hexes=hexes))


def composed(title: str, rulings: dict[str, str], variants: dict[str, str]) -> Ruleset:
    """The ruleset of a title with all rulings and variants named; the same object each time."""
    return _composed(title, tuple(sorted(rulings.items())), tuple(sorted(variants.items())))


def ruleset_of(table: Table) -> Ruleset:
    """The ruleset that a table was opened with."""
    return composed(table.title, table.rulings, table.variants)


def ruleset_for(command: OpenTable) -> Ruleset | Rejection:
    """The ruleset that a command to open a table asks for, or what is wrong with it."""
    known = ", ".join(titles())
    if command.title not in titles():
        return Rejection(
            Code.UNKNOWN_TITLE, "design", f"There is no title {command.title}.", f"Known: {known}."
        )
    try:
        title = facts(command.title)
    except FactsError as error:
        return Rejection(Code.UNKNOWN_TITLE, "design", str(error))
    if command.edition not in (None, title.title.edition):
        return Rejection(
            Code.UNKNOWN_EDITION,
            "design",
            f"{command.title} has no edition {command.edition} of its facts.",
            f"There is edition {title.title.edition}.",
        )
    wanted = dict(command.rulings)
    name = wanted.pop(RULING_SET, None)
    if name is not None and name not in title.ruling_sets:
        return _unknown(Code.UNKNOWN_RULING, "ruling set", name, title.ruling_sets)
    base = title.ruling_sets[name] if name is not None else {}
    rulings = _chosen(title.rulings, {**base, **wanted}, Code.UNKNOWN_RULING, "ruling")
    variants = _chosen(title.variants, command.variants, Code.UNKNOWN_VARIANT, "variant")
    if isinstance(rulings, Rejection):
        return rulings
    if isinstance(variants, Rejection):
        return variants
    excluded = _excluded(title, variants)
    if excluded is not None:
        return excluded
    return composed(command.title, rulings, variants)


def _excluded(title: Facts, variants: dict[str, str]) -> Rejection | None:
    """What is wrong with variants that do not go together."""
    for id, option in title.variants.items():
        for other, allowed in option.needs.get(variants[id], {}).items():
            if variants[other] not in allowed:
                return Rejection(
                    Code.EXCLUDED_VARIANTS,
                    f"{title.title.id} {option.section}",
                    f"With {id} = {variants[id]} the variant {other} cannot be {variants[other]}."
                    f" {option.because}".rstrip(),
                    f"It may be: {', '.join(allowed)}.",
                )
    return None


def _chosen(
    options: dict[str, Option], wanted: dict[str, str], code: Code, what: str
) -> dict[str, str] | Rejection:
    """All options with the choice made of each, or what is wrong with a choice."""
    for id, choice in wanted.items():
        if id not in options:
            return _unknown(code, what, id, options)
        if choice not in options[id].options:
            allowed = ", ".join(options[id].options)
            return Rejection(
                code, "design", f"The {what} {id} cannot be {choice}.", f"It may be: {allowed}."
            )
    return {id: wanted.get(id, option.default) for id, option in options.items()}


def _unknown(
    code: Code, what: str, id: str, known: dict[str, Option] | dict[str, dict[str, str]]
) -> Rejection:
    """A ruling, variant or set that the title does not have."""
    names = ", ".join(known) or "none"
    return Rejection(code, "design", f"There is no {what} {id}.", f"Known: {names}.")
