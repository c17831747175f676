"""The site's optional rules and rulings in our words."""

from collections.abc import Mapping
from typing import Final

PLACE: Final = "18xx.games"
"""The name of the ruling set under which the site plays."""

VARIANTS: Final[Mapping[str, tuple[str, str]]] = {
    "multiple_brown_from_ipo": ("brown shares", "pool and offering"),
    "optional_6_train": ("third 6", "yes"),
}
"""Variant and option by the site's name of an optional rule; a title says which variants it has."""
