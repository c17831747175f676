"""One look at a table: what it goes by, and how it gathers what is due. Pure."""

from contracts.events import TableOpened
from contracts.ids import PlayerId
from contracts.notices import Kind, Notice
from contracts.people import NOBODY, RESERVED_PEOPLE, person_of
from contracts.records import Record
from contracts.views import Asked
from services.notifier.happened import happened_since
from services.notifier.opening import paused_after, people_after, requests_after, waits_after
from services.notifier.seeing import Memory, Open, Sight, Withdrawn
from services.notifier.taking_back import stands, taken_back, undone


class Look:
    """What is known at a look, what of it goes on holding, and what is told.

    `new` are the records since the last look, `undone` those of them that are undos, `undos` all
    undos with what they go back to. `begun` is whether the game began since.
    """

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
        self.paused = paused_after(new, before=memory.paused)
        self.requests = requests_after(memory.requests, new)
        self.prompt = ""
        self.kept: list[Open] = []
        self.notices: list[Notice] = []
        self.withdrawn: list[Withdrawn] = []

    def keep(self, player: PlayerId | None, reason: str) -> bool:
        """Whether the person has been told already; then his notices go on holding."""
        holding = [one for one in self.memory.open if (one.player, one.reason) == (player, reason)]
        self.kept += holding
        return bool(holding)

    def tell(
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
        corrects: str = "",
    ) -> None:
        """Have something told; with a reason it holds until that is gone.

        `asked` is what has to be done, if anything has to; `times` since and until when, if they
        are not those of a turn. `person` is meant if named, else whoever acts for the player's
        seat now; of a seat that was given up that is nobody.
        """
        if player is not None and not person and self.people.get(player) == NOBODY:
            return
        corrected = corrects or next(
            (
                one.notice
                for one in self.memory.open
                if one.player == player and self.is_undone(one)
            ),
            "",
        )
        notice = self.notice(player, kind, words, mentions, corrected, person, asked, times)
        self.notices.append(notice)
        if reason:
            self.kept.append(Open(player, reason, since, notice.id))

    def notice(
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
        """A notice of this look, with an id of its own."""
        table, version = self.sight.line.table, self.sight.version
        number = len(self.notices) + len(self.withdrawn)
        since, until = times if asked is None else (asked.since_time, self.until(asked))
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
            happened=() if asked is None else self.happened(player),
            mentions=tuple(person or self.people.get(one, one) for one in mentions),
            corrects=corrects,
            person="" if player is None else person or self.people.get(player, ""),
        )

    def until(self, asked: Asked) -> int:
        """Until when somebody has to act, 0 if he has for ever or it is not known yet.

        After an undo the clock counts a turn from the undo on, the view from where it stood first.
        """
        deadline = self.sight.deadlines.get(asked.player)
        is_his = deadline is not None and (
            deadline.since == acts_since(asked)
            or (bool(self.undos) and deadline.since > acts_since(asked))
        )
        return deadline.until if is_his and deadline is not None else 0

    def happened(self, player: PlayerId | None) -> tuple[str, ...]:
        """What the others did since a player's last move; for a room, the last move."""
        name = "" if player is None else self.sight.name(player)
        return happened_since(self.sight.lines, player, name)

    def reason(self, one: Asked) -> str:
        """Why somebody is told of his turn; whoever takes the seat meanwhile is told anew."""
        return self.by(one.player, f"since {acts_since(one)}")

    def by(self, player: PlayerId, reason: str) -> str:
        """A reason that holds for whoever acts for a seat now."""
        person = self.people.get(player)
        return f"{reason} by {person}" if person else reason

    def did(self, record: Record, player: PlayerId) -> bool:
        """Whether whoever acts for a seat did something himself, and knows it."""
        sender = person_of(record.order.sender)
        person = self.people.get(player)
        if person is not None:
            return sender == person
        return record.order.player == player and sender not in RESERVED_PEOPLE

    def still(self, record: Record) -> bool:
        """Whether a record counts at the version that is seen."""
        return stands(record.version, self.sight.version, self.undos)

    def is_undone(self, one: Open) -> bool:
        """Whether an undo since the last look took away what a notice rests on."""
        if not (self.undone and one.notice):
            return False
        return not stands(one.since, self.sight.version, self.undos)

    def is_gone(self, version: int) -> bool:
        """Whether a record that has been seen was undone."""
        seen = 0 < version <= self.sight.version
        return seen and not stands(version, self.sight.version, self.undos)

    def taken_back(self) -> str:
        """Who took moves back last, or put them back."""
        last = self.undone[-1]
        to = first.to if (first := undone(last)) is not None else 0
        earlier = [one for one in self.undos if one[0] < last.version]
        forward = not stands(to, last.version - 1, earlier)
        return taken_back(last, self.people, self.sight.name_of_seat, forward=forward)


def acts_since(one: Asked) -> int:
    """Since which version somebody has to act."""
    return one.to_act_since or one.since
