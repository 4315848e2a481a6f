"""A scene described once, for this engine and for the oracle, and what either makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

import esper
import numpy as np

import ecs_collide as ec
from tests.support.worlds import game

Pair = tuple[int, int]


@dataclass(frozen=True)
class BodyPlan:
    """A body of a scene; it is dynamic unless `static`."""

    shape: ec.Shape
    position: tuple[float, float] = (0.0, 0.0)
    velocity: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0
    angular: float = 0.0
    density: float = 1.0
    friction: float = 0.0
    static: bool = False


@dataclass(frozen=True)
class Scene:
    """Bodies under constant gravity, all of one restitution: the engines combine two different ones differently."""

    bodies: tuple[BodyPlan, ...]
    gravity: tuple[float, float] = (0.0, 0.0)
    restitution: float = 0.0
    steps: int = 60
    dt: float = 1.0 / 60.0


@dataclass
class Trace:
    """How a scene went; body indices are places in `Scene.bodies`."""

    poses: np.ndarray
    """After each step [m, m, rad] (steps, n, 3)."""
    velocities: np.ndarray
    """After each step [m/s, m/s, rad/s] (steps, n, 3)."""
    first_touch: dict[Pair, int] = field(default_factory=dict)
    """The step, from 0, in which two bodies first touched; the smaller index first."""
    normals: dict[Pair, tuple[float, float]] = field(default_factory=dict)
    """The normal then, from the smaller index to the greater."""


def run_scene(scene: Scene, *, substeps: int = 4, response: str = "impulse") -> Trace:
    """Step the scene in this engine."""
    with game(gravity=scene.gravity, substeps=substeps, response=response, sleeping=False) as play:
        entities = []
        for body in scene.bodies:
            components: list[object] = [
                ec.Transform(*body.position, body.angle),
                ec.Collider(body.shape, density=body.density, friction=body.friction, restitution=scene.restitution),
            ]
            if not body.static:
                components.append(ec.Velocity(*body.velocity, body.angular))
            entities.append(esper.create_entity(*components))
        index = {entity: k for k, entity in enumerate(entities)}
        count = len(entities)
        trace = Trace(np.zeros((scene.steps, count, 3)), np.zeros((scene.steps, count, 3)))
        for step in range(scene.steps):
            play.step(dt=scene.dt)
            rows = [play.physics.row_of(entity) for entity in entities]
            trace.poses[step, :, :2] = play.physics.positions[rows]
            trace.poses[step, :, 2] = play.physics.angles[rows]
            trace.velocities[step, :, :2] = play.physics.velocities[rows]
            trace.velocities[step, :, 2] = play.physics.angular_velocities[rows]
        for step, name, arguments in play.events:
            if name == "collision_start":
                contact = arguments[0]
                pair = index[contact.entity_a], index[contact.entity_b]
                trace.first_touch.setdefault(pair, step)
                trace.normals.setdefault(pair, contact.normal)
    return trace
