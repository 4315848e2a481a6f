"""Numpy views of all bodies, and what follows from them: poses to draw, and a hash of the state."""

from __future__ import annotations

import numpy as np

from ecs_collide.api.body_lookup import find_body
from ecs_collide.step.pipeline import Pipeline


class BodyViews:
    """The columns of a world's bodies, up to the last row in use."""

    __slots__ = ("_bodies", "_pipeline")

    def __init__(self, pipeline: Pipeline) -> None:
        """Make the views of the world that a pipeline steps."""
        self._pipeline = pipeline
        self._bodies = pipeline.bodies

    @property
    def entities(self) -> np.ndarray:
        """Entity of each row, 0 in a free one (n,)."""
        return self._bodies.arrays.entity[: self._bodies.rows.high]

    @property
    def poses(self) -> np.ndarray:
        """Position of each entity's origin and its angle [m, m, rad] (n, 3)."""
        return self._bodies.arrays.pose[: self._bodies.rows.high]

    @property
    def velocities(self) -> np.ndarray:
        """Velocity of each centre of mass and angular velocity [m/s, m/s, rad/s] (n, 3)."""
        return self._bodies.arrays.velocity[: self._bodies.rows.high]

    def interpolated_poses(self) -> np.ndarray:
        """Return the pose between the last two steps of each row [m, m, rad] (n, 3), a copy."""
        return self._pipeline.interpolation.poses(self._pipeline.clock.fraction)

    def interpolated_pose(self, entity: int) -> tuple[float, float, float]:
        """Return the pose between the last two steps at which to draw an entity: one row of `interpolated_poses`."""
        return self._pipeline.interpolation.pose(find_body(self._pipeline, entity), self._pipeline.clock.fraction)

    def state_hash(self) -> str:
        """Return a hash of every body's entity, pose and velocity; two hashes are equal exactly if all bits are.

        With sleeping, the hash includes how long each body has been at rest, and its sleeping island. It also includes
        the impulses of the joints in the last substep, with which the next substep begins.
        """
        from hashlib import blake2b  # few games need it, and it is slow to load

        if not self._pipeline.is_under_way:
            self._pipeline.wake_disturbed()
        high = self._bodies.rows.high
        bodies = self._bodies.arrays
        digest = blake2b(digest_size=16)
        columns = [bodies.entity, bodies.pose, bodies.velocity]
        if self._pipeline.settings.sleeping:
            columns += [bodies.rest_time, bodies.island]
            digest.update(self._pipeline.sleepers.waited.tobytes())
        for column in columns:
            digest.update(column[:high].tobytes())
        joints = self._pipeline.world_joints.joints
        for entity, row in joints.rows:
            digest.update(np.int64(entity).tobytes() + joints.columns.arrays.load[row].tobytes())
        return digest.hexdigest()
