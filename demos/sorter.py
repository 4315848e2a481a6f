"""Belts with gaps sort crates by their length: short ones fall into the first gap, longer ones bridge it."""

from __future__ import annotations

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Paint, View, expect

SPEED, ROUND = 1.0, 0.1
"""Speed of the belts [m/s], and radius of their ends [m]."""
START, HEIGHT, LENGTH, GAPS = -8.0, 3.0, 4.0, (0.6, 1.4)
"""Left end of the first belt, height and length of all, and the gaps between them [m]."""
CRATES = (0.4, 1.9, 3.4)
"""Lengths of crates: the first falls into the first gap, the second into the second one, the third into none [m]."""
ORDER = (2, 0, 1, 0, 1)
EVERY = 240
"""Steps between two crates."""
BELT, STONE, COLOURS = (70, 96, 128), (84, 92, 110), ((240, 180, 88), (122, 192, 112), (236, 112, 96))


def lay_belts(x: float, y: float, length: float, gaps: tuple[float, ...], speed: float) -> list[int]:
    """Create belts in a row with gaps between them, the first from (x, y) at its upper left end [m]; return them."""
    shape = ec.Capsule((ROUND, -ROUND), (length - ROUND, -ROUND), ROUND)
    belts = []
    for gap in (*gaps, 0.0):
        belt = ec.Collider(shape, friction=0.9, surface_speed=speed)
        belts.append(esper.create_entity(ec.Transform(x, y), belt))
        x += length + gap
    return belts


def can_bridge(length: float, gap: float) -> bool:
    """Return True if a slow crate does not tip into a gap: its middle leaves a belt when its front is on the next."""
    return 0.5 * length > gap + 2.0 * ROUND


class Sorter(Demo):
    """The demo of belts with gaps."""

    view = View(-8.6, -0.3, 10.8, 4.4)
    frames = 1800
    steps_per_picture = 6

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -9.81))
        esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane(), friction=0.8), Paint(STONE))
        for belt in lay_belts(START, HEIGHT, LENGTH, GAPS, SPEED):
            esper.add_component(belt, Paint(BELT))
        for x in (-4.9, -2.5, -0.9, 4.4):
            esper.create_entity(ec.Transform(x, 1.0), ec.Collider(ec.Box(0.2, 2.0), friction=0.2), Paint(STONE))
        table = ec.Collider(ec.Box(4.6, HEIGHT), friction=0.3)
        esper.create_entity(ec.Transform(8.3, 0.5 * HEIGHT - 0.05), table, Paint(STONE))
        self.crates: list[int] = []

    def script(self, frame: int) -> None:
        if frame % EVERY == 0 and len(self.crates) < len(ORDER):
            kind = ORDER[len(self.crates)]
            crate = ec.Collider(ec.Box(CRATES[kind], 0.4), friction=0.9)
            place = ec.Transform(START + 0.2 + 0.5 * CRATES[kind], HEIGHT + 0.2)
            self.crates.append(esper.create_entity(place, ec.Velocity(SPEED), crate, Paint(COLOURS[kind])))

    def check(self) -> str:
        expect(can_bridge(CRATES[2], GAPS[1]) and can_bridge(CRATES[1], GAPS[0]), "a crate is too short for its bin")
        expect(not can_bridge(CRATES[1], GAPS[1]) and not can_bridge(CRATES[0], GAPS[0]), "a crate is too long")
        for crate, kind in zip(self.crates, ORDER, strict=True):
            x, y = esper.component_for_entity(crate, ec.Transform).position
            left, right = ((-4.9, -2.5), (-0.9, 4.4), (6.0, 10.6))[kind]
            expect(left < x < right and y < 1.0 + HEIGHT * (kind == 2), f"a crate of {CRATES[kind]} m is at {x:.1f} m")
        return f"{len(self.crates)} crates in their bins"


DEMO = Sorter
