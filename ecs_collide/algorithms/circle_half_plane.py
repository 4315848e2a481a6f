"""A circle against sloping ground (row 4).

    n = (−v_y, v_x) / ‖v‖        (c − g)·n ≤ r

Source: OC "Generalised circle and ground collision". The ground passes through g along v. It is solid to the right of
v, without bound: a circle under the ground collides at any depth.

Deviation: OC gives the normal as k (1, −v_x/v_y), which divides by zero on level ground, where v_y = 0. It does not say
which of its two directions points out of the ground. (−v_y, v_x) is that direction for every v.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


@elementwise
def half_plane_distance(
    x: Number, y: Number, ground_x: Number, ground_y: Number, direction_x: Number, direction_y: Number
) -> float:
    """Return the signed distance of a point from sloping ground: (c − g)·n [m].

    The distance is positive to the left of the direction, whose length does not matter. If the direction is 0, the
    result is the distance from the point of the ground. Source: OC.

    Args:
        x, y: point [m].
        ground_x, ground_y: point of the ground [m].
        direction_x, direction_y: direction of the ground, solid on its right [m].

    Returns:
        The distance [m]; an array if an argument is an array.
    """
    dx, dy = x - ground_x, y - ground_y
    length = sqrt(direction_x * direction_x + direction_y * direction_y)
    if length == 0.0:
        return sqrt(dx * dx + dy * dy)
    return (dy * direction_x - dx * direction_y) / length


_distance = half_plane_distance.kernel


@elementwise
def circle_half_plane_overlap(
    x: Number,
    y: Number,
    radius: NonNegative,
    ground_x: Number,
    ground_y: Number,
    direction_x: Number,
    direction_y: Number,
    touching: bool = True,
) -> bool:
    """Return True if a circle reaches into sloping ground: (c − g)·n ≤ radius.

    Source: OC.

    Args:
        x, y, radius: centre and radius of the circle [m].
        ground_x, ground_y: point of the ground [m].
        direction_x, direction_y: direction of the ground, solid on its right [m].
        touching: True if a circle that rests on the ground counts (OC: ≤).

    Returns:
        A bool; an array of bool if an argument is an array.
    """
    distance = _distance(x, y, ground_x, ground_y, direction_x, direction_y)
    return bool(distance <= radius if touching else distance < radius)
