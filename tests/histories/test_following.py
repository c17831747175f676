"""Which of the site's numbered certificates goes: the first, or in a joining the last to come."""

import msgspec
import pytest

from contracts import events as e
from contracts.commands import Pass
from contracts.frames import Merging
from contracts.ids import OFFERING, POOL, CertificateKind, CommandId, CompanyId, FrameId, PlayerId
from contracts.pieces import CertificateMove
from contracts.records import Record
from services.histories.following import FROM_THE_BACK, follow
from services.histories.game import Game
from services.histories.translate import Translator
from tests.histories.exports import export
from tests.positions import company

ANN = PlayerId("11")
EUR, ECR = company("EUR"), company("ECR")
ONE = CertificateKind("1")
FIRST, LAST = ["ECR_1", "ECR_2"], ["ECR_4", "ECR_3"]


def ledger() -> Game:
    """Ann holds four ordinary certificates of the ECR and of the EUR, in order of number."""
    game = Translator(export(title="1862")).game
    for name in ("ECR", "EUR"):
        for number in range(1, 5):
            game.certificates.moved(f"{name}_{number}", ANN)
    return game


def joining(absorbed: CompanyId | None) -> Merging:
    return Merging(FrameId("9"), "merger", ANN, EUR, absorbed, 100, (ANN,), EUR)


def given_up(of: CompanyId, because: str, absorbed: CompanyId | None, *, merges: bool) -> list[str]:
    """What goes to the pool when Ann gives up two ordinary certificates, as they come there."""
    game = ledger()
    begun = (e.ProcedureSet(joining(absorbed)),) if merges else ()
    moved = e.CertificatesMoved(of, (CertificateMove(ONE, 2, ANN, POOL),), because)
    order = msgspec.structs.replace(Translator(export(title="1862")).opening(), command=Pass())
    order = msgspec.structs.replace(order, id=CommandId("1"))
    follow(game, game.table, Record(2, 0, "", order, (*begun, moved)))
    kept = game.certificates.ordinary(of, ANN)
    gone = list(game.certificates.ordinary(of, POOL))
    assert sorted((*kept, *gone)) == [f"{of}_{number}" for number in range(1, 5)]
    assert not {*gone} & {*game.certificates.ordinary(of, OFFERING)}
    return gone


@pytest.mark.parametrize("because", sorted(FROM_THE_BACK | {"swap"}))
def test_without_a_joining_the_first_to_have_come_go_first(because):
    assert given_up(ECR, because, None, merges=False) == FIRST


@pytest.mark.parametrize("because", sorted(FROM_THE_BACK))
def test_shares_of_the_survivor_are_given_up_from_the_back(because):
    assert given_up(EUR, because, ECR, merges=True) == ["EUR_4", "EUR_3"]


@pytest.mark.parametrize(
    ("because", "gone"), [("exchange", LAST), ("swap", LAST), ("returned", FIRST)]
)
def test_shares_of_the_absorbed_have_their_own_habits(because, gone):
    assert given_up(ECR, because, ECR, merges=True) == gone


def test_a_swap_of_the_survivors_goes_from_the_front():
    assert given_up(EUR, "swap", ECR, merges=True) == ["EUR_1", "EUR_2"]
