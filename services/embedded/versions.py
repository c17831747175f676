"""Which servers Minutebook knows, and how old one may be."""

from dataclasses import dataclass
from typing import Literal

Family = Literal["redis", "valkey"]
Version = tuple[int, int, int]

# The oldest servers whose streams and scripts do what the store relies on. Redis 6.2 would be worse
# than refused: it opens the files of a newer server without a word, and shows no tables at all.
OLDEST: dict[Family, Version] = {"redis": (7, 0, 0), "valkey": (7, 2, 0)}


@dataclass(frozen=True)
class ServerVersion:
    """A server's family and version.

    >>> str(ServerVersion("valkey", (9, 1, 2)))
    'Valkey 9.1.2'
    """

    family: Family
    version: Version

    def __str__(self) -> str:
        return f"{self.family.capitalize()} {written(self.version)}"

    @property
    def is_too_old(self) -> bool:
        """Whether Minutebook cannot use it."""
        return self.version < OLDEST[self.family]

    def is_older_release_than(self, other: "ServerVersion") -> bool:
        """Whether both are of one family and this is of an earlier release; repairs do not count.

        >>> old, new = ServerVersion("redis", (7, 0, 15)), ServerVersion("redis", (8, 2, 3))
        >>> old.is_older_release_than(new), new.is_older_release_than(old)
        (True, False)
        >>> ServerVersion("redis", (8, 2, 2)).is_older_release_than(new)
        False
        """
        return self.family == other.family and self.version[:2] < other.version[:2]


def written(version: Version) -> str:
    """Write a version with dots.

    >>> written((7, 0, 15))
    '7.0.15'
    """
    return ".".join(str(part) for part in version)


def read_version(text: str) -> Version:
    """Read a version written with dots; missing parts are 0, what follows the numbers is left out.

    >>> read_version("7.2"), read_version("8.0.0-rc1")
    ((7, 2, 0), (8, 0, 0))
    """
    numbers = [int(part) for part in text.partition("-")[0].split(".")[:3]]
    major, minor, repair = (*numbers, 0, 0)[:3]
    return major, minor, repair


def floor() -> str:
    """Say what the oldest servers are.

    >>> floor()
    'Redis 7.0 or Valkey 7.2'
    """
    return " or ".join(
        f"{family.capitalize()} {major}.{minor}" for family, (major, minor, _) in OLDEST.items()
    )
