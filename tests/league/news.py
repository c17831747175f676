"""What everybody has to hear beside the game: what became of requests, of the clock, of seats."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import TypeVar

from contracts.commands import ExpireRequest
from contracts.events import PlayPaused, RequestClosed, SeatTaken
from contracts.ids import PlayerId
from contracts.people import NOBODY, person_of
from contracts.records import Record
from tests.league.arrival import NOBODY_WAITS
from tests.league.books import Book, Page
from tests.league.case import Case
from tests.league.channels import Receipt
from tests.league.looks import Gap, ends, told
from tests.league.others import FOREVER

Found = dict[tuple[str, PlayerId | None, int], list[Receipt]]
"""What arrived, by address, seat (None of a room) and version."""
Ended = defaultdict[tuple[str, PlayerId | None, str], list[tuple[int, int]]]
"""How often the end of each request is told, by address, seat (None of a room) and how it ended."""
T = TypeVar("T")


def judge_news(case: Case) -> None:
    """Compare all of them with what arrived."""
    found = {word: arrived(case, word) for word in ("request", "Play ", "plays for you")}
    known = sum(len(one) for by in found.values() for one in by.values())
    news = [one for some in case.by_url.values() for one in some if one.notice.kind == "news"]
    if known != len(news):
        case.fault("news of an unknown kind", "all", f"{len(news)} arrived, {known} are known")
    judge_paused(case, found["Play "])
    judge_lost(case, found["plays for you"])
    judge_closed(case, found["request"])


def arrived(case: Case, word: str) -> Found:
    """What arrived of one kind of news."""
    found: Found = defaultdict(list)
    for url, receipts in case.by_url.items():
        for one in receipts:
            if one.notice.kind == "news" and kind_of(one.notice.words) == word:
                found[url, one.notice.player, one.notice.version].append(one)
    return found


def kind_of(words: str) -> str:
    """Which kind of news it is."""
    if words.startswith(("Your request ", "The request of ")):
        return "request"
    return "Play " if words.startswith("Play ") else words.partition(" ")[2][: len("plays for you")]


def seen_before(
    case: Case, first: T, shown: Callable[[Page], T]
) -> Iterator[tuple[Gap, T, set[T]]]:
    """In each gap with a possible look: what it shows, and what the look before may have shown."""
    seen = {first}
    for gap in case.gaps:
        now = shown(case.book.page(gap.version))
        if gap.looked_by is not None:
            yield gap, now, seen
            seen = {now}
        elif gap.is_possible:
            yield gap, now, seen
            seen = seen | {now}


def while_so(book: Book, version: int, holds: Callable[[Page], bool]) -> set[int]:
    """The versions from one on for as long as something holds."""
    found = set()
    for page in book.pages[version - 1 :]:
        if not holds(page):
            break
        found.add(page.version)
    return found


def last_with(case: Case, version: int, kind: type, seat: PlayerId | None = None) -> Record | None:
    """The last record up to a version with an event of a kind, of a seat if one is named."""
    for record in reversed(case.book.records[:version]):
        for event in record.events:
            if isinstance(event, kind) and seat in {None, getattr(event, "player", None)}:
                return record
    return None


def compared(case: Case, what: str, who: str, got: int, bounds: tuple[int, int]) -> None:
    """Compare how often something was told."""
    least, most = bounds
    case.count(f"{what} that must be told", least)
    if not least <= got <= most:
        case.fault(
            f"{what} {'untold' if got < least else 'told too often'}", who, f"{got}, {bounds}"
        )


def leftover(case: Case, what: str, found: Found) -> None:
    """Whatever nobody was to be told."""
    for (url, seat, version), some in found.items():
        if some:
            case.fault(f"{what} told for nothing", url, f"{seat} in version {version}")


# --- pauses ----------------------------------------------------------------------------------


def stands(*, is_paused: bool) -> Callable[[Page], bool]:
    """Whether all time stands still on a page, or runs."""
    return lambda page: page.table.beside.paused == is_paused


def sits_in(seat: PlayerId) -> Callable[[Page], str]:
    """Who sits in a seat on a page."""
    return lambda page: page.person(seat)


def judge_paused(case: Case, found: Found) -> None:
    """That time stands still or runs again, all who sit hear once, but for who did it; the room."""
    looks = seen_before(case, False, lambda page: page.table.beside.paused)
    for gap, now, before in looks:
        if before == {now}:
            continue
        page, version = case.book.page(gap.version), gap.version
        record = last_with(case, version, PlayPaused)
        assert record is not None
        is_sure = gap.looked_by is not None and now not in before
        so = while_so(case.book, version, stands(is_paused=now))
        for seat in page.table.order:
            person = page.person(seat)
            knows = person in {NOBODY, person_of(record.order.sender)}
            for url in case.urls(person):
                told_so = case.expect(
                    person, url, ["news"], case.made(version), ends(case.gaps, so, version)
                )
                courses = [[]] if knows else [[told_so]] if is_sure else [[told_so], []]
                got = found.pop((url, seat, version), [])
                who = f"{person} ({url}), version {version}"
                compared(case, "pauses", who, len(got), case.expect_in_one_of(url, courses))
                case.count("pauses")
        for url in case.room:
            fate = case.arrivals.fate(url, None, case.made(version), *ends(case.gaps, so, version))
            bounds = (int(is_sure and fate == "must"), int(fate != "never"))
            got = found.pop((url, None, version), [])
            compared(case, "pauses in a room", f"{url}, version {version}", len(got), bounds)
    leftover(case, "pause", found)


# --- seats -----------------------------------------------------------------------------------


def judge_lost(case: Case, found: Found) -> None:
    """Whoever lost his seat to another hears it once, unless he gave it away himself."""
    for seat in case.book.pages[0].table.order:
        looks = seen_before(case, "", sits_in(seat))
        for gap, now, before in looks:
            for former in sorted(before - {"", NOBODY, now}) if now != NOBODY else ():
                version = gap.version
                is_sure = gap.looked_by is not None and before == {former}
                for url in case.urls(former):
                    told_so = case.expect(
                        *(former, url, ["news"], case.made(version)),
                        ends(case.gaps, while_lost(case, seat, former, version), version),
                    )
                    courses = [[told_so]] if is_sure else [[told_so], []]
                    if gave_away(case, seat, former, version):
                        courses = [[]]
                    got = found.pop((url, seat, version), [])
                    who = f"{former} ({url}), {seat}, version {version}"
                    compared(case, "lost seats", who, len(got), case.expect_in_one_of(url, courses))
                    case.count("lost seats")
    leftover(case, "lost seat", found)


def while_lost(case: Case, seat: PlayerId, former: str, version: int) -> set[int]:
    """The versions from one on in which somebody is without his seat."""
    return while_so(case.book, version, lambda page: page.person(seat) != former)


def gave_away(case: Case, seat: PlayerId, former: str, version: int) -> bool:
    """Whether whoever had a seat gave it away himself."""
    record = last_with(case, version, SeatTaken, seat)
    return record is not None and person_of(record.order.sender) == former


# --- requests --------------------------------------------------------------------------------


def judge_closed(case: Case, found: Found) -> None:
    """Whoever asked hears once that he was refused or not answered in time; the room the latter."""
    due: Ended = defaultdict(list)
    for record, because, asker in closings(case.book):
        add_ended(case, record, because, asker, due)
    got: Counter[tuple[str, PlayerId | None, str]] = Counter()
    for (url, seat, version), some in found.items():
        for one in some:
            because = "expired" if " expired: " in one.notice.words else "refused"
            got[url, seat, because] += 1
            if (url, seat, because) not in due:
                case.fault("end of a request told for nothing", url, f"{seat}, version {version}")
    for key, bounds in due.items():
        both = sum(one[0] for one in bounds), sum(one[1] for one in bounds)
        compared(case, f"requests that were {key[2]}", f"{key[0]}, {key[1]}", got[key], both)


def add_ended(case: Case, record: Record, because: str, asker: PlayerId, due: Ended) -> None:
    """Add how often the end of one request is to be told."""
    book, first = case.book, record.version
    so = while_so(book, first, rests_on(book, first))
    courses = sorted(told(case.gaps, so, lambda before, at: (False,)))
    is_unseen = () in courses
    undos = (page for page in book.pages[max(so) :] if page.undone is not None)
    is_back = is_unseen and any(book.rests_on(first, page.version) for page in undos)
    everybody = {page.person(asker) for page in book.pages[first - 1 :]}
    for person in sorted(everybody - {NOBODY, person_of(record.order.sender)}):
        for url in case.urls(person):
            expected = [
                [
                    case.expect(
                        *(person, url, ["news"], case.made(version)),
                        ends(case.gaps, so, version),
                    )
                    for version, _ in course
                    if book.page(version).person(asker) == person
                ]
                for course in courses
            ]
            if is_back:
                made = (case.gap(first).begin, case.end)
                expected += [[], [case.expect(person, url, ["news"], made, FOREVER)]]
            due[url, asker, because].append(case.expect_in_one_of(url, expected))
            case.count("requests that ended")
    for url in case.room if because == "expired" else ():
        by = max((case.made(version)[1] for some in courses for version, _ in some), default=0)
        fate = case.arrivals.fate(url, None, (case.gap(first).begin, by or NOBODY_WAITS))
        is_sure = not is_unseen and max(so) == len(book.pages)
        due[url, None, because].append((int(is_sure and fate == "must"), 1))


def rests_on(book: Book, version: int) -> Callable[[Page], bool]:
    """Whether a table rests on a record; only an undo can change that."""
    return lambda page: page.undone is None or book.rests_on(version, page.version)


def closings(book: Book) -> Iterator[tuple[Record, str, PlayerId]]:
    """The records that refused a request or let it expire, and who had asked.

    That silence let play go on is told as that.
    """
    for record in book.records[1:]:
        asked = {one.id: one for one in book.page(record.version - 1).requests}
        if isinstance(record.order.command, ExpireRequest) and any(
            isinstance(event, PlayPaused) for event in record.events
        ):
            continue
        for event in record.events:
            if isinstance(event, RequestClosed) and event.because in {"refused", "expired"}:
                yield record, event.because, asked[event.id].player
