"""A lever with two ratchets turns a gear, which hauls a crate over a pulley against a hand that yields."""

from __future__ import annotations

from math import pi, sin

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Paint, View, expect

HUB = (-4.0, -1.0)
"""Place of the driven wheel [m]."""
SMALL, LARGE = 0.6, 1.2
"""Radii of the wheels [m]."""
DRUM = 0.5
"""Radius of the drum on the large wheel, which winds the rope up [m]."""
TOOTH = 0.1
"""Angle between the teeth of both ratchets [rad]."""
SWING, PERIOD = 0.5, 1.5
"""Angle of the lever to each side [rad], and its period [s]."""
GRIP = 60.0
"""Greatest force of the hand [N]."""
CRATE, FRICTION = 20.0, 15.0
"""Mass of the crate [kg], and friction of the hinges of the wheels [N m]."""
STEEL, BRASS, WOOD = (126, 140, 160), (206, 168, 82), (196, 150, 96)


class Machine(Demo):
    """The demo of gears, ratchets, pulleys, motors to a pose and joints that yield."""

    view = View(-6.6, -3.6, 5.0, 4.2)
    frames = 720

    def setup(self) -> None:
        ec.install(gravity=(0.0, -9.81), sleeping=False)
        self.wheel = self._wheel(*HUB, SMALL, BRASS)
        self.drum = self._wheel(HUB[0] + SMALL + LARGE, HUB[1], LARGE, STEEL)
        self.lever = self._part(ec.Box(2.4, 0.12), HUB[0], HUB[1] + 1.0, 1.0, WOOD)
        esper.component_for_entity(self.lever, ec.Transform).angle = 0.5 * pi
        crate = self._part(ec.Box(1.0, 1.0), 2.6, -2.6, CRATE, WOOD)
        winch = ec.Collider(ec.Circle(DRUM), mask=0)
        esper.create_entity(ec.AttachedTo(self.drum), winch, Paint(BRASS))
        side = HUB[0] + SMALL + LARGE - DRUM  # the rope comes up on the left of the drum
        hold = esper.create_entity(ec.Transform(side, HUB[1]), ec.Collider(ec.Circle(0.05), mask=0), Paint(STEEL))
        self.motor = ec.MotorJoint(self.lever, max_force=0.0, max_torque=800.0)
        self.pawl = ec.RatchetJoint(self.lever, self.wheel, tooth=-TOOTH)
        self.stop = ec.RatchetJoint(self.wheel, tooth=-TOOTH)
        self.gear = ec.GearJoint(self.wheel, self.drum, ratio=-SMALL / LARGE)
        self.rope = ec.PulleyJoint(crate, hold, (2.6, 3.6), (side, 3.6))
        self.hand = ec.DistanceJoint(crate, anchor_b=(2.6, -3.2), max_force=GRIP)
        axle = ec.RevoluteJoint(self.lever, point=HUB)
        for joint in (axle, self.motor, self.pawl, self.stop, self.gear, self.rope, self.hand):
            esper.create_entity(joint)
        self.start = esper.component_for_entity(crate, ec.Transform).y
        self.crate, self.pull = crate, 0.0
        self.length: float | None = None

    def _part(self, shape: ec.Shape, x: float, y: float, mass: float, colour: tuple[int, int, int]) -> int:
        moves = ec.Velocity(), ec.RigidBody(mass=mass)
        return esper.create_entity(ec.Transform(x, y), ec.Collider(shape, mask=0), *moves, Paint(colour))

    def _wheel(self, x: float, y: float, radius: float, colour: tuple[int, int, int]) -> int:
        wheel = self._part(ec.Circle(radius), x, y, 4.0, colour)
        esper.create_entity(ec.RevoluteJoint(wheel, point=(x, y)))
        esper.create_entity(ec.FrictionJoint(wheel, max_torque=FRICTION))
        return wheel

    def script(self, frame: int) -> None:
        self.motor.target_angle = 0.5 * pi + SWING * sin(2.0 * pi * frame * DT / PERIOD)
        self.pull = max(self.pull, self.hand.force)
        if self.length is None:
            self.length = self.rope.rest_length
        else:
            self.rope.rest_length = self.length - DRUM * self._angle(self.drum)

    def _angle(self, body: int) -> float:
        return esper.component_for_entity(body, ec.Transform).angle

    def check(self) -> str:
        wheel, drum = self._angle(self.wheel), self._angle(self.drum)
        lifted = esper.component_for_entity(self.crate, ec.Transform).y - self.start
        expect(wheel < -2.0, f"the ratchets let the wheel turn by {wheel:.2f} rad only")
        expect(abs(drum + SMALL / LARGE * wheel) < 1e-3, f"the gear is off by {drum + SMALL / LARGE * wheel:.4f} rad")
        expect(self.rope.gap < 1e-2, f"the rope is {self.rope.gap:.4f} m too long")
        expect(self.pull <= GRIP * 1.000001, f"the hand pulls with {self.pull:.1f} N")
        expect(1.5 < lifted < 2.5, f"the crate is {lifted:.2f} m up")
        turns = f"wheel {-wheel:.2f} rad, drum {drum:.2f} rad"
        return f"{turns}, crate {lifted:.2f} m up, hand {self.pull:.1f} N, gear off by {self.gear.angle_gap:.1e} rad"


DEMO = Machine
