"""Places and speeds of a body's points."""

from __future__ import annotations

from ecs_collide.api.body_lookup import find_body
from ecs_collide.contours import shape_contour, shape_support
from ecs_collide.data.bodies import MASS, Bodies
from ecs_collide.errors import PhysicsError
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.step.sync.present_pose import present_pose
from ecs_collide.validate import Vector2, finite, vector2


class BodyPlaces:
    """The calls that convert points, and tell where a body and its points are and how fast they move.

    Each reads the present pose, also if the game has written it since the last step.
    """

    __slots__ = ("_bodies", "_pipeline")

    def __init__(self, pipeline: Pipeline) -> None:
        """Make the calls for the world that a pipeline steps."""
        self._pipeline = pipeline
        self._bodies = pipeline.bodies

    def to_world(self, entity: int, point: tuple[float, float]) -> Vector2:
        """Return the world place [m] of a point given in an entity's axes from its origin [m]."""
        x, y, angle = present_pose(find_body(self._pipeline, entity), self._bodies.arrays)
        cosine, sine = turn_of(angle, entity)
        along, across = vector2(point, "point")
        return x + cosine * along - sine * across, y + sine * along + cosine * across

    def to_local(self, entity: int, point: tuple[float, float]) -> Vector2:
        """Return a world point [m] in an entity's axes from its origin [m]."""
        x, y, angle = present_pose(find_body(self._pipeline, entity), self._bodies.arrays)
        cosine, sine = turn_of(angle, entity)
        at_x, at_y = vector2(point, "point")
        return cosine * (at_x - x) + sine * (at_y - y), cosine * (at_y - y) - sine * (at_x - x)

    def center_of_mass_of(self, entity: int) -> Vector2:
        """Return the world place of the centre of mass of an entity's body [m]."""
        return center_of(self._bodies.arrays, find_body(self._pipeline, entity).host.row)

    def velocity_at(self, entity: int, point: tuple[float, float]) -> Vector2:
        """Return the velocity [m/s] of the point of a body that is at a world point [m]."""
        row = find_body(self._pipeline, entity).host.row
        at_x, at_y = vector2(point, "point")
        center_x, center_y = center_of(self._bodies.arrays, row)
        velocity_x, velocity_y, angular = self._bodies.arrays.velocity[row].tolist()
        return velocity_x - angular * (at_y - center_y), velocity_y + angular * (at_x - center_x)

    def aabb_of(self, entity: int) -> tuple[float, float, float, float]:
        """Return the smallest box (min_x, min_y, max_x, max_y) [m] around an entity's shape in its present pose.

        Sides to which the shape does not end are infinite. Raises PhysicsError if the entity has no Collider.
        """
        body = find_body(self._pipeline, entity)
        if body.shape is None:
            raise PhysicsError(f"entity {entity} has no Collider, and so no bounding box")
        return shape_support.find_shape_box(shape_contour.contour(body.shape), present_pose(body, self._bodies.arrays))


def origin_and_turn(bodies: Bodies, row: int) -> tuple[float, float, float, float]:
    """Return the origin of a body x, y [m], and cosine and sine of its angle.

    Raises ValueError if the angle is not finite.
    """
    x, y, angle = bodies.pose[row].tolist()
    return x, y, *turn_of(angle, bodies.entity[row])


def turn_of(angle: float, entity: int) -> tuple[float, float]:
    """Return cosine and sine of the angle of an entity. Raises ValueError if it is not finite."""
    cosine, sine = cosine_and_sine(finite(angle, f"entity {entity}: Transform.angle"))
    return cosine, sine


def center_of(bodies: Bodies, row: int) -> Vector2:
    """Return the centre of mass of a body [m]."""
    x, y, cosine, sine = origin_and_turn(bodies, row)
    local_x, local_y = bodies.mass[row, MASS.LOCAL_X : MASS.LOCAL_Y + 1].tolist()
    return x + cosine * local_x - sine * local_y, y + sine * local_x + cosine * local_y
