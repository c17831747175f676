"""People: who sends an order, as distinct from the seat that it is for.

An order's `sender` is the true actor: a person's id, a program of a person (`ann/robot`: what it
may do is what ann may, and the record shows that her program did it), or one of the two programs
named here that are nobody's. A table may name the person of each seat; then the engine takes orders
for a seat from that person and his programs alone (and from the host, where the settings say so). A
seat without a person takes them from anybody.

Whether a sender is who he says is not the engine's business: whoever lets orders in from outside
(the gateway) checks a person's or a program's token, writes the id that the token stands for into
`sender`, and lets nobody in under a reserved name. Everything behind it is believed.
"""

from typing import Final
from unicodedata import is_normalized, normalize

CLOCK: Final = "clock"
"""The clock: the only sender that may call a player's time."""
PROGRAMME: Final = "programme:"
"""How the sender of an automatic move begins; the id of its programme follows."""
NOBODY: Final = "nobody"
"""Who sits where somebody has resigned: the seat makes neutral moves."""
RESERVED_PEOPLE: Final = frozenset({CLOCK, NOBODY})
"""Senders that stand for no person, whatever follows behind them."""
OF: Final = "/"
"""Between a person and the program that acts for him."""
COMPOSED: Final = "NFC"
"""The form of Unicode in which people and their programs are written: é is one character."""
COMPOSED_HINT: Final = "Letters with marks are written as one character each (Unicode NFC)."
"""What to do about a name that looks right and is refused."""
PERSON_MOST: Final = 64
"""Characters that a person's id may have at most."""
PROGRAM_MOST: Final = 32
"""Characters that the name of a person's program may have at most."""


def is_person(name: str) -> bool:
    r"""Whether a person may have this id: one printable word that is no program's.

    Letters with marks are composed, or one name could be two people who look the same.

    >>> is_person("ann"), is_person("clock"), is_person("programme:4.0"), is_person("ann lee")
    (True, False, False, False)
    >>> is_person("ann/robot"), is_person("a" * 65)
    (False, False)
    >>> is_person("Ren\u00e9"), is_person("Rene\u0301")
    (True, False)
    """
    if not _is_word(name, PERSON_MOST):
        return False
    return name not in RESERVED_PEOPLE and not name.startswith(PROGRAMME)


def is_program(name: str) -> bool:
    """Whether a person's program may have this name.

    >>> is_program("robot"), is_program(""), is_program("a/b"), is_program("my robot")
    (True, False, False, False)
    """
    return _is_word(name, PROGRAM_MOST)


def _is_word(name: str, most: int) -> bool:
    if not 0 < len(name) <= most or not is_composed(name):
        return False
    return name.isprintable() and not {" ", OF} & set(name)


def composed(text: str) -> str:
    r"""A text with letters and their marks composed, as whoever lets names in has to write it.

    >>> composed("Rene\u0301") == "Ren\u00e9"
    True
    """
    return normalize(COMPOSED, text)


def is_composed(text: str) -> bool:
    """Whether a text is written as `composed` writes it."""
    return is_normalized(COMPOSED, text)


def hint(name: str) -> str:
    r"""What else there is to say about a name that is refused, with a space before it; or nothing.

    >>> hint("a b"), hint("Rene\u0301")
    ('', ' Letters with marks are written as one character each (Unicode NFC).')
    """
    return "" if is_composed(name) else f" {COMPOSED_HINT}"


def sender_of(person: str, program: str | None = None) -> str:
    """The sender of what a person, or a program of his, asks for.

    >>> sender_of("ann"), sender_of("ann", "robot")
    ('ann', 'ann/robot')
    """
    return person if program is None else f"{person}{OF}{program}"


def person_of(sender: str) -> str:
    """The person for whom a sender acts: himself, or whose program he is.

    >>> person_of("ann"), person_of("ann/robot"), person_of("clock")
    ('ann', 'ann', 'clock')
    """
    return sender.partition(OF)[0]


def program_of(sender: str) -> str | None:
    """The program of a person that a sender is, if it is one.

    >>> program_of("ann/robot"), program_of("ann")
    ('robot', None)
    """
    return sender.partition(OF)[2] or None
