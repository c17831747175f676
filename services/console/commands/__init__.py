"""All commands of the console, in the order in which help lists them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from services.console.commands import (
    audit,
    choices,
    do,
    export,
    import_history,
    open_table,
    rebuild,
    replay,
    show,
    test,
    up,
)


@dataclass(frozen=True)
class Command:
    """A command: its name, what it runs, and an example of its use."""

    name: str
    run: Callable[..., int]
    example: str


ALL: Final = (
    Command("up", up.up, up.EXAMPLE),
    Command("open", open_table.open_table, open_table.example()),
    Command("choices", choices.choices, choices.EXAMPLE),
    Command("do", do.do, do.EXAMPLE),
    Command("show", show.show, show.EXAMPLE),
    Command("replay", replay.replay, replay.EXAMPLE),
    Command("import", import_history.import_history, import_history.EXAMPLE),
    Command("export", export.export, export.EXAMPLE),
    Command("audit", audit.audit, audit.EXAMPLE),
    Command("rebuild", rebuild.rebuild, rebuild.EXAMPLE),
    Command("test", test.test, test.EXAMPLE),
)
