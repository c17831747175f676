"""Names of things: who pays, who holds, what lies where.

Every party at a table (the bank, a player, a company, a place where paper lies) has one name in one
flat name space, so an account, a holder and an owner are written alike. `OpenTable` refuses a
player whose name is a company's or one of the reserved names, so no two parties can share one.
"""

from functools import lru_cache
from typing import Final, NewType

Money = int
"""Whole pounds or dollars."""

Party = NewType("Party", str)
"""Anything that can own money, certificates, trains or counters."""
PlayerId = NewType("PlayerId", Party)
CompanyId = NewType("CompanyId", Party)
"""A public company, a minor or a private; privates and minors are companies of one certificate."""

TableId = NewType("TableId", str)
TitleId = NewType("TitleId", str)
CommandId = NewType("CommandId", str)
"""Made by the client; the same id twice gets its first answer."""
FrameId = NewType("FrameId", str)
"""`<version>.<place>`: the record that opened the frame and the frame's place among its events."""

HexId = NewType("HexId", str)
TileId = NewType("TileId", str)
AreaId = NewType("AreaId", str)
TrainKind = NewType("TrainKind", str)
TrainId = NewType("TrainId", str)
"""`<kind>-<number>`, numbered from 0 within a kind in the order of leaving the supply."""
CertificateKind = NewType("CertificateKind", str)
"""Shares on the certificate, with a `d` behind for the director's: `2d`, `1`."""
Space = NewType("Space", str)
"""A space of the market, `row,column` from 0 at the top left."""
PhaseId = NewType("PhaseId", str)

BANK: Final = Party("bank")
OFFERING: Final = Party("offering")
"""The initial offering (IPO)."""
POOL: Final = Party("pool")
"""The bank pool: shares sold by players, trains discarded by companies."""
SUPPLY: Final = Party("supply")
"""Trains and tiles that the bank has still to sell or give out."""
BOX: Final = Party("box")
"""Out of the game."""
RESERVED: Final = frozenset({BANK, OFFERING, POOL, SUPPLY, BOX})


@lru_cache(maxsize=1024)
def shares_of(kind: CertificateKind) -> int:
    """Shares that a certificate of this kind stands for.

    >>> shares_of(CertificateKind("2d")), shares_of(CertificateKind("1"))
    (2, 1)
    """
    return int(kind.removesuffix("d"))


def is_directors(kind: CertificateKind) -> bool:
    """Whether a certificate of this kind is the director's."""
    return kind.endswith("d")
