"""Weld joint: two bodies keep their relative position and angle; with a spring the angle gives way.

With r the arm of an anchor from its body's centre of mass, p = x + r the anchor, and theta the angle of a body:

    coordinates   d = p_B - p_A                  phi = theta_B - theta_A - reference angle (reported)
    constraint    C = (d, phi) = 0               C' = (v_B + w_B x r_B - v_A - w_A x r_A, w_B - w_A)
                  rows (1, 0, -r_y), (0, 1, r_x) and (0, 0, 1) for both bodies
    spring        replaces the rigid row on phi: k = omega^2 m, c = 2 zeta omega m
    motor         none
    limits        none

The anchors move on arcs about the centres of mass, so the first two rows have the chord correction.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.data.joints import NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import splat
from ecs_collide.step.joints.rows.append_rows import free_value
from ecs_collide.step.joints.rows.constraint_rows import put_angle, put_point
from ecs_collide.step.joints.rows.hold_rows import append_held, append_point, linear_spring_of, spring_of
from ecs_collide.step.joints.rows.released_rows import releases_force, releases_torque


@device
def place_rows(field, pose):
    """Write the rows: the point, the angle (rigid or a spring), and the angle as the free coordinate."""
    put_point(field, pose)
    put_angle(field, 2, pose.third, pose.angle)
    put_angle(field, 3, splat(1.0), pose.angle)


@device
def append_bounded_rows(trees, bounded, at, count, numbers, substep):
    """Append the rows of soft anchors and bounded forces behind `count` rows; return how many there are then."""
    if not trees.has_released[at[0]]:
        return count
    if releases_force(kinds.WELD, numbers):
        count = append_point(
            trees, bounded, at, count, linear_spring_of(numbers), numbers[NUMBERS.MAX_FORCE], substep, False
        )
    if releases_torque(kinds.WELD, numbers):
        most, value = numbers[NUMBERS.MAX_TORQUE], free_value(trees, at)
        count = append_held(trees, bounded, at, count, value, 0.0, spring_of(numbers), most, substep, False)
    return count


@device
def rigidity():
    """Return the factor of the third row without a spring: it is always rigid."""
    return splat(1.0)
