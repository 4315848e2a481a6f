"""A ball with fifty times a plank's mass rolls over a bridge of planks, which keeps its shape."""

from __future__ import annotations

from itertools import pairwise

import esper

import ecs_collide as ec
from ecs_collide.demos.joint_gap import gap
from ecs_collide.demos.scene import Demo, Paint, View, expect

PLANKS, LENGTH, THICK = 24, 0.4, 0.12
SPAN = 9.5
"""Width of the gorge [m]; the bridge is 1 % longer."""
RADIUS = 0.55
RATIO = 50.0
"""Mass of the ball, in masses of a plank."""
SPEED = 6.0
"""Speed of the ball at the start [m/s]."""
WOOD, STONE = (196, 150, 96), (70, 76, 92)


class Bridge(Demo):
    """The demo of a bridge."""

    view = View(-8.0, -3.6, 8.0, 2.6)
    frames = 330

    def setup(self) -> None:
        ec.install(gravity=(0.0, -9.81))
        for side in (-1.0, 1.0):
            cliff = ec.Transform(side * (0.5 * SPAN + 3.0), -2.0)
            esper.create_entity(cliff, ec.Collider(ec.Box(6.0, 4.0), friction=0.8), Paint(STONE))
        stop = ec.Transform(7.7, 0.3)
        esper.create_entity(stop, ec.Collider(ec.Box(0.4, 0.6)), Paint(STONE))
        planks = [self._plank(k) for k in range(PLANKS)]
        end, start = (0.5 * LENGTH, 0.0), (-0.5 * LENGTH, 0.0)
        left = ec.RevoluteJoint(planks[0], anchor_a=start, anchor_b=(-0.5 * SPAN, -0.5 * THICK))
        right = ec.RevoluteJoint(planks[-1], anchor_a=end, anchor_b=(0.5 * SPAN, -0.5 * THICK))
        self.joints = [ec.RevoluteJoint(a, b, anchor_a=end, anchor_b=start) for a, b in pairwise(planks)]
        for joint in (left, right, *self.joints):
            esper.create_entity(joint)
        self.ball = ec.Transform(-7.2, RADIUS + 0.01)
        self.velocity = ec.Velocity(SPEED, 0.0, -SPEED / RADIUS)
        mass = RATIO * LENGTH * THICK
        esper.create_entity(
            self.ball,
            self.velocity,
            ec.Collider(ec.Circle(RADIUS), friction=0.9),
            ec.RigidBody(mass=mass),
            Paint((236, 112, 96)),
        )
        self.widest = 0.0

    def _plank(self, k: int) -> int:
        sag = 1.0 - (2.0 * (k + 0.5) / PLANKS - 1.0) ** 2
        place = ec.Transform(SPAN * ((k + 0.5) / PLANKS - 0.5), -0.5 * THICK - 0.55 * sag)
        return esper.create_entity(place, ec.Velocity(), ec.Collider(ec.Box(LENGTH, THICK), friction=0.8), Paint(WOOD))

    def script(self, frame: int) -> None:
        if frame > 30:  # the planks need time to settle
            self.widest = max(self.widest, max(map(gap, self.joints)))

    def note(self) -> str:
        return f"widest gap {1000.0 * self.widest:.2f} mm"

    def check(self) -> str:
        expect(self.ball.x > 0.5 * SPAN, f"the ball came to x = {self.ball.x:.2f} m")
        expect(self.widest < 5e-3, f"the bridge gaped by {1000.0 * self.widest:.2f} mm")
        return f"the ball is over; on its way no joint gaped by more than {1000.0 * self.widest:.2f} mm"


DEMO = Bridge
