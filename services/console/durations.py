"""Lengths of time as people write them: `90m`, `24h`, `3d`, `1d12h`."""

import re
from collections.abc import Mapping
from typing import Final

from services.console.errors import BadInputError

UNITS: Final[Mapping[str, int]] = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
"""Seconds of each unit, the longest first."""
FORM: Final = "a number and w, d, h, m or s: 90m, 24h, 3d or 1d12h"

_WHOLE = re.compile("".join(rf"(?:(\d{{1,6}}){unit})?" for unit in UNITS), re.ASCII)


def seconds(text: str, what: str) -> int:
    """The seconds of a length of time; `what` names the option in the error.

    >>> seconds("90m", "--turn-time"), seconds("1d12h", "--bank"), seconds("0", "--increment")
    (5400, 129600, 0)
    """
    plain = text.strip()
    if plain == "0":
        return 0
    found = _WHOLE.fullmatch(plain)
    if found is None or not plain:
        raise BadInputError(f"{what}: {text!r} is no length of time; write {FORM}.")
    numbers = zip(UNITS.values(), found.groups(), strict=True)
    return sum(unit * int(number) for unit, number in numbers if number)


def in_words(length: int) -> str:
    """A number of seconds as it would be written, in days at most; whole minutes if it is long.

    >>> in_words(129_600), in_words(5_400), in_words(59), in_words(0), in_words(90_061)
    ('1d12h', '1h30m', '59s', '0s', '1d1h1m')
    """
    if length < 0:
        return f"-{in_words(-length)}"
    left = length - length % 60 if length >= UNITS["h"] else length
    parts: list[str] = []
    for name, unit in UNITS.items():
        number, left = (0, left) if name == "w" else divmod(left, unit)
        if number:
            parts.append(f"{number}{name}")
    return "".join(parts) or "0s"
