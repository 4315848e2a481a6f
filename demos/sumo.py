"""Two disks push each other out of a ring, seen from above; in a window you are the left one."""

from __future__ import annotations

import random
from math import hypot, pi

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Keys, Paint, View, expect

RING = 4.0
"""Radius of the ring [m]."""
RADIUS = 0.7
THRUST = 18.0
"""Force with which a disk pushes itself forward [N]."""
MASS = 1.5
DAMPING = 1.5
"""Linear damping by the mat [1/s]."""
RED, BLUE, MAT = (214, 84, 76), (84, 130, 214), (58, 54, 50)


def build(seed: int) -> tuple[int, int]:
    """Install physics in the current esper world, and create two disks in a ring; the seed turns their places."""
    ec.install(sleeping=False)
    choice = random.Random(seed)
    y = choice.uniform(-1.0, 1.0)
    left, right = (_add_disk(-2.0, y, RED), _add_disk(2.0, -y, BLUE))
    return left, right


def _add_disk(x: float, y: float, colour: tuple[int, int, int]) -> int:
    """Create a disk with an engine that is off, and return it."""
    body = ec.RigidBody(mass=MASS, linear_damping=DAMPING, angular_damping=DAMPING)
    shape = ec.Collider(ec.Circle(RADIUS), restitution=0.3, friction=0.2)
    return esper.create_entity(ec.Transform(x, y), ec.Velocity(), body, shape, ec.Force(), Paint(colour))


def push(disk: int, x: float, y: float) -> None:
    """Let a disk push itself in a direction (x, y) of any length, with all its thrust; (0, 0) for no thrust."""
    length = hypot(x, y)
    force = esper.component_for_entity(disk, ec.Force)
    force.x, force.y = (THRUST * x / length, THRUST * y / length) if length else (0.0, 0.0)


def is_out(disk: int) -> bool:
    """Return True if the middle of a disk is outside the ring."""
    return hypot(*esper.component_for_entity(disk, ec.Transform).position) > RING


def charge(disk: int, other: int) -> tuple[float, float]:
    """Return the direction from a disk to the other one."""
    here, there = (esper.component_for_entity(each, ec.Transform).position for each in (disk, other))
    return there[0] - here[0], there[1] - here[1]


def brake(disk: int) -> tuple[float, float]:
    """Return the direction against the motion of a disk, (0, 0) for one that hardly moves."""
    u, v = esper.component_for_entity(disk, ec.Velocity).linear
    return (-u, -v) if hypot(u, v) > 0.3 else (0.0, 0.0)


class Sumo(Demo):
    """The demo of two disks in a ring: the right one gives way, so that the left one pushes it out."""

    view = View(-8.0, -4.5, 8.0, 4.5)
    background = MAT
    frames = 240
    keys_help = "the mouse leads the left disk"

    def setup(self) -> None:
        self.left, self.right = build(1)
        esper.create_entity(ec.Transform(), Paint((92, 86, 80), shape=ec.Sector(RING, pi)))
        self.loser = ""

    def _act(self, left: tuple[float, float], right: tuple[float, float]) -> None:
        """Push both disks until one is out."""
        if not self.loser:
            self.loser = "left" if is_out(self.left) else "right" if is_out(self.right) else ""
        for disk, direction in ((self.left, left), (self.right, right)):
            push(disk, *(brake(disk) if self.loser else direction))

    def script(self, frame: int) -> None:
        self._act(charge(self.left, self.right), (0.0, 0.0))

    def steer(self, keys: Keys) -> None:
        x, y = esper.component_for_entity(self.left, ec.Transform).position
        to = (0.0, 0.0) if keys.pointer is None else (keys.pointer[0] - x, keys.pointer[1] - y)
        self._act(to, charge(self.right, self.left))

    def note(self) -> str:
        return f"the {self.loser} disk is out" if self.loser else ""

    def check(self) -> str:
        expect(self.loser == "right", f"the loser is {self.loser or 'nobody'}")
        return "the left disk pushed the right one out of the ring"


DEMO = Sumo
