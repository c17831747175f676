"""What a coloured zone of the market changes. Each zone has the effects of the ones before it."""

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Final

from contracts.titles.facts import Facts
from services.engine.rules.families.marker_moves import Cell
from services.engine.rules.families.phrase import picked


class Effect(Enum):
    """What holds for the shares of a company whose marker lies in a zone."""

    UNCOUNTED = "its certificates do not count towards the certificate limit"
    UNLIMITED = "a player may hold more than the holding limit"
    SEVERAL = "several certificates may be bought in one turn"
    FORGIVES_ONE = "the first share that an outsider sells does not count"
    FORGIVES_TWO = "the first two shares that an outsider sells do not count"


ZONE_EFFECTS: Final[Mapping[str, Effect]] = {
    "its certificates do not count towards the certificate limit": Effect.UNCOUNTED,
    "a player may hold more than 60%": Effect.UNLIMITED,
    "several certificates may be bought from the pool in one turn": Effect.SEVERAL,
    "the first share sold by another than the director does not count": Effect.FORGIVES_ONE,
    "the first two shares sold by another than the director do not count": Effect.FORGIVES_TWO,
}


def are_there(facts: Facts, effect: Effect) -> bool:
    """Whether a title's market has a zone with an effect."""
    phrases = facts.market.zone_effects.values()
    return any(picked("zone effects", ZONE_EFFECTS, phrase) is effect for phrase in phrases)


@lru_cache(maxsize=4096)
def effects_at(facts: Facts, cell: Cell) -> frozenset[Effect]:
    """The effects that hold on a space of the market."""
    gathered: list[Effect] = []
    for zone, phrase in facts.market.zone_effects.items():
        gathered.append(picked("zone effects", ZONE_EFFECTS, phrase))
        if cell in facts.market.zones[zone]:
            return frozenset(gathered)
    return frozenset()
