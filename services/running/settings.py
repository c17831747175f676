"""Settings that every service has, and how a service's settings are read.

What an argument names goes before what the environment does, and that before the default.
"""

import argparse
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeVar

import msgspec
from msgspec import Struct

PREFIX: Final = "MINUTEBOOK_"
REDIS: Final = "redis://localhost:6379/0"


class SettingsError(Exception):
    """A setting is not what it should be; the message names it."""


class Surroundings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every service is told: `redis` is the store's address, `log_level` what is logged.

    `http` is where it answers to who asks how it is (`127.0.0.1:9101`); nowhere if it is empty.
    """

    redis: str = REDIS
    http: str = ""
    log_level: Literal["debug", "info", "warning", "error"] = "info"


S = TypeVar("S", bound=Surroundings)


def variable(service: str, name: str) -> str:
    """The name that a setting has in the environment.

    Services run beside each other in one environment, so each has an address of its own there.

    >>> variable("clock", "http"), variable("clock", "log_level")
    ('MINUTEBOOK_CLOCK_HTTP', 'MINUTEBOOK_LOG_LEVEL')
    """
    own = f"{service.upper()}_" if name == "http" else ""
    return f"{PREFIX}{own}{name.upper()}"


def read(
    kind: type[S], service: str, arguments: Sequence[str], environment: Mapping[str, str]
) -> S:
    """A service's settings; raises `SettingsError`."""
    parser = argparse.ArgumentParser(
        prog=PROGRAMS.get(service, service), argument_default=argparse.SUPPRESS
    )
    for name in kind.__struct_fields__:
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, metavar=name.upper(), help=f"or {variable(service, name)}")
    given = vars(parser.parse_args(arguments))
    found = {
        name: value
        for name in kind.__struct_fields__
        if (value := given.get(name, environment.get(variable(service, name)))) is not None
    }
    try:
        return msgspec.convert(found, kind, strict=False)
    except msgspec.ValidationError as error:
        raise SettingsError(f"A setting is wrong: {error}.") from None


def address(text: str) -> tuple[str, int]:
    """Host and port of an address; raises `SettingsError`.

    >>> address("127.0.0.1:9101"), address("[::1]:9101")
    (('127.0.0.1', 9101), ('::1', 9101))
    """
    host, colon, port = text.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 65536):
        raise SettingsError(
            f"--http: {text!r} is no address to answer at; write it as 127.0.0.1:9101."
        )
    return host.strip("[]"), int(port)


PROGRAMS: Final = {
    "engine": "python -m services.engine",
    "projector": "python -m services.engine.projector",
    "clock": "python -m services.clock",
    "notifier": "python -m services.notifier",
}
"""How each service is started."""
