"""Trains that stand although they could run beside the others (7.8)."""

from contracts.ids import CompanyId
from contracts.runs import Run
from contracts.titles.facts import Facts
from services.engine.rules.network.objection import Objection
from services.engine.rules.network.walks import Train
from services.engine.table.board import Board


def idle_objection(
    facts: Facts, board: Board, company: CompanyId, idle: tuple[Train, ...], runs: tuple[Run, ...]
) -> Objection | None:
    return None
