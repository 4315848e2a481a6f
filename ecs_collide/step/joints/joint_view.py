"""The joints of a world as arrays, for vectorised game logic."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.joints import JOINT, NUMBERS, WORLD, Joints

NO_ENTITY = -1
"""`entity_b` of a joint with the world."""


class JointView:
    """What the joints that work bore in the last step; entry k of every array belongs to the same joint.

    Joints stand in the order of their entities. The arrays are the caller's own: writing them changes no joint.
    """

    def __init__(self, joints: Joints, rows: np.ndarray, body_entity: np.ndarray) -> None:
        index, numbers = joints.index[rows], joints.numbers[rows]
        a, b = index[:, JOINT.BODY_A], index[:, JOINT.BODY_B]
        self.count = len(rows)
        self.entity: np.ndarray = index[:, JOINT.ENTITY]
        """The entity that holds each joint (k,)."""
        on_world = a == WORLD
        self.entity_a: np.ndarray = body_entity[np.where(on_world, b, a)]
        """Its body A (k,)."""
        self.entity_b: np.ndarray = np.where(on_world, NO_ENTITY, body_entity[b])
        """Its body B, -1 where it is with the world (k,)."""
        self.force: np.ndarray = numbers[:, NUMBERS.FORCE]
        """How strongly it held its bodies together [N] (k,)."""
        self.torque: np.ndarray = numbers[:, NUMBERS.TORQUE]
        """The torque by which it held them [N m] (k,)."""
        self.position: np.ndarray = numbers[:, NUMBERS.POSITION]
        """What is free in its kind: `angle` [rad], `translation` or `length` [m] (k,)."""
        self.speed: np.ndarray = numbers[:, NUMBERS.SPEED]
        """How fast that changed [rad/s, m/s] (k,)."""

    def __len__(self) -> int:
        return self.count
