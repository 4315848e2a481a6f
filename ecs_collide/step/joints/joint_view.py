"""The joints of a world as arrays, for vectorised game logic."""

from __future__ import annotations

import numpy as np

from ecs_collide.common.view_repr import describe_pairs
from ecs_collide.data.joints import JOINT, NUMBERS, WORLD, Joints

NO_ENTITY = -1
"""`entity_b` of joints with the world."""


class JointView:
    """The joints that work, as arrays: their state after the last step. Entry k of each array belongs to one joint.

    Joints stand in the order of their entities. The arrays belong to the caller; writing them changes no joint.
    """

    def __init__(self, joints: Joints, rows: np.ndarray, body_entity: np.ndarray) -> None:
        index, numbers = joints.index[rows], joints.numbers[rows]
        a, b = index[:, JOINT.BODY_A], index[:, JOINT.BODY_B]
        self.count = len(rows)
        self.entity: np.ndarray = index[:, JOINT.ENTITY]
        """Entity of each joint (k,)."""
        on_world = a == WORLD
        self.entity_a: np.ndarray = body_entity[np.where(on_world, b, a)]
        """Entity of body A (k,)."""
        self.entity_b: np.ndarray = np.where(on_world, NO_ENTITY, body_entity[b])
        """Entity of body B, -1 for the world (k,)."""
        self.force: np.ndarray = numbers[:, NUMBERS.FORCE]
        """Force between the bodies [N] (k,)."""
        self.torque: np.ndarray = numbers[:, NUMBERS.TORQUE]
        """Torque between the bodies [N m] (k,)."""
        self.position: np.ndarray = numbers[:, NUMBERS.POSITION]
        """Free coordinate of the kind: `angle` [rad], `translation` or `length` [m] (k,)."""
        self.speed: np.ndarray = numbers[:, NUMBERS.SPEED]
        """Velocity of `position` [rad/s, m/s] (k,)."""
        self.gap: np.ndarray = numbers[:, NUMBERS.GAP]
        """Distance from where the joint holds its bodies [m] (k,)."""
        self.angle_gap: np.ndarray = numbers[:, NUMBERS.ANGLE_GAP]
        """Angle from where the joint holds its bodies [rad] (k,)."""

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return describe_pairs(self, self.entity_a, self.entity_b)
