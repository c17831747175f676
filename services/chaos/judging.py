"""Judge what the clock and the notifier did, out of minute books, letters and messages. Pure."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from contracts.ids import TableId
from contracts.notices import Letter
from contracts.records import Record, Sealed
from services.chaos import delivered, told
from services.chaos.post import WELL, Delivery
from services.chaos.promises import ASTRAY, CALLED, CORRECTED, FIRED, SIGNED, TOLD, TWICE
from services.chaos.timed import Timed, share, timed
from services.chaos.troubles import Trouble


class Witness(Struct, frozen=True):
    """What was seen beside the clients: messages that came, troubles, who cannot be reached."""

    deliveries: Sequence[Delivery] = ()
    troubles: Sequence[Trouble] = ()
    planted: frozenset[str] = frozenset()


def judged(
    books: Mapping[TableId, Sequence[Sealed]],
    letters: Mapping[TableId, Sequence[Letter]],
    witness: Witness,
) -> tuple[dict[str, list[str]], dict[str, str]]:
    """What was broken of each promise of the clock and the notifier, and figures."""
    records = {table: [one.record for one in book] for table, book in books.items()}
    times = {table: timed(table, book, witness.troubles) for table, book in records.items()}
    broken = {
        CALLED: [wrong for one in times.values() for wrong in one.wrong],
        FIRED: [missed for one in times.values() for missed in one.missed],
        TWICE: list(delivered.sent_again(witness.deliveries, witness.troubles)),
        TOLD: [],
        CORRECTED: [],
        ASTRAY: [],
        SIGNED: [],
    }
    for table, book in records.items():
        _told(table, book, letters[table], broken)
    every = [letter for some in letters.values() for letter in some]
    broken[ASTRAY] += delivered.astray(every, witness.deliveries, witness.planted)
    broken[SIGNED] += delivered.unsigned(every, witness.deliveries)
    return broken, figures(times, records, every, witness)


def _told(
    table: TableId,
    book: Sequence[Record],
    letters: Sequence[Letter],
    broken: Mapping[str, list[str]],
) -> None:
    course = told.course(table, book)
    broken[TWICE] += (f"{table}: {one}" for one in told.told_twice(letters, course))
    broken[TOLD] += told.untold(table, book, letters, course)
    broken[TOLD] += told.uncalled(table, book, letters, course)
    broken[CORRECTED] += told.uncorrected(letters, course)


def figures(
    times: Mapping[TableId, Timed],
    records: Mapping[TableId, Sequence[Record]],
    letters: Sequence[Letter],
    witness: Witness,
) -> dict[str, str]:
    """What happened, in numbers, for whoever reads the verdict."""
    undos = sum(len(told.course(table, book).undos) for table, book in records.items())
    states = {
        state: sum(letter.state == state for letter in letters)
        for state in ("sent", "withdrawn", "dead")
    }
    well = sum(one.answer == WELL for one in witness.deliveries)
    corrections = sum(bool(letter.notice.corrects) for letter in letters)
    return {
        "records by the clock: time called": str(sum(one.calls for one in times.values())),
        "records by the clock: request expired": str(sum(one.expiries for one in times.values())),
        "calls under way when their time was changed": str(
            sum(one.overtaken for one in times.values())
        ),
        "timer late, median": f"{share(times, 0.5):.2f} s",
        "timer late, 99 of 100": f"{share(times, 0.99):.2f} s",
        "timer late, longest": f"{share(times, 1.0):.2f} s",
        "undone": str(undos),
        "letters": ", ".join(f"{number} {state}" for state, number in states.items()),
        "letters that put something right": str(corrections),
        "messages that came": f"{len(witness.deliveries)}, {well} taken",
        "messages that came again": str(len(delivered.repeats(witness.deliveries))),
    }
