"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from services.console.errors import BadInputError

AsJson = Annotated[bool, Parameter(name="--json", negative="")]
Data = Annotated[Path | None, Parameter(name="--data")]
Flag = Annotated[bool, Parameter(negative="")]
TokenOption = Annotated[str | None, Parameter(name="--token", allow_leading_hyphen=True)]


def listed(option: str, what: str, text: str | None) -> list[str]:
    """The names in an option that lists some; one that is given has to name at least one.

    An option that narrows something down must not widen it because it came out empty.

    >>> listed("--only", "seat", "ann, bob"), listed("--only", "seat", None)
    (['ann', 'bob'], [])
    """
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    if text is not None and not names:
        raise BadInputError(f"{option}: name at least one {what}, or leave {option} out.")
    return names
