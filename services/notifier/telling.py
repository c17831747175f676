"""What to tell whom, once: the pure core of the notifier.

`told` compares what a table shows now with what people have been told, and gives the notices that
are due, the notices that hold no more, and what is to be remembered. It looks at the table as it
is, not at each record, so quick moves between two looks cost nobody a notice.

The rules, in the order in which they count:

- A person is told when he becomes the one to act, once for as long as he stays so, whatever he is
  asked meanwhile: somebody who directs the next company too hears nothing new.
- A notice of a turn that is over is not sent any more. One that was sent holds no more if an undo
  took the turn back; then it is corrected, by the next notice to the same person or by one of its
  own.
- Whoever is to act again because of his own undo knows it, and is not told.
- A game's beginning and somebody's first turn in it are one notice.
- That somebody's time ran out is not told any more, or corrected, once the call was undone.
- Whose request expired is told so.
- What was told is told again neither by a repeated prompt nor by a second look.
"""

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from contracts.events import RequestClosed, SeatTaken, TableOpened, Undone
from contracts.ids import PlayerId
from contracts.notices import (
    Deadline,
    Kind,
    Notice,
    ProgramStopped,
    Prompt,
    ReminderDue,
    TimeCalled,
)
from contracts.people import NOBODY
from contracts.records import Record
from contracts.views import Asked, MinuteLine, TableLine, TurnView
from services.notifier.happened import happened_since

PROMPTS_KEPT: Final = 64
"""How many prompts of a table are remembered, so that a repeated one is told once."""
CALLS_KEPT: Final = 16
"""How many of the last notices of a call of time are corrected if the call is undone."""
CALLED: Final = "called "
"""How the reason begins of what is told of a call; the version that called follows."""
BEGUN: Final = "begun"
OVER: Final = "over"
CONSENT: Final = "Consent"
"""The kind of question that asks for consent."""


class Open(Struct, frozen=True, array_like=True):
    """A notice that holds as long as its reason does; `player` None is the room.

    `reason` is the version since which somebody has to act, or another name; `notice` is empty if
    the person was not told because he knew.
    """

    player: PlayerId | None
    reason: str
    since: int
    notice: str


class Memory(Struct, frozen=True, array_like=True):
    """What is remembered of a table between two looks."""

    version: int = 0
    undos: tuple[tuple[int, int], ...] = ()
    open: tuple[Open, ...] = ()
    prompts: tuple[str, ...] = ()
    people: dict[PlayerId, str] = {}


class Sight(Struct, frozen=True):
    """What there is to see at a table: its views at one version, and the records since."""

    line: TableLine
    turn: TurnView
    lines: tuple[MinuteLine, ...] = ()
    records: tuple[Record, ...] = ()
    deadlines: Mapping[PlayerId, Deadline] = {}
    prompts: Mapping[str, Prompt] = {}

    @property
    def version(self) -> int:
        """The version that is shown."""
        return self.turn.version

    def name(self, player: PlayerId) -> str:
        """What a player is called."""
        return next((seat.name for seat in self.line.seats if seat.player == player), player)


class Withdrawn(Struct, frozen=True):
    """A notice that holds no more; who has got it already gets the correction, if there is one."""

    notice: str
    correction: Notice | None


class Told(Struct, frozen=True):
    """What a look at a table leads to."""

    memory: Memory
    notices: tuple[Notice, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()


def stands(version: int, at: int, undos: Iterable[tuple[int, int]]) -> bool:
    """Whether a record still counts at a version; `undos` are versions with what they go back to.

    >>> undos = ((13, 11), (15, 12))
    >>> stands(12, 13, undos), stands(12, 15, undos), stands(14, 15, undos), stands(11, 15, undos)
    (False, True, False, True)
    """
    falling = sorted(undos, reverse=True)
    for undo, to in falling:
        if undo > at:
            continue
        if undo <= version:
            break
        at = to
    return version <= at and all(version != undo for undo, _ in falling)


def people_after(before: dict[PlayerId, str], records: Iterable[Record]) -> dict[PlayerId, str]:
    """Who sits in each seat, as far as people are named; an undo does not move anybody."""
    people = dict(before)
    for record in records:
        for event in record.events:
            if isinstance(event, TableOpened):
                people |= {one.player: one.person for one in event.seats if one.person is not None}
            elif isinstance(event, SeatTaken):
                people[event.player] = event.person
    return people


def told(memory: Memory, sight: Sight, now: int) -> Told:
    """What is to be told after a look at a table."""
    return _Look(memory, sight, now).told()


class _Look:
    """One look at a table: gathers what is due."""

    def __init__(self, memory: Memory, sight: Sight, now: int) -> None:
        self.memory = memory
        self.sight = sight
        self.now = now
        new = [one for one in sight.records if one.version > memory.version]
        self.new = new
        taken = {one.version: first for one in new if (first := _undone(one)) is not None}
        self.undone = tuple(taken.values())
        self.undos = (*memory.undos, *((version, first.to) for version, first in taken.items()))
        self.begun = any(isinstance(event, TableOpened) for one in new for event in one.events)
        self.people = people_after(memory.people, new)
        self.prompt = ""
        self.kept: list[Open] = []
        self.notices: list[Notice] = []
        self.withdrawn: list[Withdrawn] = []

    def told(self) -> Told:
        self._ending()
        self._turns()
        self._requests()
        self._expired()
        self._beginning()
        self._calls()
        self._prompts()
        self._close()
        memory = Memory(
            self.sight.version,
            self.undos,
            tuple(self.kept),
            (*self.memory.prompts, *self.sight.prompts)[-PROMPTS_KEPT:],
            self.people,
        )
        return Told(memory, tuple(self.notices), tuple(self.withdrawn))

    # --- becoming the one to act -------------------------------------------------------------

    def _turns(self) -> None:
        asked = self.sight.turn.asked
        newly = [one for one in asked if not self._keep(one.player, self._reason(one))]
        told = []
        for one in newly:
            since = _since(one)
            put_back = since <= self.memory.version and bool(self.undone)
            knows = put_back and self.undone[-1].by == one.player
            if knows or self.people.get(one.player) == NOBODY:
                self.kept.append(Open(one.player, self._reason(one), since, ""))
                continue
            kind: Kind = "undone" if put_back else "consent" if one.what == CONSENT else "turn"
            self._tell(one.player, kind, self._task(one), self._reason(one), since, asked=one)
            told.append(one)
        self._room(told)

    def _room(self, told: list[Asked]) -> None:
        """The room hears of everybody who is to act, once for each set of them."""
        asked = self.sight.turn.asked
        reason = "room " + ",".join(f"{one.player}@{_since(one)}" for one in asked)
        if not asked or self._keep(None, reason):
            return
        since = max(map(_since, asked))
        if not told:
            # Somebody answered and others still have to, or somebody took his own move back.
            former = next((one for one in self.memory.open if one.reason.startswith("room ")), None)
            is_less = former is not None and set(reason[5:].split(",")) < set(
                former.reason[5:].split(",")
            )
            if is_less:
                assert former is not None
                self.kept.append(Open(None, reason, since, former.notice))
                return
        kind: Kind = "undone" if self.undone else "turn"
        before = f"{self._taken_back()}. " if self.undone else ""
        mentions = tuple(one.player for one in told)
        only = asked[0] if len(asked) == 1 else None
        words = before + self.sight.turn.sentence
        self._tell(None, kind, words, reason, since, mentions, asked=only)

    def _task(self, one: Asked) -> str:
        before = ""
        if _since(one) <= self.memory.version and self.undone:
            before = f"{self._taken_back()}, and you are to act again. "
        elif self.begun:
            before = "The game has begun. "
        return f"{before}You have to {_for_whom(one)}."

    def _taken_back(self) -> str:
        """Who took moves back last, if it was somebody at the table."""
        by = self.undone[-1].by
        is_seat = any(seat.player == by for seat in self.sight.line.seats)
        return f"{self.sight.name(by)} took moves back" if is_seat else "Moves were taken back"

    def _requests(self) -> None:
        for request in self.sight.turn.requests:
            for player in request.waiting:
                reason = self._by(player, f"request {request.id}")
                if self.people.get(player) != NOBODY and not self._keep(player, reason):
                    words = f"{request.words} You have not answered yet."
                    self._tell(player, "consent", words, reason, self.sight.version)

    def _expired(self) -> None:
        """Whoever asked for something hears that not everybody answered in time."""
        for record in self.new:
            for event in record.events:
                if isinstance(event, RequestClosed) and event.because == "expired":
                    asker = record.order.player
                    because = "expired: not everybody answered in time."
                    self._tell(asker, "consent", f"Your request {because}")
                    self._tell(
                        None, "consent", f"The request of {self.sight.name(asker)} {because}"
                    )

    # --- the game's beginning and end --------------------------------------------------------

    def _beginning(self) -> None:
        if not self.begun:
            return
        names = [seat.name for seat in self.sight.line.seats]
        words = f"A game of {self.sight.line.title_name} has begun: {', '.join(names)}."
        if self.sight.turn.asked:
            words += f" {self.sight.turn.sentence}"
        heard = {notice.player for notice in self.notices}
        for player in (*(seat.player for seat in self.sight.line.seats), None):
            if player not in heard:
                self._tell(player, "begun", words)

    def _ending(self) -> None:
        if not self.sight.turn.over:
            return
        if any(one.reason == OVER for one in self.memory.open):
            self.kept += (one for one in self.memory.open if one.reason == OVER)
            return
        result = [
            one.text for one in self.sight.lines if one.event == "GameEnded" and not one.undone
        ]
        words = " ".join(result) or "The game is over."
        for player in (*(seat.player for seat in self.sight.line.seats), None):
            self._tell(player, "ended", words, OVER, self.sight.version)

    # --- prompts -----------------------------------------------------------------------------

    def _prompts(self) -> None:
        for id, prompt in self.sight.prompts.items():
            if id in self.memory.prompts:
                continue
            name = self.sight.name(prompt.player)
            # Two prompts at one version are two notices.
            self.prompt = f"-{blake2b(id.encode(), digest_size=4).hexdigest()}"
            match prompt:
                case ReminderDue(since=since):
                    if (one := self._acting(prompt.player, since)) is not None:
                        words = f"You still have to {_for_whom(one)}."
                        reason = self._reason(one)
                        self._tell(prompt.player, "reminder", words, reason, since, asked=one)
                case TimeCalled(version=version) if self._is_gone(version):
                    continue
                case TimeCalled(outcome=outcome, version=version, person=person):
                    after = f" {outcome}" if outcome else ""
                    words = f"Your time ran out.{after}"
                    reason = f"{CALLED}{version}" if version else ""
                    self._tell(prompt.player, "time called", words, reason, version, (), person)
                    mentions = (prompt.player,)
                    words = f"The time of {name} ran out.{after}"
                    self._tell(None, "time called", words, reason, version, mentions, person)
                case ProgramStopped(program=program, because=because):
                    words = f"Your program ({program}) stopped: {because}"
                    self._tell(prompt.player, "program stopped", words)
        self.prompt = ""

    def _calls(self) -> None:
        """What was told of calls holds as long as their records do, the last ones being kept."""
        told = [one for one in self.memory.open if one.reason.startswith(CALLED)]
        self.kept += [one for one in told[-CALLS_KEPT:] if not self._is_gone(one.since)]

    def _is_gone(self, version: int) -> bool:
        """Whether a record that has been seen was undone."""
        seen = 0 < version <= self.sight.version
        return seen and not stands(version, self.sight.version, self.undos)

    def _acting(self, player: PlayerId, since: int) -> Asked | None:
        return next(
            (one for one in self.sight.turn.asked if (one.player, _since(one)) == (player, since)),
            None,
        )

    # --- notices -----------------------------------------------------------------------------

    def _keep(self, player: PlayerId | None, reason: str) -> bool:
        """Whether the person has been told already; then his notices go on holding."""
        holding = [one for one in self.memory.open if (one.player, one.reason) == (player, reason)]
        self.kept += holding
        return bool(holding)

    def _tell(
        self,
        player: PlayerId | None,
        kind: Kind,
        words: str,
        reason: str = "",
        since: int = 0,
        mentions: tuple[PlayerId, ...] = (),
        person: str = "",
        asked: Asked | None = None,
    ) -> None:
        """Have something told; with a reason it holds until that is gone.

        `asked` is what has to be done, if anything has to. `person` is meant if named, else whoever
        acts for the player's seat now.
        """
        corrected = next(
            (
                one.notice
                for one in self.memory.open
                if one.player == player and self._is_undone(one)
            ),
            "",
        )
        notice = self._notice(player, kind, words, mentions, corrected, person, asked)
        self.notices.append(notice)
        if reason:
            self.kept.append(Open(player, reason, since, notice.id))

    def _notice(
        self,
        player: PlayerId | None,
        kind: Kind,
        words: str,
        mentions: tuple[PlayerId, ...] = (),
        corrects: str = "",
        person: str = "",
        asked: Asked | None = None,
    ) -> Notice:
        table, version = self.sight.line.table, self.sight.version
        number = len(self.notices) + len(self.withdrawn)
        deadline = None if asked is None else self.sight.deadlines.get(asked.player)
        is_timed = deadline is not None and deadline.since == _since_of(asked)
        return Notice(
            id=f"{table}/{version}/{player or ''}/{kind}/{number}{self.prompt}",
            table=table,
            player=player,
            kind=kind,
            version=version,
            title=self.sight.line.title_name,
            words=words,
            made=self.now,
            since=0 if asked is None else asked.since_time,
            until=deadline.until if is_timed and deadline is not None else 0,
            happened=() if asked is None else self._happened(player),
            mentions=tuple(person or self.people.get(one, one) for one in mentions),
            corrects=corrects,
            person="" if player is None else person or self.people.get(player, ""),
        )

    def _happened(self, player: PlayerId | None) -> tuple[str, ...]:
        name = "" if player is None else self.sight.name(player)
        return happened_since(self.sight.lines, player, name)

    def _reason(self, one: Asked) -> str:
        """Why somebody is told of his turn; whoever takes the seat meanwhile is told anew."""
        return self._by(one.player, f"since {_since(one)}")

    def _by(self, player: PlayerId, reason: str) -> str:
        """A reason that holds for whoever acts for a seat now."""
        person = self.people.get(player)
        return f"{reason} by {person}" if person else reason

    def _is_undone(self, one: Open) -> bool:
        """Whether an undo since the last look took away what a notice rests on."""
        if not (self.undone and one.notice):
            return False
        return not stands(one.since, self.sight.version, self.undos)

    def _close(self) -> None:
        """Withdraw what holds no more."""
        kept = {one.notice for one in self.kept}
        corrected = {one.corrects for one in self.notices}
        told = {one.player for one in self.notices if one.corrects}
        for one in self.memory.open:
            if not one.notice or one.notice in kept:
                continue
            correction = None
            # One notice that moves were taken back is enough for a call and what came after it.
            told_so = one.reason.startswith(CALLED) and one.player in told
            if self._is_undone(one) and one.notice not in corrected and not told_so:
                words = f"What you were told last holds no more. {self._taken_back()}."
                if self.sight.turn.asked:
                    words += f" {self.sight.turn.sentence}"
                correction = self._notice(one.player, "undone", words, corrects=one.notice)
            self.withdrawn.append(Withdrawn(one.notice, correction))


def _for_whom(one: Asked) -> str:
    """What somebody has to do, and for which company, unless that is said already."""
    is_said = one.party == one.player or one.party in one.words
    return one.words if is_said else f"{one.words} for {one.party}"


def _since(one: Asked) -> int:
    return one.to_act_since or one.since


def _since_of(one: Asked | None) -> int:
    return 0 if one is None else _since(one)


def _undone(record: Record) -> Undone | None:
    first = record.events[0] if record.events else None
    return first if isinstance(first, Undone) else None
