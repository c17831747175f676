"""Hold what came to people against the letters of the outbox, and against the troubles. Pure."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from contracts.notices import Letter, of_player
from contracts.people import NOBODY
from services.chaos.post import WELL, Delivery
from services.chaos.troubles import Trouble, spans_of

BEFORE_SECONDS: Final = 1.0
"""A message may have come this long before a trouble that kept it from being marked."""
AFTER_SECONDS: Final = 2.0


def repeats(deliveries: Sequence[Delivery]) -> list[tuple[Delivery, Delivery]]:
    """Messages that came again although they had been taken, each with the one before."""
    last: dict[tuple[str, str], Delivery] = {}
    found: list[tuple[Delivery, Delivery]] = []
    for one in deliveries:
        before = last.get((one.to, one.id))
        if before is not None and before.answer == WELL:
            found.append((before, one))
        last[one.to, one.id] = one
    return found


def sent_again(deliveries: Sequence[Delivery], troubles: Sequence[Trouble]) -> Iterator[str]:
    """Messages that came again without a cause, or as another message.

    There is a cause if the notifier may have died, stood still or lost the store between sending
    and marking; and then the id is the same.
    """
    spans = [span for kind in ("notifier", "store", "machine") for span in spans_of(troubles, kind)]
    for before, again in repeats(deliveries):
        begin, end = before.at - BEFORE_SECONDS, before.at + AFTER_SECONDS
        if not any(first <= end and begin <= last for first, last in spans):
            yield f"{again.id} came to {again.to} again after {again.at - before.at:.1f} s"
    ids: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in deliveries:
        ids[one.to, one.notice].add(one.id)
    for (to, notice), found in ids.items():
        if len(found) > 1:
            yield f"{notice} came to {to} under {len(found)} ids: {', '.join(sorted(found))}"


def astray(
    letters: Sequence[Letter], deliveries: Sequence[Delivery], planted: Collection[str]
) -> Iterator[str]:
    """Letters that are under way for ever, given up, or marked as sent and never came.

    `planted` are the addressees who can never be reached.
    """
    came = {one.id for one in deliveries if one.answer == WELL}
    for letter in letters:
        if letter.addressee in planted:
            if letter.state not in {"dead", "withdrawn"}:
                yield f"{letter.id} is {letter.state}, and can never arrive"
        elif letter.state == "sent" and letter.id not in came and not letter.why:
            yield f"{letter.id} is said to have been sent, and never came"
        elif letter.state == "nowhere" and letter.addressee == of_player(NOBODY):
            # A seat that was given up has no person to whom it could go.
            continue
        elif letter.state not in {"sent", "withdrawn"}:
            yield f"{letter.id} is {letter.state} at the end: {letter.why or 'no reason is given'}"


def unsigned(letters: Sequence[Letter], deliveries: Sequence[Delivery]) -> Iterator[str]:
    """Messages that nobody wrote, that were not signed, or that came to somebody else."""
    written = {letter.id: letter for letter in letters}
    for one in deliveries:
        letter = written.get(one.id)
        if not one.is_signed:
            yield f"{one.id} came to {one.to} without its signature"
        if letter is None:
            yield f"{one.id} came to {one.to}, and was never written"
        elif one.answer != 404 and one.to != letter.addressee.partition(":")[2]:
            yield f"{one.id} for {letter.addressee} came to {one.to}"
