"""The shots of the demo `bullets`, their targets, and a world of them with or without continuous collision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Colour, Demo, Paint, Run
from ecs_collide.draw.shape_outline import outline

Pose = tuple[float, float, float]
RED, YELLOW, GREEN = (236, 112, 96), (240, 180, 88), (122, 192, 112)
BLUE, VIOLET, PINK = (88, 176, 224), (168, 136, 224), (232, 136, 184)
WALL, SENSOR = (176, 184, 204), (112, 200, 180)


@dataclass(frozen=True)
class Shot:
    """A shape around its centre of mass, its start, and its motion in a step if nothing stops it."""

    shape: ec.Shape
    start: Pose
    way: Pose
    colour: Colour
    against: int | None = None
    """Opposite shot; both are bullets."""

    def pose(self, fraction: float) -> Pose:
        """Return its pose after a fraction of its path."""
        x, y, angle = (at + fraction * way for at, way in zip(self.start, self.way, strict=True))
        return x, y, angle

    @cached_property
    def scale(self) -> tuple[float, float, float]:
        """Return weights of the motion: 1 for translations, and for rotations the arm of the farthest point [m]."""
        (area,) = outline(self.shape).areas
        return 1.0, 1.0, float(np.hypot(*area.T).max())

    @cached_property
    def length(self) -> float:
        """Return the length of its path, rotation included [m]."""
        return float(np.linalg.norm(np.multiply(self.scale, self.way)))

    def gone(self, pose: Pose) -> float:
        """Return the distance along its path at `pose` [m]."""
        moved = np.multiply(self.scale, np.subtract(pose, self.start))
        return float(moved @ np.multiply(self.scale, self.way)) / self.length


def fan(x: float, y: float, count: int) -> list[Shot]:
    """Return small balls that fly apart from (x, y)."""
    shots = []
    for k in range(count):
        c, s = math.cos(2.0 * math.pi * k / count), math.sin(2.0 * math.pi * k / count)
        colour = (RED, YELLOW, GREEN, BLUE, VIOLET, PINK)[k % 6]
        shots.append(Shot(ec.Circle(0.13), (x + 1.1 * c, y + 1.1 * s, 0.0), (3.4 * c, 3.4 * s, 0.0), colour))
    return shots


def fence(corners: int, radius: float) -> ec.Shape:
    """Return a closed line around the origin."""
    angles = 2.0 * math.pi * (np.arange(corners) + 0.2) / corners
    return ec.Chain(radius * np.stack((np.cos(angles), np.sin(angles)), axis=1), loop=True)


BALL, ROD, THIN_ROD = ec.Circle(0.3), ec.Box(1.5, 0.14), ec.Box(2.8, 0.1)
SHOTS = [
    Shot(ec.Circle(0.4), (-10.9, 4.7, 0.0), (11.0, 1.0, 0.0), RED),
    Shot(ROD, (-10.6, 2.5, 0.7), (11.0, 0.2, 0.0), YELLOW),
    Shot(THIN_ROD, (-10.2, -0.3, -0.5), (6.5, 0.0, 3.4), GREEN),
    Shot(BALL, (-11.3, -3.4, 0.0), (10.0, 0.1, 0.0), VIOLET, against=4),
    Shot(BALL, (0.3, -3.3, 0.0), (-10.0, -0.1, 0.0), PINK, against=3),
    Shot(BALL, (-11.3, -5.9, 0.0), (11.0, 0.0, 0.0), BLUE),
    *fan(6.6, -0.1, 26),
]
TARGETS: list[tuple[ec.Shape, Pose]] = [
    (ec.Box(0.05, 1.8), (-4.8, 5.2, 0.0)),
    (ec.Segment((-0.2, -0.8), (0.2, 0.8)), (-4.0, 2.6, 0.0)),
    (ec.Circle(0.12), (-6.2, -1.0, 0.0)),
    (ec.Box(0.05, 1.4), (-3.0, -5.9, 0.0)),
    (fence(7, 3.5), (6.6, -0.1, 0.0)),
]
GATE: tuple[ec.Shape, Pose] = (ec.Box(0.3, 1.4), (-7.0, -5.9, 0.0))
"""Sensor that the shots cross."""


class Volley(Demo):
    """All shots, moving if there is a charge: the fraction of their paths that a step covers."""

    def __init__(self, charge: float = 0.0, continuous: bool = True) -> None:
        self.charge, self.continuous = charge, continuous

    def setup(self) -> None:
        ec.install(continuous=self.continuous)
        for shape, pose in TARGETS:
            esper.create_entity(ec.Transform(*pose), ec.Collider(shape, layer=1), Paint(WALL))
        shape, pose = GATE
        self.gate = esper.create_entity(ec.Transform(*pose), ec.Collider(shape, sensor=True), Paint(SENSOR))
        self.shots = [self._create(shot) for shot in SHOTS]
        self.load(self.charge)

    def _create(self, shot: Shot) -> int:
        is_bullet = shot.against is not None
        return esper.create_entity(
            ec.Transform(*shot.start),
            ec.Velocity(),
            ec.Collider(shot.shape, layer=2, mask=3 if is_bullet else 1),
            ec.RigidBody(bullet=is_bullet),
            Paint(shot.colour),
        )

    def load(self, charge: float) -> None:
        """Set the speeds that move all shots by a fraction of their paths in a step."""
        for entity, shot in zip(self.shots, SHOTS, strict=True):
            x, y, angular = (charge * way / DT for way in shot.way)
            velocity = esper.component_for_entity(entity, ec.Velocity)
            velocity.linear, velocity.angular = (x, y), angular

    def poses(self) -> list[Pose]:
        """Return the poses of all shots."""
        return [esper.component_for_entity(entity, ec.Transform).pose for entity in self.shots]


def without_continuous(charge: float) -> list[Pose]:
    """Return the poses of the shots after a step without continuous collision, in an esper world of its own."""
    with Run("volley", partial(Volley, charge, continuous=False)) as run:
        run.step()
        assert isinstance(run.demo, Volley)
        return run.demo.poses()


def first_touches(charge: float) -> list[float]:
    """Return the distances of the shots until they touch anything [m], found without an engine."""
    found = []
    for shot in SHOTS:
        motions = [(shape, pose, pose) for shape, pose in TARGETS]
        if shot.against is not None:
            other = SHOTS[shot.against]
            motions = [(other.shape, other.start, other.pose(charge))]
        times = [ec.time_of_impact(shot.shape, shot.start, shot.pose(charge), *motion) for motion in motions]
        found.append(charge * shot.length * min(time for time in times if time is not None))
    return found
