"""Views as a person reads them: what stands where."""

import io
from typing import Any

import msgspec
from rich.console import Console

from contracts import views as v
from contracts.ids import FrameId
from contracts.views_beside import RequestView
from services.console import pictures
from tests.projections.projected import view
from tests.tables import ANN, BOB, NYC, PRR, operated


def printed(shown: Any) -> list[str]:
    page = io.StringIO()
    Console(file=page, width=200).print(shown)
    return [line.rstrip() for line in page.getvalue().splitlines()]


def market(*shape: int) -> v.MarketView:
    spaces = tuple(
        v.SpaceView(f"{row},{column}", row, column, 100 * row + column, None, ())
        for row, columns in enumerate(shape)
        for column in range(columns)
    )
    return v.MarketView("t", 1, spaces, ())


def test_a_market_that_is_one_line_is_folded_and_read_on_from_line_to_line():
    lines = [line for line in printed(pictures.market(market(30))) if "Market" not in line]
    numbers = [[int(word) for word in line.split() if word.isdigit()] for line in lines]
    assert [row for row in numbers if row] == [[*range(12)], [*range(12, 24)], [*range(24, 30)]]


def test_a_market_of_several_lines_is_shown_as_it_is():
    shown = pictures.market(market(19, 18))
    assert (shown.row_count, len(shown.columns)) == (2, 19)


def test_what_a_train_runs_as_and_its_warranties_stand_with_it():
    train = v.TrainView("A-0", "A", "freight", 2)
    nyc = view(operated(), "companies").companies[NYC]
    shown = v.CompaniesView(
        "t", 1, {NYC: with_(nyc, trains=(train,), permits=("freight",))}, {}, ()
    )
    assert any("A freight** (freight)" in line for line in printed(pictures.companies(shown)))


def test_a_company_in_receivership_is_called_so():
    prr = view(operated(), "companies").companies[PRR]
    shown = v.CompaniesView("t", 1, {PRR: with_(prr, director=None, in_receivership=True)}, {}, ())
    assert any("in receivership" in line for line in printed(pictures.companies(shown)))
    assert prr.director == ANN


def test_a_request_is_shown_in_sentences():
    asked = RequestView(FrameId("4.0"), ANN, "undo", "Ann asks to go back.", (BOB,), 1)
    shown = msgspec.structs.replace(view(operated(), "turn"), requests=(asked,))
    line = "Request 4.0 of ann: Ann asks to go back. Waited for: bob."
    assert line in printed(pictures.turn(shown))


def with_(company: v.CompanyView, **fields: Any) -> v.CompanyView:
    return msgspec.structs.replace(company, **fields)
