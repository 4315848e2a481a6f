"""Row 19: separation of two overlapping circles until they touch (CC "static circle–circle collision response").

With n the unit vector from A to B, m the midpoint of the centres and δ = r_A + r_B − |c_B − c_A| the depth,

    c_A' = m − r_A·n                         c_B' = m + r_B·n                             CC
    c_A' = c_A − δ·w_A/(w_A + w_B)·n        c_B' = c_B + δ·w_B/(w_A + w_B)·n           by inverse masses w

The document's form puts each circle at its own radius from the midpoint. Both move, whatever their mass, and by
different amounts unless the radii are equal. For example, let circles of radii 1 and 3 overlap by 1: the small one
moves 0.5 *towards* the large one, which moves 1.5 away. The second form suits physics: the centre of mass does not
move, and neither does a body of inverse mass 0.

Deviations: coincident centres divide by zero in CC; here n is the x axis. Circles that do not overlap stay where they
are, while CC's formula, which is meant for overlapping circles, would pull them together.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.algorithms.impact_normal import normal_and_distance
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


class SeparatedCircles(NamedTuple):
    """The new centres of two circles [m]."""

    ax: float
    """x of A [m]."""
    ay: float
    """y of A [m]."""
    bx: float
    """x of B [m]."""
    by: float
    """y of B [m]."""


@elementwise
def separate_circles_about_midpoint(
    ax: Number, ay: Number, radius_a: NonNegative, bx: Number, by: Number, radius_b: NonNegative
) -> SeparatedCircles:
    """Return the centres of two circles after each is moved to its own radius from their midpoint.

    Circles that do not overlap stay where they are. Source: CC.

    Args:
        ax, ay, radius_a: centre and radius of circle A [m].
        bx, by, radius_b: centre and radius of circle B [m].

    Returns:
        The new centres; arrays if an argument is an array.
    """
    nx, ny, distance = normal_and_distance(bx - ax, by - ay)
    if distance >= radius_a + radius_b:
        return SeparatedCircles(ax=ax, ay=ay, bx=bx, by=by)
    middle_x, middle_y = 0.5 * (ax + bx), 0.5 * (ay + by)
    return SeparatedCircles(
        ax=middle_x - radius_a * nx,
        ay=middle_y - radius_a * ny,
        bx=middle_x + radius_b * nx,
        by=middle_y + radius_b * ny,
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
    """Return the centres of two circles after a separation in proportion to their inverse masses.

    Circles that do not overlap stay where they are, and so do two of inverse mass 0. Source: our extension of CC.

    Args:
        ax, ay, radius_a: centre and radius of circle A [m].
        bx, by, radius_b: centre and radius of circle B [m].
        inverse_mass_a, inverse_mass_b: inverse masses, 0 for an immovable body [1/kg].

    Returns:
        The new centres; arrays if an argument is an array.
    """
    nx, ny, distance = normal_and_distance(bx - ax, by - ay)
    depth = radius_a + radius_b - distance
    total = inverse_mass_a + inverse_mass_b
    if depth <= 0.0 or total == 0.0:
        return SeparatedCircles(ax=ax, ay=ay, bx=bx, by=by)
    move_a, move_b = depth * (inverse_mass_a / total), depth * (inverse_mass_b / total)
    return SeparatedCircles(ax=ax - move_a * nx, ay=ay - move_a * ny, bx=bx + move_b * nx, by=by + move_b * ny)
