"""Planks and a ball float as deep as Archimedes says, a stone sinks, and a raft carries a load."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import inf

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.demos.scene import Colour, Demo, Paint, View, expect

GRAVITY = 9.81
PLANK: ec.Shape = ec.Box(1.6, 0.6)
PLANKS = ((-6.0, 0.25), (-4.0, 0.5), (-2.0, 0.8))
"""Place [m] and density [kg/m²] of each plank."""
RAFT: ec.Shape = ec.Polygon([(-1.4, -0.3), (1.4, -0.3), (1.7, 0.3), (-1.7, 0.3)])
DEEP, WOOD, ROCK, RED, BLUE = (52, 96, 150), (196, 150, 96), (100, 106, 122), (236, 112, 96), (88, 176, 224)


@dataclass
class Liquid:
    """Makes the box of its entity's sensor a liquid."""

    density: float = 1.0
    """Mass per area [kg/m²]."""
    drag: float = 2.0
    """Rate at which the liquid brakes a body of its own density [1/s]."""
    current: tuple[float, float] = (0.0, 0.0)
    """Velocity of the liquid [m/s]."""


class Buoyancy(ec.systems.BeforeStep):
    """Lifts and brakes the bodies in each `Liquid`."""

    def before_step(self, dt: float) -> None:
        for water, liquid in esper.get_component(Liquid):
            surface = self.physics.aabb_of(water)[3]
            for entity in self.physics.colliding(water):
                if self.physics.mass_of(entity) == inf:
                    continue
                rise = self.physics.velocity_at(entity, self.physics.center_of_mass_of(entity))[1]
                level = surface - 0.5 * dt * rise  # as the body is in the middle of the step: else bobbing would grow
                shape = esper.component_for_entity(entity, ec.Collider).shape
                for area in ec.draw.outline(shape, 0.1).areas:
                    corners = [self.physics.to_world(entity, (x, y)) for x, y in area.tolist()]
                    wet = below(corners, level)
                    if wet:
                        self.push(entity, wet, liquid)

    def push(self, entity: int, wet: list[tuple[float, float]], liquid: Liquid) -> None:
        """Lift the wet part of a body by its weight in liquid, and brake each bit of it by the bit's own velocity."""
        area, (x, y), spread = measure(wet)
        u, v = self.physics.velocity_at(entity, (x, y))
        spin = self.physics.velocity_at(entity, (x + 1.0, y))[1] - v
        g_x, g_y = self.physics.gravity
        drag_x, drag_y = liquid.drag * (liquid.current[0] - u), liquid.drag * (liquid.current[1] - v)
        mass = liquid.density * area
        torque = -mass * liquid.drag * spread * spin
        self.physics.apply_force(entity, (mass * (drag_x - g_x), mass * (drag_y - g_y)), (x, y), torque)


def below(corners: list[tuple[float, float]], level: float) -> list[tuple[float, float]]:
    """Return the part of a polygon below a height [m]."""
    part = []
    for (ax, ay), (bx, by) in pairwise([corners[-1], *corners]):
        if (ay < level) != (by < level):
            part.append((ax + (level - ay) / (by - ay) * (bx - ax), level))
        if by < level:
            part.append((bx, by))
    return part


def measure(corners: list[tuple[float, float]]) -> tuple[float, tuple[float, float], float]:
    """Return area [m²] and centroid [m] of a polygon, and the mean square of the distance from the centroid [m²]."""
    origin = np.array(corners[0])
    a = np.array(corners) - origin
    b = np.roll(a, -1, axis=0)
    weight = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]  # twice the area of the triangle to each edge
    area = 0.5 * float(weight.sum()) or 1e-12
    middle = weight @ (a + b) / (6.0 * area)
    spread = weight @ (a * a + a * b + b * b).sum(axis=1) / (12.0 * area) - middle @ middle
    x, y = (origin + middle).tolist()
    return area, (x, y), float(spread)


class Water(Demo):
    """The demo of water."""

    view = View(-8.0, -4.4, 8.0, 3.6)
    frames = 600
    steps_per_picture = 3

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -GRAVITY))
        esper.add_processor(Buoyancy(self.physics), priority=1)
        for x, y, width, height in ((0.0, -4.2, 16.0, 0.4), (-7.8, -1.5, 0.4, 5.0), (7.8, -1.5, 0.4, 5.0)):
            esper.create_entity(ec.Transform(x, y), ec.Collider(ec.Box(width, height)), Paint(ROCK))
        pool = ec.Collider(ec.Box(15.2, 4.0), sensor=True)
        esper.create_entity(ec.Transform(0.0, -2.0), pool, Liquid(), Paint(DEEP))
        self.planks = [self._drop(PLANK, (x, 1.5, 0.5), density, WOOD) for x, density in PLANKS]
        self.ball = self._drop(ec.Circle(0.5), (6.5, 1.5, 0.0), 0.5, BLUE)
        self.stone = self._drop(ec.Circle(0.3), (5.2, 0.4, 0.0), 2.0, ROCK)
        self.raft = self._drop(RAFT, (2.0, 0.5, 0.0), 0.3, WOOD)
        self.load = self._drop(ec.Box(0.7, 0.7), (2.0, 1.16, 0.0), 0.6, RED)

    def _drop(self, shape: ec.Shape, pose: tuple[float, float, float], density: float, colour: Colour) -> int:
        body = ec.Collider(shape, density=density, friction=0.7)
        return esper.create_entity(ec.Transform(*pose), ec.Velocity(), body, Paint(colour))

    def check(self) -> str:
        heights = [esper.component_for_entity(plank, ec.Transform).y for plank in self.planks]
        off = max(abs(0.3 - y - density * 0.6) for y, (_, density) in zip(heights, PLANKS, strict=True))
        expect(off < 2e-3, f"a plank floats {1000.0 * off:.1f} mm off the law of Archimedes")
        middle = esper.component_for_entity(self.ball, ec.Transform).y
        expect(abs(middle) < 2e-3, f"the middle of the ball is {1000.0 * middle:.1f} mm above the water")
        low = esper.component_for_entity(self.stone, ec.Transform).y
        expect(abs(low + 3.7) < 0.01, f"the stone is at a height of {low:.2f} m")
        expect(self.physics.touching(self.raft, self.load), "the load fell off the raft")
        mm = 1000.0 * off
        return f"planks at most {mm:.2f} mm off the law of Archimedes, a stone on the ground, and a load on its raft"


DEMO = Water
