"""Bodies and grounds of characters, and players that move them by keys and gravity."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper

import ecs_collide as ec
from tests.support.worlds import DT, Game, static

FALL = 20.0
"""Gravity of the players [m/s^2]."""

BODIES: dict[str, ec.Shape] = {
    "box": ec.Box(0.6, 1.7),
    "wide box": ec.Box(1.0, 1.0),
    "capsule": ec.Capsule((0.0, -0.55), (0.0, 0.55), 0.3),
    "wide capsule": ec.Capsule((0.0, -0.4), (0.0, 0.4), 0.45),
    "circle": ec.Circle(0.4),
    "bevelled": ec.Polygon([(-0.2, -0.85), (0.2, -0.85), (0.3, -0.75), (0.3, 0.85), (-0.3, 0.85), (-0.3, -0.75)]),
}
"""Shapes of characters."""
BELOW = {"box": 0.85, "wide box": 0.5, "capsule": 0.85, "wide capsule": 0.85, "circle": 0.4, "bevelled": 0.85}
"""Reach of each below its origin [m]."""
WIDTH = {"box": 0.6, "wide box": 1.0, "capsule": 0.6, "wide capsule": 0.9, "circle": 0.8, "bevelled": 0.6}
"""Width of each [m]."""

Points = list[tuple[float, float]]


def profile(start: float, tread: float, riser: float, count: int) -> Points:
    """Return the corners of a staircase that rises to the right from (start, 0)."""
    points: Points = [(-40.0, 0.0)]
    for k in range(count):
        points += [(start + tread * k, riser * k), (start + tread * k, riser * (k + 1))]
    return [*points, (start + tread * count + 40.0, riser * count)]


def boxes(start: float, tread: float, riser: float, count: int) -> None:
    """Build the staircase of boxes."""
    static(ec.Box(80.0, 1.0), (0.0, -0.5))
    for k in range(count):
        height = riser * (k + 1)
        static(ec.Box(60.0, height), (start + tread * k + 30.0, 0.5 * height))


def chain(start: float, tread: float, riser: float, count: int) -> None:
    """Build the staircase as one chain."""
    static(ec.Chain(profile(start, tread, riser, count)))


def polygon(start: float, tread: float, riser: float, count: int) -> None:
    """Build the staircase as one polygon."""
    points = profile(start, tread, riser, count)
    static(ec.Polygon([(-40.0, -1.0), (points[-1][0], -1.0), *reversed(points)]))


def bitmap(start: float, tread: float, riser: float, count: int) -> None:
    """Build the staircase of square cells: treads and risers have to be multiples of 0.1 m."""
    cell, wide, high = 0.1, round(10.0 * tread), round(10.0 * riser)
    before, total = 200, 200 + wide * count + 200
    rows = [
        [row < high * min(max((column - before) // wide + 1, 0), count) for column in range(total)]
        for row in range(high * count)
    ]
    static(ec.Bitmap([[True] * total, *rows], cell), (start - cell * before, -cell))


STAIRS: dict[str, Callable[[float, float, float, int], None]] = {
    "boxes": boxes,
    "chain": chain,
    "polygon": polygon,
    "bitmap": bitmap,
}


def character(shape: ec.Shape, x: float, y: float, *more: object) -> int:
    """Create a kinematic entity that the game moves."""
    return esper.create_entity(
        ec.Transform(x, y), ec.Velocity(), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(shape), *more
    )


class Walker:
    """A player that moves a character by a speed to the side and gravity, and counts its frames off the floor."""

    def __init__(self, play: Game, entity: int, **rules: object) -> None:
        self.play = play
        self.entity = entity
        self.rules = rules
        self.velocity = (0.0, 0.0)
        self.in_air = 0
        self.slide: ec.Slide

    def move(self, side: float, jump: float | None = None, dt: float = DT) -> ec.Slide:
        """Move the character for a frame, without a step of the world."""
        x, y = side, self.velocity[1] - FALL * dt if jump is None else jump
        self.slide = self.play.physics.move_and_slide(self.entity, (x, y), dt, **self.rules)  # type: ignore[arg-type]
        self.velocity = self.slide.velocity
        self.in_air += not self.slide.on_floor
        return self.slide

    def walk(self, side: float, frames: int = 1) -> ec.Slide:
        """Move the character for some frames, each with a step of the world."""
        for _ in range(frames):
            self.move(side)
            self.play.step()
        return self.slide


def groove(degrees: float) -> None:
    """Create two walls that meet in an inner corner of an angle at the origin, open upwards."""
    half = math.radians(0.5 * degrees)
    side, rise = 20.0 * math.sin(half), 20.0 * math.cos(half)
    static(ec.Polygon([(0.0, 0.0), (0.0, -30.0), (side + 10.0, -30.0), (side, rise)]))
    static(ec.Polygon([(0.0, 0.0), (-side, rise), (-side - 10.0, -30.0), (0.0, -30.0)]))
