"""Where the site's numbered certificates lie."""

import pytest

from contracts.ids import OFFERING, POOL
from contracts.titles.load import facts
from services.histories.certificates import Certificates, UnknownCertificate


@pytest.fixture
def certificates() -> Certificates:
    """Ann is director of the PRR with 50 %, Bob holds 30 %."""
    ledger = Certificates(facts("1830"))
    for number in (0, 1, 2, 3):
        ledger.moved(f"PRR_{number}", "ann")
    for number in (4, 5, 6):
        ledger.moved(f"PRR_{number}", "bob")
    return ledger


def held(ledger: Certificates, *parties: str) -> dict[str, list[str]]:
    names = [f"PRR_{number}" for number in range(9)]
    return {party: [name for name in names if ledger.holder(name) == party] for party in parties}


def test_everything_begins_in_the_offering():
    assert Certificates(facts("1830")).holder("B&O_0") == OFFERING


def test_a_new_director_by_purchase_gives_his_first_two_for_the_directors(certificates):
    for number in (7, 8):
        certificates.moved(f"PRR_{number}", "bob")
    certificates.director_changed("PRR", "ann", "bob", (), 0)
    assert held(certificates, "ann", "bob") == {
        "ann": ["PRR_1", "PRR_2", "PRR_3", "PRR_4", "PRR_5"],
        "bob": ["PRR_0", "PRR_6", "PRR_7", "PRR_8"],
    }


def test_a_director_who_keeps_twenty_per_cent_is_given_the_two(certificates):
    sold = ("PRR_1", "PRR_2", "PRR_3")
    for certificate in sold:
        certificates.moved(certificate, POOL)
    certificates.director_changed("PRR", "ann", "bob", sold, 30)
    assert held(certificates, "ann", "bob", POOL) == {
        "ann": ["PRR_4", "PRR_5"],
        "bob": ["PRR_0", "PRR_6"],
        POOL: ["PRR_1", "PRR_2", "PRR_3"],
    }


def test_who_sells_part_of_the_directors_gets_the_pools_first_back(certificates):
    certificates.moved("PRR_7", POOL)
    sold = ("PRR_1", "PRR_2", "PRR_3", "PRR_0")
    for certificate in sold:
        certificates.moved(certificate, POOL)
    certificates.director_changed("PRR", "ann", "bob", sold, 40)
    assert held(certificates, "ann", "bob", POOL) == {
        "ann": ["PRR_7"],
        "bob": ["PRR_0", "PRR_6"],
        POOL: ["PRR_1", "PRR_2", "PRR_3", "PRR_4", "PRR_5"],
    }


def test_a_certificate_that_no_company_has_is_refused(certificates):
    with pytest.raises(UnknownCertificate):
        certificates.holder("PRR_9")
