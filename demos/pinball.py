"""A pinball table with flippers, bumpers and a gate, which plays itself; in a window you play."""

from __future__ import annotations

from math import cos, hypot, pi, sin

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Keys, Paint, View, expect

GRAVITY = 6.0
"""Pull down the slope of the table [m/s²]."""
LEFT, RIGHT, LANE, TOP = -4.5, 4.5, 3.6, 9.5
"""Walls, the wall of the plunger's lane, and the height at which the arch begins [m]."""
BALL, REACH, SWING = 0.27, 1.6, 0.5
"""Radius of the ball, length of a flipper [m], and its greatest angle to each side [rad]."""
ON_BALL = 2
"""Layer of the ball: flippers meet nothing else."""
BUMPERS = ((-2.3, 8.0), (1.4, 8.0), (-0.45, 10.4))
PLUNGER = (4.05, 1.3)
WALL, GOLD, RED, BLUE, SILVER = (92, 98, 112), (244, 208, 92), (236, 112, 96), (88, 176, 224), (210, 216, 226)


def add_flipper(x: float, y: float, side: int) -> ec.RevoluteJoint:
    """Create a flipper that turns about (x, y) [m] and points to the right (side 1) or to the left (-1)."""
    shape = ec.Capsule((0.0, 0.0), (side * REACH, 0.0), 0.18)
    collider = ec.Collider(shape, density=5.0, friction=0.6, mask=ON_BALL)
    flipper = esper.create_entity(ec.Transform(x, y, -side * SWING), ec.Velocity(), collider)
    joint = ec.RevoluteJoint(flipper, point=(x, y), lower=-SWING, upper=SWING, max_motor_torque=1500.0)
    esper.create_entity(joint)
    return joint


def press(joint: ec.RevoluteJoint, side: int, held: bool) -> None:
    """Swing a flipper up while its button is held down, and back."""
    joint.motor_speed = side * (18.0 if held else -9.0)


def add_gate(a: tuple[float, float], b: tuple[float, float]) -> int:
    """Create a gate from a to b [m] that lets a ball pass to the left of the way from a to b, and not back."""
    x, y = b[0] - a[0], b[1] - a[1]
    return esper.create_entity(ec.Transform(), ec.Collider(ec.Capsule(a, b, 0.05), one_way=(-y, x)))


class Pinball(Demo):
    """The demo of pinball."""

    view = View(-9.0, -0.3, 9.0, 14.3)
    frames = 1800
    steps_per_picture = 4
    keys_help = "left and right arrow for the flippers"

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -GRAVITY))
        arch = [(RIGHT * cos(pi * k / 40), TOP + RIGHT * sin(pi * k / 40)) for k in range(41)]
        lines = (
            [(RIGHT, 0.0), *arch, (LEFT, 0.0)], [(LANE, 0.0), (LANE, TOP)], [(LANE, 1.0), (RIGHT, 1.0)],
            [(LEFT, 4.0), (-2.65, 2.7)], [(LANE, 4.0), (1.75, 2.7)],
        )  # fmt: skip
        for points in lines:
            wall = ec.Collider(ec.Chain(points), friction=0.2, restitution=0.3)
            esper.create_entity(ec.Transform(), wall, Paint(WALL))
        esper.add_component(add_gate((LANE, TOP), (RIGHT, 10.6)), Paint(BLUE))
        self.bumpers = [
            esper.create_entity(ec.Transform(x, y), ec.Collider(ec.Circle(0.7), restitution=1.3), Paint(GOLD))
            for x, y in BUMPERS
        ]
        for side, x in ((1, -3.4), (-1, 2.5)):
            sling = ec.Polygon([(0.0, 5.9), (0.0, 4.6), (side * 1.0, 3.9)])
            esper.create_entity(ec.Transform(x, 0.0), ec.Collider(sling, restitution=1.1), Paint(RED))
        self.flippers = {1: add_flipper(-2.65, 2.5, 1), -1: add_flipper(1.75, 2.5, -1)}
        for joint in self.flippers.values():
            esper.add_component(joint.a, Paint(RED))
        self.drain = esper.create_entity(ec.Transform(-0.45, 0.3), ec.Collider(ec.Box(8.0, 0.6), sensor=True))
        self.ball = esper.create_entity(
            ec.Transform(*PLUNGER),
            ec.Velocity(),
            ec.Collider(ec.Circle(BALL), friction=0.2, restitution=0.3, layer=ON_BALL),
            ec.RigidBody(max_speed=25.0, can_sleep=False),
            Paint(SILVER, trail=0.4),
        )
        self.place = esper.component_for_entity(self.ball, ec.Transform)
        self.velocity = esper.component_for_entity(self.ball, ec.Velocity)
        self.score = self.drained = 0
        self.farthest = 0.0
        ec.on("collision_start", self.on_hit)
        ec.on("sensor_enter", self.on_drain)

    def on_hit(self, contact: ec.Contact) -> None:
        self.score += 100 * (not {contact.entity_a, contact.entity_b}.isdisjoint(self.bumpers))

    def on_drain(self, sensor: int, entity: int) -> None:
        self.drained += 1
        self.place.position, self.velocity.linear = PLUNGER, (0.0, 0.0)

    def serve(self) -> None:
        """Shoot a ball that lies on the plunger."""
        if self.place.x > LANE and self.place.y < 1.4 and abs(self.velocity.y) < 0.1:
            self.velocity.y = 12.2 + 0.7 * (self.drained % 4)

    def play(self, held: dict[int, bool]) -> None:
        for side, joint in self.flippers.items():
            press(joint, side, held[side])

    def script(self, frame: int) -> None:
        self.serve()
        x, y = self.place.position
        near = {1: x + 2.65, -1: 1.75 - x}
        self.play({side: 0.3 < near[side] < 1.9 and -0.4 < y - 2.5 + 0.5 * near[side] < 0.8 for side in near})
        over = max(LEFT - x, x - RIGHT, hypot(x, max(y - TOP, 0.0)) - RIGHT)
        self.farthest = max(self.farthest, over + BALL)

    def steer(self, keys: Keys) -> None:
        self.serve()
        self.play({1: keys.walk < 0.0 or keys.jump, -1: keys.walk > 0.0 or keys.jump})

    def note(self) -> str:
        return f"score {self.score}    balls lost {self.drained}"

    def check(self) -> str:
        expect(self.score >= 1000, f"the bumpers were hit {self.score // 100} times")
        expect(self.drained > 0, "no ball was lost")
        expect(self.farthest < 0.5 * BALL, f"the ball was {1000.0 * self.farthest:.0f} mm in the wall")
        return f"{self.score} points and {self.drained} balls lost in half a minute"


DEMO = Pinball
