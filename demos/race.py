"""A car seen from above grips the road up to a limit, skids on ice, and keeps to the track."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, dist, hypot, pi, sin

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Keys, Paint, View, expect

HALF, RADIUS, WIDTH = 11.0, 7.5, 7.0
"""Half the length of a straight, radius of the turns in the middle of the road, and width of the road [m]."""
DRY, ICY = 9.0, 4.0
"""Grip of the road and of ice [m/s²]."""
LAP = 4.0 * HALF + 2.0 * pi * RADIUS
SPEED = 7.0
"""Speed that the driver keeps [m/s]."""
HULL: ec.Shape = ec.Polygon([(-2.1, -0.9), (1.6, -0.9), (2.1, -0.5), (2.1, 0.5), (1.6, 0.9), (-2.1, 0.9)])
RED, ROAD, ICE, CONE = (214, 84, 76), (92, 98, 112), (150, 190, 220), (240, 150, 70)


@dataclass
class Driver:
    """Makes its entity a car with two axles; the game writes the first three numbers."""

    throttle: float = 0.0
    """Share of the engine's force, from -1 to 1."""
    brake: float = 0.0
    """Share of the grip with which the brakes hold the rear wheels, from 0 to 1."""
    steer: float = 0.0
    """Angle of the front wheels, to the left above 0 [rad]."""
    force: float = 30.0
    """Greatest force of the engine [N]."""
    grip: float = DRY
    """Greatest acceleration by the tyres [m/s²]."""
    axle: float = 1.3
    """Distance of each axle from the middle [m]."""


class Tyres(ec.systems.BeforeStep):
    """Keeps the wheels of each `Driver` from sliding sideways, with no more than their grip."""

    def before_step(self, dt: float) -> None:
        for entity, (car, place) in esper.get_components(Driver, ec.Transform):
            self.hold(entity, car, (car.axle, place.angle + car.steer), (0.0, 0.0), dt)
            self.hold(entity, car, (-car.axle, place.angle), (car.throttle * car.force, car.brake), dt)

    def hold(self, entity: int, car: Driver, axle: tuple[float, float], drive: tuple[float, float], dt: float) -> None:
        """Push a car at an axle.

        Args:
            entity: the car.
            car: its driver.
            axle: place along the car [m], and direction of the wheels in the world [rad].
            drive: force of the engine [N], and share of the grip with which the brake holds.
            dt: length of the step [s].
        """
        point = self.physics.to_world(entity, (axle[0], 0.0))
        u, v = self.physics.velocity_at(entity, point)
        c, s = cos(axle[1]), sin(axle[1])
        mass = 0.5 * self.physics.mass_of(entity)  # each axle bears half of the car
        most = car.grip * mass
        slow = mass * (c * u + s * v) / dt  # force that stops the wheel within the step
        along = drive[0] - max(-drive[1] * most, min(slow, drive[1] * most))
        across = -mass * (c * v - s * u) / dt
        share = min(1.0, most / (hypot(along, across) or most))  # the friction circle
        along, across = share * along, share * across
        self.physics.apply_force(entity, (c * along - s * across, s * along + c * across), point)


def road(way: float, side: float = 0.0) -> tuple[float, float]:
    """Return the point of the track after a way along its middle, and beside it to the left [m]."""
    straight, turn = 2.0 * HALF, pi * RADIUS
    way %= 2.0 * (straight + turn)
    sign = 1.0
    if way >= straight + turn:
        way, sign = way - straight - turn, -1.0
    if way < straight:
        return sign * (way - HALF), sign * (side - RADIUS)
    angle = (way - straight) / RADIUS - 0.5 * pi
    return sign * (HALF + (RADIUS - side) * cos(angle)), sign * (RADIUS - side) * sin(angle)


class Race(Demo):
    """The demo of a car seen from above."""

    view = View(-25.0, -13.0, 25.0, 13.0)
    frames = 900
    steps_per_picture = 3
    keys_help = "the mouse leads the car"

    def setup(self) -> None:
        self.physics = ec.install()
        esper.add_processor(Tyres(self.physics), priority=1)
        self.walls = []
        for side in (-0.5 * WIDTH, 0.5 * WIDTH):
            wall = ec.Chain([road(LAP * k / 120, side) for k in range(120)], loop=True)
            self.walls.append(esper.create_entity(ec.Transform(), ec.Collider(wall), Paint(ROAD)))
        self.ice = esper.create_entity(
            ec.Transform(*road(2.0 * HALF + 0.8 * pi * RADIUS)), ec.Collider(ec.Box(3.0, 3.0), sensor=True), Paint(ICE)
        )
        self.driver = Driver()
        self.car = esper.create_entity(
            ec.Transform(*road(0.0)), ec.Velocity(), ec.Collider(HULL), self.driver, Paint(RED, trail=2.0)
        )
        places = [road(2.6 * HALF + pi * RADIUS + 2.0 * k, -1.0) for k in range(4)]
        for cone in ec.spawn(ec.Circle(0.3), places, velocities=(0.0, 0.0), density=0.3):
            esper.add_component(cone, ec.RigidBody(linear_damping=2.0))
            esper.add_component(cone, Paint(CONE))
        self.way = self.slip = self.skid = 0.0
        self.crashes = 0
        ec.on("sensor_enter", self.on_enter)
        ec.on("sensor_exit", self.on_exit)
        ec.on("collision_start", self.on_crash)

    def on_enter(self, sensor: int, entity: int) -> None:
        if sensor == self.ice and entity == self.car:
            self.driver.grip = ICY

    def on_exit(self, sensor: int, entity: int) -> None:
        if sensor == self.ice and entity == self.car:
            self.driver.grip = DRY

    def on_crash(self, contact: ec.Contact) -> None:
        pair = {contact.entity_a, contact.entity_b}
        self.crashes += self.car in pair and not pair.isdisjoint(self.walls)

    def lead(self, target: tuple[float, float]) -> None:
        """Steer towards a point on the circle through it that the rear axle rolls along, and keep the speed."""
        place = esper.component_for_entity(self.car, ec.Transform)
        velocity = esper.component_for_entity(self.car, ec.Velocity)
        rear = self.physics.to_world(self.car, (-self.driver.axle, 0.0))
        off = atan2(target[1] - rear[1], target[0] - rear[0]) - place.angle
        angle = atan2(4.0 * self.driver.axle * sin(off), dist(rear, target))
        self.driver.steer = max(-0.6, min(angle, 0.6))
        speed = hypot(velocity.x, velocity.y)
        self.driver.throttle = float(speed < SPEED)
        self.driver.brake = 0.3 * (speed > SPEED + 0.5)

    def script(self, frame: int) -> None:
        place = esper.component_for_entity(self.car, ec.Transform)
        while dist(place.position, road(self.way)) < 5.0:
            self.way += 0.2
        self.lead(road(self.way))
        u, v = self.physics.velocity_at(self.car, self.physics.to_world(self.car, (-self.driver.axle, 0.0)))
        slip = abs(cos(place.angle) * v - sin(place.angle) * u)
        if self.driver.grip == ICY:
            self.skid = max(self.skid, slip)
        elif self.skid == 0.0:
            self.slip = max(self.slip, slip)

    def steer(self, keys: Keys) -> None:
        self.lead(keys.pointer or self.physics.to_world(self.car, (4.0, 0.0)))

    def check(self) -> str:
        expect(self.way > LAP, f"the car drove {self.way:.1f} m of {LAP:.1f} m")
        expect(self.crashes == 0, f"the car hit a wall {self.crashes} times")
        expect(self.slip < 0.2, f"the car slid sideways at {self.slip:.2f} m/s on the dry road")
        expect(self.skid > 1.0, f"the car slid sideways at {self.skid:.2f} m/s only on the ice")
        return f"a lap; the car slid sideways at {self.slip:.2f} m/s on the dry road, and at {self.skid:.1f} m/s on ice"


DEMO = Race
