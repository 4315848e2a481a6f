"""A player walks, pushes crates, rides a moving platform and reaches the goal; play it yourself in a window."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Keys, Paint, View, expect

RADIUS, HALF_HEIGHT = 0.35, 0.75
WALK_SPEED, JUMP_SPEED = 5.0, 9.0
ACCELERATION_GROUND, ACCELERATION_AIR = 60.0, 15.0
GRIP = 0.7
START = (1.5, HALF_HEIGHT)
LEDGE = 2.0
"""Height of the ground on the far side [m]."""


@dataclass
class Player:
    """Inputs of the player, and the body that it stands on."""

    walk: float = 0.0
    jump: bool = False
    ground: int | None = None


@dataclass
class Route:
    """The route of a platform between two places, with a `period` [s]."""

    start: tuple[float, float]
    end: tuple[float, float]
    period: float
    time: float = 0.0


class MovePlatforms(esper.Processor):
    """The system that gives each kinematic platform the velocity to its next place."""

    def process(self, dt: float) -> None:
        for _, (route, place, velocity) in esper.get_components(Route, ec.Transform, ec.Velocity):
            route.time += dt
            way = 0.5 - 0.5 * math.cos(2.0 * math.pi * route.time / route.period)
            velocity.x = (route.start[0] + way * (route.end[0] - route.start[0]) - place.x) / dt
            velocity.y = (route.start[1] + way * (route.end[1] - route.start[1]) - place.y) / dt


class Walk(esper.Processor):
    """The system that converts inputs into velocity, relative to the ground."""

    def process(self, dt: float) -> None:
        for entity, (player, velocity, collider) in esper.get_components(Player, ec.Velocity, ec.Collider):
            player.ground = self._ground(entity)
            under = esper.try_component(player.ground, ec.Velocity) if player.ground is not None else None
            ground_x, ground_y = under.linear if under is not None else (0.0, 0.0)
            # A walking player has no friction, so that it does not stick to walls. A standing one needs it.
            collider.friction = 0.0 if player.walk != 0.0 else GRIP
            if player.walk != 0.0:
                most = dt * (ACCELERATION_AIR if player.ground is None else ACCELERATION_GROUND)
                velocity.x += max(-most, min(most, ground_x + player.walk * WALK_SPEED - velocity.x))
            if player.jump and player.ground is not None:
                velocity.y = ground_y + JUMP_SPEED

    def _ground(self, entity: int) -> int | None:
        """Return the body that carries the entity: a contact whose normal points up, seen from below."""
        for contact in ec.physics().contacts_of(entity):
            up = -contact.normal[1] if contact.entity_a == entity else contact.normal[1]
            if up > 0.5 and contact.normal_impulse > 0.0:
                return contact.other(entity)
        return None


class Platformer(Demo):
    """The demo of a platformer."""

    view = View(0.0, -3.5, 30.0, 11.5)
    frames = 660
    keys_help = "arrows or A/D to walk, space to jump"

    def setup(self) -> None:
        ec.install(gravity=(0.0, -20.0))
        esper.add_processor(MovePlatforms(), priority=110)  # both before the physics, which has 0 to 1
        esper.add_processor(Walk(), priority=100)
        ec.on("sensor_enter", self.on_sensor)
        self.reached = False
        self.carried = self.slipped = 0.0

        for left, right, top in ((-1.0, 12.0, 0.0), (12.0, 20.0, -2.8), (20.0, 26.0, LEDGE), (26.0, 31.0, LEDGE + 1.2)):
            place = ec.Transform(0.5 * (left + right), 0.5 * (top - 4.0))
            shape = ec.Box(right - left, top + 4.0)
            esper.create_entity(place, ec.Collider(shape, friction=0.8), Paint((74, 96, 88)))
        for x in (-0.5, 30.5):
            esper.create_entity(ec.Transform(x, 6.0), ec.Collider(ec.Box(1.0, 20.0), friction=0.0))
        self.platform = esper.create_entity(
            ec.Transform(13.6, -0.2),
            ec.Velocity(),
            ec.Collider(ec.Box(3.0, 0.4), friction=0.8),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            Route((13.6, -0.2), (18.4, LEDGE - 0.2), 5.0),
            Paint((92, 170, 220)),
        )
        crates = (
            (5.0, 0.5, 1.0),
            (3.4, 0.4, 0.8),
            (14.6, 0.35, 0.7),
            (23.5, LEDGE + 0.45, 0.9),
            (23.5, LEDGE + 1.35, 0.9),
        )
        for x, y, size in crates:
            esper.create_entity(
                ec.Transform(x, y),
                ec.Velocity(),
                ec.Collider(ec.Box(size, size), density=0.4, friction=0.5),
                Paint((206, 158, 98)),
            )
        self.player = esper.create_entity(
            ec.Transform(*START),
            ec.Velocity(),
            ec.Collider(ec.Capsule((0, RADIUS - HALF_HEIGHT), (0, HALF_HEIGHT - RADIUS), RADIUS), friction=GRIP),
            ec.RigidBody(lock_rotation=True),
            Player(),
            Paint((236, 112, 96), trail=0.5),
        )
        self.goal = esper.create_entity(
            ec.Transform(28.5, LEDGE + 2.2),
            ec.Collider(ec.Box(0.9, 2.0), sensor=True),
            Paint((244, 208, 92), label="goal"),
        )
        self.plan = self._plan()

    def on_sensor(self, sensor: int, entity: int) -> None:
        if (sensor, entity) == (self.goal, self.player):
            self.reached = True

    def steer(self, keys: Keys) -> None:
        player = esper.component_for_entity(self.player, Player)
        player.walk, player.jump = keys.walk, keys.jump
        place = esper.component_for_entity(self.player, ec.Transform)
        if place.y < -1.5:  # in the pit: start again
            place.position = START

    def script(self, frame: int) -> None:
        self.steer(next(self.plan, Keys()))

    def _plan(self) -> Iterator[Keys]:
        """Yield the inputs of the scripted player, one for each step."""
        me = esper.component_for_entity(self.player, ec.Transform)
        speed = esper.component_for_entity(self.player, ec.Velocity)
        platform = esper.component_for_entity(self.platform, ec.Transform)
        while me.x < 10.9:  # push the crates into the pit
            yield Keys(1.0)
        while platform.x > 13.8:
            yield Keys()
        while me.x < platform.x - 0.9:
            yield Keys(1.0)
        for _ in range(20):  # come to rest on it
            yield Keys()
        boarded, at = me.x, me.x - platform.x
        while platform.x < 18.3:
            yield Keys()
        self.carried, self.slipped = me.x - boarded, abs(me.x - platform.x - at)
        while not self.reached:
            yield Keys(1.0, jump=speed.x < 1.0)

    def check(self) -> str:
        expect(self.carried > 3.0, f"the platform carried the player {self.carried:.2f} m, which is not all the way")
        expect(self.slipped < 0.1, f"the player slipped {self.slipped:.2f} m on the platform")
        expect(self.reached, "the player did not reach the goal")
        return (
            f"the platform carried the player {self.carried:.2f} m aside (slip {1000 * self.slipped:.0f} mm), "
            "and the player reached the goal"
        )


DEMO = Platformer
