"""Records of older encodings, read as they are written today.

Each log entry names the number of its record's encoding. While a field is only ever added at the
end with a default, the number stays and nothing has to be done here. When a meaning has to change,
the number (`records.FORMAT`) is raised and a step is added to `STEPS`: a pure function from the
record's plain arrays in one encoding to those in the next. Logs are never rewritten, so digests,
which cover the bytes as they were written, go on holding. As long as the number is 1 there is no
step.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from contracts.records import FORMAT, Record, decode

Step = Callable[[list[Any]], list[Any]]

STEPS: Final[Mapping[int, Step]] = {}
"""By the number of an encoding: what makes the next encoding of it."""


class UnknownFormatError(ValueError):
    """A record in an encoding that this release cannot read."""

    def __init__(self, number: int, newest: int) -> None:
        """Say which encoding it is and which are known."""
        super().__init__(
            f"The record is written in encoding {number}; this release reads 1 to {newest}."
        )
        self.number = number


def read(
    number: int, body: bytes, *, steps: Mapping[int, Step] = STEPS, newest: int = FORMAT
) -> Record:
    """The record that was written in an encoding; raises `msgspec.DecodeError` if it was not."""
    if number == newest:
        return decode(body)
    if not 1 <= number < newest:
        raise UnknownFormatError(number, newest)
    plain = msgspec.msgpack.decode(body)
    for older in range(number, newest):
        plain = steps[older](plain)
    return msgspec.convert(plain, Record)
