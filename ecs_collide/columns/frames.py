"""Body frames as poses."""

from __future__ import annotations

from ecs_collide.columns import bodies as of_body
from ecs_collide.compiled.jit import device
from ecs_collide.geometry.pose import Pose


@device
def body_pose(body, bodies):
    """Where a body's centre of mass and axes are in the world. Reads body_frame."""
    frame = bodies.frame
    return Pose(
        frame[body, of_body.CENTER_X], frame[body, of_body.CENTER_Y], frame[body, of_body.COS], frame[body, of_body.SIN]
    )
