"""A fighter in a crowd swings a sword: a sector that turns about the fighter and marks the foes that it sweeps over.

The sword is a kinematic sensor, which exists only during a swing. `sensor_enter` reports the foes that are hit. In
every step `ecs_collide.algorithms.sector_circle_distance`, which is independent of the engine, is applied to the crowd
as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.algorithms import sector_circle_distance
from ecs_collide.demos.scene import Colour, Demo, Paint, View, expect

REACH, HALF_ANGLE = 3.4, math.radians(16.0)
SWING_ANGLE, SWING_SPEED = math.radians(220.0), math.radians(520.0)
SWING_FRAMES = round(60.0 * SWING_ANGLE / SWING_SPEED)
SWING_STARTS = (100, 190, 280, 370)
"""Frames before which a swing begins."""
COUNT = 72
WALK_SPEED, KNOCK_SPEED = 1.1, 9.0
UNHURT: Colour = (112, 124, 148)
WOUNDS: tuple[Colour, ...] = ((240, 196, 88), (240, 140, 72), (228, 84, 76), (176, 56, 88))
FLASH: Colour = (255, 255, 255)
FLASH_FRAMES = 6
DOUBT = 1e-6
"""Distance of circles from the sword's edge up to which the results are not compared [m]."""


@dataclass
class Foe:
    """A member of the crowd."""

    radius: float
    hits: int = 0
    flash: int = 0
    """Frames for which it stays white."""


class Advance(esper.Processor):
    """The system that accelerates foes towards the fighter at the origin; runs before the physics."""

    def process(self, dt: float) -> None:
        for _, (foe, place, velocity, paint) in esper.get_components(Foe, ec.Transform, ec.Velocity, Paint):
            distance = math.hypot(place.x, place.y)
            share = min(1.0, 3.0 * dt)
            velocity.x += share * (-WALK_SPEED * place.x / distance - velocity.x)
            velocity.y += share * (-WALK_SPEED * place.y / distance - velocity.y)
            foe.flash = max(0, foe.flash - 1)
            if foe.hits:
                paint.colour = FLASH if foe.flash else WOUNDS[min(foe.hits, len(WOUNDS)) - 1]


@dataclass
class Sword:
    """Rotation of the entity about the origin, where its apex is [rad/s]."""

    angular: float


class Swing(esper.Processor):
    """The system that moves the sword.

    The velocity of a body is that of its centre of mass, which must follow the rotation about the apex.
    """

    def process(self, dt: float) -> None:
        for _, (sword, place, velocity, collider) in esper.get_components(
            Sword, ec.Transform, ec.Velocity, ec.Collider
        ):
            distance, _ = collider.shape.mass_properties().centroid
            after = place.angle + sword.angular * dt
            velocity.x = distance * (math.cos(after) - math.cos(place.angle)) / dt
            velocity.y = distance * (math.sin(after) - math.sin(place.angle)) / dt
            velocity.angular = sword.angular


class Sectors(Demo):
    """The demo of sectors."""

    view = View(-9.6, -5.4, 9.6, 5.4)
    frames = 450

    def setup(self) -> None:
        ec.install()  # seen from above: no gravity
        esper.add_processor(Advance(), priority=100)
        esper.add_processor(Swing(), priority=100)
        ec.on("sensor_enter", self.on_enter)
        ec.on("sensor_exit", self.on_exit)
        self.sword: int | None = None
        self.under: set[int] = set()
        """Foes under the sword, according to the events."""
        self.hits = self.compared = 0
        self.disagreements: list[str] = []
        self.seen: dict[int, float] = {}
        """Distance of each foe from the sword before the step, negative if it was under it [m]."""
        generator = np.random.default_rng(7)
        for k in range(COUNT):
            direction, distance = k * 2.399963, 4.6 + 0.075 * k  # the golden angle, as in a sunflower
            self._foe(direction, distance, float(generator.uniform(0.26, 0.46)))
        esper.create_entity(ec.Transform(), ec.Collider(ec.Circle(0.55)), Paint((104, 188, 228)))

    def _foe(self, direction: float, distance: float, radius: float) -> None:
        esper.create_entity(
            ec.Transform(distance * math.cos(direction), 0.62 * distance * math.sin(direction)),
            ec.Velocity(),
            ec.Collider(ec.Circle(radius), friction=0.1),
            ec.RigidBody(lock_rotation=True),
            Foe(radius),
            Paint(UNHURT),
        )

    def on_enter(self, sensor: int, entity: int) -> None:
        foe = esper.try_component(entity, Foe)
        if sensor != self.sword or foe is None:
            return
        self.under.add(entity)
        self.hits += 1
        foe.hits += 1
        foe.flash = FLASH_FRAMES
        place = esper.component_for_entity(entity, ec.Transform)
        velocity = esper.component_for_entity(entity, ec.Velocity)
        distance = math.hypot(place.x, place.y)
        velocity.linear = (KNOCK_SPEED * place.x / distance, KNOCK_SPEED * place.y / distance)

    def on_exit(self, sensor: int, entity: int) -> None:
        self.under.discard(entity)

    def script(self, frame: int) -> None:
        self._compare()
        for number, start in enumerate(SWING_STARTS):
            if frame == start:
                self._draw_sword(turn=1 if number % 2 == 0 else -1, middle=number * 0.5 * math.pi)
            if frame == start + SWING_FRAMES and self.sword is not None:
                esper.delete_entity(self.sword)
                self.sword = None
        self._look()

    def _draw_sword(self, turn: int, middle: float) -> None:
        self.sword = esper.create_entity(
            ec.Transform(0.0, 0.0, middle - 0.5 * turn * SWING_ANGLE),
            ec.Velocity(),
            ec.Collider(ec.Sector(REACH, HALF_ANGLE), sensor=True),
            ec.RigidBody(ec.BodyKind.KINEMATIC),
            Sword(turn * SWING_SPEED),
            Paint((224, 232, 240)),
        )

    def _look(self) -> None:
        """Compute before the step which foes are under the sword."""
        self.seen = {}
        if self.sword is None:
            return
        foes = esper.get_components(Foe, ec.Transform)
        x, y, radius = np.array([(place.x, place.y, foe.radius) for _, (foe, place) in foes]).T
        direction = esper.component_for_entity(self.sword, ec.Transform).angle
        distances = sector_circle_distance(x, y, radius, 0.0, 0.0, REACH, HALF_ANGLE, direction)
        self.seen = dict(zip((entity for entity, _ in foes), distances.tolist(), strict=True))

    def _compare(self) -> None:
        """Compare the result before the step with the events of the step."""
        for entity, distance in self.seen.items():
            self.compared += abs(distance) > DOUBT
            if abs(distance) > DOUBT and (distance < 0.0) != (entity in self.under):
                self.disagreements.append(f"foe {entity} at {1000.0 * distance:.3f} mm")

    def check(self) -> str:
        self._compare()
        foes = [foe for _, foe in esper.get_component(Foe)]
        hurt = sum(foe.hits > 0 for foe in foes)
        expect(not self.disagreements, f"events and sector_circle_distance disagree: {self.disagreements[:5]}")
        expect(hurt >= 30, f"the sword hit only {hurt} of {len(foes)} foes")
        expect(not self.under, f"the sword is gone, but still over {len(self.under)} foes")
        return (
            f"{len(SWING_STARTS)} swings made {self.hits} hits on {hurt} of {len(foes)} foes; "
            f"sector_circle_distance agreed in all {self.compared} comparisons"
        )


DEMO = Sectors
