"""A ship of several colliders: a radar that sees shots, a shield that throws them back, and a wing that breaks off.

Hull, wings, shield and radar are entities of their own, attached to one body. So the radar is a sensor, the shield has
a restitution of 1, and events tell which of them was hit.
"""

from __future__ import annotations

import math

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Paint, View, expect

SHIP, SHIELD, SHOT, ROCK = 1, 2, 4, 8
"""Layers."""
SHIELD_DISTANCE, RADAR_RADIUS = 1.7, 3.6
SHOT_SPEED, SHOT_FRAMES, SHOT_COUNT = 6.0, 30, 16
"""Speed of shots [m/s], frames between two, and their number."""
FIRST_TURN, NEXT_TURN = 0.4, 2.4
"""Direction from which the first shot comes, and the angle to the next [rad]."""
ROCK_FRAME = 330
GREY, BLUE, WHITE, ORANGE, BROWN = (150, 160, 178), (88, 150, 220), (228, 232, 240), (240, 160, 72), (150, 116, 88)


class Shield(Demo):
    """The demo of attached colliders."""

    view = View(-8.0, -5.0, 8.0, 5.0)
    frames = 600

    def setup(self) -> None:
        self.physics = ec.install()
        self.place = ec.Transform(0.0, 0.0, 0.1)
        hull = ec.Collider(ec.Capsule((-0.6, 0.0), (0.7, 0.0), 0.35), density=20.0, layer=SHIP, mask=SHOT | ROCK)
        self.ship = esper.create_entity(self.place, ec.Velocity(), hull, Paint(GREY))
        self.wings = [self._wing(side) for side in (-1.0, 1.0)]
        self.shield_place = ec.AttachedTo(self.ship, SHIELD_DISTANCE)
        shield = ec.Collider(ec.Box(0.2, 1.5), density=1.0, restitution=1.0, friction=0.0, layer=SHIELD, mask=SHOT)
        self.shield = esper.create_entity(self.shield_place, shield, Paint(BLUE))
        radar = ec.Collider(ec.Circle(RADAR_RADIUS), sensor=True, layer=SHIELD, mask=SHOT)
        self.radar = esper.create_entity(ec.AttachedTo(self.ship), radar, Paint(BLUE))
        self.shots: list[int] = []
        self.thrown_back, self.hull_hits, self.broken = set[int](), 0, 0
        ec.on("collision_start", self._on_start)

    def _wing(self, side: float) -> int:
        """Create the wing on one side of the ship."""
        corners = [(-0.7, 0.0), (0.3, 0.0), (-0.4, side * 1.1), (-0.7, side * 1.1)]
        wing = ec.Collider(ec.Polygon(corners), density=2.0, layer=SHIP, mask=SHOT | ROCK)
        return esper.create_entity(ec.AttachedTo(self.ship, 0.0, side * 0.3), wing, Paint(WHITE))

    def script(self, frame: int) -> None:
        if frame % SHOT_FRAMES == 0 and len(self.shots) < SHOT_COUNT:
            self._shoot(FIRST_TURN + NEXT_TURN * len(self.shots))
        if frame == ROCK_FRAME:
            rock = ec.Collider(ec.Circle(0.35), density=6.0, layer=ROCK, mask=SHIP)
            start = ec.Transform(self.place.x - 0.5, self.place.y + 6.0)
            esper.create_entity(start, ec.Velocity(0.0, -7.0), rock, Paint(BROWN))
        seen = [shot for shot in self.physics.colliding(self.radar) if shot not in self.thrown_back]
        if seen:
            self._turn_to(min(seen, key=self._distance))

    def _shoot(self, turn: float) -> None:
        """Create a shot that flies to the ship from a direction [rad]."""
        x, y = math.cos(turn), math.sin(turn)
        start = ec.Transform(self.place.x + 7.0 * x, self.place.y + 7.0 * y)
        shot = ec.Collider(ec.Circle(0.12), density=0.5, friction=0.0, layer=SHOT, mask=SHIP | SHIELD)
        velocity = ec.Velocity(-SHOT_SPEED * x, -SHOT_SPEED * y)
        self.shots.append(esper.create_entity(start, velocity, shot, Paint(ORANGE, trail=0.25)))

    def _distance(self, shot: int) -> float:
        return math.dist(esper.component_for_entity(shot, ec.Transform).position, self.place.position)

    def _turn_to(self, shot: int) -> None:
        """Put the shield between the ship and a shot."""
        x, y = self.physics.to_local(self.ship, esper.component_for_entity(shot, ec.Transform).position)
        turn = math.atan2(y, x)
        place = self.shield_place
        place.x = SHIELD_DISTANCE * math.cos(turn)
        place.y = SHIELD_DISTANCE * math.sin(turn)
        place.angle = turn

    def _on_start(self, contact: ec.Contact) -> None:
        both = {contact.entity_a, contact.entity_b}
        shots = both.intersection(self.shots)
        if self.shield in both:
            self.thrown_back |= shots
        elif shots and self.ship in (contact.body_a, contact.body_b):
            self.hull_hits += 1
        elif not shots:
            for wing in both.intersection(self.wings):
                self._break_off(wing)

    def _break_off(self, wing: int) -> None:
        """Let a wing fly on as a body of its own."""
        if not esper.has_component(wing, ec.AttachedTo):
            return
        place = self.physics.to_world(wing, (0.0, 0.0))
        velocity = self.physics.velocity_at(wing, place)
        spin = esper.component_for_entity(self.ship, ec.Velocity).angular
        esper.remove_component(wing, ec.AttachedTo)
        esper.add_component(wing, ec.Transform(*place, self.place.angle))
        esper.add_component(wing, ec.Velocity(*velocity, spin))
        self.broken += 1

    def note(self) -> str:
        return f"{len(self.thrown_back)} shots thrown back"

    def check(self) -> str:
        expect(len(self.thrown_back) == SHOT_COUNT, f"only {len(self.thrown_back)} of {SHOT_COUNT} were thrown back")
        expect(self.hull_hits == 0, f"{self.hull_hits} shots hit the ship")
        expect(self.broken == 1, f"{self.broken} wings broke off")
        apart = math.dist(self.physics.to_world(self.wings[1], (0.0, 0.0)), self.place.position)
        expect(apart > 1.0, f"the broken wing is {apart:.2f} m away")
        return f"{len(self.thrown_back)} shots thrown back, none hit the ship, and a wing is {apart:.1f} m away"


DEMO = Shield
