"""The box that the network is tested with, and recorded games where there are any."""

import os
from pathlib import Path

import pytest

from contracts.titles.facts import Facts
from contracts.titles.load import facts
from services.engine.table.board import Board
from tests.network.recorded import empty_board

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def box() -> Facts:
    return facts("1830")


@pytest.fixture(scope="session")
def bare(box: Facts) -> Board:
    """The board as the game begins."""
    return empty_board(box)


@pytest.fixture(scope="session")
def anglia() -> Facts:
    """A box whose trains share track and whose towns are small stations."""
    return facts("1862")


@pytest.fixture(scope="session")
def histories() -> Path:
    """Games recorded elsewhere, which are not part of this project.

    They are looked for in the folder that MINUTEBOOK_HISTORIES names, else in `shared/histories`
    beside the project.
    """
    folder = Path(os.environ.get("MINUTEBOOK_HISTORIES", ROOT.parent / "shared" / "histories"))
    if not folder.is_dir():
        pytest.skip("no recorded games: set MINUTEBOOK_HISTORIES to their folder")
    return folder
