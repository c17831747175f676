"""All commands of the console, in the order in which help lists them."""

from collections.abc import Callable
from dataclasses import dataclass

from services.console.commands import archive as archive_command
from services.console.commands import audit as audit_command
from services.console.commands import bench as bench_command
from services.console.commands import chaos as chaos_command
from services.console.commands import chat as chat_command
from services.console.commands import choices as choices_command
from services.console.commands import do as do_command
from services.console.commands import export as export_command
from services.console.commands import import_history as import_command
from services.console.commands import note as note_command
from services.console.commands import notices as notices_command
from services.console.commands import open_table as open_command
from services.console.commands import rebuild as rebuild_command
from services.console.commands import redecide as redecide_command
from services.console.commands import remove_person as remove_command
from services.console.commands import replay as replay_command
from services.console.commands import restore as restore_command
from services.console.commands import show as show_command
from services.console.commands import soak as soak_command
from services.console.commands import status as status_command
from services.console.commands import tables as tables_command
from services.console.commands import test as test_command
from services.console.commands import token as token_command
from services.console.commands import up as up_command


@dataclass(frozen=True)
class Command:
    """A command: its name, what it runs, and an example of its use."""

    name: str
    run: Callable[..., int]
    example: str


def commands() -> tuple[Command, ...]:
    """The commands."""
    return (
        Command("up", up_command.up, up_command.EXAMPLE),
        Command("status", status_command.status, status_command.EXAMPLE),
        Command("open", open_command.open_table, open_command.example()),
        Command("tables", tables_command.tables, tables_command.EXAMPLE),
        Command("choices", choices_command.choices, choices_command.EXAMPLE),
        Command("do", do_command.do, do_command.EXAMPLE),
        Command("show", show_command.show, show_command.EXAMPLE),
        Command("replay", replay_command.replay, replay_command.EXAMPLE),
        Command("import", import_command.import_history, import_command.EXAMPLE),
        Command("export", export_command.export, export_command.EXAMPLE),
        Command("audit", audit_command.audit, audit_command.EXAMPLE),
        Command("redecide", redecide_command.redecide, redecide_command.EXAMPLE),
        Command("archive", archive_command.archive, archive_command.EXAMPLE),
        Command("restore", restore_command.restore, restore_command.EXAMPLE),
        Command("remove-person", remove_command.remove_person, remove_command.EXAMPLE),
        Command("rebuild", rebuild_command.rebuild, rebuild_command.EXAMPLE),
        Command("chat", chat_command.chat, chat_command.EXAMPLE),
        Command("note", note_command.note, note_command.EXAMPLE),
        Command("token", token_command.token, token_command.EXAMPLE),
        Command("notices", notices_command.notices, notices_command.EXAMPLE),
        Command("soak", soak_command.soak, soak_command.EXAMPLE),
        Command("bench", bench_command.bench, bench_command.EXAMPLE),
        Command("chaos", chaos_command.chaos, chaos_command.EXAMPLE),
        Command("test", test_command.test, test_command.EXAMPLE),
    )
