"""What all events have in common."""

from msgspec import Struct


class Event(Struct, frozen=True, array_like=True, tag=True):
    """The base of all events."""
