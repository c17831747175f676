"""What else is told: begun and ended, time called, programmes that stopped, digests."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from contracts.ids import PlayerId
from contracts.notices import Kind
from contracts.people import NOBODY
from tests.league.arrival import NOBODY_WAITS
from tests.league.case import Case, Expected
from tests.league.channels import Receipt
from tests.league.looks import told
from tests.league.verdict import Verdict

FOREVER = (NOBODY_WAITS, None)


def judge_others(case: Case) -> None:
    """Compare all that is told once and does not end."""
    judge_beginning(case)
    judge_ending(case)
    judge_called(case)
    judge_stopped(case)


def of_kind(case: Case, url: str, kind: str, seat: PlayerId | None) -> list[Receipt]:
    """What arrived of a kind for a seat."""
    found = case.by_url.get(url, [])
    return [one for one in found if (one.notice.kind, one.notice.player) == (kind, seat)]


def compared(case: Case, kind: str, who: str, got: int, least: int, most: int) -> None:
    """Compare how often something was told with how often it should have been."""
    case.count(f"{kind} that must be told", least)
    if not least <= got <= most:
        should = f"{least}" if least == most else f"{least} to {most}"
        word = "untold" if got < least else "told too often"
        case.fault(f"{kind} {word}", who, f"told {got} times, should be {should}")


def judge_beginning(case: Case) -> None:
    """Everybody is told once that a game has begun, by his first turn's notice or by its own."""
    sure = next((gap for gap in case.gaps if gap.looked_by is not None), None)
    if sure is None:
        return
    before = [gap for gap in case.gaps[: sure.version - 1] if gap.is_possible]
    for seat in case.book.pages[0].table.order:
        heard = {seat in case.book.page(gap.version).asked for gap in (*before, sure)}
        people = {case.book.page(gap.version).person(seat) for gap in (*before, sure)}
        if len(people) > 1:
            continue
        (person,) = people
        for url in case.urls(person):
            made = (case.gaps[0].begin, case.made(sure.version)[1])
            told_so = [case.expect(person, url, ["begun"], made, FOREVER)]
            courses = [told_so if not one else [] for one in sorted(heard)]
            least, most = case.expect_in_one_of(url, courses)
            got = len(of_kind(case, url, "begun", seat))
            compared(case, "begun", f"{person} ({url})", got, least, most)


def judge_ending(case: Case) -> None:
    """Everybody is told once that a game is over; once more if that was taken back meanwhile."""
    present = {page.version for page in case.book.pages if page.is_over}
    if not present:
        return
    worlds = told(case.gaps, present, lambda before, at: (False,))
    for seat in case.book.pages[0].table.order:
        for person in {page.person(seat) for page in case.book.pages if page.is_over} - {NOBODY}:
            for url in case.urls(person):
                courses = [
                    [
                        case.expect(person, url, ["ended"], case.made(version), FOREVER)
                        for version, _ in world
                        if case.book.page(version).person(seat) == person
                    ]
                    for world in sorted(worlds)
                ]
                least, most = case.expect_in_one_of(url, courses)
                got = len(of_kind(case, url, "ended", seat))
                compared(case, "ended", f"{person} ({url})", got, least, most)


def judge_called(case: Case) -> None:
    """Whose time was called is told each time: who acted for the seat then, and nobody else."""
    due: defaultdict[tuple[PlayerId, str], list[int]] = defaultdict(list)
    for page in case.book.pages:
        for called in page.called:
            before = case.book.page(max(1, page.version - 1))
            due[called.player, before.person(called.player)].append(page.version)
    everybody = dict.fromkeys(case.book.pages[0].table.order)
    for url, receipts in case.by_url.items():
        for one in receipts:
            seat = one.notice.player
            if one.notice.kind == "time called" and seat in everybody:
                whose = (seat, owner_of(url))
                if whose not in due:
                    said = f"told that his time ran out in version {one.notice.version}"
                    case.fault("time called for nothing", f"{whose[1]} ({url})", said)
    for (seat, person), versions in due.items():
        for url in case.urls(person):
            low = high = 0
            for some in in_one_look(case, versions):
                courses = prompted(case, person, url, "time called", some[-1])
                least, most = case.expect_in_one_of(url, courses)
                low, high = low + least, high + most + len(some) - 1
            got = len(of_kind(case, url, "time called", seat))
            who = f"{person} ({url}), {seat}, versions {versions}"
            compared(case, "time called", who, got, low, high)


def in_one_look(case: Case, versions: list[int]) -> Iterator[list[int]]:
    """The versions of somebody's calls, those together that one look may tell at once."""
    some: list[int] = []
    for version in versions:
        by = case.prompted_by(case.book.page(some[-1]).at) if some else NOBODY_WAITS
        if some and by is not None and by < case.book.page(version).at:
            yield some
            some = []
        some.append(version)
    if some:
        yield some


def judge_stopped(case: Case) -> None:
    """Whose programme stopped is told each time."""
    due: defaultdict[tuple[PlayerId, str], list[tuple[int, bool]]] = defaultdict(list)
    for page in case.book.pages:
        for seat, because in page.stopped:
            is_handed = because in {"seat taken", "own undo"}
            before = case.book.page(max(1, page.version - 1)).person(seat)
            due[seat, before].append((page.version, is_handed))
            if is_handed:
                due[seat, page.person(seat)].append((page.version, True))
    for (seat, person), found in due.items():
        for url in case.urls(person):
            low = high = 0
            for version, is_handed in found:
                courses = prompted(case, person, url, "program stopped", version)
                # Of a programme that went with its seat, nobody need hear.
                some = case.expect_in_one_of(url, [*courses, *([[]] if is_handed else [])])
                low, high = low + some[0], high + some[1]
            got = len(of_kind(case, url, "program stopped", seat))
            who = f"{person} ({url}), {seat}, versions {[one[0] for one in found]}"
            compared(case, "program stopped", who, got, low, high)


def prompted(case: Case, person: str, url: str, kind: Kind, version: int) -> list[list[Expected]]:
    """What comes of a record's prompt: it is told soon after it, whatever follows."""
    moment = case.book.page(version).at
    by = case.prompted_by(moment)
    told_so = [case.expect(person, url, [kind], (moment, by or NOBODY_WAITS), FOREVER)]
    return [told_so] if by is not None else [told_so, []]


def owner_of(url: str) -> str:
    """Whose channel an address is."""
    return url.partition("://")[2].partition(".")[0]


def judge_digests(cases: Sequence[Case], digests: Sequence[Receipt], verdict: Verdict) -> None:
    """Compare what digests named with what they should have named."""
    named: Counter[tuple[str, str]] = Counter()
    hidden: Counter[str] = Counter()
    first: dict[tuple[str, str], Receipt] = {}
    for one in digests:
        first.setdefault((one.url, one.id), one)
    for one in first.values():
        for line in one.notice.happened:
            if line.startswith("- and "):
                hidden[one.url] += int(line.split()[2])
                continue
            # A line has title and table, the subject, and words.
            _, _, rest = line.partition(", ")
            table, subject = rest.split(": ", 2)[:2]
            named[one.url, f"{table}: {subject}"] += 1
    verdict.counts["digests"] = len(first)
    known = {key: bounds for case in cases for key, bounds in case.digested.items()}
    for (url, subject), bounds in known.items():
        least, most = sum(one[0] for one in bounds), sum(one[1] for one in bounds)
        verdict.counts["lines of digests that must be there"] += least
        got = named.get((url, subject), 0)
        if got + hidden[url] < least or got > most:
            said = f"{url}: {subject}: {got} lines in all, should be {least} to {most}"
            verdict.fault("digests", said)
    for key in named:
        if key not in known:
            verdict.fault("digests", f"{key[0]} names {key[1]}, of which nothing was to be told")
