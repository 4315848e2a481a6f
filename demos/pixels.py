"""A game that moves everything itself, in pixels, y down: the plugin only reports overlaps.

The game's `Position` and `Motion` are plain objects, and its own system adds one to the other. The plugin adds only one
line with `install` and a collider for each object. Nothing is pushed; detectors receive events.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Keys, Paint, View, expect

WIDTH, HEIGHT = 640.0, 400.0
SHIP, ROCK, SHOT = 1, 2, 4
SPEED, SHOT_SPEED = 260.0, 480.0
"""Speeds of the player and of a shot [pixels/s]."""
RELOAD = 18
"""Frames between two shots."""
ROCKS = tuple((60.0 + 90.0 * k, -40.0 - 55.0 * (k * 5 % 7), 55.0 + 9.0 * (k % 3)) for k in range(7))
"""Start [pixels] and falling speed [pixels/s] of each rock."""


@dataclass
class Position:
    """The middle of an object [pixels], y down."""

    x: float
    y: float


@dataclass
class Motion:
    """Velocity [pixels/s], y down."""

    dx: float = 0.0
    dy: float = 0.0


class Drift(esper.Processor):
    """The system of the game that moves everything."""

    def process(self, dt: float) -> None:
        for _, (position, motion) in esper.get_components(Position, Motion):
            position.x += motion.dx * dt
            position.y += motion.dy * dt


class Pixels(Demo):
    """The demo of a game in pixels."""

    view = View(0.0, -HEIGHT, WIDTH, 0.0)
    frames = 600
    steps_per_picture = 3
    keys_help = "arrows to go, space to shoot"

    def setup(self) -> None:
        esper.add_processor(Drift(), priority=2)  # runs before the physics
        self.physics = ec.install(length_unit=32.0, transform=ec.bind(Position, y_down=True))
        self.screen = esper.create_entity(
            Position(0.5 * WIDTH, 0.5 * HEIGHT),
            ec.Collider(ec.Box(WIDTH, HEIGHT), layer=8, sensor=True, detect=True),
            Paint((40, 44, 58)),
        )
        self.ship = self._thing(320.0, 360.0, 0.0, 0.0, ec.Polygon([(-14, -12), (14, -12), (0, 16)]), SHIP, ROCK)
        self.rocks = {self._thing(x, y, 0.0, speed, ec.Circle(18.0), ROCK, SHIP | SHOT) for x, y, speed in ROCKS}
        self.shots = set[int]()
        self.fired = self.struck = self.missed = self.scratched = 0
        self.reload = 0
        self.disagreed = 0
        """Steps in which distances of circles disagreed with the plugin."""
        ec.on("sensor_enter", self.on_enter)
        ec.on("sensor_exit", self.on_exit)

    def _thing(self, x: float, y: float, dx: float, dy: float, shape: ec.Shape, layer: int, meets: int) -> int:
        colour = {SHIP: (120, 200, 236), ROCK: (150, 120, 100), SHOT: (244, 208, 92)}[layer]
        collider = ec.Collider(shape, layer=layer, mask=meets | 8, detect=True)
        return esper.create_entity(Position(x, y), Motion(dx, dy), collider, Paint(colour))

    def on_enter(self, sensor: int, other: int) -> None:
        if sensor in self.shots and other in self.rocks:  # each hits once: it is removed from its set
            self.shots.discard(sensor)
            self.rocks.discard(other)
            esper.delete_entity(sensor)
            esper.delete_entity(other)
            self.struck += 1
        elif sensor == self.ship and other in self.rocks:
            self.scratched += 1

    def on_exit(self, sensor: int, other: int) -> None:
        if sensor == self.screen and other in self.shots:
            self.shots.discard(other)
            esper.delete_entity(other)
            self.missed += 1

    def script(self, frame: int) -> None:
        self._compare()
        here = esper.component_for_entity(self.ship, Position)
        rocks = [esper.component_for_entity(rock, Position) for rock in sorted(self.rocks)]
        lowest = max((rock for rock in rocks if rock.y < here.y), key=lambda rock: rock.y, default=None)
        aim = lowest.x if lowest is not None else 0.5 * WIDTH
        walk = max(-1.0, min(1.0, (aim - here.x) / (SPEED * DT)))
        self.steer(Keys(walk, abs(aim - here.x) < 6.0 or frame % 150 == 0))

    def steer(self, keys: Keys) -> None:
        esper.component_for_entity(self.ship, Motion).dx = keys.walk * SPEED
        self.reload -= 1
        if keys.jump and self.reload <= 0:
            here = esper.component_for_entity(self.ship, Position)
            self.shots.add(self._thing(here.x, here.y - 18.0, 0.0, -SHOT_SPEED, ec.Circle(3.0), SHOT, ROCK))
            self.fired += 1
            self.reload = RELOAD

    def _compare(self) -> None:
        """Compare the overlaps of the last step with those of a loop over all shots and rocks."""
        for shot in self.shots:
            a = esper.component_for_entity(shot, Position)
            for rock in self.rocks:
                b = esper.component_for_entity(rock, Position)
                self.disagreed += math.hypot(a.x - b.x, a.y - b.y) < 21.0 - 1e-9

    def note(self) -> str:
        return f"rocks left {len(self.rocks)}    shots {self.fired}    hits {self.struck}"

    def check(self) -> str:
        expect(not self.rocks, f"{len(self.rocks)} rocks are left")
        expect(self.struck == len(ROCKS), f"{self.struck} hits")
        expect(self.fired == self.struck + self.missed + len(self.shots), "shots were lost, or hit twice")
        expect(self.disagreed == 0, f"{self.disagreed} overlaps had no event")
        expect(self.scratched == 0, f"the ship was struck {self.scratched} times")
        expect(self.physics.statistics.contacts == 0, "something is pushed")
        return (
            f"{self.struck} rocks shot with {self.fired} shots, {self.missed} of which left the screen; none was pushed"
        )


DEMO = Pixels
