"""The rules that separate floors from walls."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device


class Rules(NamedTuple):
    """Rules of a character's motion."""

    up_x: float
    up_y: float
    """Unit vector up, (0, 0) if seen from above."""
    least_up: float
    """Least component along up of a floor's normal."""
    step_height: float
    """Greatest height of a step [m]."""
    snap: float
    """Distance by which it follows the floor down [m]."""


@device
def rise_of(rules, x, y):
    """Return the component of a vector along up."""
    return rules.up_x * x + rules.up_y * y
