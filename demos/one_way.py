"""One-way platforms: a climber jumps up through them and drops down again, balls are thrown up through others and stay.

Play it yourself in a window.
"""

from __future__ import annotations

import math

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Keys, Paint, View, expect

GRAVITY = 20.0
JUMP_SPEED, WALK_SPEED = 9.5, 3.0
SHELF: ec.Shape = ec.Box(3.0, 0.2)
SHELVES = tuple((-3.5 + 0.6 * (-1) ** k, 1.6 * (k + 1)) for k in range(4))
"""Middles of the climber's shelves [m], 1.6 m apart, with a jump of 2.25 m."""
CLIMBER = ec.Capsule((0.0, -0.25), (0.0, 0.25), 0.25)
BALLS: tuple[tuple[ec.Shape, float, float], ...] = (
    (ec.Circle(0.25), 0.9, 11.0),
    (ec.Circle(0.25), 2.3, 14.5),
    (ec.Circle(0.25), 3.7, 8.0),
    (ec.Circle(0.25), 5.1, 13.0),
)
"""Thrown bodies: shape, place [m], speed [m/s]."""
HILL: ec.Shape = ec.Chain([(0.0, 2.0), (1.5, 2.6), (3.0, 2.2), (4.5, 2.6), (6.0, 2.0)])
SLAB: ec.Shape = ec.Box(6.0, 0.4)
TOP = 4.6
"""Height of the upper side of the slab [m]."""
LEFT_AT, DROPPED_AT = 60, 330
"""Step before which the climber stands on the ground, and step from which it drops."""
STONE, WOOD, RED, GOLD = (84, 92, 110), (150, 120, 84), (236, 112, 96), (244, 208, 92)


class OneWay(Demo):
    """The demo of one-way platforms."""

    view = View(-6.5, -1.0, 7.0, 8.5)
    frames = 480
    keys_help = "arrows or A/D to walk, space to jump; at the very left, space drops"

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -GRAVITY))
        self.ground = esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane()), Paint(STONE))
        self.shelves = [
            esper.create_entity(ec.Transform(x, y - 0.1), ec.Collider(SHELF, one_way=(0.0, 1.0)), Paint(WOOD))
            for x, y in SHELVES
        ]
        esper.create_entity(ec.Transform(), ec.Collider(HILL, one_way=(0.0, 1.0), friction=0.8), Paint(WOOD))
        esper.create_entity(
            ec.Transform(3.0, TOP - 0.2), ec.Collider(SLAB, one_way=(0.0, 1.0), friction=0.8), Paint(WOOD)
        )
        self.climber = esper.create_entity(
            ec.Transform(SHELVES[0][0], 0.5),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            ec.Collider(CLIMBER, layer=2),
            Paint(RED, trail=1.0),
        )
        self.balls = [
            esper.create_entity(
                ec.Transform(x, 0.25),
                ec.Velocity(0.0, speed),
                ec.Collider(shape, friction=0.8, rolling_resistance=0.6),
                Paint(GOLD, trail=0.6),
            )
            for shape, x, speed in BALLS
        ]
        self.velocity = (0.0, 0.0)
        self.floor: int | None = None
        self.visited: list[int] = []
        """Bodies that the climber stood on, in order."""

    def script(self, frame: int) -> None:
        x, _ = esper.component_for_entity(self.climber, ec.Transform).position
        climbs = LEFT_AT <= frame < DROPPED_AT
        aim = SHELVES[min(self._height(), len(SHELVES) - 1)][0] if climbs else x
        walk = max(-1.0, min(1.0, (aim - x) / (WALK_SPEED * DT)))
        self._move(walk, climbs and self._height() < len(SHELVES), frame >= DROPPED_AT)

    def steer(self, keys: Keys) -> None:
        x, _ = esper.component_for_entity(self.climber, ec.Transform).position
        self._move(keys.walk, keys.jump and x > SHELVES[1][0] - 1.5, keys.jump)

    def _height(self) -> int:
        """Return the number of shelves up to the one that the climber last stood on."""
        last = self.visited[-1] if self.visited else self.ground
        return self.shelves.index(last) + 1 if last in self.shelves else 0

    def _move(self, walk: float, jumps: bool, drops: bool) -> None:
        x, y = walk * WALK_SPEED, self.velocity[1] - GRAVITY * DT
        if jumps and self.floor is not None:
            y = JUMP_SPEED
        slide = self.physics.move_and_slide(self.climber, (x, y), DT, drop_through=drops)
        self.velocity, self.floor = slide.velocity, slide.floor
        if slide.floor is not None and slide.floor not in self.visited[-1:]:
            self.visited.append(slide.floor)

    def note(self) -> str:
        return f"the climber stood on {len(self.visited)} floors"

    def check(self) -> str:
        expect(
            self.visited == [self.ground, *self.shelves, self.ground],
            f"the climber stood on {self.visited}, not on {[self.ground, *self.shelves, self.ground]}",
        )
        heights = [esper.component_for_entity(ball, ec.Transform).y for ball in self.balls]
        on_slab = [k for k, height in enumerate(heights) if abs(height - TOP - 0.25) < 0.01]
        apexes = [0.25 + speed * speed / (2.0 * GRAVITY) for _, _, speed in BALLS]
        expect(
            on_slab == [k for k, apex in enumerate(apexes) if apex > TOP + 0.25],
            f"balls at {heights} m, thrown to {apexes} m",
        )
        on_hill = [k for k in range(len(BALLS)) if 2.0 < heights[k] < 3.0 and k not in on_slab]
        expect(on_hill == [0, 3], f"balls at {heights} m: {on_hill} lie on the hill")
        asleep = sum(not self.physics.is_awake(ball) for ball in self.balls)
        expect(asleep == len(self.balls), f"{len(self.balls) - asleep} balls do not rest")
        expect(math.isclose(esper.component_for_entity(self.climber, ec.Transform).y, 0.5, abs_tol=1e-6), "he sinks")
        return (
            f"the climber went up through {len(self.shelves)} shelves and down again; of {len(self.balls)} balls "
            f"{len(on_slab)} lie on the slab, {len(on_hill)} on the hill, and all rest"
        )


DEMO = OneWay
