"""Conveyors: boxes ride up a belt and along another, balls roll off and come to rest by rolling resistance."""

from __future__ import annotations

import math

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Paint, View, expect

GRAVITY = 9.81
SPEED, FRICTION = 2.0, 0.8
SLOPE = math.radians(20.0)
LOW: ec.Shape = ec.Capsule((-2.5, 0.0), (2.5, 0.0), 0.3)
RISING: ec.Shape = ec.Capsule((-2.2, 0.0), (2.2, 0.0), 0.3)
SIDE = 0.6
"""Side of a box [m]."""
EVERY, BOXES = 90, 4
"""Steps between two boxes, and number of boxes."""
TRACK = 0.15
"""Height of the track of the balls [m]."""
BALL, RESISTANCE = 0.25, (0.05, 0.03)
"""Radius [m], and rolling resistance of each of two balls."""
ROLLING = 2.0
"""Speed of the balls at the start [m/s]."""
BELT, BOX, BALL_COLOUR, STONE = (70, 96, 128), (214, 160, 92), (120, 200, 236), (84, 92, 110)


class Conveyor(Demo):
    """The demo of conveyors."""

    view = View(-8.0, -1.0, 10.6, 6.0)
    frames = 900

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -GRAVITY))
        esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane(), friction=FRICTION), Paint(STONE))
        high = 1.6 + 4.4 * math.sin(SLOPE)
        across = 2.2 * math.cos(SLOPE)
        self.belts = [
            self._belt(LOW, -4.7, 1.6, 0.0, 0.0),
            self._belt(RISING, -2.2 + across, 1.6 + 2.2 * math.sin(SLOPE), SLOPE, SPEED),
            self._belt(LOW, -2.2 + 2.0 * across + 2.5, high, 0.0, SPEED),
        ]
        self.boxes: list[int] = []
        self.arrived: list[int] = []
        """Step at which each box fell off the last belt."""
        bin_wall = ec.Box(0.2, 2.0)
        for x in (7.5, 10.0):
            esper.create_entity(ec.Transform(x, 1.0), ec.Collider(bin_wall), Paint(STONE))
        self.bin = esper.create_entity(ec.Transform(8.75, 0.8), ec.Collider(ec.Box(2.3, 1.6), sensor=True))
        self.balls = [
            esper.create_entity(
                ec.Transform(-7.0, BALL),
                ec.Velocity(ROLLING, 0.0, -ROLLING / BALL),
                ec.Collider(ec.Circle(BALL), friction=1.0, rolling_resistance=resistance, group=-1),
                Paint(BALL_COLOUR, trail=1.0),
            )
            for resistance in RESISTANCE
        ]
        ec.on("sensor_enter", self.on_arrival)

    def _belt(self, shape: ec.Shape, x: float, y: float, angle: float, speed: float) -> int:
        return esper.create_entity(
            ec.Transform(x, y, angle), ec.Collider(shape, friction=FRICTION, surface_speed=speed), Paint(BELT)
        )

    def on_arrival(self, sensor: int, entity: int) -> None:
        if entity in self.boxes:
            self.arrived.append(self.physics.statistics.steps)

    def script(self, frame: int) -> None:
        if frame % EVERY == 0 and len(self.boxes) < BOXES:
            self.boxes.append(
                esper.create_entity(
                    ec.Transform(-6.0, 1.9 + 0.5 * SIDE),
                    ec.Velocity(),
                    ec.Collider(ec.Box(SIDE, SIDE), friction=FRICTION),
                    Paint(BOX),
                )
            )
        if frame == 60:  # the first belt is switched on when a box sleeps on it
            expect(not self.physics.is_awake(self.boxes[0]), "the first box is awake on a belt that stands")
            esper.component_for_entity(self.belts[0], ec.Collider).surface_speed = SPEED

    def note(self) -> str:
        return f"boxes in the bin {len(self.arrived)} of {BOXES}"

    def check(self) -> str:
        expect(len(self.arrived) == BOXES, f"{len(self.arrived)} of {BOXES} boxes arrived")
        ways = [esper.component_for_entity(ball, ec.Transform).x + 7.0 for ball in self.balls]
        expected = [ROLLING**2 / (2.0 * 2.0 / 3.0 * resistance * GRAVITY) for resistance in RESISTANCE]
        off = max(abs(way / there - 1.0) for way, there in zip(ways, expected, strict=True))
        expect(off < 0.01, f"the balls rolled {ways} m, not {expected} m")
        awake = [entity for entity in (*self.balls, *self.boxes) if self.physics.is_awake(entity)]
        expect(not awake, f"{len(awake)} bodies do not rest")
        return (
            f"{BOXES} boxes in the bin, the last one after {self.arrived[-1] / 60.0:.1f} s; the balls rolled "
            f"{ways[0]:.2f} and {ways[1]:.2f} m, {100.0 * off:.1f} % off the law, and all rest"
        )


DEMO = Conveyor
