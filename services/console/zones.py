"""Time zones as people name them."""

import difflib

from contracts.zones import ZONES, zones_like
from services.console.errors import BadInputError


def checked_zone(zone: str, what: str) -> None:
    """Raise if there is no such time zone; a near name is proposed."""
    if zone in ZONES:
        return
    near = zones_like(zone) or tuple(difflib.get_close_matches(zone, ZONES, 1))
    meant = f"Did you mean {' or '.join(near)}?" if near else "Zones look like Europe/Berlin."
    raise BadInputError(f"{what}: there is no time zone {zone!r}. {meant}")
