"""Row 30: `ray_cast` on any shape, built on rows 7 and 8.

Source: OC and PC name ray casting as the use of their segment tests. They do not define the result of a ray that starts
inside; here the caller chooses it.
"""

from __future__ import annotations

from math import isnan
from typing import Literal, NamedTuple

from ecs_collide.algorithms.any_two_shapes.distance import contour_of_shape
from ecs_collide.components.pose import Pose, pose_of
from ecs_collide.contours.first_hit import find_first_hit
from ecs_collide.data.field_docs import document_fields
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.shapes import Shape
from ecs_collide.validate import Vector2, vector2


@document_fields
class RayHit(NamedTuple):
    """The point at which a ray meets a shape."""

    fraction: float
    """Position on the ray: 0 at its origin, 1 at its end."""
    point: Vector2
    """Point [m]."""
    normal: Vector2
    """Outward unit normal of the surface; (0, 0) if the ray starts inside."""


def ray_cast(
    shape: Shape,
    pose: Pose,
    origin: Vector2,
    end: Vector2,
    *,
    inside: Literal["start", "exit"] = "start",
) -> RayHit | None:
    """Return the first point at which a ray meets a shape, or None.

    A ray that starts on the surface meets it at 0 if it goes in, and not at all if it goes out. A ray that only grazes
    the surface meets it; along a straight edge the normal is against the ray. Edges between the pieces of a shape do
    not count.

    Args:
        shape: shape.
        pose: pose of the shape: a `Transform`, or x, y [m] and angle [rad].
        origin: start of the ray [m].
        end: end of the ray [m].
        inside: result for a ray that starts inside. "start": fraction 0 and the normal (0, 0). "exit": the point at
            which
            it leaves the shape, with the outward normal there, or None if it ends inside.

    Raises:
        TypeError or ValueError: an argument, named in the message, is invalid.
    """
    contour = contour_of_shape(shape, "shape")
    x, y, angle = pose_of(pose, "pose")
    (px, py), (qx, qy) = vector2(origin, "origin"), vector2(end, "end")
    if inside not in ("start", "exit"):
        raise ValueError(f'inside must be "start" or "exit", got {inside!r}')
    cosine, sine = cosine_and_sine(angle)
    found = find_first_hit(
        contour,
        cosine * (px - x) + sine * (py - y),
        cosine * (py - y) - sine * (px - x),
        cosine * (qx - x) + sine * (qy - y),
        cosine * (qy - y) - sine * (qx - x),
        inside == "exit",
    )
    u, normal_x, normal_y = map(float, found)  # numpy's scalars without the JIT
    if isnan(u):
        return None
    normal = cosine * normal_x - sine * normal_y + 0.0, sine * normal_x + cosine * normal_y + 0.0  # never -0.0
    return RayHit(u, (px + u * (qx - px), py + u * (qy - py)), normal)
