"""The console's entrance, until the whole of it is there: it knows `test` only."""

import sys


def main(arguments: list[str]) -> int:
    """Run the command that the first argument names."""
    match arguments:
        case ["test", *rest]:
            from services.console import test_command

            return test_command.run(rest)
        case _:
            print("usage: minutebook test [arguments of pytest]")
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
