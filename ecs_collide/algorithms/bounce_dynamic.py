"""Row 26: two moving circles bounce off each other (CC "dynamic circle–circle collision", response).

With n the unit vector from centre 1 to centre 2 at the impact,

    p = 2·(v1·n − v2·n)/(m1 + m2)
    v1' = v1 − p·m2·n
    v2' = v2 + p·m1·n

**The document swaps the masses**: it prints v1' = v1 − p·m1·n and v2' = v2 + p·m2·n. The change of momentum is then
p·(m2² − m1²)·n, which is zero for equal masses only. A ball that hits a wall of large mass would pass through it.
Random impacts of unequal masses (`tests/algorithms/test_bounce.py`) conserve momentum and energy only as corrected.

The generalisation has restitution e, inverse masses w = 1/m (0 for an immovable body) and the impulse j [N·s]:

    j = (1 + e)·(v1·n − v2·n)/(w1 + w2)
    v1' = v1 − j·w1·n
    v2' = v2 + j·w2·n

For e = 1 this is the corrected form. For w2 = 0 and v2 = 0 it is the dynamic–static response (row 25).

Deviations: circles that move apart keep their velocities, while CC's formula would turn them back. If the centres
coincide, n is the x axis.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ecs_collide.algorithms.impact_normal import RESTITUTION, normal_and_distance
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


class BouncedPair(NamedTuple):
    """The velocities of two circles after an impact [m/s]."""

    vx_a: float
    """Velocity of A along x [m/s]."""
    vy_a: float
    """Velocity of A along y [m/s]."""
    vx_b: float
    """Velocity of B along x [m/s]."""
    vy_b: float
    """Velocity of B along y [m/s]."""


@elementwise
def bounce_off_each_other(
    ax: Number,
    ay: Number,
    vx_a: Number,
    vy_a: Number,
    inverse_mass_a: NonNegative,
    bx: Number,
    by: Number,
    vx_b: Number,
    vy_b: Number,
    inverse_mass_b: NonNegative,
    restitution: Annotated[float, RESTITUTION],
) -> BouncedPair:
    """Return the velocities of two circles after an impact.

    Source: CC, dynamic circle–circle response, with the masses corrected.

    Args:
        ax, ay, bx, by: centres at the impact [m].
        vx_a, vy_a, vx_b, vy_b: velocities [m/s].
        inverse_mass_a, inverse_mass_b: inverse masses, 0 for an immovable body [1/kg].
        restitution: 1 for an elastic impact, 0 for one after which the circles do not separate.

    Returns:
        The new velocities; arrays if an argument is an array.

    Raises:
        ValueError: an inverse mass is negative, the restitution is outside [0, 1], or a number is not finite.
    """
    nx, ny, _ = normal_and_distance(bx - ax, by - ay)
    approach = (vx_a - vx_b) * nx + (vy_a - vy_b) * ny
    total = inverse_mass_a + inverse_mass_b
    if approach <= 0.0 or total == 0.0:
        return BouncedPair(vx_a=vx_a, vy_a=vy_a, vx_b=vx_b, vy_b=vy_b)
    change = (1.0 + restitution) * approach
    change_a, change_b = change * (inverse_mass_a / total), change * (inverse_mass_b / total)
    return BouncedPair(
        vx_a=vx_a - change_a * nx, vy_a=vy_a - change_a * ny, vx_b=vx_b + change_b * nx, vy_b=vy_b + change_b * ny
    )
