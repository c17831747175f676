"""A history in the middle of being played: what a translation may look at."""

from collections.abc import Iterator, Mapping, Sequence

from contracts.commands import AnswerRequest, AnyCommand, LayTile, MakeRequest, Order, Pass
from contracts.events import AnyEvent
from contracts.frames import Consent, Question, Turn
from contracts.ids import AreaId, CommandId, CompanyId, HexId, Party, PlayerId, TableId
from contracts.records import Record
from contracts.titles.facts import Facts
from services.engine.rules.passing import objection
from services.engine.rules.ruleset import ruleset_of
from services.engine.table.agenda import current_round, current_turn, player_of, top
from services.engine.table.state import Table
from services.histories.actions import Step
from services.histories.certificates import Certificates
from services.histories.errors import HistoryError
from services.histories.kinds import Action, PassOn, Remark
from services.histories.site_turn import SiteTurn

Orders = Iterator[Order]
"""Orders one after the other: each is played before the next one is asked for."""


def number(text: str, what: str) -> int:
    """A number as the site writes it inside other text.

    >>> number("100", "a price")
    100
    """
    if not text.isascii() or not text.isdigit():
        raise HistoryError(f"{text!r} is not the number of {what}")
    return int(text)


class Game:
    """The table as it stands, and what the site names that we do not: certificates, tile copies."""

    def __init__(
        self,
        table_id: TableId,
        facts: Facts,
        steps: Sequence[Step],
        table: Table,
        numbers: Mapping[str, str],
    ) -> None:
        """Begin before the first step."""
        self.table_id = table_id
        self.facts = facts
        self.steps = steps
        self.actions = tuple(step.action() for step in steps)
        self.table = table
        self.numbers = numbers
        """Players' numbers by name."""
        self.certificates = Certificates(facts)
        self.tiles: dict[str, HexId] = {}
        """Where each copy of a tile lies, by the site's name of the copy (`57-0`)."""
        self.waiting: LayTile | None = None
        """A tile that is laid on the site, while the city of a token there is still to be named."""
        self.site_turn: SiteTurn | None = None
        """The turn that the site plays, where its steps are followed."""
        self.links: dict[CompanyId, HexId] = {}
        """The hex on which the site has a company's token in an area."""
        self.events: list[AnyEvent] = []
        """What has happened in this step so far."""
        self._step = 0
        self._orders = 0

    def begin(self, number: int) -> Action:
        """Turn to a step and give its action."""
        self._step, self._orders = number, 0
        self.events = []
        return self.actions[number - 1]

    @property
    def current(self) -> Action | None:
        """The action of the step that is being played, None before the first."""
        return self.actions[self._step - 1] if self._step else None

    def played(self, record: Record, table: Table) -> None:
        """Take note of what an order led to."""
        self.table = table
        self.events += record.events

    def order(self, player: PlayerId, command: AnyCommand) -> Order:
        """An order of a player; it answers the question that is open for him, if there is one.

        Requests stand beside the game and answer no question of it.
        """
        self._orders += 1
        beside = isinstance(command, MakeRequest | AnswerRequest)
        question = None if beside else self.question_for(player)
        return Order(
            table=self.table_id,
            id=CommandId(f"{self.table_id}-{self._step}-{self._orders}"),
            sender=player,
            player=player,
            command=command,
            version=None if question else self.table.version,
            question=question.id if question else None,
        )

    def question_for(self, player: PlayerId) -> Question | None:
        """The question that waits for a player, if that is what is waited for."""
        frame = top(self.table)
        if isinstance(frame, Question) and any(
            player_of(self.table, party) == player for party in frame.asked
        ):
            return frame
        return None

    def consent(self) -> tuple[PlayerId, ...]:
        """Who is asked to agree to what has just been proposed."""
        frame = top(self.table)
        if not isinstance(frame, Question) or not isinstance(frame.matter, Consent):
            return ()
        players = (player_of(self.table, party) for party in frame.asked)
        return tuple(player for player in players if player is not None)

    def party(self, action: Action) -> Party:
        """The party of the table that an action is by: numbers are players."""
        entity = str(action.entity)
        party = Party(self.numbers.get(entity, entity))
        if party not in self.table.order and CompanyId(party) not in self.table.charters:
            raise HistoryError(f"{entity!r} is neither a player nor a company of this game")
        return party

    def player(self, party: Party) -> PlayerId:
        """Who decides for a party: for a private, whoever decides for its owner."""
        owner = self.owner(CompanyId(party)) if party in self.facts.privates else party
        player = player_of(self.table, owner or party)
        return player if player is not None else PlayerId(party)

    def owner(self, private: CompanyId) -> Party | None:
        """Who owns a private."""
        return next(iter(self.table.certificates.get(private, {})), None)

    def operating(self, company: Party) -> Turn | None:
        """The company's turn of the operating round, if that is being played."""
        turn = current_turn(self.table)
        return turn if turn is not None and turn.who == company else None

    def place_of(self, step: str) -> int:
        """How late in an operating turn a step comes."""
        return self.facts.turns.operating.index(step)

    def following(self) -> Iterator[Action]:
        """The actions after this step that do something, in order."""
        for action in self.actions[self._step :]:
            if not isinstance(action, Remark):
                yield action

    def passes_in_a_row(self, party: Party) -> tuple[int, Action | None]:
        """A party's passes that follow on this one, this one counted, and what it does then."""
        count = 1
        for action in self.following():
            if self.party(action) != party:
                return count, None
            if not isinstance(action, PassOn):
                return count, action
            count += 1
        return count, None

    def area_of(self, hex_id: HexId) -> AreaId | None:
        """The area with spaces for tokens to which a hex belongs."""
        areas = self.facts.map.areas
        printed = self.facts.map.hexes.get(hex_id)
        ends = () if printed is None else printed.offboard
        return next((end.area for end in ends if areas[end.area].token_spaces), None)

    def hex_of(self, city: str) -> HexId:
        """The hex of a city as the site names it: by the copy of a tile, or by the hex itself."""
        tile = city.rpartition("-")[0]
        return self.tiles.get(tile, HexId(tile.rpartition("-")[0]))

    def passed_over(self) -> Orders:
        """One pass of whoever's turn it is, where nothing speaks against it."""
        turn = current_turn(self.table)
        player = None if turn is None else player_of(self.table, turn.who)
        if player is not None and objection(ruleset_of(self.table), self.table, player) is None:
            yield self.order(player, Pass())

    def in_operating_round(self) -> bool:
        """Whether companies operate now."""
        playing = current_round(self.table)
        return playing is not None and playing.kind == "operating"
