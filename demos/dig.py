"""Bombs blow holes into the ground, balls roll in, and what loses its hold falls."""

from __future__ import annotations

from dataclasses import dataclass

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Paint, View, expect

CELL, COLUMNS, ROWS = 0.25, 64, 28
"""Side of a cell [m], and number of cells."""
BLAST = 1.3
"""Radius of a hole [m]."""
BOMBS = (-4.2, -4.2, 1.2, 1.2)
"""Places above which bombs are dropped [m]."""
EARTH, LOOSE, BOMB, BALL = (112, 92, 70), (160, 130, 96), (200, 70, 60), (120, 200, 236)


@dataclass
class Ground:
    """Makes the static bitmap of its entity a ground to dig into."""

    solid: np.ndarray
    """Solid cells, row 0 at the bottom (rows, columns) bool; the bottom row cannot be dug away."""
    cell: float
    """Side of a cell [m]."""


def dig(entity: int, center: tuple[float, float], radius: float) -> list[int]:
    """Dig a round hole into a ground; return the bodies that break off."""
    ground = esper.component_for_entity(entity, Ground)
    x, y = ec.physics().to_local(entity, center)
    row, column = np.indices(ground.solid.shape)
    hole = np.hypot((column + 0.5) * ground.cell - x, (row + 0.5) * ground.cell - y) < radius
    ground.solid &= ~hole | (row == 0)
    loose = ground.solid & ~connected(ground.solid, row == 0)
    pieces = []
    while loose.any():
        part = connected(loose, (row * loose.shape[1] + column) == loose.argmax())
        loose &= ~part
        ground.solid &= ~part
        pieces.append(break_off(entity, part, ground.cell))
    esper.component_for_entity(entity, ec.Collider).shape = ec.Bitmap(ground.solid, ground.cell)
    return pieces


def connected(solid: np.ndarray, seed: np.ndarray) -> np.ndarray:
    """Return the solid cells that hang together with those of a seed, side by side."""
    wider = solid & seed
    reached: np.ndarray = ~wider
    while (reached != wider).any():
        reached = wider.copy()
        wider[1:] |= reached[:-1]
        wider[:-1] |= reached[1:]
        wider[:, 1:] |= reached[:, :-1]
        wider[:, :-1] |= reached[:, 1:]
        wider &= solid
    return reached


def break_off(entity: int, part: np.ndarray, cell: float) -> int:
    """Create a dynamic body of some cells of a ground."""
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    shape = ec.Bitmap(part[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], cell)
    corner = ec.physics().to_world(entity, (cell * float(columns[0]), cell * float(rows[0])))
    angle = esper.component_for_entity(entity, ec.Transform).angle
    return esper.create_entity(ec.Transform(*corner, angle), ec.Velocity(), ec.Collider(shape, friction=0.8))


class Dig(Demo):
    """The demo of a ground to dig into."""

    view = View(-8.0, 0.0, 8.0, 9.0)
    frames = 900
    steps_per_picture = 3

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -9.81))
        y, x = np.mgrid[0:ROWS, 0:COLUMNS]
        hills = 19.5 + 1.5 * np.sin(0.25 * x)
        cavern = (y > 2) & (y < 14) & (abs(x - 31) < 26)
        self.mask = (y < hills) & ~cavern
        ground = ec.Collider(ec.Bitmap(self.mask, CELL), friction=0.8)
        self.ground = esper.create_entity(ec.Transform(-8.0, 0.0), ground, Ground(self.mask, CELL), Paint(EARTH))
        for x_side in (-8.1, 8.1):
            esper.create_entity(ec.Transform(x_side, 8.0), ec.Collider(ec.Box(0.2, 16.0)))
        self.balls = ec.spawn(ec.Circle(0.22), [(-7.0 + 0.7 * k, 7.0) for k in range(21)], velocities=(0.0, 0.0))
        for ball in self.balls:
            esper.add_component(ball, Paint(BALL))
        self.bombs: set[int] = set()
        self.loose: list[int] = []
        ec.on("collision_start", self.on_hit)

    def on_hit(self, contact: ec.Contact) -> None:
        for bomb in self.bombs.intersection((contact.entity_a, contact.entity_b)):
            self.bombs.discard(bomb)
            place = self.physics.center_of_mass_of(bomb)
            esper.delete_entity(bomb)
            for piece in dig(self.ground, place, BLAST):
                esper.add_component(piece, Paint(LOOSE))
                self.loose.append(piece)
            self.physics.explode(place, BLAST, 0.5, falloff=1.0)

    def script(self, frame: int) -> None:
        if frame % 120 == 100 and frame // 120 < len(BOMBS):
            shape = ec.Collider(ec.Circle(0.3), density=4.0)
            self.bombs.add(
                esper.create_entity(ec.Transform(BOMBS[frame // 120], 8.6), ec.Velocity(0.0, -6.0), shape, Paint(BOMB))
            )

    def check(self) -> str:
        places = [esper.component_for_entity(ball, ec.Transform).position for ball in self.balls]
        below = sum(y < CELL * 14 for _, y in places)
        expect(len(self.loose) == 1, f"{len(self.loose)} pieces broke off")
        expect(below > 4, f"{below} balls are in the cavern")
        shape, ball = ec.Bitmap(self.mask, CELL), ec.Circle(0.22)
        deepest = -min(ec.distance(shape, (-8.0, 0.0, 0.0), ball, (x, y, 0.0)) for x, y in places)
        expect(deepest < 0.01, f"a ball is {1000.0 * deepest:.0f} mm in the ground")
        return f"a piece broke off, and {below} balls are in the cavern"


DEMO = Dig
