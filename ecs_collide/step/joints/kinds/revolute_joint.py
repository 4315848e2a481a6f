"""Revolute joint: two bodies turn about a common point.

With r the arm of an anchor from its body's centre of mass, p = x + r the anchor, and theta the angle of a body:

    coordinates   d = p_B - p_A                  phi = theta_B - theta_A - reference angle (free)
    constraint    C = d = 0                      C' = v_B + w_B x r_B - v_A - w_A x r_A
                  rows (1, 0, -r_y) and (0, 1, r_x) for both bodies
    spring        C = phi, third row (0, 0, 1): I phi'' = -k phi - c phi', k = omega^2 m, c = 2 zeta omega m
    motor         phi' = motor speed, |impulse| <= h max motor torque
    limits        lower <= phi <= upper; each is a bounded row on phi that can only push inwards

The anchors move on arcs about the centres of mass, so both rows have the chord correction (`chord_correction.py`). A
joint without a spring has two rows with constant normals: a *pin*, for which `pin_blocks.py` does half of the work.
"""

from __future__ import annotations

from ecs_collide.data.joints import NO_LIMIT, NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import splat
from ecs_collide.step.joints.rows.append_rows import append_angle_motor, append_limits, free_value
from ecs_collide.step.joints.rows.constraint_rows import put_angle, put_point
from ecs_collide.step.joints.rows.hold_rows import append_held, append_point, is_spring, rigid, spring_of


@device
def place_rows(field, pose):
    """Write the rows: the point, the spring on the angle, and the angle as the free coordinate."""
    put_point(field, pose)
    put_angle(field, 2, pose.third, pose.angle)
    put_angle(field, 3, splat(1.0), pose.angle)


@device
def append_bounded_rows(trees, bounded, at, count, numbers, substep):
    """Append the rows of motor, limits and bounded forces behind `count` rows; return how many there are then."""
    count = append_angle_motor(trees, bounded, at, count, numbers, substep.h)
    if not trees.has_released[at[0]]:
        return append_limits(trees, bounded, at, count, numbers, substep, 0.0)
    if numbers[NUMBERS.MAX_FORCE] < NO_LIMIT:
        count = append_point(trees, bounded, at, count, rigid(), numbers[NUMBERS.MAX_FORCE], substep, False)
    if numbers[NUMBERS.MAX_TORQUE] < NO_LIMIT and is_spring(spring_of(numbers)):
        most, value = numbers[NUMBERS.MAX_TORQUE], free_value(trees, at)
        count = append_held(trees, bounded, at, count, value, 0.0, spring_of(numbers), most, substep, False)
    return append_limits(trees, bounded, at, count, numbers, substep, 0.0)
