"""What a company must build first: room for a token that lies on no circle of a tile (7.2).

It is its home token, or that of a company which it absorbed before that one had built.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from contracts import events as e
from contracts.ids import CompanyId, HexId
from contracts.placed import Token
from contracts.rejections import Code, Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.network.lays import Lay, legal_lays
from services.engine.rules.network.places import (
    FULL_HOMES_WAIT,
    displaced_by_home,
    roomier_lays,
    token_duty,
)
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.track.home import HOME
from services.engine.table.state import Table

ABSORBED: Final = "home of the absorbed"
"""The ruling on tokens taken over from a company that had not built."""
EARLY: Final = "full home"
"""The ruling on when a full home hex is upgraded."""
DISPLACED: Final = "displaced by home"
"""The ruling on the token that gives way."""
DISPLACE: Final = "displace"


class Duty(Struct, frozen=True):
    """What must be done for a token: `lay` a tile on its bare hex, `upgrade` the full one.

    Where no upgrade makes room it must `displace` another, which nobody chooses.
    """

    token: Token
    kind: str

    @property
    def hex(self) -> HexId:
        """Where it must be done."""
        return HexId(self.token.place)


def duty_of(ruleset: Ruleset, table: Table, company: CompanyId) -> Duty | None:
    """What a company must build before anything else in its turn, if there is something."""
    facts = ruleset.facts
    if facts.token_rules.full_home not in FULL_HOMES_WAIT:
        return None
    own_alone = ruleset.rulings.get(ABSORBED) == "built on later"
    for token in table.board.tokens:
        if token.company != company or (own_alone and token.kind != HOME):
            continue
        kind = token_duty(facts, table.board, table.phase, token)
        if kind is not None and (kind == DISPLACE or _lays(ruleset, table, token, kind)):
            return Duty(token, kind)
    return None


def comes_before_joining(ruleset: Ruleset, duty: Duty | None) -> bool:
    """Whether a full home hex is seen to before the company may join another, by ruling."""
    early = ruleset.rulings.get(EARLY) == "upgraded before joining"
    return early and duty is not None and duty.token.slot is None


def lays_for(ruleset: Ruleset, table: Table, duty: Duty) -> tuple[Lay, ...]:
    """The lays that do a duty."""
    return _lays(ruleset, table, duty.token, duty.kind)


def _lays(ruleset: Ruleset, table: Table, token: Token, kind: str) -> tuple[Lay, ...]:
    facts, hex_id = ruleset.facts, HexId(token.place)
    if kind == "lay":
        lays = legal_lays(
            facts, table.board, table.phase, token.company, hex_id=hex_id, needs_route=False
        )
        return tuple(lays)
    return roomier_lays(facts, table.board, table.phase, token.company, hex_id)


def other_build(
    ruleset: Ruleset, table: Table, company: CompanyId, lay: Lay | None
) -> Iterator[Rejection]:
    """What a duty says against another lay, or against anything else that is built."""
    duty = duty_of(ruleset, table, company)
    if duty is not None and lay not in lays_for(ruleset, table, duty):
        yield must_build(ruleset, company, duty)


def must_build(ruleset: Ruleset, company: CompanyId, duty: Duty) -> Rejection:
    """The refusal of anything but what must be built."""
    legal = "Lay a tile there." if duty.kind == "lay" else "Upgrade it so that there is room."
    return refused(
        ruleset,
        Code.HOME_FIRST,
        "home token",
        f"The token of {company} in {duty.hex} lies on no circle of a tile yet.",
        legal,
    )


def displaced(ruleset: Ruleset, draft: Draft, duty: Duty) -> None:
    """The token takes the circle of another, which is free to be placed again (7.2)."""
    by_slot = ruleset.rulings.get(DISPLACED) == "last slot"
    other = displaced_by_home(draft.table.board, duty.hex, by_slot=by_slot)
    own = duty.token
    draft.emit(
        e.TokenRemoved(other.company, other.place, "charter"),
        e.TokenPlaced(Token(own.company, own.place, other.city, other.slot, own.kind), None, ()),
    )
