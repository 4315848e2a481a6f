"""`ec.distance` and `ec.overlap` against closed forms, shapely and dense sampling."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

import ecs_collide as ec
from ecs_collide.algorithms import circles_overlap, sector_circle_distance
from ecs_collide.contours.shape_contour import build_contour
from tests.algorithms.any_two_shapes.reference import (
    CONVEX,
    CURVE_ERROR,
    SAMPLED,
    SHAPES,
    Pose,
    distance_by_shapely,
    place_by_shapely,
    random_pose,
    support,
)

ORIGIN = (0.0, 0.0, 0.0)
UNIT_BOX = ec.Box(1.0, 1.0)
DISK = ec.Circle(0.5)


@pytest.mark.parametrize(
    ("shape_a", "shape_b", "pose_b", "expected"),
    [
        (DISK, DISK, (3.0, 4.0, 1.0), 4.0),
        (DISK, DISK, (0.3, 0.4, 0.0), -0.5),
        (DISK, DISK, ORIGIN, -1.0),
        (DISK, ec.Circle(0.1), (0.1, 0.0, 0.0), -0.5),
        (UNIT_BOX, DISK, (2.0, 0.2, 0.0), 1.0),
        (UNIT_BOX, DISK, (2.0, 2.0, 0.0), 1.5 * math.sqrt(2.0) - 0.5),
        (UNIT_BOX, DISK, (0.4, 0.1, 0.0), -0.6),
        (UNIT_BOX, DISK, (0.5, 0.5, 0.0), -0.5),
        (UNIT_BOX, UNIT_BOX, ORIGIN, -1.0),
        (UNIT_BOX, UNIT_BOX, (0.2, 0.1, 0.0), -0.8),
        (UNIT_BOX, UNIT_BOX, (1.0, 0.0, 0.0), 0.0),
        (UNIT_BOX, UNIT_BOX, (1.0, 1.0, 0.0), 0.0),
        (UNIT_BOX, UNIT_BOX, (2.0, 2.0, 0.0), math.sqrt(2.0)),
        (ec.Box(4.0, 4.0), ec.Box(0.5, 0.5), (0.5, 0.0, math.pi / 4), -1.5 - 0.25 * math.sqrt(2.0)),
        (ec.Capsule((0.0, 0.0), (1.0, 0.0), 0.1), ec.Segment((0.0, 0.0), (1.0, 0.0)), (1.5, 0.0, 0.0), 0.4),
        (ec.Capsule((0.0, 0.0), (1.0, 0.0), 0.1), ec.Capsule((0.0, 0.0), (1.0, 0.0), 0.2), ORIGIN, -0.3),
        (ec.Segment((-1.0, 0.0), (1.0, 0.0)), ec.Segment((0.0, -0.2), (0.0, 0.6)), ORIGIN, -0.2),
        (ec.HalfPlane(), UNIT_BOX, (5.0, 2.0, math.pi / 4), 2.0 - math.sqrt(0.5)),
        (ec.HalfPlane((0.0, 2.0), -2.0), DISK, (5.0, -3.0, 0.0), -2.5),
        (ec.HalfPlane(), ec.Sector(1.0, 0.5, -math.pi / 2), (0.0, 3.0, 0.0), 2.0),
        (ec.HalfPlane(), ec.Sector(1.0, 0.5), (0.0, 3.0, 0.0), 3.0 - math.sin(0.5)),
        (ec.Ring(3.0), DISK, (1.0, 1.0, 0.0), 2.5 - math.sqrt(2.0)),
        (ec.Ring(3.0), DISK, ORIGIN, 2.5),
        (ec.Ring(3.0), UNIT_BOX, (3.0, 0.0, 0.0), 3.0 - math.hypot(3.5, 0.5)),
        (ec.Ring(3.0), ec.Sector(1.0, 0.5), (1.0, 0.0, 0.0), 1.0),
    ],
)
def test_closed_forms(shape_a: ec.Shape, shape_b: ec.Shape, pose_b: Pose, expected: float) -> None:
    assert ec.distance(shape_a, ORIGIN, shape_b, pose_b) == pytest.approx(expected, abs=1e-14)
    assert ec.distance(shape_b, pose_b, shape_a, ORIGIN) == pytest.approx(expected, abs=1e-14)


def test_sector_and_circle_agree_with_row_18() -> None:
    rng = np.random.default_rng(18)
    for _ in range(2000):
        radius, half_angle = rng.uniform(0.2, 2.0), rng.uniform(0.05, math.pi / 2)
        x, y, turn = random_pose(rng, 3.0)
        expected = sector_circle_distance(x, y, 0.3, 0.0, 0.0, radius, half_angle, turn)
        found = ec.distance(ec.Sector(radius, half_angle), (0.0, 0.0, turn), ec.Circle(0.3), (x, y, 0.0))
        assert found == pytest.approx(expected, abs=1e-13)


def test_apart_like_shapely() -> None:
    """4,000 pairs of all shapes, of which those with overlapping cores are only required to overlap."""
    rng = np.random.default_rng(1)
    names = list(SHAPES)
    apart = 0
    for _ in range(4_000):
        name_a, name_b = rng.choice(names, 2)
        shape_a, shape_b = SHAPES[name_a], SHAPES[name_b]
        pose_a, pose_b = random_pose(rng, 1.5), random_pose(rng, 1.5)
        found = ec.distance(shape_a, pose_a, shape_b, pose_b)
        a, b = place_by_shapely(shape_a, pose_a), place_by_shapely(shape_b, pose_b)
        cores = float(shapely.distance(a.core, b.core))
        tolerance = CURVE_ERROR if {name_a, name_b} & set(SAMPLED) else 1e-13
        if cores > 0.0:
            apart += 1
            assert found == pytest.approx(cores - a.radius - b.radius, abs=tolerance), (name_a, name_b)
        else:
            assert found <= tolerance - a.radius - b.radius, (name_a, name_b)
        assert ec.overlap(shape_a, pose_a, shape_b, pose_b) == (found <= 0.0)
    assert apart > 1600


def test_penetration_is_the_least_translation_in_a_dense_set_of_directions() -> None:
    """No direction parts two convex shapes sooner, and one near the best takes hardly longer."""
    rng = np.random.default_rng(2)
    count = 3600
    turns = 2.0 * math.pi * np.arange(count) / count
    directions = np.stack((np.cos(turns), np.sin(turns)), axis=1)
    overlapping = 0
    for _ in range(200):
        shape_a, shape_b = (SHAPES[name] for name in rng.choice(CONVEX, 2))
        pose_a, pose_b = random_pose(rng, 0.4), random_pose(rng, 0.4)
        found = ec.distance(shape_a, pose_a, shape_b, pose_b)
        best = float((-support(shape_a, pose_a, directions) - support(shape_b, pose_b, -directions)).max())
        assert best - 1e-12 - CURVE_ERROR <= found <= best + 3.0 * math.pi / count
        overlapping += found < 0.0
    assert overlapping > 130


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-9, -1e-6, -1e-3])
def test_near_touching(gap: float) -> None:
    """Straight shapes brought together along the line between their closest points."""
    rng = np.random.default_rng(3)
    checked = 0
    for _ in range(300):
        shape_a, shape_b = (SHAPES[name] for name in rng.choice(("segment", "box", "triangle", "rounded", "circle"), 2))
        pose_a, (x, y, angle) = random_pose(rng, 0.5), random_pose(rng, 3.0)
        a, b = place_by_shapely(shape_a, pose_a), place_by_shapely(shape_b, (x, y, angle))
        cores = float(shapely.distance(a.core, b.core))
        radii = a.radius + b.radius
        if cores <= 1e-2 or radii + gap < -gap:
            continue
        near_a, near_b = shapely.get_coordinates(shapely.shortest_line(a.core, b.core))
        back = (cores - radii - gap) * (near_b - near_a) / cores
        if radii + gap < 0.0:
            continue
        found = ec.distance(shape_a, pose_a, shape_b, (x - back[0], y - back[1], angle))
        assert found == pytest.approx(gap, abs=2e-15 + (abs(gap) if radii == 0.0 and gap < 0.0 else 0.0))
        checked += 1
    assert checked > 50


@pytest.mark.parametrize("name_a", SHAPES)
def test_swapping_and_moving_both_change_nothing(name_a: str) -> None:
    rng = np.random.default_rng(4)
    for name_b in SHAPES:
        pose_a, pose_b = random_pose(rng, 1.0), random_pose(rng, 1.0)
        found = ec.distance(SHAPES[name_a], pose_a, SHAPES[name_b], pose_b)
        assert ec.distance(SHAPES[name_b], pose_b, SHAPES[name_a], pose_a) == pytest.approx(found, abs=1e-13)
        shift_x, shift_y, turn = random_pose(rng, 10.0)
        cosine, sine = math.cos(turn), math.sin(turn)

        moved_a, moved_b = (
            (shift_x + cosine * x - sine * y, shift_y + sine * x + cosine * y, angle + turn)
            for x, y, angle in (pose_a, pose_b)
        )
        again = ec.distance(SHAPES[name_a], moved_a, SHAPES[name_b], moved_b)
        assert again == pytest.approx(found, abs=1e-13)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_scale(scale: float) -> None:
    rng = np.random.default_rng(5)

    def shapes(size: float) -> list[ec.Shape]:
        corners = [(-size, -0.5 * size), (size, -0.5 * size), (size, 0.5 * size), (-size, 0.5 * size)]
        return [
            ec.Circle(0.4 * size),
            ec.Box(size, 0.5 * size),
            ec.Capsule((0.0, 0.0), (size, 0.0), 0.2 * size),
            ec.Sector(size, 0.7),
            ec.ArcPolygon(corners, [0.0, 0.0, -0.6, 0.0]),
        ]

    small, large = shapes(1.0), shapes(scale)
    for _ in range(200):
        i, j = rng.integers(5, size=2)
        (ax, ay, a), (bx, by, b) = random_pose(rng, 1.0), random_pose(rng, 1.0)
        unit = ec.distance(small[i], (ax, ay, a), small[j], (bx, by, b))
        found = ec.distance(large[i], (ax * scale, ay * scale, a), large[j], (bx * scale, by * scale, b))
        assert found == pytest.approx(unit * scale, abs=1e-12 * scale)


def test_a_circle_in_front_of_a_hollow_edge_is_measured_from_the_arc() -> None:
    """Also where it is in the solid: the depth of the centre, less the radius."""
    shape = ec.ArcPolygon([(-0.6, -0.5), (0.6, -0.5), (0.6, 0.4), (-0.6, 0.4)], [0.0, 0.0, -0.06, 0.0])
    assert len(shape.pieces()) == 1
    outline = place_by_shapely(shape, ORIGIN).core
    rng = np.random.default_rng(6)
    for _ in range(1000):
        x, y = rng.uniform(-0.9, 0.9, 2)
        point = shapely.Point(x, y)
        depth = float(shapely.distance(outline.exterior, point))
        expected = (-depth if outline.contains(point) else depth) - 0.1
        assert ec.distance(shape, ORIGIN, ec.Circle(0.1), (x, y, 0.0)) == pytest.approx(expected, abs=CURVE_ERROR)


def test_a_box_corner_in_a_hollow_touches_nothing_until_it_reaches_the_arc() -> None:
    bowl = ec.ArcPolygon([(-2.0, -3.0), (2.0, -3.0), (2.0, 0.0), (-2.0, 0.0)], [0.0, 0.0, -1.0, 0.0])
    turn = 0.1  # away from where two pieces of the bowl meet
    for gap in (0.5, 1e-3, 1e-9, -1e-9, -1e-3):
        out = 2.0 - math.sqrt(0.5) - gap
        pose_b = (out * math.sin(turn), -out * math.cos(turn), math.pi / 4 + turn)
        found = ec.distance(bowl, ORIGIN, UNIT_BOX, pose_b)
        assert found == pytest.approx(gap, abs=1e-12)


def test_a_hollow_piece_that_covers_another_exactly_overlaps_it() -> None:
    shape = SHAPES["notch"]
    assert ec.overlap(shape, ORIGIN, shape, ORIGIN, touching=False)
    assert ec.distance(shape, ORIGIN, shape, ORIGIN) < -0.3


def test_a_cross_of_a_bar_and_a_hollow_piece_overlaps() -> None:
    shape = SHAPES["notch"]
    bar = ec.Box(4.0, 0.2)
    assert ec.overlap(shape, ORIGIN, bar, (0.0, 0.0, 0.1), touching=False)
    assert ec.overlap(bar, (0.0, 0.0, 0.1), shape, ORIGIN, touching=False)


@pytest.mark.parametrize(
    ("shape_a", "shape_b", "pose_b"),
    [
        (DISK, DISK, (1.0, 0.0, 0.0)),
        (UNIT_BOX, UNIT_BOX, (1.0, 0.3, 0.0)),
        (UNIT_BOX, UNIT_BOX, (-1.0, 1.0, 0.0)),
        (UNIT_BOX, DISK, (0.0, 1.0, 0.0)),
        (ec.HalfPlane(), DISK, (7.0, 0.5, 0.0)),
        (ec.Ring(2.0), DISK, (1.5, 0.0, 0.0)),
        (ec.Bitmap([[1, 0], [0, 1]], 1.0), ec.Bitmap([[1, 1]], 1.0), (0.0, -1.0, 0.0)),
        (ec.Segment((0.0, 0.0), (1.0, 0.0)), ec.Segment((0.0, 0.0), (1.0, 0.0)), (1.0, 0.0, 0.0)),
    ],
)
def test_touching(shape_a: ec.Shape, shape_b: ec.Shape, pose_b: Pose) -> None:
    assert ec.overlap(shape_a, ORIGIN, shape_b, pose_b)
    assert not ec.overlap(shape_a, ORIGIN, shape_b, pose_b, touching=False)


def test_bitmaps_overlap_by_the_cell() -> None:
    """Against the cells themselves, on a grid and off it."""
    rng = np.random.default_rng(7)
    for _ in range(300):
        mask_a, mask_b = rng.random((4, 5)) < 0.4, rng.random((3, 3)) < 0.5
        if not (mask_a.any() and mask_b.any()):
            continue
        x, y = (int(n) for n in rng.integers(-3, 6, 2))
        cells_a = {(int(i), int(j)) for j, i in np.argwhere(mask_a)}
        cells_b = {(int(i) + x, int(j) + y) for j, i in np.argwhere(mask_b)}
        a, b = ec.Bitmap(mask_a, 0.5), ec.Bitmap(mask_b, 0.5)
        assert ec.overlap(a, ORIGIN, b, (0.5 * x, 0.5 * y, 0.0), touching=False) == bool(cells_a & cells_b)


def test_poses_may_be_transforms() -> None:
    assert ec.distance(DISK, ec.Transform(1.0, 2.0, 3.0), DISK, ec.Transform(4.0, 6.0)) == pytest.approx(4.0)


def test_overlap_is_a_function_and_the_package_is_found_too() -> None:
    assert callable(ec.overlap)
    assert circles_overlap(0.0, 0.0, 1.0, 1.0, 0.0, 1.0)


def test_the_wedges_of_a_ring_are_one_piece() -> None:
    assert len(build_contour(ec.Ring(2.0).pieces()).pieces) == 1
    two = ec.Compound([ec.Ring(2.0), ec.HalfPlane((0.0, 1.0), -1.0)])
    assert ec.distance(two, ORIGIN, DISK, (0.0, 0.0, 0.0)) == pytest.approx(0.5)
    assert ec.distance(DISK, (0.0, 1.0, 0.0), two, ORIGIN) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((DISK, (0.0, math.nan, 0.0), DISK, ORIGIN), ValueError, r"pose_a\[1\]"),
        ((DISK, ORIGIN, DISK, (0.0, 0.0, math.inf)), ValueError, r"pose_b\[2\]"),
        ((DISK, ORIGIN, DISK, (0.0, 0.0, 1e16)), ValueError, "angle of pose_b"),
        ((DISK, (0.0, 0.0), DISK, ORIGIN), ValueError, "pose_a"),
        ((DISK, 3.0, DISK, ORIGIN), TypeError, "pose_a"),
        ((DISK, ("x", 0.0, 0.0), DISK, ORIGIN), TypeError, r"pose_a\[0\]"),
        (("disk", ORIGIN, DISK, ORIGIN), TypeError, "shape_a"),
        ((DISK, ORIGIN, 0.5, ORIGIN), TypeError, "shape_b"),
        ((ec.HalfPlane(), ORIGIN, ec.Ring(1.0), ORIGIN), ValueError, r"HalfPlane.*Ring"),
        ((ec.HalfPlane(), ORIGIN, ec.HalfPlane(), ORIGIN), ValueError, "unbounded"),
    ],
)
def test_bad_arguments_are_named(arguments: tuple[Any, ...], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ec.distance(*arguments)
    with pytest.raises(error, match=words):
        ec.overlap(*arguments)


def test_touching_must_be_a_flag() -> None:
    with pytest.raises(TypeError, match="touching"):
        ec.overlap(DISK, ORIGIN, DISK, ORIGIN, touching=1)  # type: ignore[arg-type]


def test_core_distance_is_positive_if_cores_are_apart() -> None:
    """The reference itself, in one case done by hand."""
    assert distance_by_shapely(DISK, ORIGIN, UNIT_BOX, (2.0, 0.0, 0.0)) == pytest.approx(1.0)
