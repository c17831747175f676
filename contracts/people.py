"""People: who sends an order, as distinct from the seat that it is for.

An order's `sender` is the true actor: a person's id, or one of the two programs named here. A table
may name the person of each seat; then the engine takes orders for a seat from that person alone
(and from the host, where the settings say so). A seat without a person takes them from anybody.

Whether a sender is who he says is not the engine's business: whoever lets orders in from outside
(the gateway) checks a person's or a program's token, writes the id that the token stands for into
`sender`, and lets nobody in under a reserved name. Everything behind it is believed.
"""

from typing import Final

CLOCK: Final = "clock"
"""The clock: the only sender that may call a player's time."""
PROGRAMME: Final = "programme:"
"""How the sender of an automatic move begins; the id of its programme follows."""
NOBODY: Final = "nobody"
"""Who sits where somebody has resigned: the seat makes neutral moves."""


def is_person(name: str) -> bool:
    """Whether a person may have this id: one printable word that is no program's.

    >>> is_person("ann"), is_person("clock"), is_person("programme:4.0"), is_person("ann lee")
    (True, False, False, False)
    """
    if not name or not name.isprintable() or " " in name:
        return False
    return name not in {CLOCK, NOBODY} and not name.startswith(PROGRAMME)
