"""Tests of directions between two others, counter-clockwise and at most half a turn apart."""

from __future__ import annotations

from ecs_collide.kernels.kernel import device


@device
def in_cone(from_x, from_y, to_x, to_y, slack, x, y):
    """Return True if a vector (x, y) points between two unit directions, or at most `slack` [rad] beside them.

    The result is always True if both directions are 0.
    """
    size = abs(x) + abs(y)
    if from_x * y - from_y * x < -slack * size or x * to_y - y * to_x < -slack * size:
        return False
    # Both tests are true in the direction opposite to a cone without width as well.
    return max(x * from_x + y * from_y, x * to_x + y * to_y) >= -0.5 * size


@device
def in_wedge(from_x, from_y, to_x, to_y, x, y):
    """Return True if a vector points at the first direction or between it and the second.

    The second direction is less than half a turn further. In wedges that make a full circle, each vector is in exactly
    one.
    """
    return from_x * y - from_y * x >= 0.0 and x * to_y - y * to_x > 0.0
