"""Addresses of stores as people may see them."""

import re
from typing import Final

_SECRET: Final = re.compile(r"^([A-Za-z0-9+.-]+://)([^/@]*@)")
_SECRET_SETTING: Final = re.compile(r"(?i)([?&](?:password|username)=)[^&#]*")


def without_secrets(address: str) -> str:
    """An address without the name and password that it may carry, to be shown and logged.

    >>> without_secrets("redis://league:hush@store:6379/0")
    'redis://…@store:6379/0'
    >>> without_secrets("redis://store:6379/0?password=hush&db=1")
    'redis://store:6379/0?password=…&db=1'
    >>> without_secrets("redis://store:6379/0"), without_secrets("unix:///run/store")
    ('redis://store:6379/0', 'unix:///run/store')
    """
    return _SECRET_SETTING.sub(r"\1…", _SECRET.sub(r"\1…@", address))
