"""Rings against what is inside them: exact against the farthest point of each boundary."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.reference import boundary
from tests.support.reference.boundary import Boundary
from tests.support.reference.geometry import Array, length
from tests.support.reference.shape_bench import contact_points, local_points, placed_points

REACH = 0.02
RADIUS = 2.0
CENTER = (0.3, -0.2)
RING = ec.Ring(RADIUS, CENTER)
BOX = [(-0.5, -0.3), (0.5, -0.3), (0.5, 0.3), (-0.5, 0.3)]

INSIDE: dict[str, tuple[ec.Shape, Boundary]] = {
    "circle": (ec.Circle(0.4), boundary.arc_polygon_boundary([(-0.4, 0.0), (0.4, 0.0)], [1.0, 1.0])),
    "large circle": (ec.Circle(1.9), boundary.arc_polygon_boundary([(-1.9, 0.0), (1.9, 0.0)], [1.0, 1.0])),
    "capsule": (
        ec.Capsule((-0.5, 0.0), (0.5, 0.0), 0.3),
        boundary.arc_polygon_boundary([(-0.5, -0.3), (0.5, -0.3), (0.5, 0.3), (-0.5, 0.3)], [0.0, 1.0, 0.0, 1.0]),
    ),
    "box": (ec.Box(1.0, 0.6), boundary.polygon_boundary(BOX)),
    "slice": (ec.Sector(0.8, 0.5), boundary.sector_boundary(0.8, 0.5)),
    "half disk": (ec.Sector(0.8, 0.5 * math.pi), boundary.sector_boundary(0.8, 0.5 * math.pi)),
    "reflex sector": (ec.Sector(0.8, 2.5), boundary.sector_boundary(0.8, 2.5)),
    "lens": (
        ec.ArcPolygon([(-1.0, 0.0), (1.0, 0.0)], [0.5, 0.3]),
        boundary.arc_polygon_boundary([(-1.0, 0.0), (1.0, 0.0)], [0.5, 0.3]),
    ),
    "moon": (
        ec.ArcPolygon([(0.0, -1.0), (0.0, 1.0)], [1.0, -0.5]),
        boundary.arc_polygon_boundary([(0.0, -1.0), (0.0, 1.0)], [1.0, -0.5]),
    ),
}
each_shape = pytest.mark.parametrize("name", INSIDE)


def poses_near_the_wall(name: str, count: int, seed: int) -> tuple[Array, Array, Array]:
    """Poses of ring and shape, and the room between them [m]: from half overlapping to out of reach."""
    random = np.random.default_rng(seed)
    ring = np.column_stack((random.uniform(-5.0, 5.0, (count, 2)), random.uniform(-4.0, 4.0, count)))
    samples = INSIDE[name][1].samples(5e-4)
    shape, room = np.empty((count, 3)), np.empty(count)
    for k in range(count):
        center = placed_points(np.array([CENTER]), ring[k])[0]
        pose = np.array((*center, random.uniform(-4.0, 4.0)))
        along = random.uniform(-math.pi, math.pi)
        direction = np.array((math.cos(along), math.sin(along)))
        out = float((placed_points(samples, pose) - center).dot(direction).max())
        pose[:2] += (RADIUS - out + random.choice([-0.3, -0.05, -0.01, 0.0, 0.01, 0.03])) * direction
        shape[k] = pose
        room[k] = RADIUS - length(placed_points(samples, pose) - center).max()
    return ring, shape, room


@each_shape
def test_the_least_separation_is_the_room_left_by_the_farthest_point(name: str) -> None:
    ring, poses, room = poses_near_the_wall(name, 150, 1)
    found = contact_points(RING, INSIDE[name][0], ring, poses, REACH)
    lowest = found.lowest(len(ring))
    sure = np.abs(room - REACH) > 1e-6
    assert (np.isfinite(lowest) == (room < REACH))[sure].all()
    has = np.isfinite(lowest)
    assert has.sum() > 60
    assert np.abs(lowest - room)[has].max() < 1e-6


@each_shape
def test_each_point_is_on_both_surfaces_and_its_normal_leads_to_the_centre(name: str) -> None:
    ring, poses, _ = poses_near_the_wall(name, 150, 2)
    found = contact_points(RING, INSIDE[name][0], ring, poses, REACH)
    cases, counts = np.unique(found.case, return_counts=True)
    single = set(cases[counts == 1].tolist())
    for place_a, place_b, normal, case in zip(found.on_a(), found.on_b(), found.normal, found.case, strict=True):
        center = placed_points(np.array([CENTER]), ring[case])[0]
        # two corners in one wedge share the normal half way, at most half a wedge off
        near, turned = (1e-9, 1e-9) if case in single else (1e-3, 0.2)
        assert math.dist(place_a, center) == pytest.approx(RADIUS, abs=near)
        assert normal == pytest.approx((center - place_a) / RADIUS, abs=turned)
        own = local_points(place_b[np.newaxis], poses[case])
        assert INSIDE[name][1].signed_distance(own)[0] == pytest.approx(0.0, abs=1e-9)


@each_shape
def test_turning_and_moving_both_turns_and_moves_the_contacts(name: str) -> None:
    ring, poses, _ = poses_near_the_wall(name, 60, 3)
    shape = INSIDE[name][0]
    found = contact_points(RING, shape, ring, poses, REACH)
    pose = np.array((30.0, -7.0, 2.5))
    carried = [np.column_stack((placed_points(each[:, :2], pose), each[:, 2] + pose[2])) for each in (ring, poses)]
    moved = contact_points(RING, shape, carried[0], carried[1], REACH)
    assert (moved.case == found.case).all()
    np.testing.assert_allclose(moved.separation, found.separation, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(moved.point, placed_points(found.point, pose), rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("name", ["circle", "capsule", "box", "slice", "moon"])
def test_swapping_the_two_turns_the_normals_round(name: str) -> None:
    ring, poses, _ = poses_near_the_wall(name, 60, 4)
    found = contact_points(RING, INSIDE[name][0], ring, poses, REACH)
    swapped = contact_points(INSIDE[name][0], RING, poses, ring, REACH)
    order, other = (np.lexsort((*p.point.T, p.case)) for p in (found, swapped))
    np.testing.assert_array_equal(found.normal[order], -swapped.normal[other])
    np.testing.assert_array_equal(found.separation[order], swapped.separation[other])


@pytest.mark.parametrize("angle", [*(2.0 * math.pi * k / 16 for k in range(16)), 0.1, 1e-16, -1e-16, math.pi])
def test_a_ball_has_one_contact_on_the_seams_of_the_wedges_too(angle: float) -> None:
    place = np.array([(CENTER[0] + 1.605 * math.cos(angle), CENTER[1] + 1.605 * math.sin(angle), 0.0)])
    found = contact_points(RING, ec.Circle(0.4), np.zeros((1, 3)), place, REACH)
    assert len(found.case) == 1
    assert found.separation[0] == pytest.approx(-0.005, abs=1e-12)
    assert found.normal[0] == pytest.approx((-math.cos(angle), -math.sin(angle)), abs=1e-12)


def test_nothing_touches_at_the_centre() -> None:
    for name in ("circle", "box", "slice"):
        found = contact_points(RING, INSIDE[name][0], np.zeros((1, 3)), np.array([(*CENTER, 0.0)]), REACH)
        assert len(found.case) == 0


def test_a_box_anywhere_outside_of_the_wall_is_brought_back() -> None:
    """If all of the piece is beyond the circle, the overlap is that of the farthest corner."""
    poses = np.array([(CENTER[0] + 5.0 * math.cos(t), CENTER[1] + 5.0 * math.sin(t), 0.3) for t in range(7)])
    found = contact_points(RING, ec.Box(1.0, 0.6), np.zeros((7, 3)), poses, REACH)
    corners = [length(placed_points(np.array(BOX), pose) - CENTER).max() for pose in poses]
    np.testing.assert_allclose(found.lowest(7), RADIUS - np.array(corners), rtol=0.0, atol=1e-12)
