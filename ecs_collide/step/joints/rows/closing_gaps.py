"""Gaps of joints that yield: how fast they close again, with the force or torque that the joint has at most.

With C the gap, F the greatest force, and k = J M^-1 J^T the inverse of the mass that a row moves, a gap closes at
sqrt(F k C) at most. So half of the force stops the bodies within C. Gaps below `CLOSED` are rounding and the arcs of
anchors. A projection closes them without force, unless the row is at its bound.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.kernel import device
from ecs_collide.step.joints.rows.bounded_rows import BOUNDED, own_diagonal, speed_of
from ecs_collide.step.joints.trees.tree_rows import LANE

CLOSED, CLOSED_ANGLE = 0.05, 0.002
"""Gaps below which a joint is closed: as a part of the distance at which a limit becomes a row, and [rad]."""
WITHIN = 0.999999
"""Part of its greatest impulse above which a row is at its bound."""
OWN_SPEED = 1.5
"""Part of the speed at which a limit closes its gap up to which it has given bodies their speed."""
CLOSING_SUBSTEPS = 4.0
"""Number of substeps in which a gap closes if the force suffices."""


@device
def closing_speed(trees, bounded, k, gap, substep, is_driven):
    """Return the speed at which row k closes a gap of at least 0 [m/s, rad/s]; 0 if it is closed. Reads HIGH.

    A row that `is_driven` closes it by the end of the step, if its force suffices. Other rows close it at the push-out
    speed at most.
    """
    row = bounded.row[k]
    is_angle = row[BOUNDED.NORMAL_X] == 0.0 and row[BOUNDED.NORMAL_Y] == 0.0
    if gap <= (CLOSED_ANGLE if is_angle else CLOSED * substep.near):
        return 0.0
    acceleration = row[BOUNDED.HIGH] / substep.h * own_diagonal(bounded, k, trees.lane_numbers)
    speed = sqrt(acceleration * gap)
    if is_driven:
        return min(speed, gap / max(substep.remaining, substep.h))
    fastest = substep.fastest_turn if is_angle else substep.push_out_speed
    return min(speed, gap / (CLOSING_SUBSTEPS * substep.h), fastest)


@device
def is_at_bound(row):
    """Return True if the row has its greatest impulse in this substep."""
    return abs(row[BOUNDED.IMPULSE]) >= WITHIN * row[BOUNDED.HIGH]


@device
def bound_limit(trees, bounded, k, overstep, most, substep):
    """Bound the impulse of the limit in row k, which is exceeded by `overstep`, to `most` [N s, N m s].

    It also brakes bodies that come back at its own speed, or it would throw them. Writes LOW, HIGH, SHIFT_HIGH. Adds to
    BIAS.
    """
    row = bounded.row[k]
    row[BOUNDED.HIGH] = most
    speed = closing_speed(trees, bounded, k, max(overstep, 0.0), substep, False)
    row[BOUNDED.BIAS] -= speed
    if speed > 0.0 or is_at_bound(row):
        row[BOUNDED.SHIFT_HIGH] = 0.0
    if speed > 0.0 and speed_of(bounded, k, trees.lane_numbers, LANE.VX) < OWN_SPEED * speed:
        row[BOUNDED.LOW] = -most
