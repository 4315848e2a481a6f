"""How far ahead pairs get their contacts."""

from typing import NamedTuple, Self

from ecs_collide.common.tolerances import Tolerances
from ecs_collide.kernels.calls import LiveNumber

FAST = 0.5
"""Movement in a step, in radii of the solid core, from which a body is swept instead."""


class LookAhead(NamedTuple):
    """Gaps at which pairs of pieces get a contact, see `narrowphase/approach.py`."""

    reach: float
    """Gap at which any pair gets a contact [m]."""
    dt: float
    """Time within which pairs that would meet get a contact [s]; 0 if none do."""
    box_lead: float
    """Time over which the velocity moves the front of a fat box ahead [s]."""

    @classmethod
    def within(cls, dt: float | LiveNumber, tolerances: Tolerances) -> Self:
        """Return how far a world looks ahead if pairs that would meet within dt [s] get a contact."""
        return cls(reach=tolerances.speculative, dt=dt, box_lead=tolerances.box_lead)  # type: ignore[arg-type]  # read late
