"""Connections of urllib3 to one address, whatever a name stands for a moment later."""

import socket
from collections.abc import Mapping

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from services.notifier.channels.deadline import Deadline


def pools(address: str, deadline: Deadline) -> Mapping[str, type[HTTPConnectionPool]]:
    """Kinds of pools that connect to an address; certificates have to be the name's."""

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            self._dns_host = address
            return deadline.ends(super()._new_conn())

    class Secure(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            self._dns_host = address
            return deadline.ends(super()._new_conn())

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}
