"""What can go wrong between a service and the store, each said so that a person can act on it."""

from contracts.ids import TableId


class BusError(Exception):
    """The bus cannot be used; the message says why and what to do."""


class StoreError(BusError):
    """The store does not answer, or is not one that this release can use."""


class NoAnswerError(BusError):
    """An order was sent and nobody answered in time; it may still be decided later."""


class DamagedLogError(Exception):
    """A minute book is not what was written: a record is changed, missing or out of order."""

    def __init__(self, table: TableId, version: int, sentence: str) -> None:
        """Say where, and what is wrong there."""
        super().__init__(f"Table {table}, record {version}: {sentence}")
        self.table = table
        self.version = version
        self.sentence = sentence
