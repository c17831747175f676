"""What has been reached: events, commands, steps, questions, calls of time, rounds, refusals."""

from collections.abc import Iterable, Mapping
from typing import Final, get_args

from msgspec import Struct

from contracts import events as e
from contracts.commands import AnyCommand
from contracts.frames import Matter, Procedure, Question, Turn
from contracts.rejections import Code, Rejection
from services.engine.rules.parts.registry import ANYTIME, ASKINGS, PROCEDURES, ROUNDS, STEPS
from services.engine.table.agenda import top
from services.engine.table.state import Table

EVENTS: Final = tuple(kind.__name__ for kind in get_args(e.AnyEvent))
COMMANDS: Final = tuple(kind.__name__ for kind in get_args(AnyCommand))
MATTERS: Final = tuple(kind.__name__ for kind in get_args(Matter))
_PROCEDURES: Final = tuple(kind.__name__ for kind in get_args(Procedure))


def known() -> dict[str, tuple[str, ...]]:
    """All that there is to be reached, as the contracts and the registry of the rules have it."""
    return {
        "event": EVENTS,
        "command": COMMANDS,
        "step": tuple(STEPS),
        "anytime": tuple(ANYTIME),
        "question": tuple(name for name in MATTERS if name in {k.__name__ for k in ASKINGS}),
        "called": tuple(name for name in MATTERS if name in {k.__name__ for k in ASKINGS}),
        "procedure": tuple(n for n in _PROCEDURES if n in {k.__name__ for k in PROCEDURES}),
        "round": tuple(ROUNDS),
        "code": tuple(str(code) for code in Code),
    }


class Coverage(Struct):
    """How often each thing was reached, by kind and name."""

    counts: dict[str, dict[str, int]] = {}

    def reached(self, kind: str, name: str, number: int = 1) -> None:
        """Count something."""
        names = self.counts.setdefault(kind, {})
        names[name] = names.get(name, 0) + number

    def add(self, other: "Coverage") -> None:
        """Count all that another has counted."""
        for kind, names in other.counts.items():
            for name, number in names.items():
                self.reached(kind, name, number)

    def happened(self, command: AnyCommand, events: Iterable[e.AnyEvent]) -> None:
        """Count an accepted command and what it led to."""
        self.reached("command", type(command).__name__)
        for event in events:
            name = type(event).__name__
            self.reached("event", name)
            because = getattr(event, "because", None)
            if isinstance(because, str):
                self.reached("reason", f"{name}: {because}")
            match event:
                case e.RoundBegan():
                    self.reached("round", event.round.kind)
                case e.StepEnded():
                    self.reached("step", event.step)
                case e.QuestionAsked():
                    self.reached("question", type(event.question.matter).__name__)
                case e.ProcedureSet():
                    self.reached("procedure", type(event.procedure).__name__)
                case _:
                    pass

    def waited(self, table: Table) -> None:
        """Count where play waits."""
        frame = top(table)
        if isinstance(frame, Turn) and frame.steps:
            self.reached("step", frame.steps[0])
            for name in frame.anytime:
                self.reached("anytime", name)

    def called(self, table: Table) -> None:
        """Count where somebody's time was called: at which question, or in which step."""
        frame = top(table)
        if isinstance(frame, Question):
            self.reached("called", type(frame.matter).__name__)
        elif isinstance(frame, Turn) and frame.steps:
            self.reached("called", frame.steps[0])

    def refused(self, rejections: Iterable[Rejection]) -> None:
        """Count refusals by their code."""
        for rejection in rejections:
            self.reached("code", str(rejection.code))

    def missing(self, wanted: Mapping[str, Iterable[str]] | None = None) -> dict[str, list[str]]:
        """What has not been reached, by kind; only kinds that lack something."""
        every = known() if wanted is None else wanted
        lacking = {
            kind: [name for name in names if name not in self.counts.get(kind, {})]
            for kind, names in every.items()
        }
        return {kind: names for kind, names in lacking.items() if names}
