"""Read commands as they lie in their stream; what cannot be read is refused in words."""

from typing import Final

import msgspec
from msgspec import Struct

from contracts import streams
from contracts.commands import Order
from contracts.ids import CommandId, TableId
from contracts.rejections import Code, Rejection
from services.engine.ports import Entry

_ORDER: Final = streams.COMMAND_ORDER.encode()
_ANSWERS: Final = streams.COMMAND_ANSWERS.encode()
_ANY_ANSWERS: Final = streams.answers("")

_decode = msgspec.msgpack.Decoder(Order).decode
_decode_anything = msgspec.msgpack.Decoder().decode


class Asked(Struct, frozen=True):
    """An order that was read, from which entry, and where its answer goes."""

    order: Order
    entry: Entry
    channel: str


class Unreadable(Struct, frozen=True):
    """A command that was not, as far as it could be read; id and table are empty or both good."""

    table: TableId
    id: CommandId
    entry: Entry
    channel: str
    rejection: Rejection


def read(entry: Entry, partition: int, partitions: int) -> Asked | Unreadable:
    """The order in an entry of a partition's stream."""
    channel = answer_channel(entry)
    body = entry.fields.get(_ORDER)
    if body is None:
        rejection = unreadable(f"The command has no field {streams.COMMAND_ORDER!r}.")
        return Unreadable(TableId(""), CommandId(""), entry, channel, rejection)
    try:
        order = _decode(body)
    except msgspec.DecodeError as error:
        table, id = as_far_as_readable(body)
        if naming_objection(table, id, partition, partitions) is not None:
            table, id = TableId(""), CommandId("")
        return Unreadable(table, id, entry, channel, unreadable(f"{error}."))
    objection = naming_objection(order.table, order.id, partition, partitions)
    if objection is not None:
        return Unreadable(TableId(""), CommandId(""), entry, channel, unreadable(objection))
    return Asked(order, entry, channel)


def answer_channel(entry: Entry) -> str:
    """Where the answer goes; only a channel of answers is believed."""
    channel = entry.fields.get(_ANSWERS, b"").decode(errors="replace")
    return channel if channel.startswith(_ANY_ANSWERS) else ""


def as_far_as_readable(body: bytes) -> tuple[TableId, CommandId]:
    """Table and id of an order that is otherwise wrong; empty where they cannot be told."""
    try:
        plain = _decode_anything(body)
    except msgspec.DecodeError:
        plain = None
    match plain:
        case [str(table), str(id), *_]:
            return TableId(table), CommandId(id)
        case _:
            return TableId(""), CommandId("")


def naming_objection(table: TableId, id: CommandId, partition: int, partitions: int) -> str | None:
    """What is wrong with the names in an order."""
    if not streams.is_table_id(table):
        return f"A table cannot be called {table[:80]!r}."
    if not 0 < len(id) <= streams.COMMAND_ID_MOST:
        return f"A command's id has 1 to {streams.COMMAND_ID_MOST} characters."
    home = streams.partition_of(table, partitions)
    if home != partition:
        return f"Table {table} belongs in partition {home}, not in {partition}."
    return None


def unreadable(sentence: str) -> Rejection:
    """The refusal of a command that cannot be read."""
    return Rejection(
        Code.UNREADABLE, "design", sentence, "The command has to be sent again, mended."
    )
