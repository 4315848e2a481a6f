"""Prismatic joint: B slides along an axis of A and keeps its angle.

With r the arm of an anchor from its body's centre of mass, p = x + r the anchor, a the axis, which turns with A, and n
the axis turned left by a right angle:

    coordinates   d = p_B - p_A                  s = a.d (free), t = n.d, phi = theta_B - theta_A - reference angle
    constraint    C = (t, phi) = 0               t' = n.(v_B - v_A) + (r_B x n) w_B - ((r_A + d) x n) w_A
                  rows (n, r_B x n) for B and (n, (r_A + d) x n) for A, and (0, 0, 1)
    spring        C = s, third row (a, r_B x a) for B and (a, (r_A + d) x a) for A: k = omega^2 m,
                  c = 2 zeta omega m
    motor         s' = motor speed, |impulse| <= h max motor force
    limits        lower <= s <= upper; each is a bounded row on s that can only push inwards
"""

from __future__ import annotations

from ecs_collide.data.joints import NO_LIMIT, NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import splat
from ecs_collide.step.joints.rows.append_rows import append_axis_motor, append_limits, has_limits
from ecs_collide.step.joints.rows.constraint_rows import put_along, put_angle
from ecs_collide.step.joints.rows.hold_rows import append_axis_holds, append_turn
from ecs_collide.step.joints.rows.limit_arcs import translation_arc


@device
def place_rows(field, pose):
    """Write the rows: across the axis, the angle, the spring along the axis, and the way along it as free."""
    along = pose.axis_x * pose.gap_x + pose.axis_y * pose.gap_y
    across = pose.axis_x * pose.gap_y - pose.axis_y * pose.gap_x
    put_along(field, 0, splat(1.0), -pose.axis_y, pose.axis_x, pose, across)
    put_angle(field, 1, splat(1.0), pose.angle)
    put_along(field, 2, pose.third, pose.axis_x, pose.axis_y, pose, along)
    put_along(field, 3, splat(1.0), pose.axis_x, pose.axis_y, pose, along)


@device
def append_bounded_rows(trees, bounded, at, count, numbers, substep):
    """Append the rows of motor, limits and bounded forces behind `count` rows; return how many there are then."""
    count = append_axis_motor(trees, bounded, at, count, numbers, substep.h)
    count = append_axis_holds(trees, bounded, at, count, numbers, substep)
    if trees.has_released[at[0]] and numbers[NUMBERS.MAX_TORQUE] < NO_LIMIT:
        count = append_turn(trees, bounded, at, count, numbers[NUMBERS.MAX_TORQUE], substep)
    arc = translation_arc(trees, at, substep.h) if has_limits(numbers) else 0.0
    return append_limits(trees, bounded, at, count, numbers, substep, arc)
