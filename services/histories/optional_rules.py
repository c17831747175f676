"""The site's optional rules and rulings in our words."""

from collections.abc import Mapping
from typing import Final

PLACE: Final = "18xx.games"
"""The name of the ruling set under which the site plays."""

CORRECTED: Final = 1_627_689_600
"""31 July 2021, in seconds since 1970: when the site put right how far freights go to an area."""
OLD_RULINGS: Final[Mapping[str, str]] = {"revenue": "as reported"}
"""Rulings for games that were made before: their runs were paid by the rule of that time."""

VARIANTS: Final[Mapping[str, tuple[str, str]]] = {
    "multiple_brown_from_ipo": ("brown shares", "pool and offering"),
    "optional_6_train": ("third 6", "yes"),
    "eight_tokens": ("tokens", "eight"),
    "short_length": ("length", "short"),
    "long_length": ("length", "long"),
}
"""Variant and option by the site's name of an optional rule; a title says which variants it has."""
