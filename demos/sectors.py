"""A fighter in a crowd swings a sword: a sector that turns about the fighter and marks whom it sweeps over.

The sword is a kinematic sensor, which exists only as long as a swing lasts. `sensor_enter` says who is hit. In every
step the crowd is also asked by `ecs_collide.algorithms.sector_circle_distance`, which knows nothing of the engine.
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
"""Whether circles this close to the sword's edge [m] touch it is not compared."""


@dataclass
class Foe:
    """One of the crowd."""

    radius: float
    hits: int = 0
    flash: int = 0
    """Frames for which it stays white."""


class Advance(esper.Processor):
    """Foes accelerate towards the fighter at the origin; runs before the physics."""

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
    """Turns its entity about the origin [rad/s], where its apex is."""

    angular: float


class Swing(esper.Processor):
    """A body's velocity is that of its centre of mass: it has to go where the turn about the apex takes it."""

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
        """Whom the sword is over, by the events."""
        self.hits = self.compared = 0
        self.disagreements: list[str] = []
        self.seen: dict[int, float] = {}
        """How far each foe was from the sword before the step [m], negative where it was under it."""
        generator = np.random.default_rng(7)
        for k in range(COUNT):
            direction, distance = k * 2.399963, 4.6 + 0.075 * k  # a sunflower's angle
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
        """Work out whom the sword is over as things stand before the step."""
        self.seen = {}
        if self.sword is None:
            return
        foes = esper.get_components(Foe, ec.Transform)
        x, y, radius = np.array([(place.x, place.y, foe.radius) for _, (foe, place) in foes]).T
        direction = esper.component_for_entity(self.sword, ec.Transform).angle
        distances = sector_circle_distance(x, y, radius, 0.0, 0.0, REACH, HALF_ANGLE, direction)
        self.seen = dict(zip((entity for entity, _ in foes), distances.tolist(), strict=True))

    def _compare(self) -> None:
        """Compare what was seen before the step with the events that came of it."""
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
