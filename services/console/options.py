"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

AsJson = Annotated[bool, Parameter(name="--json", negative="")]
Data = Annotated[Path | None, Parameter(name="--data")]
Flag = Annotated[bool, Parameter(negative="")]
TokenOption = Annotated[str | None, Parameter(name="--token", allow_leading_hyphen=True)]
