"""Run the engine: `python -m services.engine --redis redis://localhost:6379/0`."""

import os
import sys

from services.engine.app import serve
from services.engine.ports import LeaseLostError
from services.engine.settings import settings
from services.running.process import failed, run
from services.running.settings import SettingsError


def main() -> int:
    """Run the engine and give its exit code."""
    try:
        found = settings("engine", sys.argv[1:], os.environ)
    except SettingsError as error:
        return failed(error)
    return run("engine", found, lambda standing: serve(found, standing), errors=(LeaseLostError,))


if __name__ == "__main__":
    sys.exit(main())
