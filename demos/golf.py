"""A ball runs along semi- and quarter-circle banks into the hole of a mini-golf course, seen from above.

The course is cut out of three arc polygons. The block around it and the bend behind the hole are one compound. The
third one is the island in the upper half. Nothing steers the ball: the banks turn it by 180°, 90° and 90°. A bank does
not slow it, but the grass does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Paint, View, expect

QUARTER = math.tan(math.pi / 8.0)
"""Bulge of a quarter circle; that of a half circle is 1."""
RADIUS = 0.12
PUTT_SPEED = 4.0
GRASS = 0.09
"""Damping of the ball on the grass [1/s]."""
SLOP = 0.005
"""Overlap that the engine counts as touching [m]."""
TEE = (-0.6, RADIUS)
HOLE, HOLE_RADIUS = (1.8, -2.15), 0.22
CUP_PULL, CUP_DAMPING = 60.0, 7.0
"""Pull of the cup's slope to its middle [1/s²], and damping on its bottom [1/s]."""
WOOD, GREEN = (128, 92, 60), (52, 120, 76)


class Bank(NamedTuple):
    """An arc of the border, and the region of a ball that follows it."""

    name: str
    centre: tuple[float, float]
    radius: float
    first: float
    """Direction from the centre to the start, counter-clockwise [rad]."""
    turn: float

    def along(self, x: float, y: float) -> float | None:
        """Return the fraction of the bank at which a ball at (x, y) is, None if it is not in front of the bank."""
        direction = math.atan2(y - self.centre[1], x - self.centre[0])
        fraction = (direction - self.first) % (2.0 * math.pi) / self.turn
        return fraction if 0.0 < fraction < 1.0 else None

    def deviation(self, x: float, y: float) -> float:
        """Return the distance of a ball at (x, y) from the bank's centre, less R - r [m]."""
        return math.dist((x, y), self.centre) - (self.radius - RADIUS)


@dataclass
class Ride:
    """The motion of a ball along a bank, from its first touch."""

    bank: Bank
    begin: float | None = None
    """Fraction of the bank's arc at the first touch."""
    lowest: float = 0.0
    """Least deviation: how far the ball left the bank [m]."""
    highest: float = 0.0
    """Greatest deviation: how deep it sank into the bank [m]."""

    def record(self, x: float, y: float) -> None:
        """Record the position of the ball."""
        along, deviation = self.bank.along(x, y), self.bank.deviation(x, y)
        if along is None or (self.begin is None and deviation < -SLOP):
            return
        self.begin = along if self.begin is None else self.begin
        self.lowest, self.highest = min(self.lowest, deviation), max(self.highest, deviation)


BANKS = (
    Bank("the half circle", (4.0, 1.6), 1.6, -0.5 * math.pi, math.pi),
    Bank("the upper quarter circle", (-1.6, 2.0), 1.2, 0.5 * math.pi, 0.5 * math.pi),
    Bank("the lower quarter circle", (-1.6, -1.2), 1.2, math.pi, 0.5 * math.pi),
)


class Cup(esper.Processor):
    """The slope of the cup, for a ball whose centre is over the hole; runs before the physics."""

    def __init__(self, ball: int) -> None:
        self.ball = ball

    def process(self, dt: float) -> None:
        x, y = esper.component_for_entity(self.ball, ec.Transform).position
        force = esper.component_for_entity(self.ball, ec.Force)
        body = esper.component_for_entity(self.ball, ec.RigidBody)
        dx, dy = HOLE[0] - x, HOLE[1] - y
        is_over = math.hypot(dx, dy) < HOLE_RADIUS
        pull = CUP_PULL * ec.physics().mass_of(self.ball) if is_over else 0.0
        force.x, force.y = pull * dx, pull * dy
        body.linear_damping = CUP_DAMPING if is_over else GRASS


class Golf(Demo):
    """The demo of mini-golf."""

    view = View(-3.6, -3.1, 6.4, 3.9)
    background = GREEN
    frames = 700

    def setup(self) -> None:
        ec.install()  # seen from above: no gravity
        # Around the course, from behind the hole clockwise back to there; then around the block.
        around = {
            (4.0, -3.6): 0.0,
            (4.0, -2.4): 0.0,
            (-1.6, -2.4): -QUARTER,
            (-2.8, -1.2): 0.0,
            (-2.8, 2.0): -QUARTER,
            (-1.6, 3.2): 0.0,
            (4.0, 3.2): -1.0,
            (4.0, 0.0): 0.0,
            (-1.0, 0.0): 1.0,
            (-1.0, -1.2): 0.0,
            (4.0, -1.2): 0.0,
            (7.0, -1.2): 0.0,
            (7.0, 4.4): 0.0,
            (-4.0, 4.4): 0.0,
            (-4.0, -3.6): 0.0,
        }
        behind = {(4.0, -3.6): 0.0, (7.0, -3.6): 0.0, (7.0, -1.2): 0.0, (4.0, -1.2): -1.0, (4.0, -2.4): 0.0}
        island = {(-1.0, 1.2): 0.0, (3.8, 1.2): 1.0, (3.8, 2.0): 0.0, (-1.0, 2.0): 1.0}
        block, bend, middle = (ec.ArcPolygon(list(wall), list(wall.values())) for wall in (around, behind, island))
        for shape in (ec.Compound([block, bend]), middle):
            esper.create_entity(ec.Transform(), ec.Collider(shape, friction=0.0), Paint(WOOD))
        self.hole = esper.create_entity(
            ec.Transform(*HOLE), ec.Collider(ec.Circle(HOLE_RADIUS), sensor=True), Paint((24, 30, 26))
        )
        self.ball = esper.create_entity(
            ec.Transform(*TEE),
            ec.Velocity(PUTT_SPEED, 0.0),
            ec.Collider(ec.Circle(RADIUS), friction=0.0, restitution=0.3),
            ec.RigidBody(linear_damping=GRASS),
            ec.Force(),
            Paint((248, 248, 240), trail=2.5),
        )
        self.cup = Cup(self.ball)
        esper.add_processor(self.cup, priority=100)
        ec.on("sensor_enter", self.on_enter)
        self.arrivals = 0
        self.rides = [Ride(bank) for bank in BANKS]

    def on_enter(self, sensor: int, entity: int) -> None:
        self.arrivals += (sensor, entity) == (self.hole, self.ball)

    def script(self, frame: int) -> None:
        place = esper.component_for_entity(self.ball, ec.Transform)
        for ride in self.rides:
            ride.record(*place.position)

    def _speed(self) -> float:
        return math.hypot(*esper.component_for_entity(self.ball, ec.Velocity).linear)

    def check(self) -> str:
        for ride in self.rides:
            name = ride.bank.name
            expect(ride.begin is not None and ride.begin < 0.3, f"the ball came to {name} at {ride.begin} of its arc")
            expect(ride.lowest > -SLOP, f"the ball left {name} by {-1000.0 * ride.lowest:.1f} mm")
            expect(ride.highest < SLOP, f"the ball sank {1000.0 * ride.highest:.1f} mm into {name}")
        off = math.dist(esper.component_for_entity(self.ball, ec.Transform).position, HOLE)
        expect(self.arrivals > 0, "the ball never came to the hole")
        expect(off < HOLE_RADIUS - RADIUS, f"the ball lies {off:.2f} m off the hole")
        expect(self._speed() < 0.01, f"the ball still rolls, at {self._speed():.2f} m/s")
        lowest, highest = min(ride.lowest for ride in self.rides), max(ride.highest for ride in self.rides)
        return (
            f"the ball kept to three banks ({1000.0 * lowest:+.1f} to {1000.0 * highest:+.1f} mm off its way) "
            "and rests in the hole"
        )


DEMO = Golf
