"""Present poses of bodies and attached colliders, also between steps."""

from __future__ import annotations

from typing import TypeAlias

from ecs_collide.data.bodies import Bodies
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.validate import finite

Place: TypeAlias = tuple[float, float, float]


def pose_on_body(pose: Place, place: Place) -> Place:
    """Return the pose [m, m, rad] of a collider at a place on a body with a pose."""
    (x, y, angle), (along, across, turn) = pose, place
    c, s = cosine_and_sine(angle)
    return x + (c * along - s * across), y + (s * along + c * across), angle + turn


def present_pose(body: Body, bodies: Bodies) -> Place:
    """Return the pose [m, m, rad] of a body, or of an attached collider, also if the game has just written it.

    The row of an attached collider has the pose of the last step. Raises ValueError if the angle of its body is not
    finite.
    """
    x, y, angle = bodies.pose[body.host.row].tolist()
    return own_pose(body, (x, y, angle))


def own_pose(body: Body, host_pose: Place) -> Place:
    """Return the pose [m, m, rad] of a body, which is its own host, or of an attached collider.

    Raises ValueError if an attached collider belongs to a body with an angle that is not finite.
    """
    host = body.host
    if host is body:
        return host_pose
    x, y, angle = host_pose
    return pose_on_body((x, y, finite(angle, f"entity {host.entity}: Transform.angle")), body.place)
