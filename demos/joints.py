"""Every kind of joint at work, each under its name."""

from __future__ import annotations

from math import cos, hypot, sin

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Paint, View, expect

COLUMNS = -6.0, -2.0, 2.0, 6.0
TOP, BOTTOM = 2.6, -1.4
"""Heights of the anchors of the two rows [m]."""
MILL_SPEED = 2.0
"""Speed of the motor of the pin [rad/s]."""
SOFT = 18.0
"""Frequency of the soft welds [1/s]."""
STROKE = 0.8
"""Travel of the slider to each side [m], and its speed [m/s]."""
ROUND = 1.2
"""Time of the target for a radian [s]."""


def label(x: float, y: float, text: str) -> None:
    """Create a text."""
    esper.create_entity(ec.Transform(x, y), Paint((0, 0, 0), label=text))


def body(shape: ec.Shape, x: float, y: float, gravity_scale: float = 1.0) -> int:
    """Create a body that collides with no other."""
    moves = ec.Velocity(), ec.RigidBody(gravity_scale=gravity_scale)
    return esper.create_entity(ec.Transform(x, y), ec.Collider(shape, mask=0), *moves)


class Joints(Demo):
    """The demo of joints."""

    view = View(-8.2, -4.4, 8.2, 4.4)
    frames = 480

    def setup(self) -> None:
        ec.install(gravity=(0.0, -9.81), sleeping=False)
        names = ("RevoluteJoint with a motor", "WeldJoint: rigid, soft", "DistanceJoint: rod, rope, spring")
        for x, text in zip(COLUMNS, (*names, "PrismaticJoint with a motor"), strict=True):
            label(x, 3.8, text)
        for x, text in zip(COLUMNS, ("WheelJoint: spring and motor", "TargetJoint", "FrictionJoint"), strict=False):
            label(x, -0.2, text)
        label(COLUMNS[3], -0.2, "RevoluteJoint with limits")
        self._turning()
        self._sliding()
        self._pulling()

    def _turning(self) -> None:
        mill = body(ec.Box(2.4, 0.2), COLUMNS[0], TOP - 0.6)
        self.mill = ec.RevoluteJoint(mill, point=(COLUMNS[0], TOP - 0.6), motor_speed=MILL_SPEED, max_motor_torque=50.0)
        esper.create_entity(self.mill)
        self.welds = []
        for y, hertz in ((TOP, 0.0), (TOP - 1.2, SOFT)):
            boards = [body(ec.Box(0.5, 0.15), COLUMNS[1] - 1.0 + 0.5 * k, y) for k in range(5)]
            for k, board in enumerate(boards):
                before = boards[k - 1] if k else None
                point = (COLUMNS[1] - 1.25 + 0.5 * k, y)
                damping = 0.1 if hertz > 0.0 else 1.0
                esper.create_entity(ec.WeldJoint(board, before, point=point, hertz=hertz, damping_ratio=damping))
            self.welds.append(boards[-1])
        flap = body(ec.Box(1.6, 0.2), COLUMNS[3] + 0.8, BOTTOM)
        self.flap = ec.RevoluteJoint(flap, point=(COLUMNS[3], BOTTOM), lower=-0.9, upper=0.9)
        esper.create_entity(self.flap)

    def _sliding(self) -> None:
        cart = body(ec.Box(0.8, 0.4), COLUMNS[3], TOP - 0.6)
        self.slider = ec.PrismaticJoint(
            cart, axis=(1.0, 0.0), lower=-STROKE, upper=STROKE, motor_speed=STROKE, max_motor_force=200.0
        )
        esper.create_entity(self.slider)
        post = esper.create_entity(ec.Transform(COLUMNS[0], BOTTOM), ec.Collider(ec.Box(1.2, 0.2), mask=0))
        wheel = body(ec.Circle(0.5), COLUMNS[0], BOTTOM - 1.2)
        self.wheel = ec.WheelJoint(post, wheel, hertz=1.2, damping_ratio=0.05, motor_speed=-6.0, max_motor_torque=5.0)
        esper.create_entity(self.wheel)

    def _pulling(self) -> None:
        x, y = COLUMNS[2], TOP + 0.6
        on_rod, on_rope, on_spring = (
            body(ec.Circle(0.25), *at) for at in ((x - 2.2, y), (x - 0.2, y), (x + 1.4, y - 1.8))
        )
        self.rod = ec.DistanceJoint(on_rod, anchor_b=(x - 1.0, y), length=1.2)
        self.rope = ec.DistanceJoint(on_rope, anchor_b=(x + 0.4, y), max_length=1.5)
        spring = ec.DistanceJoint(on_spring, anchor_b=(x + 1.4, y), length=1.2, hertz=1.0, damping_ratio=0.0)
        held = body(ec.Box(0.6, 0.4), COLUMNS[1], BOTTOM - 1.0)
        self.target = ec.TargetJoint(held, (COLUMNS[1] + 1.0, BOTTOM - 1.0), anchor_a=(0.2, 0.0), hertz=4.0)
        self.sled = body(ec.Box(0.6, 0.4), COLUMNS[2] - 1.4, BOTTOM - 1.0, gravity_scale=0.0)
        ground = ec.FrictionJoint(self.sled, max_force=0.6, max_torque=0.05)
        for joint in (self.rod, self.rope, spring, self.target, ground):
            esper.create_entity(joint)

    def script(self, frame: int) -> None:
        if abs(self.slider.translation) > STROKE - 0.05:
            self.slider.motor_speed = -STROKE if self.slider.translation > 0.0 else STROKE
        angle = frame * DT / ROUND
        self.target.target = COLUMNS[1] + cos(angle), BOTTOM - 1.0 + 0.7 * sin(angle)
        if frame % 160 == 20:  # push it to alternating sides
            velocity = esper.component_for_entity(self.sled, ec.Velocity)
            velocity.linear, velocity.angular = ((2.6, 0.0) if frame % 320 == 20 else (-2.6, 0.0)), 3.0

    def check(self) -> str:
        soft = TOP - 1.2
        rigid_tip, soft_tip = (esper.component_for_entity(board, ec.Transform).y for board in self.welds)
        held = esper.component_for_entity(self.target.a, ec.Transform)
        late = hypot(held.x - self.target.target_x, held.y - self.target.target_y)
        speed = abs(esper.component_for_entity(self.mill.a, ec.Velocity).angular)
        sled = esper.component_for_entity(self.sled, ec.Velocity)
        expect(abs(speed - MILL_SPEED) < 1e-6, f"the motor turns at {speed} rad/s")
        expect(abs(rigid_tip - TOP) < 1e-3, f"the rigid weld sags by {TOP - rigid_tip:.4f} m")
        expect(0.01 < soft - soft_tip < 1.0, f"the soft weld sags by {soft - soft_tip:.4f} m")
        expect(abs(self.rod.length - 1.2) < 1e-4, f"the rod is {self.rod.length} m long")
        expect(self.rope.length < 1.5 + 1e-4, f"the rope is {self.rope.length} m long")
        expect(abs(self.slider.translation) < STROKE + 1e-4, f"the slider is at {self.slider.translation} m")
        expect(abs(self.flap.angle) < 0.9 + 1e-4, f"the flap is at {self.flap.angle} rad")
        expect(late < 0.6, f"what is held is {late:.2f} m from its target")
        expect(sled.linear == (0.0, 0.0) or hypot(*sled.linear) < 2.6, "friction brakes nothing")
        lengths = f"rod {self.rod.length:.5f} m, rope {self.rope.length:.5f} m"
        return f"motor {speed:.3f} rad/s, {lengths}, soft welds {100.0 * (soft - soft_tip):.0f} cm down"


DEMO = Joints
