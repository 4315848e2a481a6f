"""How far ahead pairs get their contacts."""

from typing import NamedTuple

FAST = 0.5
"""Movement in a step, in radii of the solid core, from which a body is swept instead."""


class LookAhead(NamedTuple):
    """Gaps at which pairs of pieces get a contact, see `narrowphase/approach.py`."""

    reach: float
    """Gap at which any pair gets a contact [m]."""
    dt: float
    """Time within which pairs that would meet get a contact [s]; 0 if none do."""
