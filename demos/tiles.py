"""A tile map from a bitmap, with separate tiles flush in it: a dynamic runner crosses all seams and pushes boxes.

In the map below, `#` is a cell of the bitmap, `o` a static box tile that is an entity of its own, and `b` a loose box.
Play it yourself in a window.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Keys, Paint, View, expect

MAP = (
    "##................................##",
    "##................................##",
    "##................................##",
    "##................................##",
    "##................................##",
    "##................................##",
    "##................................##",
    "##............................b.#oo#",
    "##..............b..........#o##o####",
    "##oooo#oo##o..#oo####..##oo#########",
    "#####o######..#######..#############",
    "############..#######..#############",
    "####################################",
    "####################################",
)
RADIUS, HALF_HEIGHT = 0.35, 0.75
WALK_SPEED, JUMP_SPEED = 5.0, 9.0
ACCELERATION_GROUND, ACCELERATION_AIR = 60.0, 15.0
GRIP = 0.7
FLOOR = 5.0
"""Height of the ground at the start [m]."""
TILE_COLOUR, LOOSE_TILE_COLOUR, BOX_COLOUR = (74, 96, 88), (96, 116, 92), (206, 158, 98)
STRETCHES = ((2.6, 11.6), (23.5, 26.4))
"""Flat stretches of ground on which the runner only runs [m]."""
SETTLED = 8
"""Frames on the ground after which the runner should have its speed."""


@dataclass
class Player:
    """Inputs of the player, and the body that it stands on."""

    walk: float = 0.0
    jump: bool = False
    ground: int | None = None


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


class Tiles(Demo):
    """The demo of tiles."""

    view = View(0.0, 0.6, 36.0, 12.6)
    frames = 450
    keys_help = "arrows or A/D to walk, space to jump"

    def setup(self) -> None:
        ec.install(gravity=(0.0, -20.0))
        esper.add_processor(Walk(), priority=100)  # before the physics
        ec.on("sensor_enter", self.on_sensor)
        self.reached = False
        self.grounded = 0
        """Number of frames for which the runner has run on the ground without touching a moving body."""
        self.slowest, self.steepest = math.inf, 0.0
        """Least speed along the ground and greatest speed away from it while it ran [m/s]."""
        self.run_frames = 0

        rows = MAP[::-1]  # row 0 of a bitmap is the lowest
        mask = [[cell == "#" for cell in row] for row in rows]
        self.map = esper.create_entity(
            ec.Transform(), ec.Collider(ec.Bitmap(mask, 1.0), friction=0.6), Paint(TILE_COLOUR)
        )
        tile, box = ec.Box(1.0, 1.0), ec.Box(0.96, 0.96)
        self.boxes: list[int] = []
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                place = ec.Transform(x + 0.5, y + 0.5)
                if cell == "o":
                    esper.create_entity(place, ec.Collider(tile, friction=0.6), Paint(LOOSE_TILE_COLOUR))
                if cell == "b":
                    place.y -= 0.02
                    looks = Paint(BOX_COLOUR)
                    self.boxes.append(esper.create_entity(place, ec.Velocity(), ec.Collider(box, density=0.4), looks))
        self.runner = esper.create_entity(
            ec.Transform(2.6, FLOOR + HALF_HEIGHT),
            ec.Velocity(),
            ec.Collider(ec.Capsule((0, RADIUS - HALF_HEIGHT), (0, HALF_HEIGHT - RADIUS), RADIUS), friction=GRIP),
            ec.RigidBody(lock_rotation=True),
            Player(),
            Paint((236, 112, 96), trail=1.0),
        )
        self.goal = esper.create_entity(
            ec.Transform(33.3, FLOOR + 3.0),
            ec.Collider(ec.Box(0.9, 2.0), sensor=True),
            Paint((244, 208, 92), label="goal"),
        )
        self.plan = self._plan()

    def on_sensor(self, sensor: int, entity: int) -> None:
        self.reached |= (sensor, entity) == (self.goal, self.runner)

    def steer(self, keys: Keys) -> None:
        player = esper.component_for_entity(self.runner, Player)
        player.walk, player.jump = keys.walk, keys.jump
        place = esper.component_for_entity(self.runner, ec.Transform)
        if place.y < FLOOR - 1.0:  # in the pit: start again
            place.position = (2.6, FLOOR + HALF_HEIGHT)

    def script(self, frame: int) -> None:
        self._measure()
        self.steer(next(self.plan, Keys()))

    def _plan(self) -> Iterator[Keys]:
        """Yield the inputs of the scripted player, one for each step."""
        place = esper.component_for_entity(self.runner, ec.Transform)
        speed = esper.component_for_entity(self.runner, ec.Velocity)
        for _ in range(20):
            yield Keys()
        for edge in (11.6, 20.6):
            while place.x < edge:
                yield Keys(1.0)
            yield Keys(1.0, jump=True)
        for _ in range(30):  # over the pit
            yield Keys(1.0)
        while not self.reached:
            yield Keys(1.0, jump=speed.x < 1.0)

    def _measure(self) -> None:
        """Measure the last step of a runner that runs on the ground."""
        player = esper.component_for_entity(self.runner, Player)
        place = esper.component_for_entity(self.runner, ec.Transform)
        velocity = esper.component_for_entity(self.runner, ec.Velocity)
        on_flat = any(left < place.x < right for left, right in STRETCHES)
        runs = on_flat and player.walk > 0.0 and not player.jump and player.ground is not None
        self.grounded = self.grounded + 1 if runs else 0
        if self.grounded > SETTLED:
            self.slowest = min(self.slowest, velocity.x)
            self.steepest = max(self.steepest, abs(velocity.y))
            self.run_frames += 1

    def check(self) -> str:
        pushed, last = (esper.component_for_entity(box, ec.Transform) for box in sorted(self.boxes, key=self._x_of))
        expect(self.run_frames > 80, f"the runner ran on flat ground for {self.run_frames} frames only")
        expect(self.slowest > WALK_SPEED - 1e-9, f"the runner stumbled: it slowed down to {self.slowest:.3f} m/s")
        expect(self.steepest < 1e-2, f"the runner hopped: at {1000.0 * self.steepest:.1f} mm/s")
        expect(21.0 < pushed.x < 23.0 and pushed.y < FLOOR, f"the box did not fall into the pit: {pushed}")
        expect(last.x > 31.4, f"the box was not pushed to the wall: {last}")
        expect(self.reached, "the runner did not reach the goal")
        return (
            f"in {self.run_frames} frames over flat seams the runner was never slower than {self.slowest:.6f} m/s "
            f"and never hopped at more than {1000.0 * self.steepest:.3f} mm/s; it pushed a box into the pit"
        )

    def _x_of(self, entity: int) -> float:
        return esper.component_for_entity(entity, ec.Transform).x


DEMO = Tiles
