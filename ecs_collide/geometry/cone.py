"""Whether a direction lies between two others, counter-clockwise and at most half a turn apart."""

from __future__ import annotations

from ecs_collide.kernels.kernel import device


@device
def in_cone(from_x, from_y, to_x, to_y, slack, x, y):
    """Whether a vector (x, y) points between two unit directions, or `slack` [rad] beside them.

    Anywhere if both are 0.
    """
    size = abs(x) + abs(y)
    if from_x * y - from_y * x < -slack * size or x * to_y - y * to_x < -slack * size:
        return False
    # the two tests also hold opposite to a cone without width
    return max(x * from_x + y * from_y, x * to_x + y * to_y) >= -0.5 * size


@device
def in_wedge(from_x, from_y, to_x, to_y, x, y):
    """Whether a vector points from the first direction on and before the second, less than half a turn further.

    Of wedges that go round in a circle each vector is in one, which slack would not say.
    """
    return from_x * y - from_y * x >= 0.0 and x * to_y - y * to_x > 0.0
