"""Run the notifier: `python -m services.notifier --redis redis://localhost:6379/0`."""

import os
import sys

from services.notifier.app import serve
from services.notifier.sealing import SealError
from services.notifier.settings import settings
from services.running.process import failed, run
from services.running.settings import SettingsError


def main() -> int:
    """Run the notifier and give its exit code; what went wrong is said in words."""
    try:
        found = settings(sys.argv[1:], os.environ)
    except SettingsError as error:
        return failed(error)
    return run("notifier", found, lambda standing: serve(found, standing), errors=(SealError,))


if __name__ == "__main__":
    sys.exit(main())
