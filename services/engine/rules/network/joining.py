"""Whether chosen runs hang together from home, and how each is then run (7.8).

A choice fixes what each run scores; the same score can often be had in several ways that meet
others at different places. The test is exact: it looks for one way for each so that all are joined.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from msgspec import Struct

from services.engine.rules.network.chains import Chains, Order
from services.engine.rules.network.trips import Pair, Plan, Trip

# Ways to combine runs that score the same; boards of a box need some dozens at most.
_MOST_COMBINATIONS = 1_000
_MOST_WALKS = 2_000


class Pick(Struct, frozen=True, eq=False, gc=False):
    """A choice for a train or a chain: the runs that score it, or the chain's ends and orders.

    `meets` is all that any of the ways could meet, `scored` what it scores, `joints` the ends of a
    single freight where no other chain may end or join.
    """

    plan: Plan | None
    trips: tuple[Trip, ...]
    meets: int
    scored: int = 0
    joints: int = 0
    pair: Pair | None = None
    orders: tuple[Order, ...] = ()


Runs = tuple[tuple[Plan, Trip], ...]
"""Runs with their plans, freights with those of their chain."""


class Joiner:
    """Joins picks; `gave_up` tells that some combination was not tried for want of work."""

    def __init__(self, home: int, chains: Chains, fleet: Sequence[Plan]) -> None:
        self.home = home
        self.chains = chains
        self.fleet = fleet
        self.gave_up = False
        self.work = 0

    def ways(self, picks: Sequence[Pick]) -> Iterator[tuple[Runs, ...]]:
        """The ways to run each pick so that all hang together from home."""
        singles = [(number, pick) for number, pick in enumerate(picks) if pick.pair is None]
        chained = [(number, pick) for number, pick in enumerate(picks) if pick.pair is not None]
        options = [_useful(pick, self._relevant(picks, number)) for number, pick in singles]
        combinations = product(*options)
        for combination in islice(combinations, _MOST_COMBINATIONS):
            self.work += 1 + len(picks)
            joints = [pick.joints for _, pick in singles if pick.joints]
            if _clash(joints):
                return
            pieces = _pieces([self.home, *(trip[0] for trip in combination)])
            runs: dict[int, Runs] = {}
            for (number, pick), trip in zip(singles, combination, strict=True):
                assert pick.plan is not None  # a pick without a chain is of one train
                runs[number] = ((pick.plan, trip),)
            yield from self._with_chains(chained, pieces, sum(joints), runs)
        if next(combinations, None) is not None:
            self.gave_up = True

    def _with_chains(
        self,
        chained: Sequence[tuple[int, Pick]],
        pieces: list[int],
        joints: int,
        runs: dict[int, Runs],
    ) -> Iterator[tuple[Runs, ...]]:
        if not chained:
            if len(pieces) == 1:
                yield tuple(runs[number] for number in range(len(runs)))
            return
        (number, pick), *others = chained
        assert pick.pair is not None  # as sorted out above
        later = 0
        for _, other in others:
            later |= other.meets
        spots = [*pieces, *_single_bits(later & pick.meets)]
        walks = self.chains.realised(pick.pair, pick.orders, spots, self.fleet)
        for found in islice(walks, _MOST_WALKS):
            if found.joints & joints:
                continue
            meets = 0
            for _, trip in found.runs:
                meets |= trip[0]
            grown = _pieces([*pieces, meets])
            if others or len(grown) == 1:
                chosen = {**runs, number: found.runs}
                yield from self._with_chains(others, grown, joints | found.joints, chosen)
        if next(walks, None) is not None:
            self.gave_up = True

    def _relevant(self, picks: Sequence[Pick], number: int) -> int:
        """Where a pick could be met by another, or meet home."""
        relevant = self.home
        for other, pick in enumerate(picks):
            if other != number:
                relevant |= pick.meets
        return relevant


def _useful(pick: Pick, relevant: int) -> list[Trip]:
    """The runs of a pick, without those that meet no more where it matters than another."""
    useful: list[Trip] = []
    for trip in pick.trips:
        meets = trip[0] & relevant
        if any(other[0] & meets == meets for other in useful):
            continue
        useful = [other for other in useful if other[0] & relevant & ~meets]
        useful.append(trip)
    return useful


def _pieces(masks: Iterable[int]) -> list[int]:
    """Masks that share a bit put together; what is home's comes first."""
    pieces: list[int] = []
    for mask in masks:
        apart = []
        joined = mask
        for piece in pieces:
            if piece & joined:
                joined |= piece
            else:
                apart.append(piece)
        if len(apart) < len(pieces):
            # What was passed over may share a bit with what has been joined since.
            pieces = (
                _pieces([*apart, joined]) if any(p & joined for p in apart) else [*apart, joined]
            )
        else:
            pieces.append(mask)
    return pieces


def _clash(joints: Sequence[int]) -> bool:
    seen = 0
    for mask in joints:
        if mask & seen:
            return True
        seen |= mask
    return False


def _single_bits(mask: int) -> list[int]:
    bits = []
    while mask:
        bit = mask & -mask
        bits.append(bit)
        mask ^= bit
    return bits
