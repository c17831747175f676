"""Which hosts a channel may reach: none on a private network or on this machine, unless allowed.

A player may name any address, and the notifier stands where it can reach more than he can. So each
address that a host's name stands for is looked at, and the connection is made to one of those.
"""

import ipaddress
import socket
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Resolve = Callable[[str, int], Sequence[str]]

_CARRIERS: Final = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("::/96"))
"""Networks of version 6 whose addresses end with one of version 4."""
_REFUSED: Final = tuple(
    ipaddress.ip_network(one) for one in ("64:ff9b:1::/48", "fec0::/10", "192.88.99.0/24")
)
"""Networks that count as public and are none: local translators, old private ones, old relays."""


class RefusedAddressError(Exception):
    """An address that may not be reached."""


class UnknownHostError(Exception):
    """A name that stands for no address at the moment."""


class Allowed(Struct, frozen=True):
    """Hosts and networks that may be reached although they are private."""

    hosts: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    @classmethod
    def of(cls, text: str) -> "Allowed":
        """What a setting allows: names, addresses and networks with commas between.

        >>> Allowed.of("hooks.lan, 10.1.0.0/16").networks
        (IPv4Network('10.1.0.0/16'),)
        """
        hosts: set[str] = set()
        networks: list[Network] = []
        for part in filter(None, (one.strip().lower() for one in text.split(","))):
            try:
                networks.append(ipaddress.ip_network(part))
            except ValueError:
                hosts.add(part)
        return cls(frozenset(hosts), tuple(networks))

    def names(self, host: str, address: str) -> bool:
        """Whether a host or its address is allowed by name, and not only because it is public."""
        bare = _bare(ipaddress.ip_address(address))
        within = any(bare in network for network in self.networks)
        return within or host.lower() in self.hosts


def resolved(host: str, port: int) -> list[str]:
    """The addresses that a name stands for."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UnknownHostError(f"{host} is not known ({error}).") from None
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: Address) -> bool:
    """Whether an address is one of the public network, whatever it is dressed as.

    >>> [is_public(ipaddress.ip_address(one)) for one in ("8.8.8.8", "10.0.0.1", "127.0.0.1")]
    [True, False, False]
    >>> [is_public(ipaddress.ip_address(one)) for one in ("::ffff:10.0.0.1", "64:ff9b::a00:1")]
    [False, False]
    """
    bare = _bare(address)
    return bare.is_global and not bare.is_multicast and not any(bare in one for one in _REFUSED)


def _bare(address: Address) -> Address:
    """The address that one of version 6 carries within it, or itself."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and int(address) > 1 and any(address in one for one in _CARRIERS):
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return inner or address
    return address


def reachable(host: str, port: int, allowed: Allowed, resolve: Resolve = resolved) -> str:
    """An address of a host to connect to; raises if any of its addresses may not be reached."""
    addresses = [one.partition("%")[0] for one in resolve(host, port)]
    if not addresses:
        raise UnknownHostError(f"{host} has no address.")
    for text in addresses:
        if not (allowed.names(host, text) or is_public(ipaddress.ip_address(text))):
            raise RefusedAddressError(
                f"{host} leads to {text}, which is not a public address. The operator may allow "
                "it (MINUTEBOOK_NOTICES_ALLOW)."
            )
    return addresses[0]
