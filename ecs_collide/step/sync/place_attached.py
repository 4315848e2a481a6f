"""Places of attached colliders, which follow from their bodies."""

from __future__ import annotations

from ecs_collide.data.bodies import ATTACHED_PLACE, FRAME, POSE, AttachedRows, Bodies
from ecs_collide.data.frames import put_body
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import FloatTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.validate import LARGEST_ANGLE


@kernel
def place_attached(attached: AttachedRows, bodies: Bodies):
    """Put attached colliders where their bodies are. Reads and writes body_pose, body_frame."""
    for k in range(len(attached.collider)):
        c, s = bodies.frame[attached.body[k], FRAME.COS], bodies.frame[attached.body[k], FRAME.SIN]
        x, y, angle = find_pose(attached, k, bodies.pose, c, s)
        own_c, own_s = cos_sin(angle)
        put_body(attached.collider[k], x, y, angle, own_c, own_s, bodies)


@kernel
def place_attached_poses(attached: AttachedRows, poses: FloatTable):
    """Put attached colliders where their bodies are in poses of all rows [m, m, rad] (n, 3).

    The colliders of a body with an angle that is out of range stay where they are.
    """
    for k in range(len(attached.collider)):
        host_angle = poses[attached.body[k], POSE.ANGLE]
        if abs(host_angle) <= LARGEST_ANGLE:
            c, s = cos_sin(host_angle)
            x, y, angle = find_pose(attached, k, poses, c, s)
            row = attached.collider[k]
            poses[row, POSE.X], poses[row, POSE.Y], poses[row, POSE.ANGLE] = x, y, angle


@device
def find_pose(attached, k, poses, c, s):
    """Return the pose of an attached collider, given the cosine and sine of its body's angle."""
    body, place = attached.body[k], attached.place[k]
    along, across = place[ATTACHED_PLACE.X], place[ATTACHED_PLACE.Y]
    x = poses[body, POSE.X] + (c * along - s * across)
    y = poses[body, POSE.Y] + (s * along + c * across)
    return x, y, poses[body, POSE.ANGLE] + place[ATTACHED_PLACE.ANGLE]
