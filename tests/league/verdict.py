"""What came of a judgement: how much was compared, and what was wrong, person by person."""

from collections import Counter
from dataclasses import dataclass, field

FAULTS_SHOWN = 12


@dataclass
class Verdict:
    """Counts of what had to be, and every difference."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[str]] = field(default_factory=dict)

    def fault(self, kind: str, said: str) -> None:
        """Something is not as it should be."""
        self.faults.setdefault(kind, []).append(said)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def __str__(self) -> str:
        """What was compared, and the first differences of each kind."""
        lines = [f"{name}: {count}" for name, count in sorted(self.counts.items())]
        for kind, found in self.faults.items():
            lines.append(f"WRONG, {kind}: {len(found)}")
            lines += [f"  {one}" for one in found[:FAULTS_SHOWN]]
        return "\n".join(lines)
