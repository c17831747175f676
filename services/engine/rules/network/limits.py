"""How much a search for the best runs may do, and what it answers."""

from collections.abc import Callable

from msgspec import Struct

from contracts.ids import Money
from contracts.runs import Run


class Limits(Struct, frozen=True):
    """How much work a search may do: steps of listing, nodes of search, time if there is a clock.

    The rules give no clock. `deadline` is in the clock's own measure.
    """

    steps: int = 300_000
    nodes: int = 300_000
    clock: Callable[[], float] | None = None
    deadline: float = 0.0

    def expired(self) -> bool:
        """Whether the deadline of the clock has passed."""
        return self.clock is not None and self.clock() >= self.deadline

    def part(self, parts: int) -> "Limits":
        """The same with one of so many equal parts of the work and of the time left."""
        deadline = self.deadline
        if self.clock is not None:
            now = self.clock()
            deadline = now + (self.deadline - now) / parts
        return Limits(self.steps // parts, self.nodes // parts, self.clock, deadline)


class Best(Struct, frozen=True):
    """The best runs found, in the order of the trains' ids; idle trains are left out.

    No legal set of runs earns more revenue than `bound`, which equals `revenue` if that is proven.
    `proven` says it of all that was asked for: of sets with that revenue, none has more `subsidy`.
    Where both were to count alike, `bound` is of their sum.
    """

    runs: tuple[Run, ...]
    revenue: Money
    proven: bool
    bound: Money
    subsidy: Money = 0


DEFAULT_LIMITS = Limits()
