"""A character moved by move_and_slide, with another on its head: a scale, a slope, stairs, a lift, and a crate to push.

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
MASS, PLANK_MASS, SCALE_HERTZ = 80.0, 20.0, 2.5
SCALE_DAMPING = math.sqrt((MASS + PLANK_MASS) / PLANK_MASS)
"""Damping ratio of the scale, critical with the character on it."""
PLANK_Y, PLANK_HEIGHT = 0.9, 0.2
START = (-9.0, PLANK_Y + 0.5 * PLANK_HEIGHT + HALF_HEIGHT)
RIDER_SIZE = 0.5
GROUND: ec.Shape = ec.Polygon([(-12.0, -3.0), (22.0, -3.0), (22.0, 0.0), (-12.0, 0.0)])
HILL: ec.Shape = ec.Polygon([(-6.0, 0.0), (2.0, 0.0), (0.0, 2.0), (-2.0, 2.0)])
STAIRS: ec.Shape = ec.Compound([ec.Box(5.0 - k, 0.3, (4.5 + 0.5 * k, 0.15 + 0.3 * k)) for k in range(5)])
TOP: ec.Shape = ec.Polygon([(10.0, 3.6), (15.0, 3.6), (15.0, 4.0), (10.0, 4.0)])
CLIFF: ec.Shape = ec.Polygon([(13.0, 4.0), (15.0, 4.0), (15.0, 8.0)])
STONE = (84, 92, 110)
WOOD = (206, 158, 98)


class Character(Demo):
    """The demo of a character."""

    view = View(-11.0, -2.0, 16.0, 8.5)
    frames = 640
    keys_help = "arrows or A/D to walk, space to jump"

    def setup(self) -> None:
        ec.install(gravity=(0.0, -GRAVITY))
        self.parts = (GROUND, HILL, STAIRS, TOP, CLIFF)
        for part in self.parts:
            esper.create_entity(ec.Transform(), ec.Collider(part), Paint(STONE))
        kinematic = ec.BodyKind.KINEMATIC
        self.lift = esper.create_entity(
            ec.Transform(8.5, LIFT_LOW),
            ec.Velocity(),
            ec.RigidBody(kinematic),
            ec.Collider(ec.Box(2.4, 0.4)),
            Paint((92, 170, 220), label="lift"),
        )
        self.plank = self._make_scale()
        self.crate = esper.create_entity(
            ec.Transform(11.6, 4.3),
            ec.Velocity(),
            ec.RigidBody(mass=20.0),
            ec.Collider(ec.Box(0.6, 0.6), friction=0.5),
            Paint(WOOD, label="crate"),
        )
        self.shape = ec.Capsule((0.0, RADIUS - HALF_HEIGHT), (0.0, HALF_HEIGHT - RADIUS), RADIUS)
        self.player = esper.create_entity(
            ec.Transform(*START),
            ec.Velocity(),
            ec.RigidBody(kinematic),
            ec.Collider(self.shape),
            Paint((236, 112, 96), trail=1.5),
        )
        self.rider = esper.create_entity(
            ec.Transform(START[0], START[1] + HALF_HEIGHT + 0.5 * RIDER_SIZE),
            ec.Velocity(),
            ec.RigidBody(kinematic),
            ec.Collider(ec.Box(RIDER_SIZE, RIDER_SIZE)),
            Paint((244, 208, 92)),
        )
        self.velocity = self.rider_velocity = (0.0, 0.0)
        self.slide: ec.Slide | None = None
        self.deepest = 0.0
        """Greatest depth of the player in any static body [m]."""
        self.drift = 0.0
        """Greatest distance from its place on the slope [m]."""
        self.rode = 0.0
        """Height that it rode on the lift [m]."""
        self.sank = 0.0
        """Way by which the scale sank under the two [m]."""
        self.plan = self._plan()

    def _make_scale(self) -> int:
        """Make a plank on a spring and return it."""
        plank = esper.create_entity(
            ec.Transform(START[0], PLANK_Y),
            ec.Velocity(),
            ec.RigidBody(mass=PLANK_MASS),
            ec.Collider(ec.Box(2.0, PLANK_HEIGHT)),
            Paint(WOOD, label="scale"),
        )
        esper.create_entity(ec.PrismaticJoint(plank, axis=(0.0, 1.0), hertz=SCALE_HERTZ, damping_ratio=SCALE_DAMPING))
        return plank

    def script(self, frame: int) -> None:
        self.steer(next(self.plan, Keys()))
        self._measure()

    def steer(self, keys: Keys) -> None:
        self._move_lift()
        x, y = keys.walk * SPEED, self.velocity[1] - GRAVITY * DT
        if keys.jump and self.slide is not None and self.slide.on_floor:
            y = JUMP_SPEED
        self.slide = ec.physics().move_and_slide(self.player, (x, y), DT, step_height=STEP_HEIGHT, mass=MASS)
        self.velocity = self.slide.velocity
        down = (0.0, self.rider_velocity[1] - GRAVITY * DT)
        self.rider_slide = ec.physics().move_and_slide(self.rider, down, DT)
        self.rider_velocity = self.rider_slide.velocity

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
        for _ in range(90):  # stand on the scale
            yield Keys()
        self.sank = PLANK_Y - esper.component_for_entity(self.plank, ec.Transform).y
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
        for _ in range(100):  # push the crate against the cliff
            yield Keys(1.0)

    def check(self) -> str:
        assert self.slide is not None
        x, y = self.slide.position
        expect(self.deepest < 1e-6, f"the player was {self.deepest:.2e} m in something")
        expect(self.drift < 1e-6, f"the player was {self.drift:.2e} m off the slope")
        expect(self.rode > 3.9, f"the lift took the player up by {self.rode:.2f} m only")
        load = (MASS + PLANK_MASS) / PLANK_MASS * GRAVITY / (2.0 * math.pi * SCALE_HERTZ) ** 2
        expect(abs(self.sank - load) < 0.02, f"the scale sank by {self.sank:.3f} m, not by {load:.3f} m")
        crate = esper.component_for_entity(self.crate, ec.Transform)
        rider = esper.component_for_entity(self.rider, ec.Transform)
        expect(crate.x > 12.5, f"the crate was pushed to {crate.x:.2f} only")
        expect(abs(y - 4.0 - HALF_HEIGHT) < 1e-6 and 11.8 < x < 13.0, f"the player is not at the crate: {(x, y)}")
        expect(self.rider_slide.floor == self.player, f"the rider stands on {self.rider_slide.floor}")
        expect(abs(rider.x - x) < 1e-6, f"the rider slipped by {abs(rider.x - x):.2e} m")
        return (
            f"the scale sank {self.sank:.2f} m; over the hill, by {1e9 * self.drift:.1f} nm off its slope, "
            f"up the stairs, {self.rode:.1f} m by lift with a rider; "
            f"in nothing by more than {1e9 * max(self.deepest, 0.0):.1f} nm"
        )


DEMO = Character
