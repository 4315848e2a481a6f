"""The adapter of pyb2d3, a binding of Box2D v3 (C, float32): one thread, four substeps, default contact settings.

Box2D ignores restitution below an approach speed of 1 m/s. That default stays, except in scenes that set a threshold,
such as the elastic gas.
"""

from __future__ import annotations

from functools import partial
from importlib.metadata import version

import numpy as np
import numpy.typing as npt
import pyb2d3

from benchmarks.engines.plain_world import PlainWorld
from benchmarks.geometry import convex_parts
from benchmarks.scene import Box, Capsule, Circle, Convex, FloatArray, Group, Pin, Scene, Segment

SUBSTEPS = 4


def native_shape(shape: Convex) -> object:
    """Return the shape as a shape of this engine."""
    match shape:
        case Circle():
            return pyb2d3.circle(radius=shape.radius)
        case Box():
            return pyb2d3.box(shape.width / 2, shape.height / 2)
        case Segment():
            return pyb2d3.segment(shape.a, shape.b)
        case Capsule():
            return pyb2d3.capsule(shape.a, shape.b, shape.radius)
        case _:
            return pyb2d3.polygon(points=shape.vertices)


class Pyb2d3Engine:
    """Box2D through pyb2d3; poses are read with ``Bodies.get_transforms``, the binding's batch access."""

    name = "pyb2d3"

    def __init__(self, scene: Scene) -> None:
        self.native = pyb2d3.World(gravity=scene.gravity)
        self.native.sleeping_enabled = False
        if scene.restitution_threshold is not None:
            self.native.restitution_threshold = scene.restitution_threshold
        material = pyb2d3.surface_material(friction=scene.material.friction, restitution=scene.material.restitution)
        self.shape_def = pyb2d3.shape_def(density=scene.material.density, material=material)
        if not scene.collides:
            self.shape_def.filter = pyb2d3.make_filter(mask_bits=0)
        self.bodies = pyb2d3.Bodies()
        listed: list[pyb2d3.Body] = []
        for group in scene.groups:
            listed += self._add(group)
        ground = self.native.create_static_body(pyb2d3.body_def())
        for pin in scene.pins:
            self._join(pin, listed[pin.a], ground if pin.b is None else listed[pin.b], scene.start_poses)
        self.step = partial(self.native.step, scene.dt, SUBSTEPS)
        self.world = PlainWorld(self.name, scene)
        self.activate = self.world.activate
        count = scene.moving_count
        # Without an output array pyb2d3 0.11 creates one with three floats a row, and writes four.
        self.transforms: npt.NDArray[np.float32] = np.empty((count, 4), np.float32)
        self.linear: npt.NDArray[np.float32] = np.empty((count, 2), np.float32)
        self.angular: npt.NDArray[np.float32] = np.empty(count, np.float32)

    def _add(self, group: Group) -> list[pyb2d3.Body]:
        """Create the bodies of a group; return the dynamic ones."""
        moving = []
        palette = [[native_shape(part) for part in convex_parts(shape)] for shape in group.shapes]
        velocities = np.zeros((group.count, 2)) if group.velocities is None else group.velocities
        spins = np.zeros(group.count) if group.angular_velocities is None else group.angular_velocities
        rows = zip(group.shape_index, group.poses.tolist(), velocities.tolist(), spins.tolist(), strict=True)
        for shape_index, (x, y, angle), velocity, spin in rows:
            definition = pyb2d3.body_def(position=(x, y), rotation=pyb2d3.make_rot(angle))
            if group.is_static:
                body = self.native.create_static_body(definition)
            else:
                definition.linear_velocity = tuple(velocity)
                definition.angular_velocity = spin
                create = self.native.create_kinematic_body if group.is_kinematic else self.native.create_dynamic_body
                body = create(definition)
            if group.is_dynamic:
                self.bodies.append(body)
                moving.append(body)
            for shape in palette[shape_index]:
                body.create_shape(self.shape_def, shape)
        return moving

    def _join(self, pin: Pin, a: pyb2d3.Body, b: pyb2d3.Body, poses: FloatArray) -> None:
        """Create the joint of a pin."""
        anchor_a, anchor_b = pin.anchors(poses)
        definition = pyb2d3.revolute_joint_def(body_a=a, body_b=b, local_anchor_a=anchor_a, local_anchor_b=anchor_b)
        if pin.limits is not None:
            turn = float((0.0 if pin.b is None else poses[pin.b, 2]) - poses[pin.a, 2])
            definition.enable_limit = True
            definition.lower_angle, definition.upper_angle = turn + pin.limits[0], turn + pin.limits[1]
        if pin.motor is not None:
            definition.enable_motor = True
            definition.motor_speed, definition.max_motor_torque = pin.motor
        self.native.create_revolute_joint(definition)

    def read_poses(self) -> None:
        """Copy all bodies to their components, then read the components."""
        self.copy_poses()
        self.world.read()

    def copy_poses(self) -> None:
        """Copy all bodies to their components, from one array of x, y, cosine, sine."""
        rows = self.bodies.get_transforms(self.transforms)
        angles = np.arctan2(rows[:, 3], rows[:, 2])
        columns = zip(self.world.transforms, rows[:, 0].tolist(), rows[:, 1].tolist(), angles.tolist(), strict=True)
        for transform, x, y, angle in columns:
            transform.x = x
            transform.y = y
            transform.angle = angle

    def poses(self) -> FloatArray:
        """Return the poses in the components (n, 3)."""
        self.copy_poses()
        return self.world.poses()

    def velocities(self) -> FloatArray:
        """Return the velocities of the bodies (n, 3)."""
        linear = self.bodies.get_linear_velocities(self.linear)
        angular = self.bodies.get_angular_velocities(self.angular)
        return np.column_stack((linear, angular)).astype(np.float64)

    def close(self) -> None:
        """Delete the bodies and the esper world."""
        del self.bodies, self.step, self.native
        self.world.delete()

    @staticmethod
    def version() -> str:
        """Return the version, as shown in the table."""
        return version("pyb2d3")
