"""`test`: every check of the project."""

from typing import Annotated, Final

from cyclopts import Parameter

EXAMPLE: Final = "test -k notation"


def test(*arguments: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> int:
    """Run every check of the project: format, lint, types, imports and tests.

    Parameters
    ----------
    arguments
        Handed on to pytest.
    """
    from services.console import test_command

    return test_command.run(list(arguments))
