"""One table before its judge: its book, its gaps, what arrived about it, and by which channels."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from contracts.notices import Kind, Notice
from tests.league.arrival import Arrivals, Fate, when_of
from tests.league.books import Book
from tests.league.channels import Receipt
from tests.league.looks import QUIET, Gap
from tests.league.people import Person, url_of
from tests.league.plan import SECOND
from tests.league.spans import Span, first_long, meets
from tests.league.verdict import Verdict

REQUEST = "You have not answered yet."
"""How a notice ends that asks for an answer beside the game."""
TAKEN_BACK = "What you were told last holds no more"
"""How a correction begins that asks for nothing."""
SUBJECTS: dict[Kind, str] = {
    "turn": "your turn",
    "consent": "you are asked",
    "undone": "moves were taken back",
    "begun": "the game has begun",
    "reminder": "reminder",
    "ended": "the game is over",
    "time called": "time ran out",
    "program stopped": "program stopped",
    "news": "news",
}


class Expected(Struct, frozen=True):
    """How often something is told: directly, and by a digest under a subject."""

    least: int
    most: int
    digest_least: int = 0
    digest_most: int = 0
    subject: str = ""


def bounds(fates: Sequence[Fate]) -> tuple[int, int]:
    """How often at least and at most, if one of these comes about."""
    return int(set(fates) == {"must"}), int(any(one != "never" for one in fates))


@dataclass
class Case:
    """Everything about one table."""

    book: Book
    gaps: list[Gap]
    receipts: list[Receipt]
    people: dict[str, Person]
    room: tuple[str, ...]
    """Addresses of the table's room."""
    unsure: Sequence[Span]
    """When clock, projector or notifier were away."""
    arrivals: Arrivals
    verdict: Verdict
    digested: dict[tuple[str, str], list[tuple[int, int]]] = field(default_factory=dict)
    """How often digests have to name something, at least and at most, by address and subject."""

    def __post_init__(self) -> None:
        self.first: dict[tuple[str, str], Receipt] = {}
        """What arrived, once each, by address and id."""
        for one in self.receipts:
            self.first.setdefault((one.url, one.id), one)
        self.by_url: defaultdict[str, list[Receipt]] = defaultdict(list)
        for one in self.first.values():
            self.by_url[one.url].append(one)

    @property
    def end(self) -> int:
        """The end of the season."""
        return self.gaps[-1].end

    def gap(self, version: int) -> Gap:
        """The gap in which a version shows."""
        return self.gaps[version - 1]

    def made(self, version: int) -> Span:
        """When something was made that is told of a version."""
        gap = self.gap(version)
        return gap.begin, gap.end if gap.looked_by is None else gap.looked_by

    def urls(self, person: str) -> tuple[str, ...]:
        """The addresses of somebody's channels."""
        found = self.people.get(person)
        return () if found is None else tuple(url_of(person, one) for one in found.channels)

    def expect(
        self,
        person: str,
        url: str,
        kinds: Sequence[Kind],
        made: Span,
        ends: tuple[int, int | None],
    ) -> Expected:
        """How often somebody is told something by one channel, directly and by a digest.

        Of several kinds, any may be meant.
        """
        who = self.people[person]
        direct: list[Fate] = []
        digest: list[Fate] = []
        subject = ""
        for kind in kinds:
            when = when_of(who, kind)
            fate = self.arrivals.fate(url, who.quiet, made, *ends)
            direct.append(fate if when == "at once" else "never")
            if when == "digest":
                digest.append(self.arrivals.digest_fate(who, url, made, *ends))
                subject = SUBJECTS[kind]
        if len(digest) < len(kinds):
            digest = ["may" if one == "must" else one for one in digest]
        return Expected(*bounds(direct), *bounds(digest), subject)

    def expect_in_one_of(self, url: str, courses: Iterable[Iterable[Expected]]) -> tuple[int, int]:
        """How often something is told directly in any of some courses; digests are noted."""
        sums = [
            (
                sum(one.least for one in course),
                sum(one.most for one in course),
                Counter({one.subject: one.digest_least for one in course if one.subject}),
                Counter({one.subject: one.digest_most for one in course if one.subject}),
            )
            for course in (tuple(each) for each in courses)
        ]
        for subject in sorted({name for one in sums for name in one[3]}):
            pair = (min(one[2][subject] for one in sums), max(one[3][subject] for one in sums))
            key = (url, f"table {self.book.id}: {subject}")
            self.digested.setdefault(key, []).append(pair)
        return min(one[0] for one in sums), max(one[1] for one in sums)

    def prompted_by(self, moment: int) -> int | None:
        """By when a prompt of a moment was told: once clock and notifier have been there."""
        there = first_long(self.unsure, moment, self.end, QUIET)
        if there is None:
            return None
        return there if meets(self.unsure, moment - SECOND, there) else moment + 2 * SECOND

    def fault(self, kind: str, who: str, said: str) -> None:
        """Something is wrong with what somebody was told."""
        self.verdict.fault(kind, f"table {self.book.id}, {who}: {said}")

    def count(self, what: str, number: int = 1) -> None:
        """Note that something was compared."""
        self.verdict.counts[what] += number


def is_task(notice: Notice) -> bool:
    """Whether a notice says that somebody has to act."""
    if notice.player is None or notice.kind not in {"turn", "consent", "undone"}:
        return False
    return not (notice.words.endswith(REQUEST) or notice.words.startswith(TAKEN_BACK))


def is_request(notice: Notice) -> bool:
    """Whether a notice asks for an answer beside the game."""
    return notice.kind == "consent" and notice.words.endswith(REQUEST)
