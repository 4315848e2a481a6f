"""The break: a cue ball runs into a triangle of fifteen balls on a table with cushions."""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Colour, Demo, Paint, View, expect

# A ball has radius 0.5 and everything else is in proportion, because the engine's tolerances suit things of about
# this size. The break is slower than a real one, which would cross the table in a third of a second.
RADIUS = 0.5
HALF_LENGTH, HALF_WIDTH = 22.0, 11.0
BREAK_SPEED = 40.0
GAP = 0.03
"""Between the balls of the triangle: balls that touch are solved together and would share the impulse, dully."""
COLOURS: list[Colour] = [
    (240, 196, 48),
    (56, 96, 200),
    (212, 56, 48),
    (116, 68, 160),
    (240, 128, 48),
    (40, 140, 88),
    (148, 44, 52),
    (44, 44, 48),
]


@dataclass
class Ball:
    """A ball of the game; 0 is the cue ball."""

    number: int
    cushions: int = 0
    """How often it has met a cushion."""


def on_collision(contact: ec.Contact) -> None:
    """Count the cushions that a ball meets."""
    a, b = (esper.try_component(entity, Ball) for entity in (contact.entity_a, contact.entity_b))
    ball = a or b
    if ball is not None and (a is None or b is None):
        ball.cushions += 1


class Billiards(Demo):
    view = View(-24.0, -13.4, 24.0, 13.0)
    background = (30, 104, 84)
    frames = 240

    def setup(self) -> None:
        ec.install()  # seen from above: no gravity
        esper.set_handler("collision_start", on_collision)
        for side in (-1, 1):
            self._cushion(side * (HALF_LENGTH + 2.0), 0.0, 4.0, 2.0 * HALF_WIDTH + 8.0)
            self._cushion(0.0, side * (HALF_WIDTH + 2.0), 2.0 * HALF_LENGTH + 8.0, 4.0)
        self.cue = self._ball(0, -0.5 * HALF_LENGTH, 0.2, (250, 246, 234))
        esper.component_for_entity(self.cue, ec.Velocity).linear = (BREAK_SPEED, 0.0)
        spacing = 2.0 * RADIUS + GAP
        row_distance = spacing * math.sin(math.radians(60.0))
        places = [
            (0.25 * HALF_LENGTH + row * row_distance, (k - 0.5 * row) * spacing)
            for row in range(5)
            for k in range(row + 1)
        ]
        for number, (x, y) in enumerate(places, start=1):
            self._ball(number, x, y, COLOURS[(number - 1) % 8])
        self.energy = self._energy()

    def _cushion(self, x: float, y: float, width: float, height: float) -> None:
        # MINIMUM outranks the usual maximum, so a ball comes off the cushion slower than off another ball.
        esper.create_entity(
            ec.Transform(x, y),
            ec.Collider(ec.Box(width, height), restitution=0.75, restitution_rule=ec.Combine.MINIMUM, friction=0.1),
            Paint((94, 58, 40)),
        )

    def _ball(self, number: int, x: float, y: float, colour: Colour) -> int:
        return esper.create_entity(
            ec.Transform(x, y),
            ec.Velocity(),
            ec.Collider(ec.Circle(RADIUS), restitution=0.97, friction=0.05),
            ec.RigidBody(linear_damping=0.15, angular_damping=0.8),  # the cloth
            Ball(number),
            Paint(colour, trail=0.0 if number else 0.8, label=str(number) if number else ""),
        )

    def _energy(self) -> float:
        """Sum of v^2 / 2 over the balls, which all weigh the same [J/kg]."""
        return sum(0.5 * (v.x**2 + v.y**2) for _, (_, v) in esper.get_components(Ball, ec.Velocity))

    def check(self) -> str:
        places = [place for _, (_, place) in esper.get_components(Ball, ec.Transform)]
        cushions = sum(ball.cushions for _, ball in esper.get_component(Ball))
        rolling = sum(math.hypot(*v.linear) > 0.5 for _, (_, v) in esper.get_components(Ball, ec.Velocity))
        kept = self._energy() / self.energy
        spread = max(p.x for p in places) - min(p.x for p in places)
        outside = [p.position for p in places if abs(p.x) > HALF_LENGTH or abs(p.y) > HALF_WIDTH]
        expect(not outside, f"balls left the table: {outside}")
        expect(cushions >= 3, f"the balls met the cushions only {cushions} times")
        expect(spread > 15.0, f"the balls spread over no more than {spread:.1f} ball widths")
        expect(kept < 0.5, f"{kept:.0%} of the energy is left: cloth and cushions should have taken more")
        return (
            f"{cushions} cushion hits, spread over {spread:.0f} ball widths, {rolling} of {len(places)} still rolling"
        )


DEMO = Billiards
