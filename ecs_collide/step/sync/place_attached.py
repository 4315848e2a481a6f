"""Places of attached colliders, which follow from their bodies."""

from __future__ import annotations

from ecs_collide.data.bodies import ATTACHED_PLACE, FRAME, POSE, AttachedRows, Bodies
from ecs_collide.data.frames import put_body
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import kernel


@kernel
def place_attached(attached: AttachedRows, bodies: Bodies):
    """Put attached colliders where their bodies are. Reads and writes body_pose, body_frame."""
    for k in range(len(attached.collider)):
        row, body, place = attached.collider[k], attached.body[k], attached.place[k]
        c, s = bodies.frame[body, FRAME.COS], bodies.frame[body, FRAME.SIN]
        along, across = place[ATTACHED_PLACE.X], place[ATTACHED_PLACE.Y]
        x = bodies.pose[body, POSE.X] + (c * along - s * across)
        y = bodies.pose[body, POSE.Y] + (s * along + c * across)
        angle = bodies.pose[body, POSE.ANGLE] + place[ATTACHED_PLACE.ANGLE]
        own_c, own_s = cos_sin(angle)
        put_body(row, x, y, angle, own_c, own_s, bodies)
