"""The joints of a world as the search for islands needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ecs_collide.components.joints import kinds
from ecs_collide.data.bodies import FRAME, MASS, POSE, Bodies
from ecs_collide.data.joints import ANCHORS, JOINT, NUMBERS, WORLD
from ecs_collide.step.sleep.slow_motion import IslandLinks, rate_of_springs

if TYPE_CHECKING:
    from ecs_collide.step.joints.joint_sync import JointSync


def links_of_joints(joints: JointSync, bodies: Bodies) -> IslandLinks:
    """Return the joints that work, with the rates of their springs and their reaches."""
    rows, columns = joints.working_rows, joints.columns.arrays
    numbers, index = columns.numbers[rows], columns.index[rows]
    is_driven = (numbers[:, NUMBERS.MOTOR_SPEED] != 0.0) & (numbers[:, NUMBERS.MAX_MOTOR] > 0.0)
    return IslandLinks(
        ends=np.column_stack((index[:, JOINT.BODY_A : JOINT.BODY_B + 1], is_driven)),
        rate=_rates(numbers, index, bodies),
        reach=_reaches(index, columns.anchors[rows], bodies),
    )


def _rates(numbers: np.ndarray, index: np.ndarray, bodies: Bodies) -> np.ndarray:
    """Return the rates of the joints' springs [1/s] (k,); the lower one of a weld with two."""
    kind = index[:, JOINT.KIND]
    of_angle = np.isin(kind, kinds.ANGULAR)
    own = numbers[:, [NUMBERS.HERTZ, NUMBERS.DAMPING_RATIO, NUMBERS.STIFFNESS, NUMBERS.DAMPING]]
    column = np.where(of_angle, MASS.INVERSE_INERTIA, MASS.INVERSE_X)
    rates: np.ndarray = _rates_of(own, _inverse_masses(index, column, bodies))
    linear = numbers[:, NUMBERS.LINEAR_HERTZ : NUMBERS.LINEAR_DAMPING + 1]
    if linear[:, [0, 2, 3]].any():  # a damping ratio alone makes no spring
        rates = np.minimum(rates, _rates_of(linear, _inverse_masses(index, np.full_like(kind, MASS.INVERSE_X), bodies)))
    return rates


def _inverse_masses(index: np.ndarray, column: np.ndarray, bodies: Bodies) -> np.ndarray:
    """Return the inverse of the mass or inertia that each joint moves, by columns MASS (k,): its two bodies alone."""
    a, b = np.maximum(index[:, JOINT.BODY_A], 0), index[:, JOINT.BODY_B]
    of_a = np.where(index[:, JOINT.BODY_A] == WORLD, 0.0, bodies.mass[a, column])
    inverse_masses: np.ndarray = of_a + bodies.mass[b, column]
    return inverse_masses


def _rates_of(spring: np.ndarray, inverse_mass: np.ndarray) -> np.ndarray:
    """Return the rates of springs [1/s], given frequency, damping ratio, stiffness and damping (k, 4)."""
    hertz, damping_ratio, stiffness, damping = spring.T
    if stiffness.any():
        omega = np.sqrt(stiffness * inverse_mass)
        has_rate = omega > 0.0
        hertz = np.where(has_rate, omega / (2.0 * np.pi), hertz)
        divisor = np.where(has_rate, 2.0 * omega, 1.0)
        damping_ratio = np.where(has_rate, damping * inverse_mass / divisor, damping_ratio)
    return rate_of_springs(hertz, damping_ratio)


def _reaches(index: np.ndarray, anchors: np.ndarray, bodies: Bodies) -> np.ndarray:
    """Return how far a body of each joint is from the anchor on the other one, the greater of both [m] (k,)."""
    on_world = index[:, JOINT.BODY_A] == WORLD
    of_a, of_b = anchors[:, ANCHORS.A_X : ANCHORS.A_Y + 1], anchors[:, ANCHORS.B_X : ANCHORS.B_Y + 1]
    a, b = np.maximum(index[:, JOINT.BODY_A], 0), index[:, JOINT.BODY_B]
    anchor_a = np.where(on_world[:, np.newaxis], of_a, _in_world(of_a, a, bodies))
    from_a = _lengths(_centers(b, bodies) - anchor_a)
    from_b = _lengths(_centers(a, bodies) - _in_world(of_b, b, bodies))
    reaches: np.ndarray = np.maximum(from_a, np.where(on_world, 0.0, from_b))
    return reaches


def _lengths(vectors: np.ndarray) -> np.ndarray:
    """Return the lengths of vectors (n, 2), the same bits on every machine; infinite for numbers out of range."""
    with np.errstate(over="ignore", invalid="ignore"):  # the next step refuses such numbers
        lengths: np.ndarray = np.sqrt((vectors * vectors).sum(axis=1))
    return lengths


def _centers(rows: np.ndarray, bodies: Bodies) -> np.ndarray:
    """Return the centres of mass of bodies [m] (k, 2)."""
    centers: np.ndarray = bodies.frame[rows, FRAME.CENTER_X : FRAME.CENTER_Y + 1]
    return centers


def _in_world(points: np.ndarray, rows: np.ndarray, bodies: Bodies) -> np.ndarray:
    """Return points that are local to the origins of bodies in world axes [m] (k, 2)."""
    cos, sin = bodies.frame[rows, FRAME.COS], bodies.frame[rows, FRAME.SIN]
    turned = np.column_stack((cos * points[:, 0] - sin * points[:, 1], sin * points[:, 0] + cos * points[:, 1]))
    moved: np.ndarray = bodies.pose[rows, POSE.X : POSE.Y + 1] + turned
    return moved
