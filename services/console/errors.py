"""What can go wrong in the console, each with the exit code that says so.

0 all is well; 1 refused, or differences were found; 2 the call or what it was given is wrong;
3 the store or a service cannot be reached or started.
"""


class ConsoleError(Exception):
    """A command cannot be carried out; the message is for the person who typed it."""

    exit_code = 2


class RefusedError(ConsoleError):
    """The table refused a command."""

    exit_code = 1


class BadInputError(ConsoleError):
    """What was typed, or the file that was named, cannot be used."""

    exit_code = 2


class UnreachableError(ConsoleError):
    """The store or a service is not there, does not answer, or cannot be started."""

    exit_code = 3
