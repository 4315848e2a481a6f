"""Body frames as poses."""

from __future__ import annotations

from ecs_collide.data import bodies as of_body
from ecs_collide.geometry.pose import Pose
from ecs_collide.kernels.kernel import device


@device
def body_pose(body, bodies):
    """Where a body's centre of mass and axes are in the world. Reads body_frame."""
    frame = bodies.frame
    return Pose(
        frame[body, of_body.CENTER_X], frame[body, of_body.CENTER_Y], frame[body, of_body.COS], frame[body, of_body.SIN]
    )


@device
def put_body(body, x, y, angle, c, s, bodies):
    """Put a body's centre of mass [m] to a place, turned by an angle [rad] of this cosine and sine.

    Reads body_mass. Writes body_frame, body_pose.
    """
    frame, pose = bodies.frame, bodies.pose
    local_x, local_y = bodies.mass[body, of_body.LOCAL_X], bodies.mass[body, of_body.LOCAL_Y]
    frame[body, of_body.CENTER_X], frame[body, of_body.CENTER_Y] = x, y
    frame[body, of_body.COS], frame[body, of_body.SIN], frame[body, of_body.FRAME_ANGLE] = c, s, angle
    pose[body, of_body.X], pose[body, of_body.Y] = x - (c * local_x - s * local_y), y - (s * local_x + c * local_y)
    pose[body, of_body.ANGLE] = angle
