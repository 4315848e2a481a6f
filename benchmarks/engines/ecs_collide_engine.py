"""The adapter of ecs_collide. Components are views of the engine's columns, so a frame only reads them."""

from __future__ import annotations

import math
from functools import partial
from importlib.metadata import PackageNotFoundError, version

import esper
import numpy as np

import ecs_collide as ec
from benchmarks.engines.plain_world import new_world_name
from benchmarks.scene import Box, Capsule, Circle, Compound, FloatArray, Pin, Scene, Segment, Shape
from ecs_collide import install, spawn, uninstall
from ecs_collide.common.settings import ResponseName
from ecs_collide.components.collider import ALL_LAYERS


def native_shape(shape: Shape) -> ec.Shape:
    """Return the shape as a shape of this engine."""
    match shape:
        case Circle():
            return ec.Circle(shape.radius)
        case Box():
            return ec.Box(shape.width, shape.height)
        case Segment():
            return ec.Segment(shape.a, shape.b)
        case Capsule():
            return ec.Capsule(shape.a, shape.b, shape.radius)
        case Compound():
            return ec.Compound([ec.Polygon(polygon.vertices) for polygon in shape.polygons])
        case _:
            return ec.Polygon(shape.vertices)


def kinematic_body(number: int) -> tuple[ec.RigidBody]:
    """Return the component that makes a body kinematic."""
    return (ec.RigidBody(ec.BodyKind.KINEMATIC),)


class EcsCollideEngine:
    """ecs_collide with four substeps and all other defaults, except that sleeping is off."""

    name = "ecs_collide"
    response: ResponseName = "impulse"

    def __init__(self, scene: Scene) -> None:
        self.world_name = new_world_name(self.name, scene)
        self.activate()
        self.physics = install(gravity=scene.gravity, response=self.response, sleeping=False)
        self.step = partial(esper.process, scene.dt)
        self.entities: list[int] = []
        material = scene.material
        for group in scene.groups:
            palette = [native_shape(shape) for shape in group.shapes]
            entities = spawn(
                [palette[i] for i in group.shape_index],
                group.positions,
                angles=group.angles,
                velocities=group.velocities,
                angular_velocities=group.angular_velocities,
                extra=kinematic_body if group.is_kinematic else None,
                density=material.density,
                friction=material.friction,
                restitution=material.restitution,
                mask=ALL_LAYERS if scene.collides else 0,
            )
            if group.is_dynamic:
                self.entities += entities
        for pin in scene.pins:
            esper.create_entity(self._joint(pin, scene.start_poses))

    def _joint(self, pin: Pin, poses: FloatArray) -> ec.RevoluteJoint:
        """Return the joint of a pin."""
        anchor_a, anchor_b = pin.anchors(poses)
        lower, upper = (-math.inf, math.inf) if pin.limits is None else pin.limits
        speed, torque = (0.0, 0.0) if pin.motor is None else pin.motor
        return ec.RevoluteJoint(
            self.entities[pin.a],
            None if pin.b is None else self.entities[pin.b],
            anchor_a=anchor_a,
            anchor_b=anchor_b,
            lower=lower,
            upper=upper,
            motor_speed=-speed if pin.b is None else speed,  # without b the speed is that of a
            max_motor_torque=torque,
            reference_angle=float((0.0 if pin.b is None else poses[pin.b, 2]) - poses[pin.a, 2]),
        )

    def activate(self) -> None:
        """Make this engine's esper world the current one."""
        esper.switch_world(self.world_name)

    @staticmethod
    def read_poses() -> None:
        """Read the pose of each entity, static ones included."""
        for _, transform in esper.get_component(ec.Transform):
            _ = transform.pose

    def poses(self) -> FloatArray:
        """Return the poses in the components (n, 3)."""
        self.activate()
        return np.array([esper.component_for_entity(entity, ec.Transform).pose for entity in self.entities])

    def velocities(self) -> FloatArray:
        """Return the velocities in the components (n, 3)."""
        self.activate()
        found = [esper.component_for_entity(entity, ec.Velocity) for entity in self.entities]
        return np.array([(velocity.x, velocity.y, velocity.angular) for velocity in found])

    def close(self) -> None:
        """Delete the entities and the esper world."""
        self.activate()
        uninstall()
        esper.switch_world("default")
        esper.delete_world(self.world_name)

    @staticmethod
    def version() -> str:
        """Return the version, as shown in the table."""
        try:
            return version("ecs-collide")
        except PackageNotFoundError:
            return "source tree"


class EcsCollideExactEngine(EcsCollideEngine):
    """ecs_collide with the exact response: impacts in the order of their times."""

    name = "ecs_collide.exact"
    response = "exact"
