"""How far the end of a way has to be moved out, that a body which glides along another one stays on its surface.

Within a step a body goes straight on, and so into what bends inwards: by (v dt)²/2R on the inside of an arc of radius
R, in each step anew. Stopped there it would stand still, as each step begins where the last one ended. So its way
ends beside: with d(t) how deep it is at time t of its way w, and n(t) the normal at the place where it touches,

    d' = −w·n        d(1) = d(t) + (1 − t) d'(t) + (1 − t)² d''/2        d'' = (d'(t) − d'(0)) / t

which is exact where nothing turns and n turns evenly with t, and the first of a few rounds else.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device


@device
def seen_from_end(way_q, way_p):
    """The way of p as seen from what goes the way of q, put where that ends; both are (start, end)."""
    (x, y, angle), (end_x, end_y, end_angle) = way_q
    start_x, start_y, start_angle = way_p[0]
    turn = end_angle - angle
    c, s = cos_sin(turn)
    arm_x, arm_y = start_x - x, start_y - y
    return (end_x + c * arm_x - s * arm_y, end_y + s * arm_x + c * arm_y, start_angle + turn), way_p[1]


@device
def lack_at_end(way, before, after, t, present, most, aim):
    """How far the end of a way has to be moved out along the normal `after` to be no deeper than `aim` [m].

    The way (start, end) begins `present` deep, where the normal is `before`; at time t it is `most` deep, and the
    normal is `after`. No more than the way's length is made up for.
    """
    (x, y, _), (end_x, end_y, _) = way
    way_x, way_y = end_x - x, end_y - y
    first, then = -(way_x * before[0] + way_y * before[1]), -(way_x * after[0] + way_y * after[1])
    bend, mean = 0.0, 0.0
    if t > 0.0:
        bend, mean = max(0.0, then - first) / (2.0 * t), (most - present) / t  # what turns goes deeper than w·n says
    rest = 1.0 - t
    return most - aim + min(rest * (max(then, mean) + rest * bend), sqrt(way_x * way_x + way_y * way_y))
