"""A car with springs and a motor for each wheel drives over hills and loose boards; in a window you drive it."""

from __future__ import annotations

from itertools import pairwise
from math import cos, sin

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Keys, Paint, View, expect

STEP = 0.5
"""Distance between two points of the ground [m]."""
START, GOAL = -11.0, 8.0
TOP_SPEED = 14.0
"""Greatest speed of the wheels [rad/s]."""
TORQUE = 8.0
"""Torque of each motor [N m]."""
WHEEL = 0.42
HULL = [(-1.1, -0.25), (1.1, -0.25), (1.15, 0.05), (0.5, 0.15), (0.2, 0.5), (-0.7, 0.5), (-1.1, 0.15)]
RED, RUBBER, EARTH, WOOD = (214, 84, 76), (60, 62, 70), (88, 104, 78), (196, 150, 96)


def add_car(x: float, y: float) -> tuple[int, dict[int, ec.WheelJoint]]:
    """Create a car whose middle is at (x, y) [m]; return its body, and its wheels with their joints."""
    car = esper.create_entity(ec.Transform(x, y), ec.Velocity(), ec.Collider(ec.Polygon(HULL), friction=0.4))
    axles = {}
    for along in (-0.75, 0.75):
        tyre = ec.Collider(ec.Circle(WHEEL), friction=1.2)
        wheel = esper.create_entity(ec.Transform(x + along, y - 0.4), ec.Velocity(), tyre)
        axle = ec.WheelJoint(
            car,
            wheel,
            anchor_a=(along, -0.4),
            anchor_b=(0.0, 0.0),
            hertz=4.0,  # a soft spring along the axis, which is upright
            damping_ratio=0.6,
            lower=-0.25,
            upper=0.25,
            max_motor_torque=TORQUE,
        )
        esper.create_entity(axle)
        axles[wheel] = axle
    return car, axles


def drive(axles: dict[int, ec.WheelJoint], throttle: float) -> None:
    """Set the speed of the motors, from -1 backwards to 1 forwards; 0 brakes."""
    for axle in axles.values():
        axle.motor_speed = -TOP_SPEED * throttle


def height(x: float) -> float:
    """Return the height of the ground: flat at the start, hilly farther on [m]."""
    rise = min(max((x - START - 2.0) / 4.0, 0.0), 1.0)
    return rise * (0.55 * sin(0.9 * x) + 0.25 * sin(2.3 * x + 1.0))


class Car(Demo):
    """The demo of a car."""

    view = View(-13.0, -2.4, 13.0, 5.0)
    frames = 600
    keys_help = "drive with the arrow keys"

    def setup(self) -> None:
        ec.install(gravity=(0.0, -9.81))
        points = [(START - 4.0 + STEP * k, height(START - 4.0 + STEP * k)) for k in range(61)]
        for (x, y), (u, v) in pairwise(points):
            stretch = ec.Polygon([(x, -4.0), (u, -4.0), (u, v), (x, y)])
            esper.create_entity(ec.Transform(), ec.Collider(stretch, friction=0.9), Paint(EARTH))
        for k in range(6):
            x = 4.0 + 0.2 * k
            board = ec.Collider(ec.Box(0.7, 0.08), density=0.3, friction=0.6)
            esper.create_entity(ec.Transform(x, height(x) + 0.6 + 0.15 * k), ec.Velocity(), board, Paint(WOOD))
        self.car, self.axles = add_car(START, 1.0)
        esper.add_component(self.car, Paint(RED))
        for wheel in self.axles:
            esper.add_component(wheel, Paint(RUBBER))
        self.chassis = esper.component_for_entity(self.car, ec.Transform)
        self.most_off = 0.0

    def script(self, frame: int) -> None:
        drive(self.axles, 1.0 if frame > 30 and self.chassis.x < GOAL - 1.0 else 0.0)
        self._measure()

    def steer(self, keys: Keys) -> None:
        drive(self.axles, keys.walk)
        self._measure()

    def _measure(self) -> None:
        """Record the distance of a wheel from its axle [m]."""
        c, s = cos(self.chassis.angle), sin(self.chassis.angle)
        for wheel, axle in self.axles.items():
            assert axle.anchor_a is not None
            place = esper.component_for_entity(wheel, ec.Transform)
            x, y = place.x - self.chassis.x, place.y - self.chassis.y
            self.most_off = max(self.most_off, abs(c * x + s * y - axle.anchor_a[0]))

    def note(self) -> str:
        return f"{self.chassis.x - START:.1f} m driven"

    def check(self) -> str:
        expect(abs(self.chassis.x - GOAL) < 2.5, f"the car is at x = {self.chassis.x:.1f} m")
        expect(abs(self.chassis.angle) < 0.8, f"the car is turned by {self.chassis.angle:.2f} rad")
        expect(self.most_off < 2e-3, f"a wheel was {1000.0 * self.most_off:.2f} mm beside its axle")
        off = 1000.0 * self.most_off
        return f"{self.chassis.x - START:.1f} m driven; no wheel was more than {off:.2g} mm beside its axle"


DEMO = Car
