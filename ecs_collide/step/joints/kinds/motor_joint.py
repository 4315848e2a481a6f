"""Motor joint: B is driven to a pose against A, within a force and a torque.

With p the anchor of B, q the target, which turns with A, and theta the angle of a body:

    coordinates   d = p - q                      phi = theta_B - theta_A - target angle (reported)
    constraint    d = 0 and phi = 0 in bounded rows, |impulse| <= h max force, h max torque; see `hold_rows.py`
    spring        the same rows, soft: m d'' = -k d - c d', k = omega^2 m, c = 2 zeta omega m, and so for phi
    motor         none
    limits        none
"""

from __future__ import annotations

from ecs_collide.data.joints import NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.step.joints.rows.append_rows import free_value
from ecs_collide.step.joints.rows.hold_rows import append_held, append_point, spring_of


@device
def append_bounded_rows(trees, bounded, at, count, numbers, substep):
    """Append the rows of place and angle behind `count` rows; return how many there are then."""
    spring, most, most_torque = spring_of(numbers), numbers[NUMBERS.MAX_FORCE], numbers[NUMBERS.MAX_TORQUE]
    if most > 0.0:
        count = append_point(trees, bounded, at, count, spring, most, substep, True)
    if most_torque > 0.0:
        value = free_value(trees, at)
        count = append_held(trees, bounded, at, count, value, 0.0, spring, most_torque, substep, True)
    return count
