"""Impulses on a ball and its partner. Each axis of a ball can be locked by itself.

Along a unit normal n, the inverse mass of a ball is n·M⁻¹·n, and that of a feature is 0. An impulse J on a pair changes
the normal component of its relative velocity by J (m_a⁻¹ + m_b⁻¹). The functions take that change of velocity instead
of J, so that two equal balls swap their speeds without rounding.

A ball that cannot give way along the normal is not deflected either. If a wall is turned by a quarter, the part of its
normal along the free axis is a rounding error. It would throw the ball out of the world.
"""

from __future__ import annotations

from ecs_collide.exact.exact_rows import BALL, COUNTS, WEIGHT
from ecs_collide.kernels.kernel import device

LEAST_SHARE = 1e-12
"""Share of the inverse mass along a normal that is rounding: the square of a millionth of a radian."""


@device
def inverse_mass_along(simulation, other, normal_x, normal_y):
    """Return the inverse mass [1/kg] of a partner along a normal; 0 for a feature."""
    if other >= simulation.counts[COUNTS.BALLS]:
        return 0.0
    by_x, by_y = simulation.weight[other, WEIGHT.INVERSE_MASS_X], simulation.weight[other, WEIGHT.INVERSE_MASS_Y]
    if by_x == by_y:
        return by_x
    along = by_x * normal_x * normal_x + by_y * normal_y * normal_y
    return along if along > LEAST_SHARE * (by_x + by_y) else 0.0


@device
def total_inverse_mass(simulation, i, other, normal_x, normal_y):
    """Return the inverse mass [1/kg] of a ball and its partner together along a normal."""
    return inverse_mass_along(simulation, i, normal_x, normal_y) + inverse_mass_along(
        simulation, other, normal_x, normal_y
    )


@device
def change_speed(simulation, i, other, normal_x, normal_y, change):
    """Change the separating speed of a pair along the normal by `change` [m/s]; return the impulse [N s].

    If neither can move along the normal, nothing changes. Writes the velocities of the balls.
    """
    total = total_inverse_mass(simulation, i, other, normal_x, normal_y)
    if total == 0.0:
        return 0.0
    simulation.ball[i, BALL.VX] -= change * (simulation.weight[i, WEIGHT.INVERSE_MASS_X] / total) * normal_x
    simulation.ball[i, BALL.VY] -= change * (simulation.weight[i, WEIGHT.INVERSE_MASS_Y] / total) * normal_y
    if other < simulation.counts[COUNTS.BALLS]:
        simulation.ball[other, BALL.VX] += change * (simulation.weight[other, WEIGHT.INVERSE_MASS_X] / total) * normal_x
        simulation.ball[other, BALL.VY] += change * (simulation.weight[other, WEIGHT.INVERSE_MASS_Y] / total) * normal_y
    return change / total
