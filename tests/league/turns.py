"""Who had to be told of his turn, of a request, and of its being taken back; and who was."""

from collections import defaultdict

from contracts.ids import PlayerId
from contracts.notices import Kind
from contracts.people import NOBODY
from tests.league.arrival import when_of
from tests.league.books import Page
from tests.league.case import Case, is_request, is_task
from tests.league.channels import Receipt
from tests.league.looks import ends, told
from tests.league.news import gave_away, while_lost
from tests.league.plan import BEGIN, DAY

Key = tuple[str, int | str, PlayerId, str]
"""`turn` and since when, or `request` and its id; the seat, and who acts for it."""


def keys_of(page: Page) -> list[Key]:
    """All that somebody has to be told as a table stands."""
    found: list[Key] = [
        ("turn", page.since[seat], seat, page.person(seat))
        for seat in page.asked
        if page.person(seat) != NOBODY
    ]
    for request in page.requests:
        found += [
            ("request", request.id, seat, page.person(seat))
            for seat in request.waiting
            if page.person(seat) != NOBODY
        ]
    return found


def judge_turns(case: Case) -> None:
    """Compare what everybody was told of what he had to do with what he should have been told."""
    present: defaultdict[Key, set[int]] = defaultdict(set)
    for page in case.book.pages:
        for key in keys_of(page):
            present[key].add(page.version)
    got = received(case)
    for key, versions in present.items():
        judge_one(case, key, versions, got)
    for (url, key), receipts in got.items():
        if key not in present:
            for one in receipts:
                said = f"told in version {one.notice.version} of {key[0]} {key[1]}, not his then"
                case.fault("told for nothing", f"{key[3]} ({url})", said)


def received(case: Case) -> dict[tuple[str, Key], list[Receipt]]:
    """What arrived about turns and requests, by address and what it is about."""
    got: defaultdict[tuple[str, Key], list[Receipt]] = defaultdict(list)
    for url, receipts in case.by_url.items():
        for one in receipts:
            notice = one.notice
            page = case.book.page(notice.version)
            seat = notice.player
            if seat is None:
                continue
            who = notice.person or seat
            if is_task(notice):
                got[url, ("turn", page.since.get(seat, 0), seat, who)].append(one)
            elif is_request(notice):
                mine = [one.id for one in page.requests if seat in one.waiting]
                ids = [id for id in mine if (url, ("request", id, seat, who)) not in got]
                id = ids[0] if ids else mine[0] if mine else ""
                got[url, ("request", id, seat, who)].append(one)
    return got


def judge_one(
    case: Case, key: Key, present: set[int], got: dict[tuple[str, Key], list[Receipt]]
) -> None:
    """Compare for one turn or request of one person."""
    worlds = told(case.gaps, present, lambda before, at: knows(case, key, before, at))
    person = key[3]
    case.count(f"{key[0]}s")
    for url in case.urls(person):
        courses = [
            [
                case.expect(
                    person,
                    url,
                    kinds_of(case, key, before, version),
                    case.made(version),
                    ends(case.gaps, present, version),
                )
                for version, before in world
            ]
            for world in sorted(worlds)
        ]
        least, most = case.expect_in_one_of(url, courses)
        receipts = got.get((url, key), [])
        case.count(f"{key[0]}s by channel that must be told", least)
        case.count(f"{key[0]}s by channel that must not be told", int(most == 0))
        case.count(f"{key[0]}s by channel that may be told", most - least)
        where = f"{key[0]} {key[1]} of {key[2]}, versions {min(present)} to {max(present)}"
        if len(receipts) < least:
            began = (case.gap(min(present)).begin - BEGIN) / DAY
            said = f"{where} (day {began:.3f}): told {len(receipts)} times of {least}"
            case.fault(f"untold {key[0]}", f"{person} ({url})", said)
        if len(receipts) > most:
            ids = ", ".join(f"{one.id} day {(one.at - BEGIN) / DAY:.3f}" for one in receipts)
            said = f"{where}: told {len(receipts)} times, {most} at most: {ids}"
            case.fault(f"{key[0]} told too often", f"{person} ({url})", said)
        for one in receipts:
            judge_in_time(case, key, present, one)


def judge_in_time(case: Case, key: Key, present: set[int], one: Receipt) -> None:
    """Nobody is told of what is over, and whoever was told is told that an undo took it back."""
    version = one.notice.version
    if version not in present:
        return
    _, over_by = ends(case.gaps, present, version)
    if over_by is not None and one.at > over_by + case.arrivals.slack(over_by):
        said = f"{key[0]} {key[1]} of {key[2]}: told at {(one.at - BEGIN) / DAY:.3f}, after its end"
        case.fault("told after its end", f"{key[3]} ({one.url})", said)
    judge_correction(case, key, present, one)


def judge_correction(case: Case, key: Key, present: set[int], one: Receipt) -> None:
    """A notice that was delivered, and whose turn an undo took back, has to be corrected."""
    begin = one.notice.version
    after = [gap for gap in case.gaps[begin:] if gap.version not in present]
    look = next((gap for gap in after if gap.looked_by is not None), None)
    if look is None or key[0] != "turn" or one.at >= case.gap(look.version).begin:
        return
    first = after[0]
    if any(
        gap.is_possible or gap.looked_by for gap in case.gaps[first.version - 1 : look.version - 1]
    ):
        return
    undos = [
        page.undone for page in case.book.pages[first.version - 1 : look.version] if page.undone
    ]
    if is_lost(case, key, look.version):
        judge_lost_turn(case, key, look.version, one)
        return
    taken_back = undos and not case.book.rests_on(int(key[1]), look.version)
    found = [other for other in case.by_url[one.url] if other.notice.corrects == one.notice.id]
    if not taken_back:
        if found:
            said = f"{one.notice.id} is corrected, but was not taken back"
            case.fault("corrected for nothing", f"{key[3]} ({one.url})", said)
        return
    case.count("turns taken back that were told")
    page = case.book.page(look.version)
    by_himself = all(undo.by == key[2] for undo in undos)
    is_told_anew = key[2] in page.asked and page.person(key[2]) == key[3]
    person = case.people[key[3]]
    if by_himself or is_told_anew or when_of(person, "undone") != "at once":
        return
    fate = case.arrivals.fate(one.url, person.quiet, case.made(look.version))
    if fate == "must":
        case.count("corrections that must be told")
        if not found:
            said = f"{one.notice.id} was taken back by version {look.version}, and not corrected"
            case.fault("not corrected", f"{key[3]} ({one.url})", said)


def is_lost(case: Case, key: Key, version: int) -> bool:
    """Whether another has the seat by then of whoever was told."""
    return case.book.page(version).person(key[2]) not in {key[3], NOBODY}


def judge_lost_turn(case: Case, key: Key, version: int, one: Receipt) -> None:
    """What was delivered to whoever lost his seat then is corrected by what tells him so."""
    person, url = case.people[key[3]], one.url
    if gave_away(case, key[2], key[3], version) or when_of(person, "news") != "at once":
        return
    lost = while_lost(case, key[2], key[3], version)
    until = ends(case.gaps, lost, version)
    if case.arrivals.fate(url, person.quiet, case.made(version), *until) == "must":
        case.count("turns that went with a seat and must be corrected")
        if all(other.notice.corrects != one.notice.id for other in case.by_url[url]):
            said = f"{one.notice.id}: another has the seat in version {version}"
            case.fault("not corrected", f"{key[3]} ({url})", said)


def knows(case: Case, key: Key, before: int, at: int) -> tuple[bool, ...]:
    """Whether somebody knows that he is to act again, having undone his own move."""
    if key[0] != "turn" or int(key[1]) > before:
        return (False,)
    by = [page.undone.by for page in case.book.pages[before:at] if page.undone is not None]
    if not by or key[2] not in by:
        return (False,)
    return (True,) if set(by) == {key[2]} else (True, False)


def kinds_of(case: Case, key: Key, before: int, at: int) -> list[Kind]:
    """As which kind of notice something is told."""
    if key[0] == "request":
        return ["consent"]
    undone = any(page.undone is not None for page in case.book.pages[before:at])
    if int(key[1]) <= before and undone:
        return ["undone"]
    return ["consent"] if case.book.page(at).is_consent else ["turn"]
