"""Conversion between body columns and poses."""

from __future__ import annotations

from ecs_collide.data.bodies import FRAME, MASS, POSE
from ecs_collide.geometry.pose import Pose
from ecs_collide.kernels.kernel import device


@device
def body_pose(body, bodies):
    """Return the pose of a body's centre of mass in the world. Reads body_frame."""
    frame = bodies.frame
    return Pose(
        x=frame[body, FRAME.CENTER_X],
        y=frame[body, FRAME.CENTER_Y],
        cos=frame[body, FRAME.COS],
        sin=frame[body, FRAME.SIN],
    )


@device
def put_body(body, x, y, angle, c, s, bodies):
    """Set a body's centre of mass [m] and angle [rad]; `c` and `s` are the cosine and sine of the angle.

    Reads body_mass. Writes body_frame, body_pose.
    """
    frame, pose = bodies.frame, bodies.pose
    local_x, local_y = bodies.mass[body, MASS.LOCAL_X], bodies.mass[body, MASS.LOCAL_Y]
    frame[body, FRAME.CENTER_X], frame[body, FRAME.CENTER_Y] = x, y
    frame[body, FRAME.COS], frame[body, FRAME.SIN], frame[body, FRAME.ANGLE] = c, s, angle
    pose[body, POSE.X], pose[body, POSE.Y] = x - (c * local_x - s * local_y), y - (s * local_x + c * local_y)
    pose[body, POSE.ANGLE] = angle
