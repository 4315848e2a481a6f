"""A lander with legs on springs comes down on a pad by its engines; in a window you fly it, and agents can learn to."""

from __future__ import annotations

import random
from math import cos, sin
from typing import NamedTuple

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Keys, Paint, View, expect

GRAVITY = 10.0
"""Acceleration downwards [m/s^2]."""
HULL = [(-0.47, 0.57), (-0.57, 0.0), (-0.57, -0.33), (0.57, -0.33), (0.57, 0.0), (0.47, 0.57)]
LEG_ANGLE = 0.5
"""Angle of a leg outwards at rest [rad]."""
LEG_LENGTH = 0.8
STROKE = 0.4
"""Angle by which a leg gives way [rad]."""
LEG_TORQUE = 40.0
"""Torque of the motor that presses a leg outwards [N m]."""
REST_HEIGHT = 0.33 + LEG_LENGTH * cos(LEG_ANGLE)
"""Height of the hull's origin above the pad when the lander stands [m]."""
START_HEIGHT = 9.0
SEED = 3
"""Seed of the demo's ground."""
PAD = 2.0
"""Half of the width of the pad [m]."""
MAIN_ENGINE, SIDE_ENGINE, SIDE_TORQUE = 95.0, 8.0, 5.0
"""Thrust of the engine below and of those at the sides [N], and the torque of the latter [N m]."""
SILVER, ROCK, GOLD, FLAME = (196, 200, 214), (110, 104, 98), (244, 208, 92), (255, 150, 60)
NOTHING, LEFT, MAIN, RIGHT = range(4)
"""Actions: no engine, the engine on the left, which pushes to the right, the one below, and the one on the right."""
FLAMES: dict[int, ec.Shape] = {
    LEFT: ec.Polygon([(-0.57, 0.1), (-0.57, 0.3), (-1.0, 0.2)]),
    MAIN: ec.Polygon([(-0.22, -0.33), (0.22, -0.33), (0.0, -1.3)]),
    RIGHT: ec.Polygon([(0.57, 0.1), (0.57, 0.3), (1.0, 0.2)]),
}
"""Flame of each engine, in the axes of the hull."""


class Lander(NamedTuple):
    """Entities of a lander."""

    hull: int
    legs: tuple[int, int]
    """The left and the right one."""


def build(seed: int) -> Lander:
    """Install physics in the current esper world, and create rocky ground with a flat pad, and a lander above it."""
    ec.install(gravity=(0.0, -GRAVITY), sleeping=False)
    ground = ec.Chain(rocks(seed))
    esper.create_entity(ec.Transform(), ec.Collider(ground, friction=0.8), Paint(ROCK))
    hull = esper.create_entity(
        ec.Transform(0.0, START_HEIGHT), ec.Velocity(), ec.Collider(ec.Polygon(HULL), density=5.0), Paint(SILVER)
    )
    return Lander(hull, (_add_leg(hull, -1.0), _add_leg(hull, 1.0)))


def rocks(seed: int) -> list[tuple[float, float]]:
    """Return the points of the ground, from the left [m]."""
    choice = random.Random(seed)
    return [(float(x), 0.0 if abs(x) <= PAD + 2 else choice.uniform(-0.5, 2.0)) for x in range(-14, 15, 2)]


def _add_leg(hull: int, side: float) -> int:
    """Create a leg on a side, -1 left or 1 right, with a motor that presses it outwards, and return it."""
    turn, half = side * LEG_ANGLE, 0.5 * LEG_LENGTH
    x, y = 0.5 * side, -0.33
    place = ec.Transform(x + half * sin(turn), START_HEIGHT + y - half * cos(turn), turn)
    shape = ec.Collider(ec.Box(0.12, LEG_LENGTH), friction=0.8)
    leg = esper.create_entity(place, ec.Velocity(), shape, Paint(SILVER))
    lower, upper = sorted((0.0, -side * STROKE))
    joint = ec.RevoluteJoint(
        hull,
        leg,
        anchor_a=(x, y),
        anchor_b=(0.0, half),
        reference_angle=turn,
        lower=lower,
        upper=upper,
        motor_speed=side,
        max_motor_torque=LEG_TORQUE,
    )
    esper.create_entity(joint)
    return leg


class Inertia(NamedTuple):
    """Mass and moment of inertia that the engines of a lander move."""

    mass: float
    """Mass of the hull [kg]."""
    inertia: float
    """Moment of inertia of the hull [kg m^2]."""


def fire(velocity: np.ndarray, angle: np.ndarray, action: np.ndarray, inertia: Inertia, dt: float) -> None:
    """Add what the engines do in a step to velocities of hulls.

    Args:
        velocity: velocities and angular velocities [m/s, m/s, rad/s] (n, 3), which are changed.
        angle: angles of the hulls [rad] (n,).
        action: an action for each hull (n,) int.
        inertia: mass and moment of inertia of a hull.
        dt: length of the step [s].
    """
    main = np.where(action == MAIN, MAIN_ENGINE * dt / inertia.mass, 0.0)
    turn = (action == RIGHT) * 1.0 - (action == LEFT) * 1.0
    side = -turn * SIDE_ENGINE * dt / inertia.mass
    c, s = np.cos(angle), np.sin(angle)
    velocity[:, 0] += c * side - s * main
    velocity[:, 1] += s * side + c * main
    velocity[:, 2] += turn * SIDE_TORQUE * dt / inertia.inertia


def steer_down(x: float, y: float, velocity: tuple[float, float, float], angle: float) -> int:
    """Return the action that brings a lander down on the pad.

    Args:
        x: place of the hull beside the middle of the pad [m].
        y: height of the hull above its place of rest [m].
        velocity: velocity and angular velocity [m/s, m/s, rad/s].
        angle: angle of the hull [rad].
    """
    lean = max(-0.35, min(0.35, 0.12 * x + 0.28 * velocity[0]))
    turn = 1.2 * (lean - angle) - 0.8 * velocity[2]
    if velocity[1] < -0.4 - 0.45 * max(y, 0.0) and abs(angle) < 0.6:
        return MAIN
    if turn > 0.05:
        return RIGHT
    return LEFT if turn < -0.05 else NOTHING


class LanderScene(Demo):
    """The demo of a lander that an autopilot lands."""

    view = View(-12.0, -1.0, 12.0, 11.0)
    frames = 600
    keys_help = "the arrow keys turn, the space bar fires the engine below"

    def setup(self) -> None:
        self.lander = build(SEED)
        below = ec.Polygon([(-14.0, -2.0), (14.0, -2.0), *reversed(rocks(SEED))])
        esper.create_entity(ec.Transform(), Paint(ROCK, shape=below))
        esper.create_entity(ec.Transform(0.0, -0.1), Paint(GOLD, shape=ec.Box(2.0 * PAD, 0.2), label="pad"))
        self.flames = {engine: (ec.Transform(), Paint(FLAME)) for engine in FLAMES}
        for flame in self.flames.values():
            esper.create_entity(*flame)
        self.place = esper.component_for_entity(self.lander.hull, ec.Transform)
        self.motion = esper.component_for_entity(self.lander.hull, ec.Velocity)
        self.motion.x, self.motion.y = 2.5, -2.0
        esper.process(0.0)
        physics = ec.physics()
        self.inertia = Inertia(physics.mass_of(self.lander.hull), physics.inertia_of(self.lander.hull))

    def act(self, action: int) -> None:
        """Fire the engines of an action for a step."""
        velocity = np.array([[self.motion.x, self.motion.y, self.motion.angular]])
        fire(velocity, np.array([self.place.angle]), np.array([action]), self.inertia, DT)
        self.motion.x, self.motion.y, self.motion.angular = velocity[0].tolist()
        for engine, (at, flame) in self.flames.items():
            at.x, at.y, at.angle = self.place.pose
            flame.shape = FLAMES[engine] if engine == action else None

    def script(self, frame: int) -> None:
        velocity = (self.motion.x, self.motion.y, self.motion.angular)
        self.act(steer_down(self.place.x, self.place.y - REST_HEIGHT, velocity, self.place.angle))

    def steer(self, keys: Keys) -> None:
        self.act(MAIN if keys.jump else RIGHT if keys.walk < 0 else LEFT if keys.walk > 0 else NOTHING)

    def note(self) -> str:
        return f"{self.place.y - REST_HEIGHT:.1f} m above the pad"

    def check(self) -> str:
        stands = all(ec.physics().colliding(leg) for leg in self.lander.legs)
        expect(stands, f"a leg is in the air at {self.place.position}")
        expect(abs(self.place.x) < PAD, f"the lander is at x = {self.place.x:.1f} m, beside the pad")
        expect(abs(self.place.angle) < 0.1, f"the lander leans by {self.place.angle:.2f} rad")
        return f"landed {abs(self.place.x):.1f} m from the middle of the pad"


DEMO = LanderScene
