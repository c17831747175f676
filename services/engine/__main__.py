"""Run the engine: `python -m services.engine --redis redis://localhost:6379/0`."""

import os
import sys

from services.engine.app import serve
from services.engine.process import failed, run
from services.engine.settings import SettingsError, settings


def main() -> int:
    """Run the engine and give its exit code."""
    try:
        found = settings("python -m services.engine", sys.argv[1:], os.environ)
    except SettingsError as error:
        return failed(error)
    return run(serve(found))


if __name__ == "__main__":
    sys.exit(main())
