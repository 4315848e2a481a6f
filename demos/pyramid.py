"""A pyramid of 78 boxes stands still; then a heavy ball is thrown at it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Paint, View, expect

BASE = 12
SIZE = 0.8
THROW_FRAME = 120
COLOURS = [(232, 174, 88), (222, 148, 76), (206, 124, 70)]


@dataclass
class Block:
    """A box of the pyramid, and its place."""

    x: float
    y: float


class Pyramid(Demo):
    """The demo of a pyramid."""

    view = View(-10.9, -1.0, 14.1, 11.0)
    frames = 360

    def setup(self) -> None:
        ec.install(gravity=(0.0, -9.81))
        esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane(), friction=0.8))
        box = ec.Box(SIZE, SIZE)  # one shape serves all boxes
        for row in range(BASE):
            for k in range(BASE - row):
                x, y = (k - 0.5 * (BASE - row - 1)) * 1.1 * SIZE, (row + 0.5) * SIZE
                esper.create_entity(
                    ec.Transform(x, y),
                    ec.Velocity(),
                    ec.Collider(box, friction=0.6),
                    Block(x, y),
                    Paint(COLOURS[row % len(COLOURS)]),
                )
        self.sway = 0.0

    def script(self, frame: int) -> None:
        if frame == THROW_FRAME:
            self.sway = max(abs(place.x - block.x) for _, (block, place) in esper.get_components(Block, ec.Transform))
            esper.create_entity(
                ec.Transform(-10.0, 3.0),
                ec.Velocity(13.0, 3.0),
                ec.Collider(ec.Circle(0.9), density=5.0),
                Paint((96, 108, 132), trail=0.7),
            )

    def check(self) -> str:
        parts = esper.get_components(Block, ec.Transform)
        hit = sum(math.dist(place.position, (block.x, block.y)) > 0.5 * SIZE for _, (block, place) in parts)
        lowest = min(place.y for _, (_, place) in parts)
        farthest = max(place.x for _, (_, place) in parts)
        expect(self.sway < 0.01, f"a box of the standing pyramid moved {1000 * self.sway:.1f} mm aside")
        expect(hit >= 15, f"the ball displaced only {hit} boxes")
        expect(lowest > 0.45 * SIZE, f"a box sank into the ground: its centre is {lowest:.3f} m high")
        expect(farthest < self.view.right - SIZE, f"a box left the picture: it is at x = {farthest:.1f} m")
        total = BASE * (BASE + 1) // 2
        return (
            f"stood for 2 s (no box moved more than {1000 * self.sway:.1f} mm aside), "
            f"then the ball displaced {hit} of {total} boxes"
        )


DEMO = Pyramid
