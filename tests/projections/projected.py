"""The projections of a story: its state, and its views at any version."""

from typing import Any

import msgspec

from services.engine.projections import api
from tests.tables import Story


def state_of(story: Story) -> api.State:
    """The state after all records of a story."""
    state = api.start(story.id)
    for record, before, after in zip(story.records, story.tables, story.tables[1:], strict=False):
        state = api.project(state, record, before, after)
    return state


def view(story: Story, name: api.Name, version: int | None = None) -> Any:
    """One view of a story at a version (the last if None)."""
    at = story.version if version is None else version
    return api.view(state_of(story), story.tables[at], name)


def plain(view: Any, *without: str) -> dict[str, Any]:
    """A view as a map, without some of its fields."""
    fields: dict[str, Any] = msgspec.to_builtins(view)
    return {name: value for name, value in fields.items() if name not in without}
