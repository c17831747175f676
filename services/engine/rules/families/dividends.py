"""How much of its earnings a company may divide, and who is paid for shares nobody owns."""

from collections.abc import Callable, Mapping
from typing import Final

from contracts.ids import CompanyId, Money, Party

Dividends = Mapping[str, Callable[[Money], Money]]
"""What may be chosen, and what of the earnings is then divided."""


def everything(earnings: Money) -> Money:
    """All of it is divided."""
    return earnings


def nothing(_earnings: Money) -> Money:
    """All of it is kept."""
    return 0


ALL: Final = "all"
"""The dividend of everything that was earned."""
DIVIDENDS: Final[Mapping[str, Dividends]] = {
    "all or none": {ALL: everything, "none": nothing},
}


def to_the_company(company: CompanyId) -> Party:
    """The company itself is paid for its shares in the pool."""
    return company


def to_nobody(_company: CompanyId) -> Party | None:
    """Nobody is paid for shares in the pool."""
    return None


POOL_SHARES_PAY: Final[Mapping[str, Callable[[CompanyId], Party | None]]] = {
    "the corporation": to_the_company,
    "nobody": to_nobody,
}
