"""Where the two bodies of a joint are, and how a kind writes its rows."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, select, splat, store
from ecs_collide.step.joints.trees import tree_rows as layout


class Here(NamedTuple):
    """Eight joints at a moment, in world axes; d is the way from A's anchor to B's."""

    arm_a_x: float
    arm_a_y: float
    arm_b_x: float
    arm_b_y: float
    gap_x: float
    gap_y: float
    axis_x: float
    axis_y: float
    angle: float
    third: float
    """1 where the third row counts now, 0 where it does not."""


@device
def put_row(field, i, normal_x, normal_y, arm_a, arm_b, error):
    """Write row i, e = n.(v_B - v_A) + arm_b w_B - arm_a w_A, as one of child against parent."""
    at, sign = layout.ROW + i * layout.ROW_WIDTH, load(field, layout.SIGN)
    b_is_child = sign > 0.0
    store(field, at + layout.NORMAL_X, normal_x)
    store(field, at + layout.NORMAL_Y, normal_y)
    store(field, at + layout.ARM_CHILD, select(b_is_child, arm_b, arm_a))
    store(field, at + layout.ARM_PARENT, select(b_is_child, arm_a, arm_b))
    store(field, layout.ERROR + i, sign * error)


@device
def put_angle(field, i, counts, error):
    """Write row i as that of the angle between the bodies, where it `counts` (1)."""
    put_row(field, i, splat(0.0), splat(0.0), counts, counts, counts * error)


@device
def put_nothing(field, i):
    """There is no row i."""
    nothing = splat(0.0)
    put_row(field, i, nothing, nothing, nothing, nothing, nothing)


@device
def put_point(field, here):
    """Rows 0 and 1: the anchors are one point."""
    nothing, one = splat(0.0), splat(1.0)
    put_row(field, 0, one, nothing, -here.arm_a_y, -here.arm_b_y, here.gap_x)
    put_row(field, 1, nothing, one, here.arm_a_x, here.arm_b_x, here.gap_y)


@device
def put_along(field, i, counts, x, y, here, error):
    """Row i: how far B's anchor is from A's along a direction (x, y) that is turned with A."""
    lever_x, lever_y = here.arm_a_x + here.gap_x, here.arm_a_y + here.gap_y
    arm_a, arm_b = lever_x * y - lever_y * x, here.arm_b_x * y - here.arm_b_y * x
    put_row(field, i, counts * x, counts * y, counts * arm_a, counts * arm_b, counts * error)
