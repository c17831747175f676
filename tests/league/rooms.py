"""What a table's room has to hear: each set of people who are to act, once, and who is called."""

from contracts.ids import PlayerId
from contracts.people import NOBODY
from tests.league.arrival import NOBODY_WAITS
from tests.league.books import Page
from tests.league.case import Case
from tests.league.channels import Receipt
from tests.league.looks import Gap
from tests.league.others import in_one_look

Asked = tuple[tuple[PlayerId, int], ...]
"""Who is to act, each since when."""
Seen = tuple[Asked, int]
"""Who was to act at the last look, and its version."""


def asked(page: Page) -> Asked:
    """Who is to act at a table."""
    return tuple((seat, page.since[seat]) for seat in page.asked)


def is_news(now: Asked, before: Asked) -> bool:
    """Whether a room has to hear: somebody is to act who was not when it last heard."""
    return bool(now) and not set(now) <= set(before)


def judge_room(case: Case) -> None:
    """Compare what a room heard of turns, calls, beginning and end."""
    for url in case.room:
        judge_sets(case, url)
        judge_calls(case, url)


def judge_sets(case: Case, url: str) -> None:
    """Go through the gaps with all that the last look may have seen."""
    got: dict[int, list[Receipt]] = {}
    for one in case.by_url.get(url, []):
        if one.notice.kind in {"turn", "undone"}:
            got.setdefault(one.notice.version, []).append(one)
    seen: set[Seen] = {((), 0)}
    for gap in case.gaps:
        page = case.book.page(gap.version)
        now = asked(page)
        news = {is_news(now, before) for before, _ in seen}
        receipts = [one for one in got.pop(gap.version, []) if not is_correction(one)]
        can_look = gap.is_possible or gap.looked_by is not None
        most = int(can_look and True in news)
        least = int(gap.looked_by is not None and news == {True})
        if (
            least
            and case.arrivals.fate(url, None, case.made(gap.version), *holds(case, gap)) != "must"
        ):
            least = 0
        case.count("sets of people that a room must hear", least)
        if len(receipts) < least:
            case.fault("room untold", url, f"{now} in version {gap.version}")
        if len(receipts) > most:
            case.fault("room told too often", url, f"{now} in version {gap.version}")
        for one in receipts:
            judge_mentions(case, url, one, seen)
        looked = {(now, gap.version)}
        seen = looked if gap.looked_by is not None else seen | looked if gap.is_possible else seen
    for version in got:
        case.fault("room told too often", url, f"version {version}, of which nothing is known")


def holds(case: Case, gap: Gap) -> tuple[int, int | None]:
    """Until when what a room heard holds: until others are to act."""
    before = asked(case.book.page(gap.version))
    for later in case.gaps[gap.version :]:
        now = asked(case.book.page(later.version))
        if now != before:
            return later.begin, None
    return NOBODY_WAITS, None


def is_correction(one: Receipt) -> bool:
    """Whether a room was only told that something holds no more."""
    return one.notice.words.startswith("What you were told last holds no more")


def judge_mentions(case: Case, url: str, one: Receipt, seen: set[Seen]) -> None:
    """A room calls nobody but those who have just become the ones to act, without a channel."""
    page = case.book.page(one.notice.version)
    before = {name for last, _ in seen for name in last}
    new = {page.person(seat) for seat, since in asked(page) if (seat, since) not in before}
    for person in one.notice.mentions:
        if person == NOBODY or case.urls(person):
            said = f"version {page.version} calls {person}, who has a channel or no seat"
            case.fault("room calls the wrong one", url, said)
        elif len(seen) == 1 and person not in new:
            moved = any(
                page.person(seat) != case.book.page(max(1, version)).person(seat)
                for _, version in seen
                for seat, _ in asked(page)
            )
            if not moved:
                said = f"version {page.version} calls {person}, who is not new"
                case.fault("room calls the wrong one", url, said)


def called_of_each(case: Case) -> dict[tuple[PlayerId, str], list[int]]:
    """The versions in which the time of each person in each seat was called."""
    found: dict[tuple[PlayerId, str], list[int]] = {}
    for page in case.book.pages:
        for called in page.called:
            person = case.book.page(max(1, page.version - 1)).person(called.player)
            found.setdefault((called.player, person), []).append(page.version)
    return found


def judge_calls(case: Case, url: str) -> None:
    """A room hears each time that somebody's time was called, that a game begins, that it ends."""
    least = most = 0
    for versions in called_of_each(case).values():
        for some in in_one_look(case, versions):
            at = case.book.page(some[-1]).at
            by = case.prompted_by(at)
            sure = by is not None and case.arrivals.fate(url, None, (at, by)) == "must"
            least, most = least + int(sure), most + len(some)
    got = sum(one.notice.kind == "time called" for one in case.by_url.get(url, []))
    case.count("calls of time that a room must hear", least)
    if not least <= got <= most:
        case.fault("room and time called", url, f"heard {got}, should be {least} to {most}")
