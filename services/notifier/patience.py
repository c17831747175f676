"""When a letter that did not arrive is tried again, and when it is given up. Pure."""

from typing import Final

from msgspec import Struct

SECOND: Final = 1_000_000
FIRST_SECONDS: Final = 5
MOST_SECONDS: Final = 3600
ATTEMPTS_MOST: Final = 12
AGE_MOST_SECONDS: Final = 2 * 24 * 3600
"""A letter that has not arrived after this is given up, whatever kept it."""
PAUSE_MOST_SECONDS: Final = 6 * 3600
"""No service may keep letters waiting for longer at a time."""


class Delivered(Struct, frozen=True):
    """It arrived; `pause_seconds` is how long the service wants to be left alone now."""

    pause_seconds: float = 0.0


class Limited(Struct, frozen=True):
    """The service takes no more for the moment; of nobody if it `is_for_all` of its accounts."""

    seconds: float
    is_for_all: bool = False


class Failed(Struct, frozen=True):
    """It did not arrive, and may another time."""

    why: str


class Impossible(Struct, frozen=True):
    """It cannot arrive, now or ever."""

    why: str


Reply = Delivered | Limited | Failed | Impossible


def back_off(attempts: int, chance: float) -> int:
    """Microseconds until the next attempt: doubling, with half of it left to chance (0 to 1).

    >>> [back_off(attempts, 1.0) // SECOND for attempts in (1, 2, 3, 20)]
    [5, 10, 20, 3600]
    >>> back_off(1, 0.0) // 1000
    2500
    """
    whole = min((FIRST_SECONDS << min(attempts - 1, 30)), MOST_SECONDS) * SECOND
    return round(whole * (0.5 + 0.5 * chance))


def pause(seconds: float, chance: float) -> int:
    """Microseconds of a pause that a service asked for; never shorter, a tenth longer by chance.

    >>> pause(2, 0.0), pause(2, 1.0)
    (2000000, 2200000)
    """
    bounded = min(max(seconds, 0.0), PAUSE_MOST_SECONDS)
    return round(bounded * SECOND * (1 + 0.1 * chance))


def is_given_up(attempts: int, made: int, now: int) -> bool:
    """Whether a letter has been tried often or long enough."""
    return attempts >= ATTEMPTS_MOST or now - made > AGE_MOST_SECONDS * SECOND
