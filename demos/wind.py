"""A wind blows scraps along, but not in the lee of a wall, tilts a lantern, and holds a ball above a fan."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, hypot, inf

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Colour, Demo, Paint, View, expect

GRAVITY = 9.81
WALLS = (
    (0.0, -0.3, 18.0, 0.6), (-8.8, 3.4, 0.4, 6.8), (8.8, 3.4, 0.4, 6.8), (3.2, 3.4, 0.4, 6.8), (-2.4, 0.7, 0.3, 1.4)
)  # fmt: skip
"""Middles and sizes [m]; the last one makes a lee."""
HOOK = (-4.5, 6.4)
"""Place from which the lantern hangs [m]."""
AIR, STONE, PAPER, GOLD, BLUE = (70, 110, 130), (84, 92, 110), (222, 214, 190), (244, 208, 92), (88, 176, 224)


@dataclass
class Wind:
    """Fills its entity's sensor with moving air."""

    x: float
    y: float
    """Velocity of the air [m/s]."""
    drag: float = 0.1
    """Force on a body a metre wide, at a relative speed of 1 m/s [N]: half the air's density times a coefficient."""


class Blow(ec.systems.BeforeStep):
    """Pushes bodies in each `Wind` by the square of their speed in the air."""

    def before_step(self, dt: float) -> None:
        for zone, wind in esper.get_component(Wind):
            for entity in self.physics.colliding(zone):
                mass = self.physics.mass_of(entity)
                if mass == inf or self.is_in_lee(entity, zone, wind):
                    continue
                left, bottom, right, top = self.physics.aabb_of(entity)
                u, v = self.physics.velocity_at(entity, self.physics.center_of_mass_of(entity))
                u, v = wind.x - u, wind.y - v
                rate = wind.drag * (abs(u) * (top - bottom) + abs(v) * (right - left))  # speed times width across it
                rate = min(rate, mass / dt)  # no more than what makes it as fast as the air
                self.physics.apply_force(entity, (rate * u, rate * v))

    def is_in_lee(self, entity: int, zone: int, wind: Wind, reach: float = 3.0) -> bool:
        """Return True if something fixed stands in the zone, within `reach` [m] against the wind."""
        x, y = self.physics.center_of_mass_of(entity)
        far = reach / (hypot(wind.x, wind.y) or 1.0)
        end = (x - far * wind.x, y - far * wind.y)
        hit = self.physics.ray_cast((x, y), end, where=lambda other: self.physics.mass_of(other) == inf)
        return hit is not None and zone in self.physics.point_query(hit.point, sensors=True)


class Winds(Demo):
    """The demo of winds."""

    view = View(-9.0, -0.6, 9.0, 7.4)
    frames = 600
    steps_per_picture = 3

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -GRAVITY))
        esper.add_processor(Blow(self.physics), priority=1)
        for x, y, width, height in WALLS:
            esper.create_entity(ec.Transform(x, y), ec.Collider(ec.Box(width, height)), Paint(STONE))
        self.gale = Wind(8.0, 0.0)
        self._blow(ec.Box(11.2, 5.6), -2.9, 2.9, self.gale)
        self._blow(ec.Box(2.4, 3.0), 6.0, 2.1, Wind(0.0, 9.0))
        esper.create_entity(ec.Transform(6.0, 0.25), ec.Collider(ec.Box(2.4, 0.5)), Paint(STONE, label="fan"))
        self.scraps = [self._put(ec.Box(0.3, 0.3), x, 0.15, 0.3, PAPER) for x in (-8.0, -7.0, -6.0)]
        self.calm = self._put(ec.Box(0.3, 0.3), -1.6, 0.15, 0.3, PAPER)
        self.heavy = self._put(ec.Box(0.8, 0.8), 1.6, 0.4, 6.0, GOLD)
        self.lantern = self._put(ec.Circle(0.35), -4.5, 3.2, 1.2, GOLD)
        esper.create_entity(ec.DistanceJoint(self.lantern, anchor_b=HOOK))
        self.light, self.lead = (
            self._put(ec.Circle(0.3), 5.6, 1.0, 0.5, BLUE),
            self._put(ec.Circle(0.2), 6.6, 1.0, 6.0, STONE),
        )

    def _blow(self, shape: ec.Shape, x: float, y: float, wind: Wind) -> None:
        esper.create_entity(ec.Transform(x, y), ec.Collider(shape, sensor=True), wind, Paint(AIR))

    def _put(self, shape: ec.Shape, x: float, y: float, density: float, colour: Colour) -> int:
        body = ec.Collider(shape, density=density)
        return esper.create_entity(ec.Transform(x, y), ec.Velocity(), body, Paint(colour))

    def check(self) -> str:
        place = {entity: component.position for entity, component in esper.get_component(ec.Transform)}
        x, y = place[self.lantern]
        tilt = atan2(x - HOOK[0], HOOK[1] - y)
        law = atan2(self.gale.drag * 0.7 * self.gale.x**2, self.physics.mass_of(self.lantern) * GRAVITY)
        expect(abs(tilt - law) < 1e-3, f"the lantern hangs at {tilt:.3f} rad, not {law:.3f} rad")
        expect(all(-4.0 < place[scrap][0] < -2.6 for scrap in self.scraps), "a scrap is not at the wall")
        expect(abs(place[self.calm][0] + 1.6) < 0.01, "the wind moved a scrap in the lee")
        expect(abs(place[self.heavy][0] - 1.6) < 0.01, "the wind moved the heavy box")
        expect(place[self.light][1] > 3.0 > 0.8 > place[self.lead][1], "the fan lifts the wrong ball")
        return f"the lantern hangs at {tilt:.3f} rad, {1000.0 * abs(tilt - law):.2f} mrad off the law"


DEMO = Winds
