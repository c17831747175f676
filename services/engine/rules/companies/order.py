"""The order in which companies operate, as the market stands now."""

from contracts.ids import CompanyId, Space
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.market import cell_of
from services.engine.table.state import Table


def operating_order(ruleset: Ruleset, table: Table) -> tuple[CompanyId, ...]:
    """All floated companies: dearest first, then further right, higher row, top of the stack.

    (3.3.2) It says nothing about who has operated in this round.
    """

    def place(company: CompanyId) -> tuple[int, int, int, int]:
        marker = table.markers[company]
        row, column = cell_of(marker.space)
        return -marker.price, -column, row, table.market[Space(marker.space)].index(company)

    operating = (
        id
        for id, charter in table.charters.items()
        if charter.kind == "public" and charter.status == "floated" and id in table.markers
    )
    return tuple(sorted(operating, key=place))
