"""How a step goes: what it is cut into, and how soft its contacts are."""

from typing import NamedTuple

from ecs_collide.engine.response.impulse.softness import Softness


class Pace(NamedTuple):
    """What all substeps of a step have in common."""

    gravity: tuple[float, float]
    """[m/s²]."""
    dt: float
    """The length of the step [s]."""
    substeps: int
    soft: Softness
    """Of contacts between bodies that move ..."""
    stiff: Softness
    """... and with what does not."""
