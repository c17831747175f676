"""The engine's process with the rules of the purse, for tests that kill it."""

import os
import sys
import time

from services.engine.app import serve
from services.engine.ports import LeaseLostError
from services.engine.settings import settings
from services.running.process import run
from tests.ports.purse import decide


def decide_slowly(table, order):
    """Decide, taking as long as the environment says, so that a kill finds work in hand."""
    time.sleep(float(os.environ.get("PURSE_SECONDS", "0")))
    return decide(table, order)


if __name__ == "__main__":
    found = settings("engine", sys.argv[1:], os.environ)
    sys.exit(
        run(
            "engine",
            found,
            lambda standing: serve(found, standing, decide=decide_slowly),
            errors=(LeaseLostError,),
        )
    )
