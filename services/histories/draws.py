"""What chance gave on the site: its draws, drawn again from the seed of the game.

The site draws numbers one after the other from a linear congruential generator and shuffles by
sorting, one number for each thing. It takes companies out of the game from the front of those
shuffled and deals the rest in order, then shuffles the permits and lays one on each company that is
left, in the order in which the facts list the companies.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from services.engine.rules.companies.groups import COMPANIES, REMOVED, column
from services.engine.rules.companies.permits import DRAWN
from services.engine.rules.opening.box import lots_to_draw
from services.engine.rules.ruleset import Ruleset

MULTIPLIER = 1_103_515_245
INCREMENT = 12_345
MODULUS = 2**31


def numbers(seed: int) -> Iterator[int]:
    """The site's numbers for a seed, without end."""
    state = seed % MODULUS
    while True:
        state = (state * MULTIPLIER + INCREMENT) % MODULUS
        yield state


def shuffled(things: Sequence[str], drawn: Iterator[int]) -> list[str]:
    """The things in the order of the next numbers, one for each.

    >>> shuffled(["a", "b", "c"], iter([30, 10, 20]))
    ['b', 'c', 'a']
    """
    keys = [next(drawn) for _ in things]
    return [thing for _key, thing in sorted(zip(keys, things, strict=True))]


def in_rounds(things: Sequence[str]) -> list[str]:
    """Things of several kinds, one of each kind at a time.

    >>> in_rounds(["freight", "freight", "local"])
    ['freight', 'local', 'freight']
    """
    left = Counter(things)
    found: list[str] = []
    while left.total():
        for kind in left:
            if left[kind]:
                left[kind] -= 1
                found.append(kind)
    return found


def lots(ruleset: Ruleset, seed: int, players: int) -> Mapping[str, tuple[str, ...]]:
    """What the site drew at setup, as our lots have it; nothing where the title draws nothing."""
    wanted = dict(lots_to_draw(ruleset, players))
    if COMPANIES not in wanted:
        return {}
    drawn = numbers(seed)
    companies = shuffled(wanted[COMPANIES], drawn)
    out = ruleset.facts.setup.company_groups[REMOVED][column(ruleset, players)]
    order = companies[out:] + companies[:out]
    found = {COMPANIES: tuple(order)}
    if DRAWN in wanted:
        permits = shuffled(in_rounds(wanted[DRAWN]), drawn)
        playing = [company for company in wanted[COMPANIES] if company not in order[-out:]]
        by_company = dict(zip(playing, permits, strict=False))
        left = permits[len(playing) :]
        found[DRAWN] = (*(by_company[company] for company in order[: len(playing)]), *left)
    return found
