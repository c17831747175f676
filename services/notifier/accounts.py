"""Whose limits an address falls under: the account at a service, and the service. Pure."""

from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit

SCHEMES_OF_BOTS: Final = frozenset({"tgram"})
"""Services that limit a bot, to whomever it speaks; its token stands first in the address."""
SCHEMES_OF_USERS: Final = frozenset({"matrix", "matrixs", "mailto", "mailtos"})
"""Services that limit a user of a host."""


def services_of(url: str) -> tuple[str, str]:
    """Names for the account that an address goes through, and for its service.

    Nothing secret can be told from them. What goes to one account shares its limits and pauses.

    >>> services_of("discord://1/secret")
    ('discord:3b9c2eb7f8bc2ef7', 'discord')
    >>> services_of("tgram://bot:token/1") == services_of("tgram://bot:token/2/")
    True
    >>> services_of("https://a.example/x") == services_of("https://a.example/y")
    False
    """
    scheme, _, rest = url.partition("://")
    scheme = scheme.lower()
    account = rest
    if scheme in SCHEMES_OF_BOTS:
        account = rest.partition("/")[0]
    elif scheme in SCHEMES_OF_USERS:
        account = _user_and_host(url)
    digest = blake2b(account.encode(), digest_size=8).hexdigest()
    return f"{scheme}:{digest}", scheme if scheme not in {"http", "https"} else f"{scheme}:{digest}"


def account_of(url: str) -> str:
    """A name for the account that an address goes through."""
    return services_of(url)[0]


def _user_and_host(url: str) -> str:
    # Without the password, which may be one that could be guessed from a digest.
    try:
        parts = urlsplit(url)
        return f"{parts.username or ''}@{parts.hostname or ''}"
    except ValueError:
        return url.partition("://")[2]
