"""Planets pull: moons orbit as Kepler says, a comet swings by, and rocks fall on a planet from all sides."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, inf, pi, sin, sqrt

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Colour, Demo, Paint, View, expect

PULL = 40.0
"""Pull of the planet at a distance of 1 m [m/s²]."""
NEAR, FAR = 3.0, 6.0
"""Least and greatest distance of the moon from the middle of the planet [m]."""
GROUND, BALL = 1.5, 0.2
"""Radius of the planet, and of each other body [m]."""
PLANET, MOON, ROCK, COMET = (96, 130, 110), (222, 222, 230), (150, 130, 110), (120, 200, 236)


@dataclass
class Planet:
    """Pulls all bodies to its entity."""

    pull: float
    """Acceleration at a distance of 1 m, which falls with the square of the distance [m³/s²]."""


class Gravity(ec.systems.BeforeStep):
    """Pulls bodies to each `Planet`."""

    def before_step(self, dt: float) -> None:
        planets = [(self.physics.center_of_mass_of(entity), it.pull) for entity, it in esper.get_component(Planet)]
        for entity, velocity in esper.get_component(ec.Velocity):
            if self.physics.mass_of(entity) < inf:
                x, y = self.physics.center_of_mass_of(entity)
                for (u, v), pull in planets:
                    rate = dt * pull / (hypot(u - x, v - y) ** 3 or inf)
                    velocity.x += rate * (u - x)  # at once, and not as a force: so orbits stay closed
                    velocity.y += rate * (v - y)


class Orbits(Demo):
    """The demo of gravity wells."""

    view = View(-10.0, -6.6, 10.0, 6.6)
    frames = 1200
    steps_per_picture = 3

    def setup(self) -> None:
        self.physics = ec.install()
        esper.add_processor(Gravity(self.physics), priority=1)
        ground = ec.Collider(ec.Circle(GROUND), friction=0.8)
        esper.create_entity(ec.Transform(), ground, Planet(PULL), Paint(PLANET))
        half = 0.5 * (NEAR + FAR)
        self.period = 2.0 * pi * sqrt(half**3 / PULL)
        moon = self._throw((NEAR, 0.0), (0.0, sqrt(PULL * (2.0 / NEAR - 1.0 / half))), MOON, 10.0)
        self.moon = esper.component_for_entity(moon, ec.Transform)
        self.comet = self._throw((-10.0, -5.0), (6.0, 0.0), COMET, 3.0)
        self.rocks = [self._throw((2.5 * cos(k), 2.5 * sin(k)), (0.0, 0.0), ROCK, 0.0) for k in range(1, 6)]
        self.last = (0.0, 0.0)
        self.laps: list[tuple[float, float]] = []
        """Times [s] at which the moon comes round, and its places on the axis [m]."""

    def _throw(self, place: tuple[float, float], velocity: tuple[float, float], colour: Colour, trail: float) -> int:
        ball = ec.Collider(ec.Circle(BALL), friction=0.8)
        return esper.create_entity(ec.Transform(*place), ec.Velocity(*velocity), ball, Paint(colour, trail=trail))

    def script(self, frame: int) -> None:
        x, y = self.moon.position
        if self.last[1] < 0.0 <= y:  # it crosses the axis, between two steps
            rest = y / (y - self.last[1])
            self.laps.append(((frame - rest) * DT, x - rest * (x - self.last[0])))
        self.last = (x, y)

    def check(self) -> str:
        expect(len(self.laps) == 2, f"the moon came round {len(self.laps)} times")
        late = max(abs(time / self.period / (k + 1) - 1.0) for k, (time, _) in enumerate(self.laps))
        off = max(abs(x - NEAR) for _, x in self.laps)
        expect(late < 0.003 and off < 0.01, f"the moon is {100.0 * late:.2f} % late and {off:.3f} m off its orbit")
        for rock in self.rocks:
            high = hypot(*esper.component_for_entity(rock, ec.Transform).position) - GROUND - BALL
            expect(abs(high) < 0.01, f"a rock is {high:.3f} m above the planet")
        expect(hypot(*esper.component_for_entity(self.comet, ec.Transform).position) > 10.0, "the comet was caught")
        return f"two orbits of {self.period:.2f} s, at most {100.0 * late:.2f} % late and {1000.0 * off:.1f} mm off"


DEMO = Orbits
