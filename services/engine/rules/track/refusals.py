"""Refusals about track, tokens and runs: what the network objects to, in the title's own words.

The network knows no rejection codes and no title; here each of its objections gets both.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from contracts.rejections import Code, Rejection
from services.engine.rules.network.objection import Objection
from services.engine.rules.ruleset import Ruleset, refused

_TILES: Final[Mapping[str, tuple[Code, str]]] = {
    "no-such-lay": (Code.NO_SUCH_TILE, "tile"),
    "hex-blocked": (Code.BLOCKED, "blocked hex"),
    "hex-never-changes": (Code.DOES_NOT_FIT, "tile fit"),
    "town-tile": (Code.DOES_NOT_FIT, "tile fit"),
    "colour-not-yet": (Code.WRONG_COLOUR, "tile"),
    "wrong-colour": (Code.WRONG_COLOUR, "tile"),
    "tile-out": (Code.NO_TILE_LEFT, "tile"),
    "wrong-kind": (Code.DOES_NOT_FIT, "tile fit"),
    "wrong-label": (Code.DOES_NOT_FIT, "tile fit"),
    "side-closed": (Code.BAD_SIDE, "track ends"),
    "track-lost": (Code.TRACK_LOST, "track kept"),
    "not-reached": (Code.NOT_CONNECTED, "tile reach"),
    "no-lay-left": (Code.NO_LAY_LEFT, "tile"),
}
_SMALL_STATIONS: Final[Mapping[str, tuple[Code, str]]] = {
    "no-such-line": (Code.NO_SUCH_HEX, "small station"),
    "line-taken": (Code.TOKEN_THERE, "small station"),
}
_LINKS: Final[Mapping[str, tuple[Code, str]]] = {
    "no-such-area": (Code.NO_SUCH_HEX, "link"),
    "own-token-there": (Code.TOKEN_THERE, "link"),
    "slot-taken": (Code.NO_FREE_SLOT, "link"),
    "not-reached": (Code.NOT_CONNECTED, "link"),
}
_TOKENS: Final[Mapping[str, tuple[Code, str]]] = {
    "no-such-city": (Code.NO_SUCH_HEX, "token"),
    "own-token-there": (Code.TOKEN_THERE, "token"),
    "slot-taken": (Code.NO_FREE_SLOT, "token"),
    "kept-for-home": (Code.NO_FREE_SLOT, "home token"),
    "not-reached": (Code.NOT_CONNECTED, "token"),
}
_RUNS: Final[Mapping[str, tuple[Code, str]]] = {
    "no-such-train": (Code.NO_SUCH_TRAIN, "route"),
    "train-twice": (Code.BAD_RUN, "route"),
    "run-too-long": (Code.BAD_RUN, "train length"),
    "other-stops": (Code.BAD_RUN, "train length"),
    "other-count": (Code.BAD_RUN, "train length"),
    "run-too-short": (Code.BAD_RUN, "route"),
    "station-twice": (Code.BAD_RUN, "route"),
    "track-twice": (Code.BAD_RUN, "route"),
    "no-token": (Code.BAD_RUN, "route"),
    "through-area": (Code.BAD_RUN, "route"),
    "through-full-city": (Code.BAD_RUN, "full city"),
    "track-shared": (Code.BAD_RUN, "route"),
    "no-such-track": (Code.BAD_RUN, "route"),
    "track-apart": (Code.BAD_RUN, "route"),
}
_RUNS_TOGETHER: Final[Mapping[str, tuple[Code, str]]] = {
    "ends-small": (Code.BAD_RUN, "set of runs"),
    "no-home": (Code.BAD_RUN, "set of runs"),
    "runs-apart": (Code.BAD_RUN, "set of runs"),
    "train-idle": (Code.MUST_RUN, "set of runs"),
    "no-chain": (Code.BAD_RUN, "freight chain"),
    "freight-too-far": (Code.BAD_RUN, "freight chain"),
    "freight-count": (Code.BAD_RUN, "freight chain"),
    "express-too-long": (Code.BAD_RUN, "express length"),
    "express-count": (Code.BAD_RUN, "express length"),
    "local-to-area": (Code.BAD_RUN, "train length"),
    "no-link": (Code.BAD_RUN, "link"),
    "two-areas-of-a-kind": (Code.BAD_RUN, "route"),
}


def tile_refusals(ruleset: Ruleset, objections: Iterable[Objection]) -> Iterator[Rejection]:
    """Refusals of a tile."""
    return _refusals(ruleset, _TILES, objections)


def small_station_refusals(
    ruleset: Ruleset, objections: Iterable[Objection]
) -> Iterator[Rejection]:
    """Refusals of a small station."""
    return _refusals(ruleset, _SMALL_STATIONS, objections)


def link_refusals(ruleset: Ruleset, objections: Iterable[Objection]) -> Iterator[Rejection]:
    """Refusals of a token in an area."""
    return _refusals(ruleset, _LINKS, objections)


def token_refusals(ruleset: Ruleset, objections: Iterable[Objection]) -> Iterator[Rejection]:
    """Refusals of a token."""
    return _refusals(ruleset, _TOKENS, objections)


def run_refusals(ruleset: Ruleset, objections: Iterable[Objection]) -> Iterator[Rejection]:
    """Refusals of a set of runs."""
    return _refusals(ruleset, {**_RUNS, **_RUNS_TOGETHER}, objections)


def _refusals(
    ruleset: Ruleset,
    codes: Mapping[str, tuple[Code, str]],
    objections: Iterable[Objection],
) -> Iterator[Rejection]:
    for objection in objections:
        code, topic = codes[objection.code]
        yield refused(ruleset, code, topic, objection.because)
