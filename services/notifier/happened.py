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
    "CompanyClosed": 7,
    "DirectorChanged": 7,
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


def happened_since(lines: Iterable[MinuteLine], player: PlayerId | None) -> tuple[str, ...]:
    """At most two sentences: what mattered most after a player's last move, in its order.

    For a room (`player` None) it is what mattered most in the last record. Equal weights: the later.
    """
    standing = [line for line in lines if not line.undone]
    if player is None:
        last = max((line.at_version for line in standing), default=0) - 1
    else:
        last = max((line.at_version for line in standing if line.player == player), default=0)
    since = [line for line in standing if line.at_version > last and line.event in WEIGHTS]
    ranked = sorted(
        range(len(since)), key=lambda place: (WEIGHTS[since[place].event], place), reverse=True
    )
    told = [_cut(since[place].text) for place in sorted(ranked[:SENTENCES_MOST])]
    more = len(since) - len(told)
    if told and more:
        told[-1] += f" ({more} more thing{'' if more == 1 else 's'} happened.)"
    return tuple(told)


def _cut(text: str) -> str:
    return text if len(text) <= LETTERS_MOST else f"{text[: LETTERS_MOST - 1]}…"
