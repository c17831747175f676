"""Ask a service whether it is ready: `python -m services.running 127.0.0.1:9101`.

For the checks of containers and supervisors, which have no other way to ask. `--health` asks
whether it is alive instead. The exit code is 0 if it is, and 1 with the reasons if it is not.
"""

import http.client
import json
import sys
from collections.abc import Sequence
from typing import Final

from services.running.settings import SettingsError, address

SECONDS_TO_ANSWER: Final = 5.0
WRONG_CALL: Final = 2
USAGE: Final = "python -m services.running HOST:PORT [--health]"


def main(arguments: Sequence[str]) -> int:
    """Ask, say what is wrong, and give the exit code."""
    path = "/health" if "--health" in arguments else "/ready"
    named = [one for one in arguments if one != "--health"]
    if len(named) != 1 or named[0].startswith("-"):
        sys.stderr.write(f"Usage: {USAGE}\n")
        return WRONG_CALL
    try:
        host, port = address(named[0])
    except SettingsError:
        sys.stderr.write(f"{named[0]!r} is no address. Usage: {USAGE}\n")
        return WRONG_CALL
    wrong = problems(host, port, path)
    sys.stderr.writelines(f"{one}\n" for one in wrong)
    return 1 if wrong else 0


def problems(host: str, port: int, path: str) -> list[str]:
    """What a service says is wrong, or that it does not answer; nothing if all is well."""
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS_TO_ANSWER)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status == http.client.OK:
            return []
        return [str(one) for one in json.loads(body)["problems"]]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
        return [f"{host}:{port} does not answer as a service of Minutebook does ({error})."]
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
