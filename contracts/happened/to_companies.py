"""What happened to money and companies: shares, directors, markers."""

from contracts.happened.base import Event
from contracts.ids import (
    CompanyId,
    Money,
    Party,
    PlayerId,
    Space,
)
from contracts.money import Payments
from contracts.pieces import (
    CertificateMove,
    Certificates,
)


class MoneyPaid(Event, frozen=True):
    """Money changed hands: `income`, `fine`, `fee`, `contribution` and the like."""

    because: str
    payments: Payments


class CharterTaken(Event, frozen=True):
    """A company's charter is a player's, who is bound to float it: as a `duty`."""

    company: CompanyId
    player: PlayerId
    because: str


class CharterReturned(Event, frozen=True):
    """A company's charter is blank again (`fined`, `absorbed`, `bankrupt`).

    With `opens` it may be started again at once, else when `CompaniesOpened` says so.
    """

    company: CompanyId
    because: str
    opens: bool


class ParSet(Event, frozen=True):
    """A company's par is now this, in this part of the par chart; no marker moves."""

    company: CompanyId
    par: Money
    column: str | None


class CompaniesMerged(Event, frozen=True):
    """Two companies are one; `operates` says whether the survivor still operates in this round."""

    survivor: CompanyId
    absorbed: CompanyId
    operates: bool


class TokensSet(Event, frozen=True):
    """A company has so many tokens on its charter, paid for or taken over."""

    company: CompanyId
    tokens: int
    payments: Payments


class CompanyStarted(Event, frozen=True):
    """A company has a price; `payments` and `certificates` are the director's certificate's."""

    company: CompanyId
    player: PlayerId
    price: Money
    certificates: tuple[CertificateMove, ...]
    payments: Payments


class CompanyFloated(Event, frozen=True):
    """A company floated and received its capital."""

    company: CompanyId
    payments: Payments


class CompanyBought(Event, frozen=True):
    """A private or minor changed hands."""

    company: CompanyId
    seller: Party
    buyer: Party
    payments: Payments


class CompanyClosed(Event, frozen=True):
    """A company closed; its certificates are out of the game, its holder stays known."""

    company: CompanyId
    because: str


class SharesBought(Event, frozen=True):
    """Certificates were bought: `taken` from the source, `given` in exchange."""

    who: Party
    company: CompanyId
    source: Party
    taken: Certificates
    given: Certificates
    payments: Payments


class SharesSold(Event, frozen=True):
    """Certificates were sold: `given` to the target, `taken` back as change."""

    who: Party
    company: CompanyId
    target: Party
    given: Certificates
    taken: Certificates
    payments: Payments


class CertificatesMoved(Event, frozen=True):
    """Certificates moved unpaid: `swap`, `exchange`, `with a private` and the like."""

    company: CompanyId
    moves: tuple[CertificateMove, ...]
    because: str


class DirectorChanged(Event, frozen=True):
    """A company has another director (or none); `acting` decides for it."""

    company: CompanyId
    director: PlayerId | None
    acting: PlayerId | None


class MarkerMoved(Event, frozen=True):
    """A marker lies on a space, `place` from the top of its stack (0), or is off the market.

    Because: `started`, `paid`, `withheld`, `sold`, `sold out`, `joined`, `absorbed`, `bankrupt`.
    """

    company: CompanyId
    space: Space | None
    price: Money
    place: int
    because: str
