"""Six meetings, found in advance: pale shapes show place and rotation of two bodies at their first touch.

Before the first step, `ec.time_of_impact` is called for each two bodies with their motion in the next seconds. It
returns the time of their first touch, if any. In the first row the motions are translations, for which
`ecs_collide.algorithms` has closed formulas. The engine, which advances step by step, must give equal results.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import esper

import ecs_collide as ec
from ecs_collide.algorithms import (
    moving_circle_moving_circle,
    moving_circle_moving_segment,
    moving_polygon_moving_polygon,
)
from ecs_collide.demos.scene import DT, Colour, Demo, Paint, View, expect

SPAN = 4.0
"""Length of the prediction [s]."""
PALE = 0.65
"""Share of colour of a predicted shape at the impact; earlier ones have less."""
STATIONS = (0.25, 0.5, 0.75, 1.0)
"""Fractions of the time until the impact at which a predicted shape is drawn."""


@dataclass
class Meeting:
    """Two bodies, and the time of their touch."""

    name: str
    bodies: tuple[int, int]
    predicted: float | None
    """Predicted time of the impact [s]."""
    met: float | None = None
    """Time of the impact in the engine [s]."""


@dataclass(frozen=True)
class Mover:
    """A shape around its centre of mass, its start (x, y, angle), and its motion per second."""

    shape: ec.Shape
    start: tuple[float, float, float]
    velocity: tuple[float, float, float]
    colour: Colour

    def pose(self, time: float) -> tuple[float, float, float]:
        """Return its pose if nothing stops it."""
        x, y, angle = (at + time * speed for at, speed in zip(self.start, self.velocity, strict=True))
        return x, y, angle

    def way(self) -> tuple[float, float]:
        """Return its motion in `SPAN` [m]."""
        return SPAN * self.velocity[0], SPAN * self.velocity[1]


def centred(shape: ec.Shape) -> ec.Shape:
    """Return the shape with its centre of mass at the origin, which rotation does not move."""
    x, y = shape.mass_properties().centroid
    return ec.Compound([(shape, (-x, -y, 0.0))])


RED, YELLOW, GREEN = (236, 112, 96), (240, 180, 88), (122, 192, 112)
BLUE, VIOLET, PINK = (88, 176, 224), (168, 136, 224), (232, 136, 184)
CIRCLE, SMALL_CIRCLE = ec.Circle(0.7), ec.Circle(0.45)
SEGMENT = ec.Segment((-0.5, -0.9), (0.5, 0.9))
DIAMOND = ec.Polygon([(-0.9, 0.0), (0.0, -0.6), (0.9, 0.0), (0.0, 0.6)])
WEDGE = ec.Polygon([(-0.7, -0.5), (0.7, -0.5), (0.0, 1.0)])
GEAR = centred(ec.Bitmap([[0, 1, 0, 1], [1, 1, 1, 1], [0, 1, 1, 0], [1, 1, 1, 1]], 0.4))
CRESCENT = centred(ec.ArcPolygon([(0.3, 1.1), (0.3, -1.1)], [1.0, -0.55]))
HAMMER = centred(ec.Compound([ec.Capsule((-0.9, 0.0), (0.9, 0.0), 0.12), (ec.Box(0.5, 1.1), (0.9, 0.0, 0.0))]))
PACMAN = centred(ec.Sector(0.8, 2.5, direction=math.pi))
LANES: dict[str, tuple[Mover, Mover]] = {
    "two circles": (
        Mover(CIRCLE, (-8.6, 5.2, 0.0), (1.3, -0.25, 0.0), RED),
        Mover(SMALL_CIRCLE, (-4.2, 4.3, 0.0), (-0.6, -0.05, 0.0), BLUE),
    ),
    "circle and segment": (
        Mover(SMALL_CIRCLE, (-2.6, 4.4, 0.0), (1.2, 0.15, 0.0), YELLOW),
        Mover(SEGMENT, (2.2, 4.6, 0.0), (-0.5, -0.1, 0.0), PINK),
    ),
    "two polygons": (
        Mover(DIAMOND, (4.0, 5.2, 0.0), (0.9, -0.15, 0.0), GREEN),
        Mover(WEDGE, (8.4, 4.2, 0.0), (-0.5, 0.05, 0.0), VIOLET),
    ),
    "two hammers": (
        Mover(HAMMER, (-8.3, 0.9, 0.4), (0.8, 0.0, 2.4), RED),
        Mover(HAMMER, (-4.2, 0.5, 2.0), (-0.4, 0.1, -1.6), BLUE),
    ),
    "crescent and sector": (
        Mover(CRESCENT, (-2.4, 0.6, 0.0), (0.9, 0.0, 0.25), YELLOW),
        Mover(PACMAN, (2.2, 0.8, 0.0), (-0.5, 0.0, 0.9), PINK),
    ),
    "gear and box": (
        Mover(GEAR, (4.0, 0.4, 0.0), (0.8, 0.1, 0.9), GREEN),
        Mover(ec.Box(1.7, 0.5), (8.3, 0.9, 0.0), (-0.5, -0.05, -2.0), VIOLET),
    ),
    "a miss": (
        Mover(ec.Box(1.5, 0.3), (-8.0, -3.1, 0.0), (4.2, 0.0, 4.712), RED),
        Mover(CIRCLE, (0.0, -1.9, 0.0), (0.0, -0.1, 0.0), BLUE),
    ),
}


class Sweep(Demo):
    """The demo of predicted impacts."""

    view = View(-10.0, -4.4, 10.0, 6.6)
    frames = 240

    def setup(self) -> None:
        ec.install()
        ec.on("collision_start", self.on_start)
        self.time = 0.0
        self.meetings = [self._meeting(k, name) for k, name in enumerate(LANES)]

    def _meeting(self, number: int, name: str) -> Meeting:
        a, b = LANES[name]
        fraction = ec.time_of_impact(a.shape, a.start, a.pose(SPAN), b.shape, b.start, b.pose(SPAN))
        predicted = None if fraction is None else SPAN * fraction
        for station in STATIONS:
            label = ("never" if predicted is None else f"{predicted:.2f} s") if station == 1.0 else ""
            self._ghost(b, station * (predicted or SPAN), PALE * station**2, "")
            self._ghost(a, station * (predicted or SPAN), PALE * station**2, label)
        return Meeting(name, (self._body(a, 1 << number), self._body(b, 1 << number)), predicted)

    def _ghost(self, mover: Mover, time: float, share: float, label: str) -> None:
        """Show a mover at a future `time` [s]."""
        red, green, blue = (round(back + share * (own - back)) for own, back in zip(mover.colour, self.background))
        esper.create_entity(ec.Transform(*mover.pose(time)), Paint((red, green, blue), label=label, shape=mover.shape))

    def _body(self, mover: Mover, layer: int) -> int:
        return esper.create_entity(
            ec.Transform(*mover.start),
            ec.Velocity(*mover.velocity),
            ec.Collider(mover.shape, restitution=0.4, friction=0.2, layer=layer, mask=layer),
            Paint(mover.colour),
        )

    def script(self, frame: int) -> None:
        self.time = (frame + 1) * DT

    def on_start(self, contact: ec.Contact) -> None:
        for meeting in self.meetings:
            if meeting.bodies == (contact.entity_a, contact.entity_b) and meeting.met is None:
                meeting.met = self.time

    def check(self) -> str:
        worst = 0.0
        for meeting in self.meetings:
            if meeting.predicted is None or meeting.met is None:
                expect(
                    meeting.predicted == meeting.met, f"{meeting.name}: foretold {meeting.predicted}, met {meeting.met}"
                )
                continue
            off = abs(meeting.met - meeting.predicted)
            expect(off <= 1.5 * DT, f"{meeting.name}: foretold {meeting.predicted:.4f} s, met {meeting.met:.4f} s")
            worst = max(worst, off)
        for name, time in self._by_formula().items():
            predicted = next(meeting.predicted for meeting in self.meetings if meeting.name == name)
            same = time is not None and predicted is not None and abs(SPAN * time - predicted) < 1e-8
            expect(same, f"{name}: the formula says {time} of {SPAN} s, time_of_impact {predicted} s")
        count = sum(meeting.met is not None for meeting in self.meetings)
        return (
            f"{count} of {len(self.meetings)} pairs met, each within {1000.0 * worst:.1f} ms of the time foretold; "
            "the formulas for shifts give the same times"
        )

    def _by_formula(self) -> dict[str, float | None]:
        """Return the times at which the pairs without rotation touch, by closed formulas, as fractions of `SPAN`."""
        (a, b), (c, line), (p, q) = (LANES[name] for name in ("two circles", "circle and segment", "two polygons"))
        ends = [(line.start[0] + x, line.start[1] + y, *line.way()) for x, y in (SEGMENT.a, SEGMENT.b)]
        circles = moving_circle_moving_circle(
            *a.start[:2], CIRCLE.radius, *a.way(), *b.start[:2], SMALL_CIRCLE.radius, *b.way()
        )
        segment = moving_circle_moving_segment(*c.start[:2], SMALL_CIRCLE.radius, *c.way(), *ends[0], *ends[1])
        corners = [
            [(x + mover.start[0], y + mover.start[1]) for x, y in polygon.vertices]
            for mover, polygon in ((p, DIAMOND), (q, WEDGE))
        ]
        polygons = moving_polygon_moving_polygon(corners[0], p.way(), corners[1], q.way())
        return {
            "two circles": circles.time,
            "circle and segment": segment.time,
            "two polygons": polygons.time,
        }


DEMO = Sweep
