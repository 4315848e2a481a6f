"""Newton's cradle in both responses: touching balls transmit an impulse exactly in one, and nearly in the other.

There are no threads: the balls slide on a line between two walls, without friction and with full restitution. There
should thus always be one ball that moves, at the speed of the first. The exact response achieves that to the last
digits, because it processes the impacts one after the other, however close they are. The impulse response transmits a
bounce from ball to ball within a substep, in the order in which it solves the contacts. A little of it is lost if balls
touch. Gaps that give each impact a step of its own avoid the loss.

A physics world has one response, so the lower rows have an esper world of their own. Drawings without colliders show
their balls here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Colour, Demo, Paint, View, expect

COUNT = 5
RADIUS = 0.5
START, SPEED = -4.5, 4.0
"""Position and speed of the first ball [m, m/s]; the others rest in the middle."""
WALL = 5.5
"""Distance of the walls from the middle [m]."""
GAP = 1.5 * SPEED * DT
"""Gap greater than the path of a ball in a step, so that each impact has a step of its own [m]."""
HEIGHT = 2.0
"""Distance of the rows [m]."""
LINE = (70, 76, 92)
COLOURS: list[Colour] = [(236, 112, 96), *3 * [(200, 204, 214)], (88, 176, 224)]


@contextmanager
def inside(world: str) -> Iterator[None]:
    """Make another esper world the current one for a while."""
    outside = esper.current_world
    esper.switch_world(world)
    try:
        yield
    finally:
        esper.switch_world(outside)


class Row:
    """A cradle in the current esper world."""

    def __init__(self, name: str, y: float, gap: float = 0.0) -> None:
        self.name = name
        self.y = y
        self.places = [ec.Transform((k - 0.5 * (COUNT - 1)) * (2.0 * RADIUS + gap), y) for k in range(COUNT)]
        self.velocities = [ec.Velocity() for _ in range(COUNT)]
        self.places[0].x, self.velocities[0].x = START, SPEED
        for parts in zip(self.places, self.velocities, map(Paint, COLOURS), strict=True):
            ball = ec.Collider(ec.Circle(RADIUS), restitution=1.0, friction=0.0)
            esper.create_entity(*parts, ball, ec.RigidBody(lock_y=True, lock_rotation=True))

    def speeds(self) -> list[float]:
        """Return the speeds of the balls, the fastest last [m/s]."""
        return sorted(abs(velocity.x) for velocity in self.velocities)

    def label(self) -> str:
        """Return the name of the row and the speed of its fastest ball."""
        return f"{self.name}: the fastest at {self.speeds()[-1] / SPEED:.1%} of the first speed"


def walls() -> None:
    """Create the two walls in the current esper world."""
    for side in (-1, 1):
        shape = ec.HalfPlane(normal=(-side, 0), offset=-WALL)
        esper.create_entity(ec.Transform(), ec.Collider(shape, restitution=1.0, friction=0.0))


class Cradle(Demo):
    """The demo of Newton's cradle."""

    view = View(-6.2, -2.8, 6.2, 3.3)
    frames = 480

    def setup(self) -> None:
        ec.install(response="exact")
        walls()
        for y in (HEIGHT, 0.0, -HEIGHT):
            line = ec.Segment((-WALL, y - RADIUS), (WALL, y - RADIUS))
            esper.create_entity(
                ec.Transform(), ec.Collider(line, mask=0), Paint(LINE)
            )  # drawn only, without collisions
        self.exact = Row("exact response, balls touch", HEIGHT)
        self.world_below = f"{esper.current_world}, below"
        with inside(self.world_below):
            ec.install()
            walls()
            self.below = [
                Row("impulse response, balls touch", 0.0),
                Row(f"impulse response, gaps of {100.0 * GAP:.0f} cm", -HEIGHT, GAP),
            ]
        self.drawn: list[ec.Transform] = []
        """Transforms of the drawn balls of the lower rows."""
        for colour, ball in zip(2 * COLOURS, self._balls_below(), strict=True):
            self.drawn.append(ec.Transform(*ball.position))
            esper.create_entity(self.drawn[-1], Paint(colour, shape=ec.Circle(RADIUS)))
        self.labels = [Paint((0, 0, 0)) for _ in range(3)]
        for row, label in zip((self.exact, *self.below), self.labels, strict=True):
            esper.create_entity(ec.Transform(0.0, row.y + 0.8), label)
        self.farthest = 0.0
        """Greatest position of the last ball of the upper row [m]."""
        self.most_off = 0.0
        """Greatest deviation of the fastest ball from the speed of the first, and of the others from rest [m/s]."""

    def _balls_below(self) -> list[ec.Transform]:
        return [place for row in self.below for place in row.places]

    def script(self, frame: int) -> None:
        self._record()
        with inside(self.world_below):
            esper.process(DT)
        for drawn, ball in zip(self.drawn, self._balls_below(), strict=True):
            drawn.position = ball.position
        for label, row in zip(self.labels, (self.exact, *self.below), strict=True):
            label.label = row.label()

    def _record(self) -> None:
        """Record the deviation of the exact row from one moving ball and four at rest."""
        *others, fastest = self.exact.speeds()
        self.farthest = max(self.farthest, self.exact.places[-1].x)
        self.most_off = max(self.most_off, abs(fastest - SPEED), *others)

    def check(self) -> str:
        self._record()
        touching, parted = (row.speeds()[-1] / SPEED for row in self.below)
        expect(self.most_off < 1e-12 * SPEED, f"the exact row was off by {self.most_off:.2g} m/s")
        expect(self.farthest > WALL - 2.0 * RADIUS, f"the last ball above came to {self.farthest:.1f} m only")
        expect(0.9 < parted < 1.1, f"with gaps the fastest ball has {parted:.1%} of the speed")
        return (
            f"exact response: one ball moves, {self.most_off:.1g} m/s off the first one's speed; impulse response: "
            f"the fastest has {touching:.1%} of it where balls touch, {parted:.1%} with gaps"
        )


DEMO = Cradle
