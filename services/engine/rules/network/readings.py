"""How a rulebook's open points about several trains of a company are read (design law 8)."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from contracts.titles.facts import Facts

DISJOINT: Final = "trains share no track"
UNITED: Final = "stations score once, runs hang together from home"
KINDS: Final = (DISJOINT, UNITED)
"""The phrases for how several trains of a company run together."""

ANY_ENTRY: Final = "any"
USED_ENTRY: Final = "used"
HEX_ENTERED: Final = "hex entered"


class Readings(Struct, frozen=True):
    """The rulings that matter for runs; what they say by default is the rulebook's letter.

    `entry` is where a freight's distance to an area is counted from. With `permanents_apart` only
    freights that rust need to form one chain. With `any_stop_joins` runs may meet at small stations
    and areas too. With `may_idle` a train that could run may stand.
    """

    entry: str = ANY_ENTRY
    permanents_apart: bool = False
    any_stop_joins: bool = False
    may_idle: bool = False


RULEBOOK: Final = Readings()


def readings_of(rulings: Mapping[str, str]) -> Readings:
    """The readings that a table's rulings ask for."""
    return Readings(
        entry=rulings.get("freight entry", ANY_ENTRY),
        permanents_apart=rulings.get("permanent freights") == "may run apart",
        any_stop_joins=rulings.get("runs meet") == "any stop",
        may_idle=rulings.get("idle trains") == "may stand",
    )


def runs_are_united(facts: Facts) -> bool:
    """Whether trains may share track and score each station once, else they share none."""
    kind = facts.running.kind
    if kind not in KINDS:
        raise ValueError(f"No way of running is called {kind!r}; known: {', '.join(KINDS)}.")
    return kind == UNITED
