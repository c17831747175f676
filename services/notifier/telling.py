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
- That somebody's time ran out is not told any more, or corrected, once the call was undone; how
  often it ran out between two looks is one notice.
- Whose request was refused or expired is told so, unless he did it himself; that play is paused or
  goes on, everybody; that another has his seat, whoever had it.
- What was told is told again neither by a repeated prompt nor by a second look.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Final

from contracts.ids import PlayerId
from contracts.notices import Kind, Notice, ProgramStopped, ReminderDue, TimeCalled
from contracts.people import NOBODY
from contracts.views import Asked
from services.notifier import asking, pausing, taking_seats
from services.notifier.happened import of_record
from services.notifier.look import Look, acts_since
from services.notifier.seeing import Memory, Open, Sight, Told, Withdrawn
from services.notifier.taking_back import seat_of
from services.notifier.wording import PROGRAMS, how_often

__all__ = ["Memory", "Open", "Sight", "Told", "Withdrawn", "told"]

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


def told(memory: Memory, sight: Sight, now: int) -> Told:
    """What is to be told after a look at a table."""
    return _Telling(memory, sight, now).told()


class _Telling(Look):
    """One look at a table: gathers what is due."""

    def told(self) -> Told:
        taking_seats.newcomers(self)
        self._ending()
        self._turns()
        asking.asked(self)
        self._beginning()
        asking.closed(self)
        pausing.paused(self)
        taking_seats.losers(self)
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
            self.paused,
            self.requests,
        )
        return Told(memory, tuple(self.notices), tuple(self.withdrawn))

    # --- becoming the one to act -------------------------------------------------------------

    def _turns(self) -> None:
        asked = self.sight.turn.asked
        newly = [one for one in asked if not self.keep(one.player, self.reason(one))]
        told = []
        for one in newly:
            since = acts_since(one)
            put_back = since <= self.memory.version and bool(self.undone)
            knows = put_back and seat_of(self.undone[-1], self.people) == one.player
            if knows or self.people.get(one.player) == NOBODY:
                self.kept.append(Open(one.player, self.reason(one), since, ""))
                continue
            kind: Kind = "undone" if put_back else "consent" if one.what == CONSENT else "turn"
            self.tell(one.player, kind, self._task(one), self.reason(one), since, asked=one)
            told.append(one)
        self._room(told)

    def _room(self, told: list[Asked]) -> None:
        """The room hears of everybody who is to act, once for each set of them."""
        asked = self.sight.turn.asked
        reason = "room " + ",".join(f"{one.player}@{acts_since(one)}" for one in asked)
        if not asked or self.keep(None, reason):
            return
        since = max(map(acts_since, asked))
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
        before = f"{self.taken_back()}. " if is_undone else ""
        mentions = tuple(one.player for one in told)
        only = asked[0] if len(asked) == 1 else None
        words = before + self.sight.turn.sentence
        self.tell(None, kind, words, reason, since, mentions, asked=only)

    def _task(self, one: Asked) -> str:
        before = ""
        if acts_since(one) <= self.memory.version and self.undone:
            before = f"{self.taken_back()}, and you are to act again. "
        elif self.begun:
            before = "The game has begun. "
        return f"{taking_seats.welcome(self, one.player)}{before}You have to {_for_whom(one)}."

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
                self.tell(player, "begun", words)

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
                before = "" if player is None else asking.granted(self, player)
                self.tell(player, "ended", f"{before}{words}", OVER, self.sight.version)

    # --- prompts -----------------------------------------------------------------------------

    def _prompts(self) -> None:
        new = {id: one for id, one in self.sight.prompts.items() if id not in self.memory.prompts}
        calls = calls_together(
            one
            for one in new.values()
            if isinstance(one, TimeCalled) and not self.is_gone(one.version)
        )
        for id, prompt in new.items():
            name = self.sight.name(prompt.player)
            # Two prompts at one version are two notices.
            self.prompt = f"-{blake2b(id.encode(), digest_size=4).hexdigest()}"
            match prompt:
                case ReminderDue(since=since, until=until):
                    one = self._acting(prompt.player, since)
                    if one is not None and self._ends(one, until):
                        words = f"You still have to {_for_whom(one)}."
                        reason = self.reason(one)
                        self.tell(prompt.player, "reminder", words, reason, since, asked=one)
                case TimeCalled(version=version) if self.is_gone(version):
                    continue
                case TimeCalled() if calls[prompt.player, prompt.person][0] != prompt:
                    continue
                case TimeCalled(version=version, person=person):
                    often = how_often(calls[prompt.player, person][1])
                    words = f"Your time ran out{often}.{self._after_call(prompt, is_own=True)}"
                    reason = f"{CALLED}{version}" if version else ""
                    self.tell(prompt.player, "time called", words, reason, version, (), person)
                    mentions = (prompt.player,)
                    words = f"The time of {name} ran out{often}.{self._after_call(prompt)}"
                    self.tell(None, "time called", words, reason, version, mentions, person)
                case ProgramStopped(program=program, because=because, person=person):
                    called = PROGRAMS.get(program, program)
                    words = f"Your program ({called}) stopped: {because}"
                    self.tell(prompt.player, "program stopped", words, person=person)
        self.prompt = ""

    def _after_call(self, call: TimeCalled, *, is_own: bool = False) -> str:
        """What a call led to; whoever lost his seat by it hears that by itself."""
        lines = self.sight.lines
        if is_own and self.people.get(call.player) not in {None, NOBODY, call.person}:
            lines = tuple(one for one in lines if one.event != "SeatTaken")
        did = of_record(lines, call.version)
        return "".join(f" {one}" for one in (call.outcome, *did) if one)

    def _calls(self) -> None:
        """What was told of calls holds as long as their records do, the last ones being kept."""
        told = [one for one in self.memory.open if one.reason.startswith(CALLED)]
        self.kept += [one for one in told[-CALLS_KEPT:] if not self.is_gone(one.since)]

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
            (
                one
                for one in his
                if acts_since(one) == since or (counts and acts_since(one) < since)
            ),
            None,
        )

    # --- what holds no more ------------------------------------------------------------------

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
            if self.is_undone(one) and one.player not in told:
                words = f"What you were told last holds no more. {self.taken_back()}."
                if self.sight.turn.asked:
                    words += f" {self.sight.turn.sentence}"
                # Somebody who was told several things gets one correction for all of them.
                whose = (one.player, one.reason.partition(" by ")[2])
                correction = corrections.get(whose)
                if correction is None:
                    correction = self.notice(one.player, "undone", words, corrects=one.notice)
                    corrections[whose] = correction
            self.withdrawn.append(Withdrawn(one.notice, correction))


def _for_whom(one: Asked) -> str:
    """What somebody has to do, and for which company, unless that is said already."""
    is_said = one.party == one.player or one.party in one.words
    return one.words if is_said else f"{one.words} for {one.party}"


def calls_together(
    calls: Iterable[TimeCalled],
) -> dict[tuple[PlayerId, str], tuple[TimeCalled, int]]:
    """The last call of each person in each seat, and how many there are: one look tells one."""
    found: dict[tuple[PlayerId, str], tuple[TimeCalled, int]] = {}
    for one in calls:
        who = (one.player, one.person)
        found[who] = (one, found[who][1] + 1 if who in found else 1)
    return found
