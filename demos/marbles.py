"""A marble run drawn as an SVG file: curves are tracks, closed paths are solid, and all marbles end up in the cup.

The drawing is `data/marbles.svg`. Open paths become chains, and the cup has a hole by its `fill-rule`. The star is
a polygon that crosses itself, and it turns. A hidden rectangle and text are left out.
"""

from __future__ import annotations

from pathlib import Path

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.demos.picture import PALETTE
from ecs_collide.demos.scene import Demo, Paint, View, expect

DRAWING = Path(__file__).with_name("data") / "marbles.svg"
METRE = 40.0
"""Length of a metre in the drawing [pixels]."""
RADIUS, MARBLES = 0.16, 30
SPIN = 1.5
"""Angular velocity of the star [rad/s]."""
CUP = View(9.9, 0.2, 15.1, 3.5)
"""Inside of the cup [m]."""
TRACK, SOLID, STAR = (136, 153, 170), (85, 119, 102), (204, 170, 85)


class Marbles(Demo):
    """The demo of SVG files."""

    view = View(0.0, 0.0, 16.0, 10.0)
    frames = 1560
    libraries = ("svgelements", "shapely")

    def setup(self) -> None:
        from ecs_collide.from_data import from_svg

        ec.install(gravity=(0.0, -9.81))
        drawn = from_svg(DRAWING, scale=1.0 / METRE, centered=True)
        self.names = {thing.name for thing in drawn}
        for thing in drawn:
            spins = [ec.Velocity(angular=SPIN), ec.RigidBody(ec.BodyKind.KINEMATIC)] if thing.name == "star" else []
            is_track = isinstance(thing.shape, ec.Chain)
            colour = STAR if spins else TRACK if is_track else SOLID
            esper.create_entity(*thing.components(friction=0.2), *spins, Paint(colour))
        self.marbles: list[int] = []

    def script(self, frame: int) -> None:
        if frame % 10 == 0 and len(self.marbles) < MARBLES:
            number = len(self.marbles)
            place = ec.Transform(0.8 + 0.03 * (number % 3), 9.6)
            marble = ec.Collider(ec.Circle(RADIUS), friction=0.2)
            looks = Paint(PALETTE[number % len(PALETTE)])
            self.marbles.append(esper.create_entity(place, ec.Velocity(), marble, looks))

    def note(self) -> str:
        return f"in the cup {self._count()}"

    def _count(self) -> int:
        """Return the number of marbles in the cup."""
        places = np.array([esper.component_for_entity(marble, ec.Transform).position for marble in self.marbles])
        if not len(places):
            return 0
        x, y = places.T
        return int(((x > CUP.left) & (x < CUP.right) & (y > CUP.bottom) & (y < CUP.top)).sum())

    def check(self) -> str:
        expect("notes" not in self.names, "a hidden rectangle was read")
        expect({"upper", "middle", "lower", "cup", "star"} <= self.names, f"a part is missing: {self.names}")
        inside = self._count()
        expect(inside == MARBLES, f"{inside} of {MARBLES} marbles are in the cup")
        return f"all {MARBLES} marbles ran down three curves and lie in the cup"


DEMO = Marbles
