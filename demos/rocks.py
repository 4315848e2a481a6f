"""Outlines of images: rocks from sprites with hard edges come to rest on hills from a picture with smooth ones.

The hills are `data/hills.png`. Their outlines become chains, and the caves in them are outlines, too. The sheet of
sprites is `data/rocks.png`. Each sprite becomes one shape around its middle, where a game draws the sprite: a ring
with a hole, an L, and a jagged rock.
"""

from __future__ import annotations

import math
from pathlib import Path

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.demos.picture import PALETTE
from ecs_collide.demos.scene import Demo, Paint, View, expect

DATA = Path(__file__).with_name("data")
SPRITE = 24
"""Width and height of a sprite [pixels]."""
METRE = 20.0
"""Length of a metre in the pictures [pixels]."""
ROCKS = 36
HILL = (112, 98, 82)


class Rocks(Demo):
    """The demo of outlines of images."""

    view = View(0.0, 0.0, 16.0, 12.0)
    frames = 720
    libraries = ("PIL", "contourpy", "shapely")

    def setup(self) -> None:
        from PIL import Image

        from ecs_collide.from_data import from_image

        self.physics = ec.install(gravity=(0.0, -9.81))
        for part in from_image(DATA / "hills.png", scale=1.0 / METRE, as_chains=True):
            esper.create_entity(*part.components(friction=0.7), Paint(HILL))
        for wall in (ec.HalfPlane((1, 0)), ec.HalfPlane((-1, 0), -16.0)):
            esper.create_entity(ec.Transform(), ec.Collider(wall))
        self.sprites: list[ec.Shape] = []
        self.counts: list[int] = []
        """Number of solid pixels of each sprite."""
        with Image.open(DATA / "rocks.png") as sheet:
            for left in range(0, sheet.width, SPRITE):
                sprite = sheet.crop((left, 0, left + SPRITE, SPRITE))
                (part,) = from_image(sprite, scale=1.0 / METRE, origin="middle", as_one=True)
                self.sprites.append(part.shape)
                self.counts.append(int((np.asarray(sprite.getchannel("A")) > 127).sum()))
        self.rocks: list[int] = []

    def script(self, frame: int) -> None:
        if frame % 8 == 0 and len(self.rocks) < ROCKS:
            number = len(self.rocks)
            place = ec.Transform(1.5 + 1.3 * (number * 5 % 11), 11.2, 0.7 * number)
            body = ec.Collider(self.sprites[number % len(self.sprites)], friction=0.7)
            looks = Paint(PALETTE[number % len(PALETTE)])
            self.rocks.append(esper.create_entity(place, ec.Velocity(), body, looks))

    def note(self) -> str:
        return f"asleep {sum(not self.physics.is_awake(rock) for rock in self.rocks)}"

    def check(self) -> str:
        areas = [shape.mass_properties().area * METRE * METRE for shape in self.sprites]
        worst = max(abs(area / count - 1.0) for area, count in zip(areas, self.counts, strict=True))
        expect(worst < 0.05, f"the area of a sprite is {100.0 * worst:.1f} % off")
        places = np.array([esper.component_for_entity(rock, ec.Transform).position for rock in self.rocks])
        lost = int(((places < 0.0) | (places > (16.0, 12.0))).any(axis=1).sum())
        expect(lost == 0, f"{lost} rocks fell through the hills")
        fastest = max(math.hypot(*esper.component_for_entity(rock, ec.Velocity).linear) for rock in self.rocks)
        expect(fastest < 0.5, f"a rock still moves at {fastest:.2f} m/s")
        return f"{ROCKS} rocks lie on the hills; the areas of their sprites are right to {100.0 * worst:.1f} %"


DEMO = Rocks
