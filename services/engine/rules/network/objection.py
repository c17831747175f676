"""A reasoned refusal: a code for programs, a sentence for people, the section of the rules."""

from msgspec import Struct


class Objection(Struct, frozen=True):
    """Why something about track, tokens or runs is not allowed."""

    code: str
    because: str
    rule: str
