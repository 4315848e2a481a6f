"""Target joint: a spring pulls an anchor of a body to a target, within a force.

With p the anchor and q the target, the anchor of the world:

    coordinates   d = p - q                      phi, the angle of the body (reported)
    constraint    none
    spring        two bounded rows on d, along it and across it: m d'' = -k d - c d', k = omega^2 m, c = 2 zeta omega m,
                  |impulse| <= h max force
    motor         none
    limits        none
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.data.joints import NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import splat
from ecs_collide.step.joints.rows.append_rows import append_pull, pull_point
from ecs_collide.step.joints.rows.bounded_rows import BOUNDED, own_diagonal
from ecs_collide.step.joints.rows.constraint_rows import put_angle, put_no_row
from ecs_collide.step.joints.trees.tree_rows import BLOCK


@device
def place_rows(field, pose):
    """Write the rows: only the angle as the free coordinate."""
    put_no_row(field, 0)
    put_no_row(field, 1)
    put_no_row(field, 2)
    put_angle(field, 3, splat(1.0), pose.angle)


@device
def append_bounded_rows(trees, bounded, at, count, numbers, substep):
    """Append the spring's rows behind `count` rows; return how many there are then.

    A projection leaves springs out: see `set_spring_bias`.
    """
    if numbers[NUMBERS.MAX_FORCE] <= 0.0 or substep.is_projection:
        return count
    block, lane = at
    field = trees.blocks[block]
    sign = field[BLOCK.SIGN, lane]
    x, y = sign * field[BLOCK.GAP, lane], sign * field[BLOCK.GAP + 1, lane]
    most = substep.h * numbers[NUMBERS.MAX_FORCE]
    count = append_pull(trees, bounded, at, count, pull_point(field, lane), x, y, most)
    soften(trees, bounded, at, count - 2, sqrt(x * x + y * y), substep.h)
    soften(trees, bounded, at, count - 1, 0.0, substep.h)
    return count


@device
def soften(trees, bounded, at, k, error, h):
    """Make bounded row k a spring with a position error [m]. Writes BIAS, GAMMA."""
    block, lane = at
    field, row = trees.blocks[block], bounded.row[k]
    omega = field[BLOCK.OMEGA, lane]
    if omega > 0.0:
        stiffness = 2.0 * field[BLOCK.DAMPING, lane] + h * omega
        diagonal = own_diagonal(bounded, k, trees.lane_numbers)
        row[BOUNDED.BIAS] = omega / stiffness * error
        row[BOUNDED.GAMMA] = diagonal / (h * omega * stiffness)
