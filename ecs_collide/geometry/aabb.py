"""Axis-aligned boxes."""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.layout import layout

BOX = layout("box", MIN_X="least x [m]", MIN_Y="least y [m]", MAX_X="greatest x [m]", MAX_Y="greatest y [m]")


@device
def boxes_touch(a_low_x, a_low_y, a_high_x, a_high_y, b_low_x, b_low_y, b_high_x, b_high_y):
    """Return True if two boxes overlap or touch; arguments are numbers or vectors."""
    return (a_low_x <= b_high_x) & (b_low_x <= a_high_x) & (a_low_y <= b_high_y) & (b_low_y <= a_high_y)


@device
def rows_touch(boxes, a, others, b):
    """Return True if two rows of box arrays (k, 4) overlap or touch."""
    return boxes_touch(
        boxes[a, BOX.MIN_X],
        boxes[a, BOX.MIN_Y],
        boxes[a, BOX.MAX_X],
        boxes[a, BOX.MAX_Y],
        others[b, BOX.MIN_X],
        others[b, BOX.MIN_Y],
        others[b, BOX.MAX_X],
        others[b, BOX.MAX_Y],
    )
