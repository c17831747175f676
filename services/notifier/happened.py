"""What the others did since somebody's last move, in one or two plain sentences."""

from collections.abc import Iterable, Mapping
from typing import Final

from contracts.ids import PlayerId
from contracts.views import MinuteLine

SENTENCES_MOST: Final = 2
LETTERS_MOST: Final = 200
"""Letters that a sentence is cut to."""

WEIGHTS: Final[Mapping[str, int]] = {
    "GameEndTriggered": 9,
    "TrainsRusted": 8,
    "PhaseBegan": 8,
    "CompaniesMerged": 8,
    "ProposalRefused": 8,
    "CompanyClosed": 7,
    "DirectorChanged": 5,
    "CompanyFloated": 6,
    "CompanyStarted": 6,
    "CharterTaken": 6,
    "LotWon": 5,
    "CompanyBought": 5,
    "TrainBought": 5,
    "SharesSold": 4,
    "RoundBegan": 4,
    "SharesBought": 3,
    "EarningsDivided": 3,
    "RequestMade": 3,
    "TokenPlaced": 2,
    "BidMade": 2,
    "TileLaid": 1,
    "RoutesRun": 1,
    "Passed": 1,
}
"""How much it matters to somebody who was away; what is not named does not."""
REFUSAL: Final = "ProposalRefused"
_BEFORE_REFUSAL: Final = frozenset({"TimeCalled", "QuestionAnswered"})
"""What is said before it in the same move: who refused, or whose time ran out."""


def happened_since(
    lines: Iterable[MinuteLine], player: PlayerId | None, name: str = ""
) -> tuple[str, ...]:
    """At most two sentences: the moves that mattered most since a player's last, in their order.

    Of each move it is what mattered most in it. What the player himself did by another's move (by
    his `name`) he does not hear.

    For a room (`player` None) it is what mattered most in the last record. Of equal weight, the
    later counts more.
    """
    standing = [line for line in lines if not line.undone]
    if player is None:
        last = max((line.at_version for line in standing), default=0) - 1
    else:
        last = max((line.at_version for line in standing if line.player == player), default=0)
    # The opening of the table is nobody's move.
    last = max(last, 1)
    return _told(
        line
        for line in standing
        if line.at_version > last and not (name and line.text.startswith(f"{name} "))
    )


def of_record(lines: Iterable[MinuteLine], version: int) -> tuple[str, ...]:
    """The first two sentences of what was done by a record."""
    done = (line for line in lines if line.at_version == version and not line.undone)
    said = [_cut(line.text) for line in done if line.event in WEIGHTS or line.event == "SeatTaken"]
    return tuple(said[:SENTENCES_MOST])


def taken_back_by(lines: Iterable[MinuteLine], to: int) -> tuple[str, ...]:
    """At most two sentences of the moves that an undo to a version takes back.

    A request is no move.
    """
    return _told(
        line
        for line in lines
        if line.at_version > to and not line.undone and line.event != "RequestMade"
    )


def _told(lines: Iterable[MinuteLine]) -> tuple[str, ...]:
    """Of each move what mattered most in it, and of the moves those that did, in their order."""
    moves: dict[int, MinuteLine] = {}
    answers: dict[int, str] = {}
    for line in lines:
        if line.event in _BEFORE_REFUSAL:
            before = answers.get(line.at_version)
            answers[line.at_version] = line.text if before is None else f"{before} {line.text}"
        if line.event not in WEIGHTS:
            continue
        best = moves.get(line.at_version)
        if best is None or WEIGHTS[best.event] < WEIGHTS[line.event]:
            moves[line.at_version] = line
    ranked = sorted(moves.values(), key=_weight, reverse=True)
    chosen = sorted(ranked[:SENTENCES_MOST], key=lambda line: line.at_version)
    told = [_cut(_with_answers(line, answers)) for line in chosen]
    more = len(moves) - len(told)
    if told and more:
        told[-1] += f" ({more} more move{'' if more == 1 else 's'}.)"
    return tuple(told)


def _with_answers(line: MinuteLine, answers: Mapping[int, str]) -> str:
    """What a line says; of a refusal also whose it was."""
    before = answers.get(line.at_version) if line.event == REFUSAL else None
    return line.text if before is None else f"{before} {line.text}"


def _weight(line: MinuteLine) -> tuple[int, int]:
    return WEIGHTS[line.event], line.at_version


def _cut(text: str) -> str:
    return text if len(text) <= LETTERS_MOST else f"{text[: LETTERS_MOST - 1]}…"
