"""Anchors and limits of joints, as lines to draw."""

from __future__ import annotations

import numpy as np

from ecs_collide.components.joints import kinds
from ecs_collide.data.joints import ANCHORS, JOINT, NUMBERS, WORLD, Joints
from ecs_collide.draw.scene_parts import JointMarks
from ecs_collide.validate import LARGEST

LIMIT_PIXELS = 24.0
"""Radius of the arc along the range of a revolute joint [pixels]."""
LIMIT_LENGTH = 0.3
"""Radius of that arc if a picture's scale is not known, in metres."""
ARC_STEP = np.radians(6.0)


def joint_marks(joints: Joints, rows: np.ndarray, poses: np.ndarray, radius: float, with_limits: bool) -> JointMarks:
    """Return the anchors of joints that have any, and polylines along the ranges of those that have limits.

    Args:
        joints: the joint columns.
        rows: rows of the joints to draw (j,) int64.
        poses: poses of all bodies [m, m, rad] (n, 3).
        radius: radius of the arcs along ranges of angles [m].
        with_limits: True to return the ranges.
    """
    rows = rows[has_anchors(joints, rows)]
    kind = joints.index[rows, JOINT.KIND]
    row_a, row_b = joints.index[rows, JOINT.BODY_A], joints.index[rows, JOINT.BODY_B]
    anchors, numbers = joints.anchors[rows], joints.numbers[rows]
    pose_a = np.where((row_a == WORLD)[:, None], 0.0, poses[row_a])
    pose_b = poses[row_b]
    ends = np.stack(
        (
            outward(pose_a, anchors[:, [ANCHORS.A_X, ANCHORS.A_Y]]),
            outward(pose_b, anchors[:, [ANCHORS.B_X, ANCHORS.B_Y]]),
        ),
        axis=1,
    )
    has_target = np.isin(kind, kinds.WITH_TARGET)
    targets = numbers[:, [NUMBERS.TARGET_X, NUMBERS.TARGET_Y]]
    ends[has_target, 0] = outward(pose_a[has_target], targets[has_target])
    is_pulley = kind == kinds.PULLEY
    second = numbers[is_pulley][:, [NUMBERS.SECOND_X, NUMBERS.SECOND_Y]]
    ropes = np.concatenate(
        (np.stack((targets[is_pulley], second), axis=1), np.stack((second, ends[is_pulley, 1]), axis=1))
    )
    ends[is_pulley, 1] = targets[is_pulley]
    limits: list[np.ndarray] = []
    if with_limits:
        bounds = numbers[:, [NUMBERS.LOWER, NUMBERS.UPPER]]
        axes = outward(pose_a * (0.0, 0.0, 1.0), anchors[:, [ANCHORS.AXIS_X, ANCHORS.AXIS_Y]])
        zero = (pose_a[:, 2] + numbers[:, NUMBERS.REST])[kind == kinds.REVOLUTE]
        axes[kind == kinds.REVOLUTE] = np.stack((np.cos(zero), np.sin(zero)), axis=1)
        for k in np.flatnonzero((np.abs(bounds) < LARGEST).any(axis=1) & np.isin(kind, kinds.WITH_LIMITS)).tolist():
            limits += _range(int(kind[k]), axes[k], ends[k], bounds[k], radius)
    entity = joints.index[rows, JOINT.ENTITY]
    entity = np.concatenate((entity, entity[is_pulley], entity[is_pulley]))
    return JointMarks(entity, np.concatenate((ends, ropes)), tuple(limits))


def has_anchors(joints: Joints, rows: np.ndarray) -> np.ndarray:
    """Return True for each joint that holds its anchors (j,) bool; friction joints, gears and ratchets hold none."""
    anchored: np.ndarray = ~np.isin(joints.index[rows, JOINT.KIND], kinds.WITHOUT_ANCHORS)
    return anchored


def outward(poses: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return local points (k, 2) of bodies at poses (k, 3) in the world [m] (k, 2)."""
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    x, y = points[:, 0], points[:, 1]
    return np.stack((poses[:, 0] + c * x - s * y, poses[:, 1] + s * x + c * y), axis=1)


def _range(kind: int, axis: np.ndarray, ends: np.ndarray, bounds: np.ndarray, radius: float) -> list[np.ndarray]:
    """Return the polylines along the range of a joint [m], without those of ends that it does not have.

    `axis` is that of a slide, or the direction of the angle 0. The range of an angle is an arc with its two radii. A
    range of lengths is a line along the axis of the joint, which has a cross line at each limit.
    """
    lower, upper = bounds.tolist()
    has_lower, has_upper = lower > -LARGEST, upper < LARGEST
    if kind == kinds.REVOLUTE:
        zero = float(np.arctan2(axis[1], axis[0]))
        first, last = zero + (lower if has_lower else upper - np.pi), zero + (upper if has_upper else lower + np.pi)
        steps = np.linspace(first, last, 2 + int(min(last - first, 2.0 * np.pi) / ARC_STEP))
        arc = ends[0] + radius * np.stack((np.cos(steps), np.sin(steps)), axis=1)
        spokes = [np.stack((ends[0], arc[0]))] * has_lower + [np.stack((ends[0], arc[-1]))] * has_upper
        return [arc, *spokes]
    if kind == kinds.DISTANCE:
        way = ends[1] - ends[0]
        length = float(np.hypot(*way))
        axis = way / length if length > 0.0 else np.array((1.0, 0.0))
    across = 0.3 * radius * np.array((-axis[1], axis[0]))
    limits = [ends[0] + bound * axis for bound, is_there in ((lower, has_lower), (upper, has_upper)) if is_there]
    line = [np.stack(limits)] if len(limits) == 2 else []
    return line + [np.stack((limit - across, limit + across)) for limit in limits]
