"""Ropes wrap around corners and unwrap: pendulums swing as high behind a peg, and a ball winds itself around a post."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import dist, hypot

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import Demo, Paint, View, expect

Point = tuple[float, float]
GRAVITY, SPEED = 9.81, 5.0
"""Gravity of the pendulum [m/s²], and speed of the ball, which has none [m/s]."""
START = (-6.8, 4.6)
"""Place from which the pendulum starts [m]."""
POSTS = ((-4.0, 5.0, 0.3, 0.2), (4.0, 2.5, 1.0, 1.0))
"""Middles and sizes of a peg and of a post [m]."""
STONE, RED, CORD = (84, 92, 110), (236, 112, 96), (230, 232, 240)


@dataclass
class Rope:
    """Ties its entity's body to a fixed point by a rope that bends around corners."""

    points: list[Point]
    """Fixed end of the rope, and the corners around which it bends, the one next to the body last [m]."""
    length: float
    """Length of the whole rope [m]."""
    corners: list[Point]
    """Corners of the obstacles [m]."""
    turns: list[int] = field(default_factory=list)
    """Direction in which the rope bends around each corner, 1 to the left."""
    end: Point | None = None
    """Place of the body after the last step [m]."""
    joint: int = 0
    """Entity of the joint that holds the free part of the rope."""

    def wound(self) -> float:
        """Return the length of the part between the fixed end and the last corner [m]."""
        return sum(dist(a, b) for a, b in pairwise(self.points))


class Wrap(ec.systems.BeforeStep):
    """Bends each `Rope` around the corners over which it swept in the last step, and back."""

    def before_step(self, dt: float) -> None:
        for entity, (rope, place) in esper.get_components(Rope, ec.Transform):
            end = place.position
            changed = unwrap(rope, end) or wrap(rope, rope.end or end, end)
            if changed or not rope.joint:
                self.tie(entity, rope)
            rope.end = end

    def tie(self, entity: int, rope: Rope) -> None:
        """Let the free part of a rope pull from its last corner."""
        if rope.joint:
            esper.delete_entity(rope.joint)
        free = ec.DistanceJoint(entity, anchor_b=rope.points[-1], max_length=rope.length - rope.wound())
        rope.joint = esper.create_entity(free)


def side(a: Point, b: Point, c: Point) -> float:
    """Return twice the area of a triangle, above 0 if c is to the left of the way from a to b [m²]."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def wrap(rope: Rope, start: Point, end: Point) -> bool:
    """Bend a rope around the corners over which its free part swept from start to end; return True if there are any."""
    found = False
    while True:
        pivot = rope.points[-1]
        turn = 1 if side(pivot, start, end) > 0.0 else -1
        swept = [
            corner
            for corner in rope.corners
            if corner != pivot
            and turn * side(pivot, start, corner) > 0.0
            and turn * side(pivot, corner, end) > 0.0
            and turn * side(start, end, corner) > 0.0
        ]
        if not swept:
            return found
        first = swept[0]
        for corner in swept[1:]:
            if turn * side(pivot, first, corner) < 0.0:
                first = corner
        rope.points.append(first)
        rope.turns.append(turn)
        reach = dist(first, end) / dist(pivot, first)
        start = (first[0] + reach * (first[0] - pivot[0]), first[1] + reach * (first[1] - pivot[1]))
        found = True


def unwrap(rope: Rope, end: Point) -> bool:
    """Take away the corners around which a rope no longer bends; return True if there are any."""
    found = False
    while rope.turns and rope.turns[-1] * side(rope.points[-2], rope.points[-1], end) <= 0.0:
        rope.points.pop()
        rope.turns.pop()
        found = True
    return found


class Tether(Demo):
    """The demo of ropes that wrap."""

    view = View(-8.0, -1.8, 8.0, 7.0)
    frames = 600
    steps_per_picture = 3

    def setup(self) -> None:
        self.physics = ec.install(gravity=(0.0, -GRAVITY))
        esper.add_processor(Wrap(self.physics), priority=1)
        corners: list[Point] = []
        for x, y, width, height in POSTS:
            shape = ec.Box(width, height)
            post = esper.create_entity(ec.Transform(x, y), ec.Collider(shape, friction=0.0), Paint(STONE))
            for area in ec.draw.outline(shape).areas:
                corners += [self.physics.to_world(post, (u, v)) for u, v in area.tolist()]
        self.bob = self._tie((-4.0, 6.5), START, (0.0, 0.0), 1.0, corners)
        self.ball = self._tie((4.0, 1.95), (4.0, -1.2), (SPEED, 0.0), 0.0, corners)
        self.marks: list[int] = []
        self.highest = self.longest = self.wound_speed = 0.0

    def _tie(
        self, top: Point, place: Point, velocity: Point, gravity: float, corners: list[Point]
    ) -> tuple[Rope, ec.Transform, ec.Velocity]:
        """Create a ball on a rope."""
        rope = Rope([top], dist(top, place), corners)
        at = ec.Transform(*place)
        motion = ec.Velocity(*velocity)
        body = ec.Collider(ec.Circle(0.2), restitution=1.0, friction=0.0)
        esper.create_entity(at, motion, body, ec.RigidBody(gravity_scale=gravity), rope, Paint(RED, trail=1.5))
        return rope, at, motion

    def script(self, frame: int) -> None:
        for mark in self.marks:
            esper.delete_entity(mark)
        self.marks = []
        for rope, place, _ in (self.bob, self.ball):
            for a, b in pairwise(rope.points):  # the wound part, to be drawn
                self.marks.append(esper.create_entity(ec.Transform(*b), Paint(CORD, thread=a)))
            self.longest = max(self.longest, rope.wound() + dist(rope.points[-1], place.position) - rope.length)
        if self.bob[1].x > -4.0:
            self.highest = max(self.highest, self.bob[1].y)
        if len(self.ball[0].turns) == 3 and self.wound_speed == 0.0:
            self.wound_speed = hypot(*self.ball[2].linear)

    def check(self) -> str:
        off = abs(self.highest - START[1])
        expect(off < 0.01, f"the pendulum rose to {self.highest:.2f} m, not to {START[1]:.2f} m")
        expect(self.longest < 0.01, f"a rope was {1000.0 * self.longest:.0f} mm too long")
        expect(abs(self.wound_speed / SPEED - 1.0) < 0.01, f"the wound ball flew at {self.wound_speed:.2f} m/s")
        expect(len(self.ball[0].turns) < 3, "the ball did not unwind")
        return f"the pendulum rose as high as it fell, to {1000.0 * off:.1f} mm, and the ball wound and unwound itself"


DEMO = Tether
