"""Running trains: any legal set of runs; what it earns is worked out by nobody else (3.6)."""

from collections.abc import Iterable, Iterator

from contracts import events as e
from contracts.choices import OpenRoutes
from contracts.commands import RunTrains
from contracts.ids import BANK, CompanyId, Party
from contracts.money import pay
from contracts.rejections import Code, Rejection
from contracts.runs import Reported, Run, ScoreLine
from services.engine.rules.draft import Draft
from services.engine.rules.network.routes import canonical
from services.engine.rules.parts.kinds import Act, Offer
from services.engine.rules.ruleset import Ruleset, refused
from services.engine.rules.track.refusals import run_refusals
from services.engine.rules.track.surveys import best_runs, run_checked, running_trains
from services.engine.rules.trains.warranties import AFTER_RUN, use_up
from services.engine.table.agenda import current_turn
from services.engine.table.state import Table

AS_REPORTED = "as reported"
"""The line of a score that says what another place paid more than is worked out here."""


def offers(ruleset: Ruleset, table: Table, who: Party) -> Iterable[Offer]:
    """All trains together, shown with the best runs that the search finds."""
    company = CompanyId(who)
    found = best_runs(ruleset, table, company)
    trains = tuple(train.id for train in running_trains(ruleset, table, company))
    yield Offer(RunTrains(found.runs), OpenRoutes(trains, found.revenue, found.proven))


def objections(
    ruleset: Ruleset, table: Table, who: Party, command: RunTrains
) -> Iterator[Rejection]:
    """What speaks against a set of runs. Which legal set is run is the director's affair (2.10)."""
    if command.reported is not None and not is_paid_as_reported(ruleset):
        yield refused(
            ruleset,
            Code.NOT_ALLOWED,
            "best revenue",
            "What runs earn is worked out at this table.",
            "Name the runs alone.",
        )
    if not command.runs and ruleset.rulings.get("running nothing") == "refused":
        yield must_run(ruleset, CompanyId(who))
    yield from run_refusals(
        ruleset, run_checked(ruleset, table, CompanyId(who), command.runs).objections
    )


def is_paid_as_reported(ruleset: Ruleset) -> bool:
    """Whether runs are paid what the place paid where the game was played (ruling "revenue")."""
    return ruleset.rulings.get("revenue") == "as reported"


def must_run(ruleset: Ruleset, company: CompanyId) -> Rejection:
    """The refusal to leave all trains idle."""
    return refused(
        ruleset,
        Code.MUST_RUN,
        "best revenue",
        f"{company} has a train and a possible route.",
        "Run at least one train.",
    )


def perform(ruleset: Ruleset, draft: Draft, who: Party, command: RunTrains) -> None:
    """Run, and end the step: trains run once a turn."""
    ran(ruleset, draft, CompanyId(who), command.runs, command.reported)
    turn = current_turn(draft.table)
    assert turn is not None  # a company runs in its turn
    draft.emit(e.StepEnded(turn.id, turn.steps[0], "done"))


def ran(
    ruleset: Ruleset,
    draft: Draft,
    company: CompanyId,
    runs: tuple[Run, ...],
    reported: Reported | None = None,
) -> None:
    """Score some runs; a subsidy is paid at once, and what they earn is divided later (7.8.2)."""
    score = run_checked(ruleset, draft.table, company, runs)
    paid = reported or Reported(score.revenue, score.subsidy)
    more = paid.revenue + paid.subsidy - score.revenue - score.subsidy
    lines = (*score.lines, ScoreLine(AS_REPORTED, "", more)) if more else score.lines
    ordered = tuple(sorted(map(canonical, runs), key=_trains))
    draft.emit(e.RoutesRun(company, ordered, lines, paid.revenue, paid.subsidy))
    subsidy = pay(BANK, company, paid.subsidy)
    if subsidy:
        draft.emit(e.MoneyPaid("subsidy", subsidy))
    use_up(ruleset, draft, company, AFTER_RUN)


def _trains(run: Run) -> tuple[str, ...]:
    return run.trains


RUN_TRAINS = Act(RunTrains, offers, objections, perform)
