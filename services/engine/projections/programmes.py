"""What players have left to the server."""

from contracts.commands import SetProgramme
from contracts.notation import written
from contracts.views_beside import ProgrammesView, ProgrammeView
from services.engine.projections.minutes_beside import moves
from services.engine.projections.pages import Page
from services.engine.projections.turn import made_in
from services.engine.projections.words import Words, sentence
from services.engine.table.state import Table


def view(words: Words, pages: tuple[Page, ...], table: Table) -> ProgrammesView:
    """The programmes that are held, in the order in which they were set."""
    return ProgrammesView(
        table.id,
        table.version,
        tuple(
            ProgrammeView(
                held.id,
                held.player,
                sentence(moves(words, held.programme)),
                written(SetProgramme(held.programme)),
                held.round,
                made_in(held.id),
                pages[made_in(held.id) - 1].time,
            )
            for held in table.beside.programmes
        ),
    )
