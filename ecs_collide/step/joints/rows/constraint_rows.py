"""Write the constraint rows of eight joints of one kind.

A kind computes each row for B against A, e = n.(v_B - v_A) + arm_B w_B - arm_A w_A. The solver reads child against
parent, so `put_row` swaps the ends where A is the child.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, select, splat, store
from ecs_collide.step.joints.trees.tree_rows import BLOCK, ROW


class JointPose(NamedTuple):
    """Anchors and angle of eight joints at present, in world axes."""

    arm_a_x: float
    """Anchor of A from its centre of mass [m]."""
    arm_a_y: float
    arm_b_x: float
    """Anchor of B from its centre of mass [m]."""
    arm_b_y: float
    gap_x: float
    """From the anchor of A to the anchor of B [m]."""
    gap_y: float
    axis_x: float
    """Axis of the joint, which turns with A."""
    axis_y: float
    angle: float
    """Angle of B against A, less the reference angle at present [rad]."""
    rest: float
    """Rest length at present [m]."""
    third: float
    """Factor of the third row: 1 if it counts now, 0 if not."""


@device
def put_row(field, i, normal_x, normal_y, arm_a, arm_b, error):
    """Write row i of eight joints and its position error. Writes ROWS, ERROR."""
    at, sign = BLOCK.ROWS + i * ROW.WIDTH, load(field, BLOCK.SIGN)
    b_is_child = sign > 0.0
    store(field, at + ROW.NORMAL_X, normal_x)
    store(field, at + ROW.NORMAL_Y, normal_y)
    store(field, at + ROW.ARM_CHILD, select(b_is_child, arm_b, arm_a))
    store(field, at + ROW.ARM_PARENT, select(b_is_child, arm_a, arm_b))
    store(field, BLOCK.ERROR + i, sign * error)


@device
def put_angle(field, i, factor, error):
    """Write the angle between the bodies as row i, scaled by a factor of 0 or 1."""
    put_row(field, i, splat(0.0), splat(0.0), factor, factor, factor * error)


@device
def put_no_row(field, i):
    """Write zeros as row i."""
    zero = splat(0.0)
    put_row(field, i, zero, zero, zero, zero, zero)


@device
def put_point(field, pose):
    """Write rows 0 and 1: the anchors coincide."""
    zero, one = splat(0.0), splat(1.0)
    put_row(field, 0, one, zero, -pose.arm_a_y, -pose.arm_b_y, pose.gap_x)
    put_row(field, 1, zero, one, pose.arm_a_x, pose.arm_b_x, pose.gap_y)


@device
def put_along(field, i, factor, x, y, pose, error):
    """Write as row i the gap along a direction (x, y) that turns with A, scaled by a factor of 0 or 1."""
    lever_x, lever_y = pose.arm_a_x + pose.gap_x, pose.arm_a_y + pose.gap_y
    arm_a, arm_b = lever_x * y - lever_y * x, pose.arm_b_x * y - pose.arm_b_y * x
    put_row(field, i, factor * x, factor * y, factor * arm_a, factor * arm_b, factor * error)
