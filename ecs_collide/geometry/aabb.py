"""Axis-aligned boxes."""

from __future__ import annotations

from ecs_collide.kernels.kernel import device


@device
def boxes_touch(a_low_x, a_low_y, a_high_x, a_high_y, b_low_x, b_low_y, b_high_x, b_high_y):
    """Return True if two boxes overlap or touch; arguments are numbers or vectors."""
    return (a_low_x <= b_high_x) & (b_low_x <= a_high_x) & (a_low_y <= b_high_y) & (b_low_y <= a_high_y)


@device
def rows_touch(boxes, a, others, b):
    """Return True if two rows of box arrays (k, 4) overlap or touch; columns are min x, min y, max x and max y."""
    return boxes_touch(
        boxes[a, 0], boxes[a, 1], boxes[a, 2], boxes[a, 3], others[b, 0], others[b, 1], others[b, 2], others[b, 3]
    )
