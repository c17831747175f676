"""Tables in memory as the notifier reads them, for tests and simulation."""

from collections import defaultdict
from collections.abc import Mapping

from contracts.ids import Party, PlayerId, TableId
from contracts.notices import Deadline
from contracts.records import Sealed
from contracts.streams import partition_of
from services.notifier.books import prompted, shown_of
from services.notifier.ports import FEED, Entry, News, Shown, Stream


class MemoryBooks:
    """Tables that are gone with their process; others may keep the same containers up.

    `logs`, `feeds` (a table and a version each), `bodies` (the views of a table, encoded, by name),
    `prompts` (encoded) and `limits` (deadlines) are what tests and simulations fill. A simulation
    whose views lie elsewhere gives them by a `shown` of its own.
    """

    def __init__(
        self,
        partitions: int = 1,
        *,
        logs: dict[TableId, list[Sealed]] | None = None,
        feeds: defaultdict[int, list[tuple[TableId, int]]] | None = None,
        prompts: defaultdict[int, list[bytes]] | None = None,
        limits: dict[TableId, dict[str, Deadline]] | None = None,
    ) -> None:
        self.partitions = partitions
        self.logs = {} if logs is None else logs
        self.feeds = defaultdict(list) if feeds is None else feeds
        self.prompts = defaultdict(list) if prompts is None else prompts
        self.limits = {} if limits is None else limits
        self.bodies: dict[TableId, Mapping[str, bytes]] = {}
        self.archived: set[TableId] = set()

    async def newest(self, partition: int) -> str:
        """The place of the feed's last entry; before the first one if there is none."""
        return _place(len(self.feeds[partition]))

    async def tables(self, partition: int) -> list[TableId]:
        """All tables of a partition, in order of the alphabet."""
        return sorted(id for id in self.logs if partition_of(id, self.partitions) == partition)

    async def after(
        self,
        places: Mapping[Stream, str],
        most: int,
        block_milliseconds: int | None = None,  # noqa: ARG002 - memory has nothing to wait for
    ) -> list[tuple[Stream, list[News]]]:
        """What some streams have after these places; nothing is waited for."""
        found = []
        for stream, place in places.items():
            first = _number(place)
            news = self._news(stream, first, first + most)
            if news:
                found.append((stream, news))
        return found

    def _news(self, stream: Stream, first: int, end: int) -> list[News]:
        partition, reader = stream
        if reader == FEED:
            mentions = self.feeds[partition][first:end]
            return [
                News(_place(number), Entry(table, version))
                for number, (table, version) in enumerate(mentions, first + 1)
            ]
        bodies = self.prompts[partition][first:end]
        return [
            News(_place(number), prompted(_place(number), body))
            for number, body in enumerate(bodies, first + 1)
        ]

    async def trim(self, partition: int, place: str) -> None:
        """Nothing is thrown away, so that tests may look at it."""

    async def version(self, table: TableId) -> int:
        """The version of a table's last record; 0 if there is none."""
        return len(self.logs.get(table, []))

    async def read(self, table: TableId, first: int, last: int) -> list[Sealed]:
        """Records of a table from one to another."""
        return self.logs.get(table, [])[first - 1 : last]

    async def shown(self, table: TableId) -> Shown | None:
        """A table's views; None as long as it has none."""
        bodies = self.bodies.get(table)
        if bodies is None:
            return None
        return shown_of(bodies["tables"], bodies["turn"], bodies["minutes"])

    async def deadlines(self, table: TableId) -> dict[PlayerId, Deadline]:
        """Until when whom is waited for at a table."""
        return {PlayerId(Party(who)): limit for who, limit in self.limits.get(table, {}).items()}

    async def is_archived(self, table: TableId) -> bool:
        """Whether a table's book has gone into the archive, and its views with it."""
        return table in self.archived


def _place(number: int) -> str:
    return f"{number}-0"


def _number(place: str) -> int:
    return int(place.partition("-")[0])
