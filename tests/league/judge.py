"""The judge of a season: what everybody should have been told, and what he was.

Written from the rules of `docs/notices.md` and of the clock, out of the final minute books, the
settings of people and tables, and the times at which services were away. None of it asks the clock
or the notifier.
"""

from collections import defaultdict
from collections.abc import Sequence

from contracts.ids import TableId
from contracts.notices import of_table
from tests.league.arrival import Arrivals, after_quiet
from tests.league.books import book_of
from tests.league.case import Case
from tests.league.channels import Receipt
from tests.league.clocks import judge_clock
from tests.league.looks import gaps_of
from tests.league.news import judge_news
from tests.league.openings import Opening
from tests.league.others import judge_digests, judge_others
from tests.league.people import url_of
from tests.league.rooms import judge_room
from tests.league.season import Played
from tests.league.spans import Span, united
from tests.league.turns import judge_turns
from tests.league.verdict import Verdict


def judged(played: Played) -> Verdict:
    """The verdict on a season."""
    verdict = Verdict()
    for fault in played.faults:
        verdict.fault("fault of a service", fault)
    by_table: defaultdict[TableId, list[Receipt]] = defaultdict(list)
    for receipt in played.services.receipts:
        by_table[receipt.notice.table].append(receipt)
    telling = united([*played.downs["notifier"], *played.downs["projector"]])
    arrivals = Arrivals(played.services, united(played.downs["notifier"]), played.plan.end)
    cases = [
        case
        for opening in played.openings
        if (case := case_of(played, opening, by_table[opening.table], telling, arrivals, verdict))
    ]
    away = united([*played.downs["clock"], *played.downs["engine"]])
    for case in cases:
        judge_clock(case, away)
        judge_turns(case)
        judge_others(case)
        judge_news(case)
        judge_room(case)
    judge_quiet(played, verdict)
    judge_digests(cases, by_table[TableId("")], verdict)
    verdict.counts["messages"] = len(played.services.receipts)
    verdict.counts["records"] = sum(len(book) for book in played.books.values())
    verdict.counts["tables"] = len(cases)
    return verdict


def judge_quiet(played: Played, verdict: Verdict) -> None:
    """Nobody is told anything in his quiet hours."""
    quiet = {
        url_of(person.id, one): person.quiet
        for person in played.people.values()
        for one in person.channels
        if person.quiet is not None
    }
    for receipt in played.services.receipts:
        hours = quiet.get(receipt.url)
        if hours is not None:
            verdict.counts["messages to people with quiet hours"] += 1
            if after_quiet(hours, receipt.at) != receipt.at:
                said = f"{receipt.url}: {receipt.id} arrived in quiet hours"
                verdict.fault("told in quiet hours", said)


def case_of(
    played: Played,
    opening: Opening,
    receipts: list[Receipt],
    telling: Sequence[Span],
    arrivals: Arrivals,
    verdict: Verdict,
) -> Case | None:
    """A table before its judge; None if it was never opened."""
    records = played.books[opening.table]
    if not records:
        return None
    book = book_of(opening.table, records)
    clocked = united([*telling, *played.downs["clock"]])
    gaps = gaps_of(book, telling, united(played.downs["clock"]), [], played.plan.end)
    owner = of_table(opening.table)
    return Case(
        book=book,
        gaps=gaps,
        receipts=receipts,
        people=played.people,
        room=tuple(url_of(owner, one) for one in opening.room),
        unsure=clocked,
        arrivals=arrivals,
        verdict=verdict,
    )
