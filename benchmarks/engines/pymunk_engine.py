"""The adapters of pymunk 7 (Chipmunk 7, C, float64), which reads poses one by one, or by its ``batch`` module.

Chipmunk multiplies the friction and the restitution of a pair. With the square root of each, a pair has the geometric
mean of friction, as in the other engines. Restitution is equal for all bodies of a scene. The default of 10 iterations
stays. ``collision_slop`` is 5 mm as in the other engines, since its default of 0.1 is meant for pixels.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pymunk
import pymunk.batch

from benchmarks.engines.plain_world import PlainWorld
from benchmarks.geometry import convex_parts
from benchmarks.scene import Box, Capsule, Circle, Convex, FloatArray, Group, Pin, Scene, Segment

COLLISION_SLOP = 0.005


def native_shape(shape: Convex, body: pymunk.Body) -> pymunk.Shape:
    """Return the shape as a shape of this engine, on ``body``."""
    match shape:
        case Circle():
            return pymunk.Circle(body, shape.radius)
        case Box():
            return pymunk.Poly.create_box(body, (shape.width, shape.height))
        case Segment():
            return pymunk.Segment(body, shape.a, shape.b, 0.0)
        case Capsule():
            return pymunk.Segment(body, shape.a, shape.b, shape.radius)
        case _:
            return pymunk.Poly(body, shape.vertices)


class PymunkEngine:
    """pymunk with ten iterations; poses are read as in its manual: ``body.position`` and ``body.angle``."""

    name = "pymunk"

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.space = pymunk.Space()
        self.space.gravity = scene.gravity
        self.space.collision_slop = COLLISION_SLOP
        self.bodies: list[pymunk.Body] = []
        for group in scene.groups:
            self._add(group)
        for pin in scene.pins:
            self._join(pin)
        self.step = partial(self.space.step, scene.dt)
        self.world = PlainWorld(self.name, scene)
        self.activate = self.world.activate

    def _add(self, group: Group) -> None:
        """Create the bodies of a group."""
        material = self.scene.material
        velocities = np.zeros((group.count, 2)) if group.velocities is None else group.velocities
        spins = np.zeros(group.count) if group.angular_velocities is None else group.angular_velocities
        rows = zip(group.body_shapes, group.poses.tolist(), velocities.tolist(), spins.tolist(), strict=True)
        for shape, (x, y, angle), velocity, spin in rows:
            body = pymunk.Body(body_type=self._kind(group))
            body.position = x, y
            body.angle = angle
            natives = [native_shape(part, body) for part in convex_parts(shape)]
            for native in natives:
                native.density = material.density
                native.friction = math.sqrt(material.friction)
                native.elasticity = math.sqrt(material.restitution)
                if not self.scene.collides:
                    native.filter = pymunk.ShapeFilter(mask=0)
            self.space.add(body, *natives)
            if not group.is_static:
                body.velocity = velocity[0], velocity[1]
                body.angular_velocity = spin
            if group.is_dynamic:
                self.bodies.append(body)

    @staticmethod
    def _kind(group: Group) -> int:
        """Return the type of the bodies of a group."""
        if group.is_static:
            return pymunk.Body.STATIC
        return pymunk.Body.KINEMATIC if group.is_kinematic else pymunk.Body.DYNAMIC

    def _join(self, pin: Pin) -> None:
        """Create the joints of a pin."""
        a, b = self.bodies[pin.a], self.space.static_body if pin.b is None else self.bodies[pin.b]
        constraints: list[pymunk.Constraint] = [pymunk.PivotJoint(a, b, *pin.anchors(self.scene.start_poses))]
        if pin.limits is not None:
            turn = b.angle - a.angle
            constraints.append(pymunk.RotaryLimitJoint(a, b, turn + pin.limits[0], turn + pin.limits[1]))
        if pin.motor is not None:
            motor = pymunk.SimpleMotor(a, b, -pin.motor[0])  # its rate is that of a against b
            motor.max_force = pin.motor[1]
            constraints.append(motor)
        for constraint in constraints:
            constraint.collide_bodies = False
        self.space.add(*constraints)

    def read_poses(self) -> None:
        """Copy all bodies to their components, then read the components."""
        self.copy_poses()
        self.world.read()

    def copy_poses(self) -> None:
        """Copy each body to its component, one by one."""
        for transform, body in zip(self.world.transforms, self.bodies, strict=True):
            transform.x, transform.y = body.position
            transform.angle = body.angle

    def poses(self) -> FloatArray:
        """Return the poses in the components (n, 3)."""
        self.copy_poses()
        return self.world.poses()

    def velocities(self) -> FloatArray:
        """Return the velocities of the bodies (n, 3)."""
        return np.array([(*body.velocity, body.angular_velocity) for body in self.bodies])

    def close(self) -> None:
        """Delete the bodies and the esper world."""
        # A shape that is freed searches all contacts of the space, which takes minutes for 30,000. Remove them first.
        self.space.collision_persistence = 0
        for shape in self.space.shapes:
            shape.filter = pymunk.ShapeFilter(mask=0)
        self.space.step(self.scene.dt)
        self.bodies.clear()
        self.world.delete()

    @staticmethod
    def version() -> str:
        """Return the version, as shown in the table."""
        return str(pymunk.version)


class PymunkBatchEngine(PymunkEngine):
    """pymunk with all poses read in one call of ``pymunk.batch``, which its manual calls highly experimental."""

    name = "pymunk.batch"

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.buffer = pymunk.batch.Buffer()
        pymunk.batch.get_space_bodies(self.space, pymunk.batch.BodyFields.BODY_ID, self.buffer)
        ids = memoryview(self.buffer.int_buf()).cast("P").tolist()
        if ids[: len(self.bodies)] != [body.id for body in self.bodies]:
            raise RuntimeError("pymunk.batch gives bodies in another order than they were added: dynamic ones first")

    def copy_poses(self) -> None:
        """Copy all bodies to their components, from one buffer."""
        self.buffer.clear()
        fields = pymunk.batch.BodyFields.POSITION | pymunk.batch.BodyFields.ANGLE
        pymunk.batch.get_space_bodies(self.space, fields, self.buffer)
        values = iter(memoryview(self.buffer.float_buf()).cast("d").tolist())
        for transform, x, y, angle in zip(self.world.transforms, values, values, values, strict=False):
            transform.x = x
            transform.y = y
            transform.angle = angle
