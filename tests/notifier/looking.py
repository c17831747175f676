"""Looks at stories written by hand, and what people hear of them."""

from collections.abc import Sequence

from contracts.ids import PlayerId, TableId
from contracts.notices import Deadline, Notice, Prompt
from contracts.records import Record
from contracts.views import MinutesView, TableLine, TurnView
from services.engine.projections import api
from services.engine.table.state import Table
from services.notifier.telling import Memory, Sight, Told, told
from tests.tables import Story

NOON = 12 * 3600 * 1_000_000


class Watched:
    """The views of a book at any of its versions, and the notifier's memory between looks."""

    def __init__(self, id: TableId, records: Sequence[Record], tables: Sequence[Table]) -> None:
        self.records = list(records)
        self.tables = list(tables)
        self.state = api.start(id)
        self.memory = Memory()
        self.heard: list[Notice] = []
        self.withdrawn: list[str] = []
        self.corrections: list[Notice] = []

    @classmethod
    def of(cls, story: Story) -> "Watched":
        return cls(story.id, story.records, story.tables)

    def look(
        self,
        version: int | None = None,
        *,
        deadlines: dict[PlayerId, Deadline] | None = None,
        **prompts: Prompt,
    ) -> Told:
        """Look at the table as it was at a version (the last if None)."""
        at = len(self.records) if version is None else version
        while self.state.version < at:
            number = self.state.version
            record = self.records[number]
            self.state = api.project(
                self.state, record, self.tables[number], self.tables[number + 1]
            )
        table = self.tables[at]
        minutes = api.view(self.state, table, "minutes")
        line, turn = api.view(self.state, table, "tables"), api.view(self.state, table, "turn")
        assert isinstance(minutes, MinutesView)
        assert isinstance(line, TableLine)
        assert isinstance(turn, TurnView)
        sight = Sight(
            line=line,
            turn=turn,
            lines=minutes.lines,
            records=tuple(self.records[self.memory.version : at]),
            deadlines=deadlines or {},
            prompts=prompts,
        )
        found = told(self.memory, sight, NOON)
        self.memory = found.memory
        self.heard += found.notices
        self.withdrawn += [one.notice for one in found.withdrawn]
        self.corrections += [one.correction for one in found.withdrawn if one.correction]
        return found

    def kinds(self, player: str | None) -> list[str]:
        """The kinds of notices that somebody has heard, corrections last."""
        return [one.kind for one in (*self.heard, *self.corrections) if one.player == player]

    def last(self, player: str | None) -> Notice:
        return next(one for one in reversed(self.heard) if one.player == player)
