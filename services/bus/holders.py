"""Processes by the names that they give themselves in the store: host, number and more."""

import os
import socket


def is_dead(name: str) -> bool:
    """Whether a holder was a process of this host that is no more.

    Of a process of another host, and of a number that another process has by now, nothing is known.
    """
    host, _, rest = name.partition("/")
    number, _, _ = rest.partition("/")
    if host != socket.gethostname() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
