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
- Whoever is to act again because of his own undo knows it, and is not told; not so if the host
  undid for him.
- A game's beginning and somebody's first turn in it are one notice.
- That somebody's time ran out is not told any more, or corrected, once the call was undone.
- Whose request expired is told so.
- What was told is told again neither by a repeated prompt nor by a second look.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from contracts.events import RequestClosed, SeatTaken, TableOpened
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
from services.notifier.happened import happened_since, of_record
from services.notifier.opening import people_after, waits_after
from services.notifier.taking_back import (
    asked_for,
    expires,
    seat_of,
    stands,
    taken_back,
    undone,
)
from services.notifier.wording import PROGRAMS

PROMPTS_KEPT: Final = 64
"""How many prompts of a table are remembered, so that a repeated one is told once."""
CALLS_KEPT: Final = 16
"""How many of the last notices of a call of time are corrected if the call is undone."""
CALLED: Final = "called "
"""How the reason begins of what is told of a call; the version that called follows."""
BEGUN: Final = "begun"
OVER: Final = "over"
NEW: Final = "new"
"""The reason that waits until whoever took a seat over is told first."""
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
    """What is remembered of a table between two looks.

    A request waits for so many microseconds (`waits`), 0 if that is not known or for ever.
    """

    version: int = 0
    undos: tuple[tuple[int, int], ...] = ()
    open: tuple[Open, ...] = ()
    prompts: tuple[str, ...] = ()
    people: dict[PlayerId, str] = {}
    waits: int = 0


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
        return self.name_of_seat(player) or player

    def name_of_seat(self, player: PlayerId) -> str | None:
        """What a player is called, None if he does not sit here."""
        return next((seat.name for seat in self.line.seats if seat.player == player), None)


class Withdrawn(Struct, frozen=True):
    """A notice that holds no more; who has got it already gets the correction, if there is one."""

    notice: str
    correction: Notice | None


class Told(Struct, frozen=True):
    """What a look at a table leads to."""

    memory: Memory
    notices: tuple[Notice, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()


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
        taken = {one.version: first for one in new if (first := undone(one)) is not None}
        self.undone = tuple(one for one in new if one.version in taken)
        self.undos = (*memory.undos, *((version, first.to) for version, first in taken.items()))
        self.begun = any(isinstance(event, TableOpened) for one in new for event in one.events)
        self.people = people_after(memory.people, new)
        self.waits = waits_after(memory.waits, new)
        self.prompt = ""
        self.kept: list[Open] = []
        self.notices: list[Notice] = []
        self.withdrawn: list[Withdrawn] = []

    def told(self) -> Told:
        self._newcomers()
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
            self.waits,
        )
        return Told(memory, tuple(self.notices), tuple(self.withdrawn))

    # --- taking a seat -----------------------------------------------------------------------

    def _newcomers(self) -> None:
        """Whoever took a seat over is told for whom he plays, as soon as he is told anything."""
        events = (event for record in self.new for event in record.events)
        taken = [one.player for one in events if isinstance(one, SeatTaken)]
        self.kept += [Open(player, self._by(player, NEW), 0, "") for player in dict.fromkeys(taken)]
        for one in self.memory.open:
            if one.reason.startswith(f"{NEW} ") and one.player not in taken:
                self.kept.append(one)

    def _welcome(self, player: PlayerId) -> str:
        """What whoever took a seat over is told first."""
        new = [one for one in self.kept if one.player == player and one.reason.startswith(NEW)]
        self.kept = [one for one in self.kept if one not in new]
        return f"You play for {self.sight.name(player)} from now on. " if new else ""

    # --- becoming the one to act -------------------------------------------------------------

    def _turns(self) -> None:
        asked = self.sight.turn.asked
        newly = [one for one in asked if not self._keep(one.player, self._reason(one))]
        told = []
        for one in newly:
            since = _since(one)
            put_back = since <= self.memory.version and bool(self.undone)
            knows = put_back and seat_of(self.undone[-1], self.people) == one.player
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
        is_undone = bool(self.undone) and not self.begun
        kind: Kind = "undone" if is_undone else "turn"
        before = f"{self._taken_back()}. " if is_undone else ""
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
        return f"{self._welcome(one.player)}{before}You have to {_for_whom(one)}."

    def _taken_back(self) -> str:
        """Who took moves back last, or put them back."""
        last = self.undone[-1]
        to = first.to if (first := undone(last)) is not None else 0
        earlier = [one for one in self.undos if one[0] < last.version]
        forward = not stands(to, last.version - 1, earlier)
        return taken_back(last, self.people, self.sight.name_of_seat, forward=forward)

    def _requests(self) -> None:
        for request in self.sight.turn.requests:
            for player in request.waiting:
                reason = self._by(player, f"request {request.id}")
                if self.people.get(player) != NOBODY and not self._keep(player, reason):
                    words = asked_for(request, self.sight.lines)
                    words = f"{self._welcome(player)}{words}"
                    times = (request.since_time, expires(request, self.waits))
                    self._tell(player, "consent", words, reason, self.sight.version, times=times)

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
            if player is None or self.people.get(player) != NOBODY:
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
                case ReminderDue(since=since, until=until):
                    one = self._acting(prompt.player, since)
                    if one is not None and self._ends(one, until):
                        words = f"You still have to {_for_whom(one)}."
                        reason = self._reason(one)
                        self._tell(prompt.player, "reminder", words, reason, since, asked=one)
                case TimeCalled(version=version) if self._is_gone(version):
                    continue
                case TimeCalled(outcome=outcome, version=version, person=person):
                    did = of_record(self.sight.lines, version)
                    after = "".join(f" {one}" for one in (outcome, *did) if one)
                    words = f"Your time ran out.{after}"
                    reason = f"{CALLED}{version}" if version else ""
                    self._tell(prompt.player, "time called", words, reason, version, (), person)
                    mentions = (prompt.player,)
                    words = f"The time of {name} ran out.{after}"
                    self._tell(None, "time called", words, reason, version, mentions, person)
                case ProgramStopped(program=program, because=because):
                    called = PROGRAMS.get(program, program)
                    words = f"Your program ({called}) stopped: {because}"
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

    def _ends(self, one: Asked, until: int) -> bool:
        """Whether somebody's time still ends then; another may have his seat by now."""
        deadline = self.sight.deadlines.get(one.player)
        return deadline is None or deadline.until == until

    def _acting(self, player: PlayerId, since: int) -> Asked | None:
        """What is asked of a player in the turn that he has had since a version, by any count."""
        deadline = self.sight.deadlines.get(player)
        counts = deadline is not None and deadline.since == since
        his = (one for one in self.sight.turn.asked if one.player == player)
        return next(
            (one for one in his if _since(one) == since or (counts and _since(one) < since)), None
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
        times: tuple[int, int] = (0, 0),
    ) -> None:
        """Have something told; with a reason it holds until that is gone.

        `asked` is what has to be done, if anything has to; `times` since and until when, if they
        are not those of a turn. `person` is meant if named, else whoever acts for the player's
        seat now; of a seat that was given up that is nobody.
        """
        if player is not None and not person and self.people.get(player) == NOBODY:
            return
        corrected = next(
            (
                one.notice
                for one in self.memory.open
                if one.player == player and self._is_undone(one)
            ),
            "",
        )
        notice = self._notice(player, kind, words, mentions, corrected, person, asked, times)
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
        times: tuple[int, int] = (0, 0),
    ) -> Notice:
        table, version = self.sight.line.table, self.sight.version
        number = len(self.notices) + len(self.withdrawn)
        since, until = times if asked is None else (asked.since_time, self._until(asked))
        return Notice(
            id=f"{table}/{version}/{player or ''}/{kind}/{number}{self.prompt}",
            table=table,
            player=player,
            kind=kind,
            version=version,
            title=self.sight.line.title_name,
            words=words,
            made=self.now,
            since=since,
            until=until,
            happened=() if asked is None else self._happened(player),
            mentions=tuple(person or self.people.get(one, one) for one in mentions),
            corrects=corrects,
            person="" if player is None else person or self.people.get(player, ""),
        )

    def _until(self, asked: Asked) -> int:
        """Until when somebody has to act, 0 if he has for ever or it is not known yet.

        After an undo the clock counts a turn from the undo on, the view from where it stood first.
        """
        deadline = self.sight.deadlines.get(asked.player)
        is_his = deadline is not None and (
            deadline.since == _since(asked) or (bool(self.undos) and deadline.since > _since(asked))
        )
        return deadline.until if is_his and deadline is not None else 0

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
        told = {one.player for one in self.notices if one.corrects}
        corrections: dict[tuple[PlayerId | None, str], Notice] = {}
        for one in self.memory.open:
            if not one.notice or one.notice in kept:
                continue
            correction = None
            # One notice that moves were taken back is enough for all that somebody was told.
            if self._is_undone(one) and one.player not in told:
                words = f"What you were told last holds no more. {self._taken_back()}."
                if self.sight.turn.asked:
                    words += f" {self.sight.turn.sentence}"
                # Somebody who was told several things gets one correction for all of them.
                whose = (one.player, one.reason.partition(" by ")[2])
                correction = corrections.get(whose)
                if correction is None:
                    correction = self._notice(one.player, "undone", words, corrects=one.notice)
                    corrections[whose] = correction
            self.withdrawn.append(Withdrawn(one.notice, correction))


def _for_whom(one: Asked) -> str:
    """What somebody has to do, and for which company, unless that is said already."""
    is_said = one.party == one.player or one.party in one.words
    return one.words if is_said else f"{one.words} for {one.party}"


def _since(one: Asked) -> int:
    return one.to_act_since or one.since
