"""Who must act: what is asked of whom, and since when."""

from contracts.frames import Question, Request, Turn
from contracts.ids import FrameId, Party, PlayerId
from contracts.views import Asked, TurnView
from contracts.views_beside import RequestsView, RequestView
from services.engine.projections.minutes_agenda import wish
from services.engine.projections.pages import Ask, Page, standing
from services.engine.projections.words import Words, listed, round_name, sentence, task
from services.engine.table.agenda import awaited, current_round, player_of, top
from services.engine.table.state import Table


def asked_parties(table: Table) -> tuple[tuple[PlayerId, Party], ...]:
    """The players who must act, each with the party that he acts for."""
    frame = top(table)
    parties: tuple[Party, ...] = ()
    if isinstance(frame, Turn):
        parties = (frame.who,)
    elif isinstance(frame, Question):
        parties = frame.asked
    waited = awaited(table)
    found: dict[PlayerId, Party] = {}
    for party in parties:
        player = player_of(table, party)
        if player in waited and player is not None:
            found.setdefault(player, party)
    return tuple(found.items())


def what(frame: Turn | Question) -> str:
    """The step of a turn, or the kind of a question."""
    if isinstance(frame, Question):
        return type(frame.matter).__name__
    return frame.steps[0] if frame.steps else "end"


def asks(table: Table) -> tuple[Ask, ...]:
    """What everybody is asked, as a page notes it."""
    frame = top(table)
    if not isinstance(frame, Turn | Question):
        return ()
    return tuple(Ask(player, frame.id, what(frame)) for player, _ in asked_parties(table))


def since(chain: list[Page], ask: Ask) -> Page:
    """The page of the record that first asked this without a break."""
    first = chain[-1]
    for page in reversed(chain):
        if ask not in page.asks:
            break
        first = page
    return first


def to_act_since(chain: list[Page], player: PlayerId) -> int:
    """The version since which a player has had to act without a break."""
    version = chain[-1].version
    for page in reversed(chain):
        if all(ask.player != player for ask in page.asks):
            break
        version = page.version
    return version


def view(words: Words, pages: tuple[Page, ...], table: Table) -> TurnView:
    """What the table waits for."""
    asked = waited(words, standing(pages, table.version), table)
    over = table.ending is not None and table.ending.over
    return TurnView(
        table.id,
        table.version,
        round_name(current_round(table)),
        table.phase,
        in_one_line(words, table, asked),
        asked,
        request_views(words, pages, table),
        over,
    )


def waited(words: Words, chain: list[Page], table: Table) -> tuple[Asked, ...]:
    """What is asked of everybody who must act."""
    frame = top(table)
    if not isinstance(frame, Turn | Question) or not chain:
        return ()
    found = []
    for player, party in asked_parties(table):
        first = since(chain, Ask(player, frame.id, what(frame)))
        found.append(
            Asked(
                player=player,
                name=words.party(player),
                party=party,
                what=what(frame),
                words=task(words, frame),
                frame=frame.id,
                question=question_of(frame),
                since=first.version,
                since_time=first.time,
                to_act_since=to_act_since(chain, player),
            )
        )
    return tuple(found)


def question_of(frame: Turn | Question) -> FrameId | None:
    """The id that an answer names, where there is a question."""
    return frame.id if isinstance(frame, Question) else None


def in_one_line(words: Words, table: Table, asked: tuple[Asked, ...]) -> str:
    """The state of play as one sentence."""
    if table.ending is not None and table.ending.over:
        return "The game is over."
    if not asked:
        return "Nobody is asked for anything."
    who = listed(
        one.name if one.party == one.player else f"{one.name} ({words.party(one.party)})"
        for one in asked
    )
    verb = "has" if len(asked) == 1 else "have"
    return sentence(f"{who} {verb} to {asked[0].words}")


def requests(words: Words, pages: tuple[Page, ...], table: Table) -> RequestsView:
    """The requests that wait."""
    return RequestsView(table.id, table.version, request_views(words, pages, table))


def request_views(words: Words, pages: tuple[Page, ...], table: Table) -> tuple[RequestView, ...]:
    """The requests that lie beside the game."""
    return tuple(request_view(words, pages, table, request) for request in table.requests)


def request_view(
    words: Words, pages: tuple[Page, ...], table: Table, request: Request
) -> RequestView:
    """A request that lies beside the game."""
    asked = {request.player, *request.waiting}
    since = made_in(request.id)
    return RequestView(
        request.id,
        request.player,
        request.what,
        sentence(f"{words.party(request.player)} asks {wish(words, request)}"),
        request.waiting,
        request.version,
        tuple(player for player in table.order if player not in asked),
        since,
        pages[since - 1].time,
    )


def made_in(id: FrameId) -> int:
    """The version of the record that made what has this id.

    >>> made_in(FrameId("40.0"))
    40
    """
    return int(id.partition(".")[0])
