"""Where the site's numbered share certificates lie.

The site numbers certificates (`PRR_3`; 0 is the director's) and names them in its actions without
saying whether one is bought from the initial offering or from the pool. Both may have some, at
different prices, so the numbers have to be followed. Who holds which matters only for the exchange
at a change of director, which takes the new director's first two and gives them to the old one, or
to the pool if the old director has too little left to take them.
"""

from collections.abc import Iterable

from contracts.ids import OFFERING, POOL, CompanyId, Party
from contracts.titles.facts import Facts


class UnknownCertificate(LookupError):  # noqa: N818 - reads as what happened
    """A certificate is named that the company does not have."""


def company_of(certificate: str) -> CompanyId:
    """The company whose certificate it is.

    >>> company_of("B&O_0")
    'B&O'
    """
    return CompanyId(Party(certificate.rpartition("_")[0]))


class Certificates:
    """The certificates of all companies by holder, each holder's in the order of their coming."""

    def __init__(self, facts: Facts) -> None:
        """Begin with everything in the offering."""
        self._percent: dict[str, int] = {}
        self._held: dict[CompanyId, dict[Party, list[str]]] = {}
        for id, public in facts.publics.items():
            names = [f"{id}_{number}" for number in range(len(public.certificates))]
            self._percent.update(zip(names, public.certificates, strict=True))
            self._held[id] = {OFFERING: names}

    def holder(self, certificate: str) -> Party:
        """Who holds a certificate."""
        for party, names in self._held.get(company_of(certificate), {}).items():
            if certificate in names:
                return party
        raise UnknownCertificate(certificate)

    def percent(self, certificates: Iterable[str]) -> int:
        """What some certificates say together."""
        try:
            return sum(self._percent[certificate] for certificate in certificates)
        except KeyError as error:
            raise UnknownCertificate(error.args[0]) from None

    def is_directors(self, certificate: str) -> bool:
        """Whether it is the director's certificate: the one with the number 0."""
        return certificate.endswith("_0")

    def first(self, company: CompanyId, party: Party, *, directors: bool) -> str | None:
        """The first certificate of a kind that somebody holds, or None."""
        held = self._held[company].get(party, [])
        return next((one for one in held if self.is_directors(one) is directors), None)

    def ordinary(self, company: CompanyId, party: Party) -> tuple[str, ...]:
        """The ordinary certificates that somebody holds, in the order of their coming."""
        held = self._held[company].get(party, [])
        return tuple(one for one in held if not self.is_directors(one))

    def sorted_in(self, company: CompanyId, party: Party) -> None:
        """Put somebody's certificates of a company in the order of their numbers."""
        number = {name: place for place, name in enumerate(self._percent)}
        self._held[company].get(party, []).sort(key=number.__getitem__)

    def given_back(
        self, company: CompanyId, seller: Party, sold: tuple[str, ...], percent: int
    ) -> None:
        """Give a seller of part of what he handed in the rest back, in the pool's first ones."""
        share = min(self._percent[one] for one in self._percent if company_of(one) == company)
        for _ in range((self.percent(sold) - percent) // share):
            self.moved(self.ordinary(company, POOL)[0], seller)

    def moved(self, certificate: str, target: Party) -> None:
        """Put a certificate last among a holder's."""
        held = self._held[company_of(certificate)]
        held[self.holder(certificate)].remove(certificate)
        held.setdefault(target, []).append(certificate)

    def director_changed(
        self, company: CompanyId, old: Party, new: Party, sold: tuple[str, ...], percent: int
    ) -> None:
        """Exchange the director's certificate, after a sale that may have been of part of it.

        `sold` are the certificates that the old director sold, in the pool already, and `percent`
        what he was paid for; where that is less, he gets the rest back in the pool's first ones.
        """
        held = self._held[company]
        directors = f"{company}_0"
        worth = self._percent[directors]
        receiver = old if self.percent(held.get(old, ())) >= worth else POOL
        ordinary = [one for one in held.get(new, ()) if not self.is_directors(one)]
        share = min(self._percent[one] for one in self._percent if company_of(one) == company)
        for certificate in ordinary[: worth // share]:
            self.moved(certificate, receiver)
        self.moved(directors, new)
        self.given_back(company, old, sold, percent)
