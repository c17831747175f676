"""Who may act for a seat: its person and his programs, the host where the settings say so.

Two programs that are nobody's have a part of their own: the clock, and a seat's programme.
"""

from contracts.commands import AssignSeat, CallTime, ExpireRequest, MakeRequest, OpenTable, Order
from contracts.ids import PlayerId
from contracts.people import CLOCK, PROGRAMME, RESERVED_PEOPLE, hint, is_person, person_of
from contracts.rejections import Code, Rejection
from services.engine.table.state import Table


def objection(table: Table, order: Order) -> Rejection | None:
    """What is wrong with a sender's acting for a seat.

    Time is called by the clock alone, and it does nothing else. A programme's order is looked at
    by whoever knows the programmes; here it only has to be a game move.
    """
    if isinstance(order.command, OpenTable) or may_act(table, order):
        return None
    match order.command:
        case AssignSeat():
            host = host_of(table)
            sentence, legal = f"{order.sender} gives nobody a seat.", "The table has no host."
            if host is not None:
                legal = f"The host does: {host}."
        case CallTime() | ExpireRequest():
            sentence, legal = f"{order.sender} does not keep the time.", "The clock does."
        case _:
            person = table.people.get(order.player)
            sentence = f"{order.sender} does not act for {order.player}."
            legal = f"{person} does." if person is not None else ""
    return Rejection(Code.NOT_YOUR_SEAT, "design", sentence, legal, table.version)


def may_act(table: Table, order: Order) -> bool:
    """Whether a sender may give an order for its seat."""
    host = is_host(table, order.sender, order.player)
    match order.command:
        case CallTime() | ExpireRequest():
            return order.sender == CLOCK
        case AssignSeat():
            return host
    actor = person_of(order.sender)
    if actor in RESERVED_PEOPLE:
        return False
    if order.sender.startswith(PROGRAMME):
        return True
    if host and (table.settings.host_acts or isinstance(order.command, MakeRequest)):
        return True
    return order.player not in table.people or table.people[order.player] == actor


def host_of(table: Table) -> str | None:
    """The person who runs a table: whoever sat in the host's seat when the table was opened.

    He stays the host whoever sits there later: or a table would have none once he had resigned from
    his seat, and whom the clock makes a substitute would run it.
    """
    host = table.settings.host
    return next((seat.person or host for seat in table.seats if seat.player == host), host)


def is_host(table: Table, sender: str, player: PlayerId) -> bool:
    """Whether an order comes from the host: by its sender where seats have people, else by seat."""
    host, actor = table.settings.host, person_of(sender)
    if host is None or actor in RESERVED_PEOPLE:
        return False
    if not table.people:
        return host in {player, actor}
    return actor == host_of(table)


def person_objection(name: str) -> Rejection | None:
    """What is wrong with a person's id."""
    if is_person(name):
        return None
    return Rejection(
        Code.BAD_SEATS,
        "design",
        f"Nobody can be called {name!r}.",
        f"A person's id is one printable word, and no program's.{hint(name)}",
    )
