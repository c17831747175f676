"""What a soak finds wrong."""

from msgspec import Struct

from contracts.commands import Order


class Failure(Struct, frozen=True):
    """Something that must always hold and did not.

    `check` names what was looked at, `version` the table at which it was; `order` is the order that
    showed it, where one did.
    """

    check: str
    version: int
    sentence: str
    order: Order | None = None


class FailureError(Exception):
    """A failure, on its way out of the game in which it was found."""

    def __init__(self, failure: Failure) -> None:
        """Keep what was found."""
        super().__init__(f"{failure.check} at version {failure.version}: {failure.sentence}")
        self.failure = failure


def expect(
    holds: object, check: str, version: int, sentence: str, order: Order | None = None
) -> None:
    """Raise what is wrong unless it holds."""
    if not holds:
        raise FailureError(Failure(check, version, sentence, order))
