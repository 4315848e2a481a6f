"""Half-planes against outlines: the depth of the lowest point of the true outline, and two points under a flat side."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.shapes import Piece
from ecs_collide.shapes.piece import capsule_piece, half_plane_piece
from tests.support.reference.geometry import Array
from tests.support.reference.pair_bench import manifold, points_on_a
from tests.support.reference.pair_cases import box
from tests.support.reference.shape_bench import contact_points, local_points, placed_points
from tests.support.reference.solids import SOLIDS

REACH = 0.02
PLANE = ec.HalfPlane((0.6, -0.8), 0.25)
NORMAL = np.array((0.6, -0.8))
each_solid = pytest.mark.parametrize("name", SOLIDS)


def settled(name: str, count: int, seed: int) -> tuple[Array, Array]:
    """Poses near the plane at the origin, and the room between them (count,) [m]."""
    random = np.random.default_rng(seed)
    samples = SOLIDS[name].boundary.samples(5e-4)
    poses, rooms = np.zeros((count, 3)), np.empty(count)
    for k in range(count):
        poses[k] = (*random.uniform(-5.0, 5.0, 2), random.uniform(-4.0, 4.0))
        height = float((placed_points(samples, poses[k]) @ NORMAL).min()) - 0.25
        rooms[k] = random.choice([-0.5, -0.05, -0.005, 0.0, 0.01, 0.03])
        poses[k, :2] += (rooms[k] - height) * NORMAL
    return poses, rooms


@each_solid
def test_the_least_separation_is_that_of_the_lowest_point(name: str) -> None:
    poses, rooms = settled(name, 200, 1)
    found = contact_points(PLANE, SOLIDS[name].shape, np.zeros_like(poses), poses, REACH)
    lowest = found.lowest(200)
    assert (np.isfinite(lowest) == (rooms < REACH)).all()
    has = np.isfinite(lowest)
    assert np.abs(lowest - rooms)[has].max() < EXACT
    np.testing.assert_allclose(found.normal, np.tile(NORMAL, (len(found.case), 1)), rtol=0.0, atol=1e-12)


EXACT = 1e-6
"""Upper bound of the error of an arc that is sampled each half millimetre [m]."""


@each_solid
def test_each_point_is_on_the_plane_and_on_or_in_the_shape(name: str) -> None:
    poses, rooms = settled(name, 100, 2)
    found = contact_points(PLANE, SOLIDS[name].shape, np.zeros_like(poses), poses, REACH)
    np.testing.assert_allclose(found.on_a() @ NORMAL, 0.25, rtol=0.0, atol=1e-12)
    for place, case, separation in zip(found.on_b(), found.case, found.separation, strict=True):
        own = local_points(place[np.newaxis], poses[case])
        height = SOLIDS[name].boundary.signed_distance(own)[0]
        assert height < 1e-9
        if separation < rooms[case] + EXACT:
            assert height > -1e-9, "the lowest point is on the surface"


@each_solid
def test_turning_and_moving_both_turns_and_moves_the_contacts(name: str) -> None:
    poses, _ = settled(name, 60, 3)
    found = contact_points(PLANE, SOLIDS[name].shape, np.zeros_like(poses), poses, REACH)
    pose = np.array((3.0, 40.0, -2.2))
    carried = np.column_stack((placed_points(poses[:, :2], pose), poses[:, 2] + pose[2]))
    moved = contact_points(PLANE, SOLIDS[name].shape, np.tile(pose, (60, 1)), carried, REACH)
    assert moved.case.tolist() == found.case.tolist()
    np.testing.assert_allclose(moved.separation, found.separation, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(moved.point, placed_points(found.point, pose), rtol=0.0, atol=1e-11)


@pytest.mark.parametrize("name", ["quarter", "segment", "bowl", "stadium", "ell", "comb"])
def test_a_flat_side_lies_on_its_two_ends(name: str) -> None:
    """For each straight edge that nothing of the shape reaches below: both ends, at one height."""
    shape, outline = SOLIDS[name]
    ground = ec.HalfPlane()
    samples = outline.samples(0.01)
    tried = 0
    for edge in outline.edges:
        a, b = np.array(edge.a), np.array(edge.b)
        along = (b - a) / math.dist(a, b)
        if edge.arc is not None or ((samples - a) @ np.array((-along[1], along[0]))).min() < -1e-9:
            continue
        tried += 1
        turn = -math.atan2(along[1], along[0])
        pose = np.array((0.0, 0.0, turn))
        start, stop = placed_points(np.array((a, b)), pose)
        pose[1] = -0.004 - start[1]
        found = contact_points(ground, shape, np.zeros((1, 3)), pose[np.newaxis], REACH)
        level = found.separation < 0.0
        for end in (start, stop):
            assert np.abs(found.point[level, 0] - end[0]).min() < 1e-9
        np.testing.assert_allclose(found.separation[level], -0.004, rtol=0.0, atol=1e-12)
    assert tried > 0


def test_an_arc_rolls_over_its_ends_and_cuts_without_a_jump() -> None:
    """The height at which a slice touches the ground, from one corner over the arc to the other."""
    shape = ec.Sector(1.0, 2.2, -0.5 * math.pi)
    for turn in np.linspace(-2.15, 2.15, 401):
        found = contact_points(ec.HalfPlane(), shape, np.zeros((1, 3)), np.array([(0.0, 1.0, turn)]), REACH)
        assert found.separation.min() == pytest.approx(0.0, abs=1e-12)
        assert found.point[found.separation.argmin(), 0] == pytest.approx(0.0, abs=1e-9)


GROUND = half_plane_piece((0.0, 1.0), 0.0)
ROD = capsule_piece((-1.0, 0.0), (1.0, 0.0), 0.25)


@pytest.mark.parametrize(
    ("piece", "pose", "expected", "separation"),
    [
        (box(1.0, 1.0), (3.0, 0.49, 0.0), [(2.5, 0.0), (3.5, 0.0)], -0.01),
        (box(1.0, 1.0), (3.0, 0.5, 0.5 * math.pi), [(2.5, 0.0), (3.5, 0.0)], 0.0),
        (ROD, (0.0, 0.26, 0.0), [(-1.0, 0.0), (1.0, 0.0)], 0.01),
        (box(1.0, 1.0, 0.25), (0.0, 0.75, 0.0), [(-0.5, 0.0), (0.5, 0.0)], 0.0),
    ],
)
def test_a_flat_side_touches_the_ground_with_both_ends(
    piece: Piece, pose: tuple[float, float, float], expected: list[tuple[float, float]], separation: float
) -> None:
    found = manifold(GROUND, piece, pose)
    assert found.normal[0].tolist() == [0.0, 1.0]
    assert points_on_a(found) == pytest.approx(np.array(expected), abs=1e-12)
    assert found.separation[0] == pytest.approx([separation, separation], abs=1e-12)
