"""The bus as an AsyncAPI 3.0 document: channels, what lies on them, and in which fields.

Streams and hashes carry MessagePack arrays. Schemas describe their plain form, objects with field
names, since JSON Schema has no names for places of an array; the order of the wire is in the
reference pages.
"""

from typing import Any, Final

from contracts import streams, talk
from contracts.ids import TableId
from contracts.records import FORMAT

MESSAGEPACK: Final = "application/msgpack"


Roots = dict[str, Any]
"""A reference to the schema of each message, by its name."""


def document(roots: Roots, schemas: dict[str, Any]) -> dict[str, Any]:
    """The document; `schemas` are the components that `roots` refer to."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Minutebook bus",
            "version": f"{streams.STORE_FORMAT}.{FORMAT}",
            "description": (
                "Redis Streams of partitions. A table lives in one partition for ever; every key "
                "of a partition begins with its hash tag. The version is the format of the store "
                "and the encoding of records."
            ),
        },
        "defaultContentType": MESSAGEPACK,
        "servers": {
            "store": {
                "host": "localhost:6379",
                "protocol": "redis",
                "description": "Any Redis 7.0 or Valkey 7.2 and later, single or cluster.",
            }
        },
        "channels": channels(),
        "operations": operations(),
        "components": {"messages": messages(roots), "schemas": schemas},
    }


def address(key: str) -> str:
    """A key of partition 0 as an address with the partition's tag left open.

    >>> address("{0}:commands")
    '{tag}:commands'
    """
    return key.replace("{0}", "{tag}")


def channel(
    key: str, message: str, description: str, parameters: tuple[str, ...] = ("tag",)
) -> dict[str, Any]:
    """A channel with one kind of message."""
    known = {
        "tag": "The partition's hash tag with its braces, such as `{7}`.",
        "table": "The table's id.",
        "client": "A name that the client has made up for itself.",
    }
    return {
        "address": address(key),
        "description": description,
        "messages": {message: {"$ref": f"#/components/messages/{message}"}},
        "parameters": {name: {"description": known[name]} for name in parameters},
    }


def channels() -> dict[str, Any]:
    """All channels of the bus."""
    any_table = TableId("{table}")
    return {
        "commands": channel(
            streams.commands(0), "command", "Stream of the orders that wait to be decided."
        ),
        "log": channel(
            streams.log(0, any_table),
            "logEntry",
            "Stream of one table's records, kept for ever; record n has the id `n-0`.",
            ("tag", "table"),
        ),
        "feed": channel(
            streams.feed(0),
            "feedEntry",
            "Stream that names each new record of the partition; trimmed once all readers passed.",
        ),
        "dead": channel(
            streams.dead(0), "deadLetter", "Stream of commands that can never succeed."
        ),
        "chat": channel(
            talk.chat(0, any_table),
            "line",
            "Stream of what was said at one table; nothing of it is in the minute book.",
            ("tag", "table"),
        ),
        "talk": channel(
            talk.TALK_CHANNEL,
            "spoken",
            "Publish/subscribe channel that names the table of each new line of chat.",
            (),
        ),
        "answers": channel(
            streams.answers("{client}"),
            "answer",
            "Publish/subscribe channel on which a client is told what became of its commands.",
            ("client",),
        ),
        "views": channel(
            streams.VIEWS_CHANNEL,
            "shown",
            "Publish/subscribe channel that announces new versions of views.",
            (),
        ),
    }


def operations() -> dict[str, Any]:
    """What the engine and the projector do on the channels."""
    table = {
        "decide": ("receive", "commands", "The engine that holds the partition's lease decides."),
        "record": ("send", "log", "The engine appends one record for each accepted command."),
        "announce": ("send", "feed", "With each record the engine names it here."),
        "bury": ("send", "dead", "The engine keeps what it cannot read, for the operator."),
        "answer": ("send", "answers", "After the append the sender is told."),
        "say": ("send", "chat", "Whoever may write at a table adds a line."),
        "say-so": ("send", "talk", "With each line its table is named here."),
        "follow": ("receive", "feed", "The projector works out the views."),
        "show": ("send", "views", "The projector announces views that it has stored."),
    }
    return {
        name: {
            "action": action,
            "channel": {"$ref": f"#/channels/{where}"},
            "summary": summary,
        }
        for name, (action, where, summary) in table.items()
    }


def packed(schema: dict[str, Any], description: str) -> dict[str, Any]:
    """A field that holds a message as MessagePack."""
    return {
        "description": description,
        "contentMediaType": MESSAGEPACK,
        "contentSchema": schema,
    }


def text(description: str) -> dict[str, Any]:
    """A field that holds plain text."""
    return {"type": "string", "description": description}


def entry(summary: str, fields: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """A message that is an entry of a stream: fields and values."""
    return {
        "summary": summary,
        "payload": {
            "type": "object",
            "properties": fields,
            "required": [name for name in fields if name not in optional],
        },
    }


def messages(roots: Roots) -> dict[str, Any]:
    """What lies on the channels."""
    return of_talk() | {
        "command": entry(
            "An order on its way to a table.",
            {
                streams.COMMAND_ORDER: packed(roots["Order"], "The order."),
                streams.COMMAND_ANSWERS: text("The channel on which its answer is awaited."),
            },
            (streams.COMMAND_ANSWERS,),
        ),
        "logEntry": entry(
            "One record.",
            {
                streams.LOG_FORMAT: text("Number of the record's encoding."),
                streams.LOG_BODY: packed(roots["Record"], "The record."),
                streams.LOG_DIGEST: {
                    "description": "The digest over the one before and the record, 16 bytes.",
                    "contentMediaType": "application/octet-stream",
                },
            },
        ),
        "feedEntry": entry(
            "A table has a new record.",
            {
                streams.FEED_TABLE: text("The table."),
                streams.FEED_VERSION: text(
                    "The record's version; 0 where a whole book was restored or sealed anew."
                ),
            },
        ),
        "deadLetter": entry(
            "A command that can never succeed.",
            {
                streams.DEAD_WHY: text("What is wrong with it."),
                streams.DEAD_ENTRY: text("The id that it had in its stream."),
                streams.DEAD_FIELDS: {
                    "description": "Its fields as they were, as a map.",
                    "contentMediaType": MESSAGEPACK,
                },
            },
        ),
        "answer": {
            "summary": "What became of one command.",
            "contentType": MESSAGEPACK,
            "payload": roots["Answer"],
        },
        "shown": {
            "summary": "The views of a table show a version.",
            "contentType": MESSAGEPACK,
            "payload": roots["Shown"],
        },
    }


def of_talk() -> dict[str, Any]:
    """What lies on the channels of chat."""
    return {
        "line": entry(
            "Something that was said.",
            {
                talk.SENDER: text("The true actor, such as `ann` or `ann/robot`."),
                talk.TEXT: text("What was said."),
                talk.VERSION: text("The version of the table at which it was said."),
                talk.ID: text("The sender's own id of it."),
                talk.ONLY: text("The people whom it is for, with spaces between."),
            },
            (talk.ONLY,),
        ),
        "spoken": {
            "summary": "A table has a new line of chat.",
            "contentType": "text/plain",
            "payload": {"type": "string", "description": "The table."},
        },
    }
