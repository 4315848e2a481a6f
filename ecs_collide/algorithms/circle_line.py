"""Points at which a line or a segment enters and leaves a circle (row 7).

With the circle's centre as the origin, P + u (Q − P) lies on the circle if

    ‖D‖² u² + 2 P·D u + ‖P‖² − r² = 0        D = Q − P
    u = (−P·D ± √(r²·‖D‖² − (D × P)²)) / ‖D‖²

Source: PC "Intersections of circle and line". Half the chord follows from the cross product, which is compared before
any division. A tangent in whole numbers is thus decided exactly. The shared quadratic would subtract ‖P‖² − r², which
loses digits if P is far, and would need a division by ‖D‖² to avoid that.

Deviations: PC prints 0 ≤ u < 1, which misses a segment that ends on the circle. A segment here has both ends, 0 ≤ u ≤
1. `half_open` gives the printed rule, for chains whose neighbours must not count a shared end twice. PC does not treat
P = Q, where the equation does not determine u. The line is then the point P and meets the circle, at u = 0, only if P
lies on it.
"""

from __future__ import annotations

from math import nan
from typing import NamedTuple

from ecs_collide.algorithms.closest_point import point_along
from ecs_collide.geometry.line_circle import find_crossing_fractions
from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


class CircleCrossing(NamedTuple):
    """The points at which a line from P to Q enters and leaves a circle.

    A missing point is None, or NaN in arrays. A tangent enters and leaves at the same point.
    """

    u_enter: float | None
    """Fraction at which the line enters: 0 at P, 1 at Q."""
    x_enter: float | None
    """x of the entry [m]."""
    y_enter: float | None
    """y of the entry [m]."""
    u_leave: float | None
    """Fraction at which the line leaves."""
    x_leave: float | None
    """x of the exit [m]."""
    y_leave: float | None
    """y of the exit [m]."""


@elementwise
def line_circle_intersection(
    px: Number, py: Number, qx: Number, qy: Number, x: Number, y: Number, radius: NonNegative
) -> CircleCrossing | None:
    """Return the points at which the infinite line through P and Q enters and leaves a circle.

    Source: PC.

    Args:
        px, py, qx, qy: points P and Q of the line [m].
        x, y, radius: centre and radius of the circle [m].

    Returns:
        The crossing, or None if the line misses the circle; fields are arrays, with NaN, if an argument is an array.
    """
    u_enter, u_leave = find_crossing_fractions(px, py, qx, qy, x, y, radius)
    x_enter, y_enter = point_along(px, py, qx, qy, u_enter)
    x_leave, y_leave = point_along(px, py, qx, qy, u_leave)
    return CircleCrossing(
        u_enter=u_enter, x_enter=x_enter, y_enter=y_enter, u_leave=u_leave, x_leave=x_leave, y_leave=y_leave
    )


@elementwise
def segment_circle_intersection(
    px: Number,
    py: Number,
    qx: Number,
    qy: Number,
    x: Number,
    y: Number,
    radius: NonNegative,
    half_open: bool = False,
) -> CircleCrossing | None:
    """Return the points at which the segment from P to Q enters and leaves a circle.

    A segment that starts inside the circle only leaves it. One that ends inside only enters it, and one wholly inside
    does neither. `circle_segment_overlap` tests the overlap with the disk. Source: PC.

    Args:
        px, py, qx, qy: ends P and Q of the segment [m].
        x, y, radius: centre and radius of the circle [m].
        half_open: True for u in [0, 1), the rule of PC, instead of [0, 1].

    Returns:
        The crossing, or None if there is none; fields are arrays, with NaN, if an argument is an array.
    """
    u_enter, u_leave = find_crossing_fractions(px, py, qx, qy, x, y, radius)
    if not (u_enter >= 0.0 and (u_enter < 1.0 if half_open else u_enter <= 1.0)):
        u_enter = nan
    if not (u_leave >= 0.0 and (u_leave < 1.0 if half_open else u_leave <= 1.0)):
        u_leave = nan
    x_enter, y_enter = point_along(px, py, qx, qy, u_enter)
    x_leave, y_leave = point_along(px, py, qx, qy, u_leave)
    return CircleCrossing(
        u_enter=u_enter, x_enter=x_enter, y_enter=y_enter, u_leave=u_leave, x_leave=x_leave, y_leave=y_leave
    )
