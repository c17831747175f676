"""What a message looks like at each service: our own words, calls that reach, and no others. Pure.

Apprise knows where a message goes and how a service is spoken to. What it makes of the text is
replaced by this: its escaping takes the calls out of messages to Slack, lets anybody who is named
`@everyone` call a whole room of Discord, and breaks messages to Telegram that hold a `<`.
"""

import html
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from services.notifier.wording import Message

Body = dict[str, Any]

_DISCORD_CALL: Final = re.compile(r"<@(&?)(\d+)>")


def discord(_: Body, message: Message) -> Body:
    """A message to Discord, which calls nobody but those that it names."""
    calls = [found for one in message.called for found in _DISCORD_CALL.findall(one)]
    return {
        "content": f"**{message.subject}**\n{message.text}",
        "allowed_mentions": {
            "parse": [],
            "users": [id for kind, id in calls if not kind],
            "roles": [id for kind, id in calls if kind],
        },
    }


def slack(_: Body, message: Message) -> Body:
    """A message to Slack: plain text, with calls as they are and all else escaped."""
    text = _for_slack(message.text)
    for call in message.called:
        text = text.replace(_for_slack(call), call)
    return {"text": f"{_for_slack(message.subject)}\n{text}", "mrkdwn": False}


def _for_slack(text: str) -> str:
    return html.escape(text, quote=False)


def telegram(body: Body, message: Message) -> Body:
    """A message to Telegram: plain text, in which a name with an @ calls."""
    return {
        "chat_id": body["chat_id"],
        **({"message_thread_id": body["message_thread_id"]} if "message_thread_id" in body else {}),
        "text": f"{message.subject}\n{message.text}",
        "disable_web_page_preview": True,
    }


def matrix(_: Body, message: Message) -> Body:
    """A message to a room of Matrix; a call is a mention there."""
    calls = [one for one in message.called if one.startswith("@")]
    return {
        "msgtype": "m.text",
        "body": f"{message.subject}\n{message.text}",
        "m.mentions": {"user_ids": calls},
    }


Shape = Callable[[Body, Message], Body]
_SHAPES: Final[Mapping[str, tuple[str, Shape]]] = {
    "discord": ("/api/webhooks/", discord),
    "slack": ("/services/", slack),
    "tgram": ("/sendMessage", telegram),
    "matrix": ("/send/m.room.message/", matrix),
    "matrixs": ("/send/m.room.message/", matrix),
}
"""For each service what stands in the path of a request that sends a message, and its shape."""


def shaped(scheme: str, path: str, body: bytes, message: Message) -> bytes | None:
    """What is sent in place of a request's body; None if that request sends no message."""
    mark, shape = _SHAPES.get(scheme, ("", None))
    if shape is None or mark not in path:
        return None
    return msgspec.json.encode(shape(msgspec.json.decode(body), message))
