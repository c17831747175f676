"""Which actions of a history stand, and in which steps they are replayed.

The site keeps every click. An `undo` takes back the last action that stands, or all after the one
that its `action_id` names; a `redo` brings back what the last `undo` took, as long as nothing else
was done in between. Chat (`message`) is no part of the game: it is never taken back, and an undo
after it looks past it. Actions that a player's standing orders caused are stored inside the action
that set them off; they are steps of their own, right after it, and go and come back with it.
"""

import msgspec
from msgspec import Raw, Struct

from services.histories.errors import HistoryError
from services.histories.export import Entry, Export
from services.histories.kinds import Action, decoded

CHAT = "message"


class Step(Struct, frozen=True):
    """One action that stands; `number` counts from 1, `id` is the action's or its carrier's."""

    number: int
    id: int
    auto: bool
    raw: Raw

    def action(self) -> Action:
        """The action, decoded; raises `HistoryError` where a field that its kind needs is wrong."""
        try:
            return decoded(self.raw)
        except msgspec.ValidationError as error:
            where = f"action {self.id}" + (" (automatic)" if self.auto else "")
            raise HistoryError(str(error), where) from None


def standing(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The actions that stand once every undo and redo is resolved, in order; chat is gone."""
    kept: list[Entry | None] = []
    taken_back: list[list[int]] = []
    places = {entry.head.id: index for index, entry in enumerate(entries)}
    for index, entry in enumerate(entries):
        kind = entry.head.type
        kept.append(None)
        if kind == "undo":
            since = _undone_since(entry, kept, entries, places)
            gone = [at for at in range(since, index) if _stands(kept[at])]
            for at in gone:
                kept[at] = None
            taken_back.append(gone)
        elif kind == "redo":
            if not taken_back:
                raise HistoryError("a redo with nothing to bring back", f"action {entry.head.id}")
            for at in taken_back.pop():
                kept[at] = entries[at]
        elif kind == CHAT:
            kept[index] = entry
        else:
            taken_back.clear()
            kept[index] = entry
    return tuple(entry for entry in kept if entry is not None and _stands(entry))


def _stands(entry: Entry | None) -> bool:
    return entry is not None and entry.head.type != CHAT


def _undone_since(
    undo: Entry, kept: list[Entry | None], entries: tuple[Entry, ...], places: dict[int | None, int]
) -> int:
    """The index of the first action that an undo takes back."""
    to = undo.head.action_id
    if to is None:
        return next((at for at in range(len(kept) - 1, -1, -1) if _stands(kept[at])), 0)
    if to == 0:
        return 0
    if to not in places:
        raise HistoryError(
            f"an undo goes back to action {to}, which is not in the file", f"action {undo.head.id}"
        )
    return places[to] + 1


def steps(export: Export) -> tuple[Step, ...]:
    """The steps of a history: what stands, each followed by what standing orders caused."""
    found: list[Step] = []
    for entry in standing(export.entries):
        id = entry.head.id or 0
        found.append(Step(len(found) + 1, id, auto=False, raw=entry.body))
        for raw in entry.head.auto_actions:
            found.append(Step(len(found) + 1, id, auto=True, raw=raw))
    return tuple(found)
