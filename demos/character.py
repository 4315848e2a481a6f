"""A character that the game moves itself, by move_and_slide: slopes, steps, a lift, and a wall too steep to climb.

Play it yourself in a window.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Keys, Paint, View, expect

RADIUS, HALF_HEIGHT = 0.35, 0.8
SPEED, JUMP_SPEED, GRAVITY = 5.0, 9.0, 25.0
STEP_HEIGHT = 0.35
SLOPE = math.atan2(2.0, 4.0)
LIFT_SPEED, LIFT_LOW, LIFT_HIGH = 1.5, 0.0, 3.8
START = (-9.0, HALF_HEIGHT)
GROUND: ec.Shape = ec.Polygon([(-12.0, -3.0), (22.0, -3.0), (22.0, 0.0), (-12.0, 0.0)])
HILL: ec.Shape = ec.Polygon([(-6.0, 0.0), (2.0, 0.0), (0.0, 2.0), (-2.0, 2.0)])
STAIRS: ec.Shape = ec.Compound([ec.Box(5.0 - k, 0.3, (4.5 + 0.5 * k, 0.15 + 0.3 * k)) for k in range(5)])
TOP: ec.Shape = ec.Polygon([(10.0, 3.6), (15.0, 3.6), (15.0, 4.0), (10.0, 4.0)])
CLIFF: ec.Shape = ec.Polygon([(13.0, 4.0), (15.0, 4.0), (15.0, 8.0)])
STONE = (84, 92, 110)


class Character(Demo):
    """The demo of a character."""

    view = View(-11.0, -2.0, 16.0, 8.5)
    frames = 540
    keys_help = "arrows or A/D to walk, space to jump"

    def setup(self) -> None:
        ec.install()
        self.parts = (GROUND, HILL, STAIRS, TOP, CLIFF)
        for part in self.parts:
            esper.create_entity(ec.Transform(), ec.Collider(part), Paint(STONE))
        kinematic = ec.BodyKind.KINEMATIC
        self.lift = esper.create_entity(
            ec.Transform(8.5, LIFT_LOW),
            ec.Velocity(),
            ec.RigidBody(kinematic),
            ec.Collider(ec.Box(2.4, 0.4)),
            Paint((92, 170, 220)),
        )
        self.shape = ec.Capsule((0.0, RADIUS - HALF_HEIGHT), (0.0, HALF_HEIGHT - RADIUS), RADIUS)
        self.player = esper.create_entity(
            ec.Transform(*START),
            ec.Velocity(),
            ec.RigidBody(kinematic),
            ec.Collider(self.shape),
            Paint((236, 112, 96), trail=1.5),
        )
        self.velocity = (0.0, 0.0)
        self.slide: ec.Slide | None = None
        self.deepest = 0.0
        """Greatest depth of the player in any static body [m]."""
        self.drift = 0.0
        """Greatest distance from its place on the slope [m]."""
        self.rode = 0.0
        """Height that it rode on the lift [m]."""
        self.plan = self._plan()

    def script(self, frame: int) -> None:
        self.steer(next(self.plan, Keys()))
        self._measure()

    def steer(self, keys: Keys) -> None:
        self._move_lift()
        x, y = keys.walk * SPEED, self.velocity[1] - GRAVITY * DT
        if keys.jump and self.slide is not None and self.slide.on_floor:
            y = JUMP_SPEED
        self.slide = ec.physics().move_and_slide(self.player, (x, y), DT, step_height=STEP_HEIGHT)
        self.velocity = self.slide.velocity

    def _move_lift(self) -> None:
        """Move the lift up and down while a character stands on it."""
        height = esper.component_for_entity(self.lift, ec.Transform).y
        is_used = self.slide is not None and self.slide.floor == self.lift
        speed = LIFT_SPEED if is_used else -LIFT_SPEED
        motion = esper.component_for_entity(self.lift, ec.Velocity)
        motion.y = max(min(speed, (LIFT_HIGH - height) / DT), (LIFT_LOW - height) / DT)

    def _measure(self) -> None:
        assert self.slide is not None
        x, y = self.slide.position
        gaps = (ec.distance(part, (0.0, 0.0, 0.0), self.shape, (x, y, 0.0)) for part in self.parts)
        self.deepest = max(self.deepest, -min(gaps))
        if self.slide.on_floor and -5.6 < x < -2.4:  # half way up the slope of the hill
            rise = RADIUS / math.cos(math.atan2(2.0, 4.0)) + HALF_HEIGHT - RADIUS
            self.drift = max(self.drift, abs(y - 0.5 * (x + 6.0) - rise))
        if self.slide.floor == self.lift:
            self.rode = max(self.rode, y - HALF_HEIGHT)

    def _plan(self) -> Iterator[Keys]:
        """Yield the inputs of the scripted player, one for each step."""
        me = esper.component_for_entity(self.player, ec.Transform)
        lift = esper.component_for_entity(self.lift, ec.Transform)
        while me.x < -4.0:
            yield Keys(1.0)
        for _ in range(30):  # stand on the slope
            yield Keys()
        while me.x < 6.0:  # over the hill and up the stairs
            yield Keys(1.0)
        yield Keys(1.0, jump=True)
        while me.x < 8.5:
            yield Keys(1.0)
        while lift.y < LIFT_HIGH - 1e-9:
            yield Keys()
        for _ in range(90):  # against the cliff
            yield Keys(1.0)

    def check(self) -> str:
        assert self.slide is not None
        x, y = self.slide.position
        expect(self.deepest < 1e-6, f"the player was {self.deepest:.2e} m in something")
        expect(self.drift < 1e-6, f"the player was {self.drift:.2e} m off the slope")
        expect(self.rode > 3.9, f"the lift took the player up by {self.rode:.2f} m only")
        expect(abs(y - 4.0 - HALF_HEIGHT) < 1e-6 and 12.0 < x < 13.0, f"the player is not at the cliff: {(x, y)}")
        return (
            f"over the hill, by {1e9 * self.drift:.1f} nm off its slope, up the stairs, {self.rode:.1f} m by lift; "
            f"in nothing by more than {1e9 * max(self.deepest, 0.0):.1f} nm"
        )


DEMO = Character
