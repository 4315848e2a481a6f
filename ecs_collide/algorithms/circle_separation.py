"""Row 19: push two overlapping circles apart until they touch (CC "static circle–circle collision response").

With n the unit vector from A to B, m the midpoint of the centres and δ = r_A + r_B − |c_B − c_A| the depth,

    c_A' = m − r_A·n                         c_B' = m + r_B·n                             CC
    c_A' = c_A − δ·w_A/(w_A + w_B)·n        c_B' = c_B + δ·w_B/(w_A + w_B)·n           by inverse masses w

The document's form sets each circle its own radius from the midpoint. So both move whatever their mass, and not alike
unless the radii are equal: of two circles of radii 1 and 3 whose surfaces overlap by 1, the small one moves 0.5
*towards* the large one, which moves 1.5 away. The second form is the one for physics: the centre of mass stays
where it is, and a body of inverse mass 0 does not move.

Deviations: coincident centres divide by zero in CC; here n is the x axis. Circles that do not overlap are left alone;
CC's formula, which is meant for overlapping ones, would pull them together.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.algorithms.impact_normal import normal_and_distance
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


class SeparatedCircles(NamedTuple):
    """The new centres [m] of two circles."""

    ax: float
    ay: float
    bx: float
    by: float


@elementwise
def separate_circles_about_midpoint(
    ax: Number, ay: Number, radius_a: NonNegative, bx: Number, by: Number, radius_b: NonNegative
) -> SeparatedCircles:
    """The centres of two overlapping circles, each set its own radius from their midpoint (CC).

    Centres and radii [m], each a number or an array.
    """
    nx, ny, distance = normal_and_distance(bx - ax, by - ay)
    if distance >= radius_a + radius_b:
        return SeparatedCircles(ax, ay, bx, by)
    middle_x, middle_y = 0.5 * (ax + bx), 0.5 * (ay + by)
    return SeparatedCircles(
        middle_x - radius_a * nx, middle_y - radius_a * ny, middle_x + radius_b * nx, middle_y + radius_b * ny
    )


@elementwise
def separate_circles_by_inverse_mass(
    ax: Number,
    ay: Number,
    radius_a: NonNegative,
    inverse_mass_a: NonNegative,
    bx: Number,
    by: Number,
    radius_b: NonNegative,
    inverse_mass_b: NonNegative,
) -> SeparatedCircles:
    """The centres of two overlapping circles, pushed apart in inverse proportion to their masses.

    Centres and radii [m], inverse masses [1/kg], 0 for a body that does not move; each a number or an array.
    Two such bodies stay where they are.
    """
    nx, ny, distance = normal_and_distance(bx - ax, by - ay)
    depth = radius_a + radius_b - distance
    total = inverse_mass_a + inverse_mass_b
    if depth <= 0.0 or total == 0.0:
        return SeparatedCircles(ax, ay, bx, by)
    move_a, move_b = depth * (inverse_mass_a / total), depth * (inverse_mass_b / total)
    return SeparatedCircles(ax - move_a * nx, ay - move_a * ny, bx + move_b * nx, by + move_b * ny)
