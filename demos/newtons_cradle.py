"""Five balls in a row swing on short threads: the impulse travels through and the last ball leaves.

There are no joints here. Each ball can move along the row only, and a processor pulls it home with a spring's force,
as gravity pulls a long pendulum. Between the balls is a gap of 1 % of their diameter, wider than the distance at which
the engine already makes a contact: then each collision has a step of its own, in which restitution is exact. Balls
that really touch are solved together; they share the impulse among all of them instead of handing it on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Paint, View, expect

COUNT = 5
RADIUS = 0.5
SPACING = 1.01 * 2.0 * RADIUS
PULL = 2.0
"""How far the first ball is pulled aside [m]."""
PERIOD = 4.0
"""Of a free swing [s]."""
COLOURS = [(235, 110, 90), (200, 204, 214), (200, 204, 214), (200, 204, 214), (90, 170, 235)]


@dataclass
class Pendulum:
    """Pulls its entity back to `home` as a spring does."""

    home: float
    stiffness: float


class Swing(esper.Processor):
    """Sets the force of every pendulum, as it will be halfway through the step; runs before the physics."""

    def process(self, dt: float) -> None:
        parts = esper.get_components(Pendulum, ec.Transform, ec.Velocity, ec.Force)
        for _, (pendulum, place, velocity, force) in parts:
            force.x = pendulum.stiffness * (pendulum.home - place.x - 0.5 * dt * velocity.x)


class NewtonsCradle(Demo):
    view = View(-5.4, -1.1, 5.4, 4.1)
    frames = 480

    def setup(self) -> None:
        self.physics = ec.install(length_unit=0.1)  # tolerances a tenth of the usual, hence less than the gap
        esper.add_processor(Swing(), priority=100)
        self.balls = [self._ball(k) for k in range(COUNT)]
        self.in_speed = self.out_speed = 0.0
        self.swings = 0
        esper.set_handler("collision_start", self.on_start)
        first = esper.component_for_entity(self.balls[0], ec.Transform)
        first.x -= PULL
        self.energy = self._energy()

    def _ball(self, k: int) -> int:
        home = (k - 0.5 * (COUNT - 1)) * SPACING
        mass = math.pi * RADIUS**2
        return esper.create_entity(
            ec.Transform(home, 0.0),
            ec.Velocity(),
            ec.Collider(ec.Circle(RADIUS), restitution=1.0, friction=0.0),
            ec.RigidBody(lock_y=True, lock_rotation=True),
            ec.Force(),
            Pendulum(home, mass * (2.0 * math.pi / PERIOD) ** 2),
            Paint(COLOURS[k], thread=(home, 3.6)),
        )

    def _energy(self) -> float:
        """Kinetic energy of all balls and potential energy of their springs [J]."""
        total = 0.0
        parts = esper.get_components(Pendulum, ec.Transform, ec.Velocity)
        for entity, (pendulum, place, velocity) in parts:
            total += 0.5 * self.physics.mass_of(entity) * velocity.x**2
            total += 0.5 * pendulum.stiffness * (place.x - pendulum.home) ** 2
        return total

    def _speed(self, k: int) -> float:
        return esper.component_for_entity(self.balls[k], ec.Velocity).x

    def on_start(self, contact: ec.Contact) -> None:
        self.swings += contact.entity_a == self.balls[0]

    def script(self, frame: int) -> None:
        if self.swings == 0:
            self.in_speed = self._speed(0)
        elif self.swings == 1:
            self.out_speed = max(self.out_speed, self._speed(COUNT - 1))

    def check(self) -> str:
        handed_on = self.out_speed / self.in_speed
        kept = self._energy() / self.energy
        expect(0.97 < handed_on < 1.03, f"the last ball left with {handed_on:.1%} of the first one's speed")
        expect(self.swings >= 4, f"the first ball met its neighbour only {self.swings} times")
        expect(0.93 < kept < 1.02, f"{kept:.1%} of the energy is left")
        return (
            f"the last ball left with {handed_on:.1%} of the first one's {self.in_speed:.2f} m/s; "
            f"after {self.swings} hits {kept:.1%} of the energy is left"
        )


DEMO = NewtonsCradle
