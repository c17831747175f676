"""Events in the making: what a command leads to, with the table as it stands after each of them."""

from contracts import events as e
from contracts.ids import FrameId
from services.engine.table.evolve import evolve
from services.engine.table.state import Table


class Draft:
    """Collects the events of one command and shows the table after them.

    It is the only thing in the rules that changes; a command's draft is thrown away with it.
    """

    def __init__(self, table: Table) -> None:
        """Begin with the table as it is before the command."""
        self.before = table
        self.table = table
        self.events: list[e.AnyEvent] = []

    def emit(self, *events: e.AnyEvent) -> None:
        """Add events in order."""
        for event in events:
            self.table = evolve(self.table, event)
            self.events.append(event)

    def next_frame(self) -> FrameId:
        """The id of a frame that the next event opens: record and place among its events."""
        return FrameId(f"{self.before.version + 1}.{len(self.events)}")
