"""The command line: one command, one file in `commands/`.

Exit codes: 0 all is well; 1 refused, or differences were found; 2 the call or what it was given is
wrong; 3 the store or a service cannot be reached or started; 4 a fault in Minutebook itself.
"""

import signal
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from cyclopts import App
from cyclopts.exceptions import CycloptsError

from contracts.people import composed, is_composed
from services.console.catalogue import commands
from services.console.explain import INTERRUPTED, WRONG_INPUT, explained, is_debugging
from services.console.screen import err


def console() -> App:
    """The console with all its commands."""
    app = App(
        name="minutebook",
        help="An event-sourced game service for 18xx railway games.",
        help_epilogue="`minutebook COMMAND --help` tells more and gives an example.",
        help_format="markdown",
        version=lambda: version("minutebook"),
        error_console=err,
        error_formatter=_told,
    )
    for place, command in enumerate(commands()):
        example = f"Example: `minutebook {command.example}`"
        app.command(command.run, name=command.name, help_epilogue=example, sort_key=place)
    return app


def _composed(argument: str) -> str:
    """An argument as names are written, however it was typed: é is one character, not two.

    Not so what names a file that is there, as files are called as they are called.
    """
    if is_composed(argument) or any(map(_is_there, (argument, argument.partition("=")[2]))):
        return argument
    return composed(argument)


def _is_there(path: str) -> bool:
    try:
        return bool(path) and Path(path).exists()
    except OSError:
        # Too long for a path, so it is a text.
        return False


def _told(error: CycloptsError) -> str:
    """A wrong call in one line."""
    command = " ".join(error.command_chain or ())
    return f"{error} (See: minutebook {command} --help)".replace("  ", " ")


def main(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name; give the exit code."""
    try:
        code = console()(
            list(map(_composed, arguments)),
            exit_on_error=False,
            print_error=True,
            result_action="return_value",
        )
    except CycloptsError:
        return WRONG_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        sys.stdout = None
        return 0
    except Exception as error:
        if is_debugging():
            raise
        message, code = explained(error)
        err.print(message, markup=False)
        return code
    return code if isinstance(code, int) else 0


def _interrupted(number: int, frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    # A request to end is treated as an interrupt is: everything that was started is stopped.
    signal.signal(signal.SIGTERM, _interrupted)
    sys.exit(main(sys.argv[1:]))
