"""Which motors are rows of their joint trees, and which are bounded rows beside them."""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.data.joints import NO_LIMIT, NUMBERS
from ecs_collide.kernels.kernel import device


@device
def is_tree_motor(kind, numbers):
    """Return True if a joint has a motor that is the third row of its tree, see `tree_motors.py`.

    The free coordinate must have no spring, which is the third row itself. A motor that drives into a limit of its own
    joint contradicts it, so only brakes are tree motors beside limits.
    """
    if kind not in kinds.WITH_TREE_MOTOR or numbers[NUMBERS.MAX_MOTOR] <= 0.0 or numbers[NUMBERS.HERTZ] > 0.0:
        return False
    has_limits = numbers[NUMBERS.LOWER] > -NO_LIMIT or numbers[NUMBERS.UPPER] < NO_LIMIT
    return numbers[NUMBERS.MOTOR_SPEED] == 0.0 or not has_limits
