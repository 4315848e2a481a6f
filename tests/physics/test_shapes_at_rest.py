"""Every shape comes to rest on every other: no gain of energy, no sinking in, and momentum kept in free flight."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.reference.boundary import arc_polygon
from tests.support.reference.geometry import length
from tests.support.reference.solids import BAR, COMB, ELL, RIM, SOLIDS, star
from tests.support.worlds import Game, dynamic, game, static

SLOP = 0.005
GRAVITY = 9.81

DROPPED: dict[str, ec.Shape] = {
    "circle": ec.Circle(0.4),
    "capsule": ec.Capsule((-0.3, 0.0), (0.3, 0.0), 0.2),
    "box": ec.Box(0.8, 0.5),
    "slice": ec.Sector(0.9, 0.4, 0.5 * math.pi),
    "half disk": ec.Sector(0.6, 0.5 * math.pi, -0.5 * math.pi),
    "reflex sector": ec.Sector(0.6, 2.2, -0.5 * math.pi),
    "ell": ec.Polygon([(0.5 * x, 0.5 * y) for x, y in ELL]),
    "star": ec.Polygon(star(5, 0.7, 0.3)),
    "lens": ec.ArcPolygon([(-0.7, 0.0), (0.7, 0.0)], [0.5, 0.3]),
    "moon": ec.ArcPolygon([(-0.6, 0.0), (0.6, 0.0)], [1.0, -0.5]),
    "bitmap": ec.Bitmap([[1, 1, 1], [0, 1, 0]], 0.3),
    "compound": ec.Compound([ec.Circle(0.3), (ec.Box(0.9, 0.2), (0.0, -0.3, 0.0))]),
    "chain": ec.Chain([(-0.5, 0.3), (-0.4, 0.0), (0.4, 0.0), (0.5, 0.3)]),
}
SUPPORTS: dict[str, ec.Shape] = {
    "half-plane": ec.HalfPlane(),
    "box": ec.Box(8.0, 1.0, (0.0, -0.5)),
    "comb": ec.Polygon([(3.0 * x, y - 0.8) for x, y in COMB]),
    "bitmap": ec.Bitmap([[1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 0, 1]], 1.5),
    "bowl": ec.ArcPolygon([(2.0 * x, 2.0 * y) for x, y in RIM], [0.0, 0.0, 0.0, -0.8, 0.0, 0.0]),
    "chain": ec.Chain([(-4.0, 1.5), (-2.0, 0.0), (2.0, 0.0), (4.0, 1.5)]),
    "ring": ec.Ring(4.0, (0.0, 4.0)),
    "compound": ec.Compound([ec.Box(8.0, 1.0, (0.0, -0.5)), (ec.Box(0.5, 4.0), (-3.0, 1.0, 0.0)), ec.Circle(0.5, (3.0, 0.4))]),
}
AT = {"bitmap": (-4.5, 0.0)}


class Fall:
    """A body over a support."""

    def __init__(self, play: Game, dropped: str, support: str, tilt: float) -> None:
        shape = DROPPED[dropped]
        self.play = play
        self.support = static(SUPPORTS[support], AT.get(support, (0.0, 0.0)), friction=0.6)
        height = 1.8 + (1.5 if support == "bitmap" else 0.0)
        self.body = dynamic(shape, (0.15, height), angle=tilt, friction=0.6)
        properties = shape.mass_properties()
        self.mass, self.inertia = properties.area, properties.second_moment
        self.center = np.array(properties.centroid)

    def energy(self) -> float:
        x, y, angle = self.play.pose(self.body)
        vx, vy, w = self.play.velocity(self.body)
        height = y + math.sin(angle) * self.center[0] + math.cos(angle) * self.center[1]
        return 0.5 * self.mass * (vx * vx + vy * vy) + 0.5 * self.inertia * w * w + self.mass * GRAVITY * height

    def deepest(self) -> float:
        contacts = self.play.physics.contacts
        return min((contacts.separation[k, : contacts.point_count[k]].min() for k in range(len(contacts))), default=0.0)


PAIRS = [(dropped, support) for dropped in DROPPED for support in SUPPORTS if not dropped == support == "chain"]


@pytest.mark.parametrize(("dropped", "support"), PAIRS)
def test_it_comes_to_rest(dropped: str, support: str) -> None:
    with game(gravity=(0.0, -GRAVITY)) as play:
        fall = Fall(play, dropped, support, 0.4)
        play.step()
        start = fall.energy()
        damped = False
        for step in range(1200):
            if step == 400:  # what rolls on an arc may roll for long
                damped = True
                esper.add_component(fall.body, ec.RigidBody(linear_damping=1.5, angular_damping=1.5))
            play.step()
            assert fall.energy() <= start * (1.0 + 1e-9) + 1e-3 * fall.mass, f"gained energy in step {step}"
        assert damped
        assert play.physics.touching(fall.body, fall.support)
        vx, vy, w = play.velocity(fall.body)
        assert math.hypot(vx, vy) + abs(w) < 1e-2
        assert fall.deepest() > -1.5 * SLOP
