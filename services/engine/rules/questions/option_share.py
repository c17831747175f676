"""An option left over when shares were merged: redeem it, or relinquish it (5.2.4)."""

from collections.abc import Iterable, Iterator

from contracts.commands import SettleOption
from contracts.frames import Merging, OptionShare
from contracts.ids import CertificateKind, CompanyId, Party
from contracts.rejections import Rejection
from services.engine.rules.draft import Draft
from services.engine.rules.joining.halving import ONE, Option, settle_option
from services.engine.rules.parts.kinds import Act, Asking, Offer
from services.engine.rules.questions.answering import (
    answered,
    must_choose,
    question_on_top,
    waits_for_its_act,
)
from services.engine.rules.ruleset import Ruleset
from services.engine.rules.shares.counting import directors_kind, held
from services.engine.table.agenda import topmost
from services.engine.table.state import Table


def offers(_ruleset: Ruleset, _table: Table, _who: Party) -> Iterable[Offer]:
    """It is asked only where there is a choice."""
    return (Offer(SettleOption(redeem=True)), Offer(SettleOption(redeem=False)))


def objections(
    _ruleset: Ruleset, _table: Table, _who: Party, _command: SettleOption
) -> Iterator[Rejection]:
    """Either may be chosen: who cannot pay is not asked."""
    return iter(())


def perform(_ruleset: Ruleset, draft: Draft, _who: Party, command: SettleOption) -> None:
    """Pay and keep it, or be paid for it."""
    matter = question_on_top(draft.table).matter
    assert isinstance(matter, OptionShare)  # this is how the registry files it
    answered(draft, "redeem" if command.redeem else "relinquish")
    merging = topmost(draft.table.agenda, Merging)
    assert merging is not None  # options are left over by a merging
    kind = option_kind(draft.table, merging, matter.holder)
    option = Option(kind, matter.redeem, matter.relinquish)
    settle_option(draft, merging, matter.holder, option, redeem=command.redeem)


def option_kind(table: Table, merging: Merging, holder: Party) -> CertificateKind:
    """The certificate that is the option: an ordinary one, unless there is only the director's."""
    company: CompanyId = merging.survivor
    directors = directors_kind(table, company, holder)
    return ONE if directors is None or ONE in held(table, company, holder) else directors


def no_pass(ruleset: Ruleset, _table: Table, who: Party) -> Rejection:
    """An option is settled before the next holder acts."""
    return must_choose(ruleset, "options", who, "Redeem the option or relinquish it.")


OPTION_SHARE = Asking((Act(SettleOption, offers, objections, perform),), waits_for_its_act, no_pass)
