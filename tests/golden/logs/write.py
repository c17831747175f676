"""Write the golden logs and counts that are missing; one that is there is never changed.

`python -m tests.golden.logs.write` from the root of the project. To change a count on purpose,
remove its file first; a log is never removed: where today's rules decide otherwise, the difference
is signed in `tests/golden/signed_differences.toml`.
"""

from tests.golden.counts import counting
from tests.golden.logs import kept


def main() -> None:
    """Write what is missing."""
    for game in kept.GAMES:
        kept.write(*game)
    for name in kept.names():
        counting.write(name)


if __name__ == "__main__":
    main()
