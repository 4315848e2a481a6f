"""A climber crosses a chasm on a grappling hook, which a ray finds a hold for, and which winds its rope in."""

from __future__ import annotations

from math import dist

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Keys, Paint, View, expect

REACH, SHORTEST, WINCH = 9.0, 2.0, 1.5
"""Greatest and least length of the rope [m], and speed of its winch [m/s]."""
SPEED, JUMP = 4.0, 5.0
"""Speeds of the climber on the ground and at a jump [m/s]."""
EDGE, GOAL = -6.0, 9.0
"""Places of the two sides of the chasm [m]."""
HOLDS = ((-2.5, 7.0, 3.0, 0.4), (2.5, 7.5, 3.0, 0.4), (7.5, 7.0, 3.0, 0.4))
STONE, WOOD, RED = (84, 92, 110), (150, 120, 84), (236, 112, 96)


def throw_hook(climber: int, target: tuple[float, float], reach: float) -> int | None:
    """Throw a hook from a body towards a point [m]; return its rope, or None if it hits nothing within reach [m]."""
    physics = ec.physics()
    x, y = physics.center_of_mass_of(climber)
    far = reach / (dist((x, y), target) or 1.0)
    end = (x + far * (target[0] - x), y + far * (target[1] - y))
    hit = physics.ray_cast((x, y), end, ignore=[climber])
    if hit is None:
        return None
    hold = physics.to_local(hit.entity, hit.point)  # on a body that moves, it goes with it
    length = reach * hit.fraction
    rope = ec.DistanceJoint(climber, hit.entity, anchor_b=hold, max_length=length, collide_connected=True)
    return esper.create_entity(rope)


def wind_in(rope: int, speed: float, dt: float) -> None:
    """Shorten a rope at a speed [m/s]; below 0 to pay it out."""
    joint = esper.component_for_entity(rope, ec.DistanceJoint)
    joint.max_length = max(SHORTEST, joint.max_length - speed * dt)


class Hook(Demo):
    """The demo of a grappling hook."""

    view = View(-11.0, -2.0, 18.0, 8.6)
    frames = 420
    keys_help = "arrows or A/D to walk, hold space to hang on the hook thrown to the mouse"

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -9.81))
        ground = ec.Box(20.0, 6.0)
        for x in (EDGE - 10.0, GOAL + 10.0):
            esper.create_entity(ec.Transform(x, -3.0), ec.Collider(ground), Paint(STONE))
        for x, y, width, height in HOLDS:
            esper.create_entity(ec.Transform(x, y), ec.Collider(ec.Box(width, height)), Paint(WOOD))
        self.climber = esper.create_entity(
            ec.Transform(-9.5, 0.6),
            ec.Velocity(),
            ec.Collider(ec.Capsule((0.0, -0.25), (0.0, 0.25), 0.3), friction=0.2),
            ec.RigidBody(lock_rotation=True),
            Paint(RED, trail=1.5),
        )
        self.place = esper.component_for_entity(self.climber, ec.Transform)
        self.velocity = esper.component_for_entity(self.climber, ec.Velocity)
        self.rope: int | None = None
        self.ropes = 0
        self.widest = 0.0

    def is_on_ground(self) -> bool:
        return self.physics.ground_of(self.climber) is not None

    def hang(self, target: tuple[float, float]) -> None:
        self.rope = throw_hook(self.climber, target, REACH)
        self.ropes += self.rope is not None

    def let_go(self) -> None:
        if self.rope is not None:
            esper.delete_entity(self.rope)
            self.rope = None

    def script(self, frame: int) -> None:
        x, y = self.place.position
        if self.rope is not None:
            joint = esper.component_for_entity(self.rope, ec.DistanceJoint)
            self.widest = max(self.widest, joint.gap)
            wind_in(self.rope, WINCH, DT)
            if self.velocity.x > 0.0 and self.velocity.y > 3.0:
                self.let_go()
        elif self.is_on_ground():
            self.velocity.x = SPEED if x < GOAL + 2.0 else 0.0
            if EDGE - 0.5 < x < EDGE:
                self.velocity.y = JUMP
        elif x < GOAL and self.velocity.y < 0.0:
            self.hang((x + 2.5, y + 5.0))

    def steer(self, keys: Keys) -> None:
        if self.is_on_ground():
            self.velocity.x = SPEED * keys.walk
        if keys.jump and self.rope is None and keys.pointer is not None:
            self.hang(keys.pointer)
        elif keys.jump and self.rope is not None:
            wind_in(self.rope, WINCH, DT)
        elif not keys.jump:
            self.let_go()

    def check(self) -> str:
        expect(
            self.place.x > GOAL and self.is_on_ground(), f"the climber is at ({self.place.x:.1f}, {self.place.y:.1f})"
        )
        expect(self.ropes == len(HOLDS), f"the climber threw {self.ropes} ropes")
        expect(self.widest < 0.005, f"a rope was {1000.0 * self.widest:.1f} mm too long")
        return f"{self.ropes} ropes over {GOAL - EDGE:.0f} m; none was more than {1000.0 * self.widest:.2g} mm too long"


DEMO = Hook
