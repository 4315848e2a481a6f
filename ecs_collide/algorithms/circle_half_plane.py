"""Circle against sloping ground (row 4).

    n = (−v_y, v_x) / ‖v‖        (c − g)·n ≤ r

Source: OC "Generalised circle and ground collision". The ground runs through g along v and is solid to the right of v,
without end: a circle under the ground collides however deep it is.

Deviation: OC gives the normal as k (1, −v_x/v_y), which divides by zero on level ground, where v_y = 0, and leaves open
which of its two directions points out of the ground. (−v_y, v_x) is the same direction for every v.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.elementwise import NonNegative, Number, elementwise


@elementwise
def half_plane_distance(
    x: Number, y: Number, ground_x: Number, ground_y: Number, direction_x: Number, direction_y: Number
) -> float:
    """The signed distance [m] of the point (x, y) from ground through (ground_x, ground_y): (c − g)·n.

    Positive to the left of the direction, whose length does not matter. Where the direction is 0 the ground is
    the one point, and the distance that from this point. All [m], each a number or an array.
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
    """Whether a circle reaches into the ground to the right of a direction: (c − g)·n ≤ radius.

    All [m], each a number or an array; the ground is given as in `half_plane_distance`. A circle that rests on the
    ground counts with `touching` (OC: ≤) and does not without.
    """
    distance = _distance(x, y, ground_x, ground_y, direction_x, direction_y)
    return bool(distance <= radius if touching else distance < radius)
