"""A scene that is described once for this engine and for the oracle, and the trace that either makes of it."""

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
    """Bodies under constant gravity with one restitution for all: the engines combine two of them differently."""

    bodies: tuple[BodyPlan, ...]
    gravity: tuple[float, float] = (0.0, 0.0)
    restitution: float = 0.0
    steps: int = 60
    dt: float = 1.0 / 60.0


@dataclass
class Trace:
    """The course of a scene; body indices are places in `Scene.bodies`."""

    poses: np.ndarray
    """Poses after each step [m, m, rad] (steps, n, 3)."""
    velocities: np.ndarray
    """Velocities after each step [m/s, m/s, rad/s] (steps, n, 3)."""
    first_touch: dict[Pair, int] = field(default_factory=dict)
    """Step from 0 in which two bodies first touched, by their indices, the smaller one first."""
    normals: dict[Pair, tuple[float, float]] = field(default_factory=dict)
    """Normal of the first touch, from the smaller index to the greater one."""


def run_scene(scene: Scene, *, substeps: int = 4, response: str = "impulse") -> Trace:
    """Step a scene in this engine, and return its trace."""
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
