"""What every view has: of which table it is, and as of which version."""

from msgspec import Struct

from contracts.ids import TableId


class View(Struct, frozen=True, tag_field="view"):
    """The base of all views: of which table, as of which version."""

    table: TableId
    version: int
