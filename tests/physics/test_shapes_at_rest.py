"""Every shape comes to rest on every other: no gain of energy, no sinking in, and momentum kept in free flight."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.reference.solids import COMB, ELL, RIM, star
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
    "compound": ec.Compound(
        [ec.Box(8.0, 1.0, (0.0, -0.5)), (ec.Box(0.5, 4.0), (-3.0, 1.0, 0.0)), ec.Circle(0.5, (3.0, 0.4))]
    ),
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
        _, y, angle = self.play.pose(self.body)
        vx, vy, w = self.play.velocity(self.body)
        height = y + math.sin(angle) * self.center[0] + math.cos(angle) * self.center[1]
        return float(0.5 * self.mass * (vx * vx + vy * vy) + 0.5 * self.inertia * w * w + self.mass * GRAVITY * height)

    def deepest(self) -> float:
        contacts = self.play.physics.contacts
        return min((contacts.separation[k, : contacts.point_count[k]].min() for k in range(len(contacts))), default=0.0)


WHOLE = ("circle", "capsule", "box", "compound")
PAIRS = [
    *((dropped, support) for dropped in WHOLE for support in SUPPORTS),
    *(
        (dropped, support)
        for dropped in ("slice", "star", "bitmap")
        for support in ("half-plane", "box", "bowl", "ring")
    ),
    *((dropped, "half-plane") for dropped in ("half disk", "reflex sector", "ell", "lens", "moon", "chain")),
    *((dropped, "ring") for dropped in ("half disk", "reflex sector", "lens", "moon", "chain")),
    *(("ell", support) for support in ("box", "bitmap", "bowl", "compound")),
    ("half disk", "box"),
    ("slice", "chain"),
]


@pytest.mark.parametrize(("dropped", "support"), PAIRS)
def test_it_comes_to_rest(dropped: str, support: str) -> None:
    come_to_rest(dropped, support)


def come_to_rest(dropped: str, support: str) -> None:
    with game(gravity=(0.0, -GRAVITY), sleeping=False) as play:
        fall = Fall(play, dropped, support, 0.4)
        play.step()
        start = fall.energy()
        for step in range(1200):
            if step == 400:  # what rolls on an arc may roll for long
                esper.add_component(fall.body, ec.RigidBody(linear_damping=1.5, angular_damping=1.5))
            play.step()
            assert fall.energy() <= start * (1.0 + 1e-9) + 1e-3 * fall.mass, f"gained energy in step {step}"
        assert play.physics.touching(fall.body, fall.support)
        vx, vy, w = play.velocity(fall.body)
        assert math.hypot(vx, vy) + abs(w) < 1e-2
        assert fall.deepest() > -1.5 * SLOP


FLYING = ("ell", "star", "lens", "moon", "bitmap", "compound", "reflex sector", "slice")


@pytest.mark.parametrize("friction", [0.0, 0.6])
def test_bodies_of_several_pieces_keep_momentum_and_do_not_gain_energy(friction: float) -> None:
    """Thrown together in free flight: linear momentum to rounding, angular about the places at which a step acts."""
    with game(sleeping=False) as play:
        bodies, masses, inertias, centers = [], [], [], []
        for k in range(16):
            shape = DROPPED[FLYING[k % len(FLYING)]]
            x, y = 1.7 * (k % 4 - 1.5), 1.7 * (k // 4 - 1.5)
            bodies.append(dynamic(shape, (x, y), (-x, -y), angle=0.7 * k, angular=0.3 * k - 2.0, friction=friction))
            properties = shape.mass_properties()
            masses.append(properties.area)
            inertias.append(properties.second_moment)
            centers.append(properties.centroid)
        mass, inertia = np.array(masses), np.array(inertias)

        def state() -> tuple[np.ndarray, np.ndarray]:
            poses = np.array([play.pose(body) for body in bodies])
            c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
            x, y = np.array(centers).T
            places = poses[:, :2] + np.column_stack((c * x - s * y, s * x + c * y))
            return places, np.array([play.velocity(body) for body in bodies])

        def spin(places: np.ndarray, v: np.ndarray) -> float:
            orbit = mass * (places[:, 0] * v[:, 1] - places[:, 1] * v[:, 0])
            return float((orbit + inertia * v[:, 2]).sum())

        places, v = state()
        start = mass @ v[:, :2]
        energy = first = float((mass * (v[:, :2] ** 2).sum(axis=1) + inertia * v[:, 2] ** 2).sum())
        touched = 0
        for _ in range(150):
            places, v = state()
            play.step()
            touched += play.physics.contacts.count
            _, after = state()
            np.testing.assert_allclose(mass @ after[:, :2], start, rtol=0.0, atol=1e-9)
            assert spin(places, after) == pytest.approx(spin(places, v), abs=1e-9)
        _, v = state()
        energy = float((mass * (v[:, :2] ** 2).sum(axis=1) + inertia * v[:, 2] ** 2).sum())
        assert touched > 100
        assert energy < first


def test_a_polygon_that_is_cut_moves_as_the_same_shape_of_two_boxes() -> None:
    """The ell as a polygon and as a compound without overlap: one mass, and one way to fall on the ground."""
    parts = ec.Compound([(ec.Box(2.0, 0.5), (1.0, 0.25, 0.0)), (ec.Box(0.5, 1.5), (0.25, 1.25, 0.0))])
    tracks = []
    for shape in (ec.Polygon(ELL), parts):
        with game(gravity=(0.0, -GRAVITY), sleeping=False) as play:
            static(ec.HalfPlane(), friction=0.4)
            body = dynamic(shape, (0.0, 1.0), angle=0.3, angular=1.0, friction=0.4)
            track = []
            for _ in range(45):
                play.step()
                track.append(play.pose(body))
            play.step(300)
            tracks.append((np.array(track), play.pose(body)))
    np.testing.assert_allclose(tracks[0][0], tracks[1][0], rtol=0.0, atol=2e-3)
    np.testing.assert_allclose(tracks[0][1][1:], tracks[1][1][1:], rtol=0.0, atol=0.02)
    assert tracks[0][1][0] == pytest.approx(tracks[1][1][0], abs=0.25), "a second tumble tells small differences"


@pytest.mark.parametrize("name", ["ell", "lens", "moon", "bitmap", "compound", "reflex sector"])
def test_a_blow_feels_the_mass_and_inertia_of_the_whole(name: str) -> None:
    """An impulse at an arm turns the body by arm x J / I about its centre of mass, whatever its pieces."""
    properties = DROPPED[name].mass_properties()
    with game(sleeping=False) as play:
        body = dynamic(DROPPED[name], (3.0, -2.0), angle=0.8)
        c, s = math.cos(0.8), math.sin(0.8)
        x, y = properties.centroid
        center = 3.0 + c * x - s * y, -2.0 + s * x + c * y
        play.physics.apply_impulse(body, (0.0, 0.5), (center[0] + 0.4, center[1]))
        vx, vy, w = play.velocity(body)
        assert (vx, vy) == pytest.approx((0.0, 0.5 / properties.area), rel=1e-12, abs=1e-12)
        assert w == pytest.approx(0.4 * 0.5 / properties.second_moment, rel=1e-12)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_chain_carries_from_both_sides(side: float) -> None:
    with game(gravity=(0.0, -side * GRAVITY), sleeping=False) as play:
        static(ec.Chain([(-3.0, 0.0), (0.0, 0.0), (3.0, 0.0)]), friction=0.5)
        body = dynamic(ec.Box(0.8, 0.5), (0.1, side * 0.3))
        play.step(200)
        assert play.pose(body)[:2] == pytest.approx((0.1, side * 0.25), abs=6e-3)
        assert math.hypot(*play.velocity(body)) < 1e-3


@pytest.mark.parametrize(
    "shape", [ec.Ring(3.0), ec.Compound([ec.Box(6.0, 0.4, (0.0, -3.2)), ec.Circle(0.5, (2.0, -2.6))])]
)
def test_a_kinematic_body_of_several_pieces_carries_its_load(shape: ec.Shape) -> None:
    with game(gravity=(0.0, -GRAVITY), sleeping=False) as play:
        carrier = esper.create_entity(
            ec.Transform(), ec.Velocity(0.5, 0.2), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(shape, friction=1.0)
        )
        body = dynamic(ec.Circle(0.4), (0.0, -2.6), friction=1.0)
        play.step(60)
        x, y, _ = play.pose(carrier)
        assert (x, y) == pytest.approx((0.5, 0.2), abs=1e-9)
        assert play.pose(body)[1] - y == pytest.approx(-2.6, abs=0.05)
        assert play.velocity(body)[1] == pytest.approx(0.2, abs=0.15)
