"""`ec.time_of_impact` against closed forms, dense sampling in time and the sweeps of the documents."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.algorithms import (
    moving_circle_inside_moving_circle,
    moving_circle_moving_circle,
    moving_circle_moving_segment,
    moving_polygon_moving_polygon,
)
from ecs_collide.contours.first_contact import TOLERANCE
from tests.algorithms.any_two_shapes.reference import SHAPES, Pose, between, random_pose

ORIGIN = (0.0, 0.0, 0.0)
DISK = ec.Circle(0.5)
BOX = ec.Box(1.0, 1.0)
ROD = ec.Box(2.0, 0.02)
ROD_HITS_THE_GROUND = (math.asin(0.5 / math.hypot(1.0, 0.01)) - math.atan(0.01)) / (math.pi / 2)
"""Time at which the rod's middle is at 0.5 m, with sin θ + 0.01 cos θ = 0.5; the rod turns by a quarter."""


def distance_at(
    t: float, shape_a: ec.Shape, start_a: Pose, end_a: Pose, shape_b: ec.Shape, start_b: Pose, end_b: Pose
) -> float:
    return ec.distance(shape_a, between(start_a, end_a, t), shape_b, between(start_b, end_b, t))


@pytest.mark.parametrize(
    ("shape_a", "shape_b", "start_b", "end_b", "expected"),
    [
        (DISK, DISK, (3.0, 0.0, 0.0), (-3.0, 0.0, 0.0), 1.0 / 3.0),
        (BOX, BOX, (3.0, 0.0, 0.0), (-3.0, 0.0, 0.0), 1.0 / 3.0),
        (BOX, DISK, (0.2, 3.0, 5.0), (0.2, 1.0, 9.0), 1.0),
        (BOX, DISK, (0.2, 3.0, 5.0), (0.2, 1.01, 9.0), None),
        (DISK, DISK, (0.5, 0.0, 0.0), (9.0, 0.0, 0.0), 0.0),
        (BOX, BOX, (1.0, 0.0, 0.0), (2.0, 0.0, 0.0), 0.0),
        (ec.HalfPlane(), BOX, (0.0, 2.0, 0.0), (0.0, 0.0, 0.0), 0.75),
        (ec.HalfPlane(), ROD, (0.0, 0.5, 0.0), (0.0, 0.5, math.pi / 2), ROD_HITS_THE_GROUND),
        (ec.Ring(3.0), DISK, ORIGIN, (5.0, 0.0, 0.0), 0.5),
        (ec.Ring(3.0), ec.Circle(0.5, (2.4, 0.0)), ORIGIN, (0.0, 0.0, 20.0), None),
        (DISK, ROD, (1.4, 0.0, math.pi / 2), (1.4, 0.0, math.pi / 2), None),
    ],
)
def test_closed_forms(shape_a: ec.Shape, shape_b: ec.Shape, start_b: Pose, end_b: Pose, expected: float | None) -> None:
    for found in (
        ec.time_of_impact(shape_a, ORIGIN, ORIGIN, shape_b, start_b, end_b),
        ec.time_of_impact(shape_b, start_b, end_b, shape_a, ORIGIN, ORIGIN),
    ):
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


def test_no_contact_is_missed_and_all_that_are_found_are_contacts() -> None:
    """2,500 random motions of all shapes with up to two turns each, against 150 moments of each."""
    rng = np.random.default_rng(1)
    names = list(SHAPES)
    hits = 0
    for _ in range(2500):
        name_a, name_b = rng.choice(names, 2)
        motion = (SHAPES[name_a], random_pose(rng, 3.0, 6.0), random_pose(rng, 3.0, 6.0))
        other = (SHAPES[name_b], random_pose(rng, 3.0, 6.0), random_pose(rng, 3.0, 6.0))
        t = ec.time_of_impact(*motion, *other)
        before = np.linspace(0.0, 1.0 if t is None else t, 150)[:-1]
        assert t == 0.0 or all(distance_at(u, *motion, *other) > 0.0 for u in before), (name_a, name_b, motion, other)
        if t is not None and t > 0.0:
            hits += 1
            assert abs(distance_at(t, *motion, *other)) < 5.0 * TOLERANCE, (name_a, name_b, motion, other)
        elif t == 0.0:
            assert distance_at(0.0, *motion, *other) < 5.0 * TOLERANCE
    assert hits > 700


@pytest.mark.parametrize("unbounded", [ec.HalfPlane((0.3, 1.0), -1.5), ec.Ring(3.0, (0.2, 0.1))])
def test_half_planes_and_rings_that_move(unbounded: ec.Shape) -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(600):
        shape = SHAPES[str(rng.choice(list(SHAPES)))]
        motion = (unbounded, random_pose(rng, 1.0, 3.0), random_pose(rng, 1.0, 3.0))
        other = (shape, random_pose(rng, 2.0, 6.0), random_pose(rng, 2.0, 6.0))
        t = ec.time_of_impact(*motion, *other)
        before = np.linspace(0.0, 1.0 if t is None else t, 150)[:-1]
        assert t == 0.0 or all(distance_at(u, *motion, *other) > 0.0 for u in before)
        if t is not None and t > 0.0:
            hits += 1
            assert abs(distance_at(t, *motion, *other)) < 5.0 * TOLERANCE
    assert hits > 100


def test_thin_rods_that_spin() -> None:
    """2 m by 2 cm, up to ten turns within the motion; a moment in 2,000 must not show an overlap before the hit."""
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(60):
        motion = (ROD, random_pose(rng, 2.0, 30.0), random_pose(rng, 2.0, 30.0))
        other = (ROD, random_pose(rng, 2.0, 30.0), random_pose(rng, 2.0, 30.0))
        t = ec.time_of_impact(*motion, *other)
        before = np.linspace(0.0, 1.0 if t is None else t, 2000)[:-1]
        assert t == 0.0 or all(distance_at(u, *motion, *other) > 0.0 for u in before)
        hits += t is not None and t > 0.0
    assert hits > 30


def test_circles_agree_with_row_20() -> None:
    """Times of hits that do not graze agree to 1e-9."""
    rng = np.random.default_rng(20)
    hits = 0
    for _ in range(2000):
        radius_a, radius_b = rng.uniform(0.1, 1.0, 2)
        start_a, end_a, start_b, end_b = (rng.uniform(-3.0, 3.0, 2) for _ in range(4))
        expected = moving_circle_moving_circle(
            *start_a, radius_a, *(end_a - start_a), *start_b, radius_b, *(end_b - start_b)
        ).time
        found = ec.time_of_impact(
            ec.Circle(radius_a), (*start_a, 0.0), (*end_a, 4.0), ec.Circle(radius_b), (*start_b, 0.0), (*end_b, -3.0)
        )
        motion = (end_b - start_b) - (end_a - start_a)
        if expected is None or found is None:
            assert expected == found
            continue
        between_centres = start_b - start_a + expected * motion
        approach = -np.dot(between_centres, motion) / np.hypot(*between_centres)
        if approach > 0.2 or expected == 0.0:
            hits += 1
            assert found == pytest.approx(expected, abs=1e-9)
    assert hits > 500


def test_circles_in_a_ring_agree_with_row_21() -> None:
    rng = np.random.default_rng(21)
    for _ in range(500):
        start, end = rng.uniform(-1.0, 1.0, 2), rng.uniform(-6.0, 6.0, 2)
        expected = moving_circle_inside_moving_circle(*start, 0.5, *(end - start), 0.0, 0.0, 3.0, 0.0, 0.0).time
        found = ec.time_of_impact(ec.Ring(3.0), ORIGIN, ORIGIN, DISK, (*start, 0.0), (*end, 0.0))
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))


def test_translated_polygons_agree_with_row_22() -> None:
    rng = np.random.default_rng(22)
    a, b = np.array([(-0.5, -0.4), (0.6, -0.2), (0.1, 0.7)]), np.array([(-0.3, -0.3), (0.5, 0.0), (0.2, 0.4)])
    hits = 0
    for _ in range(500):
        start, end = rng.uniform(-3.0, 3.0, 2), rng.uniform(-3.0, 3.0, 2)
        expected = moving_polygon_moving_polygon(a, (0.0, 0.0), b + start, end - start).time
        found = ec.time_of_impact(ec.Polygon(a), ORIGIN, ORIGIN, ec.Polygon(b), (*start, 0.0), (*end, 0.0))
        assert found == (None if expected is None else pytest.approx(expected, abs=1e-8))
        hits += bool(found)
    assert hits > 50


@pytest.mark.parametrize("turn", [0.01, 0.1, 0.3, 1.0])
def test_how_far_the_linear_motion_of_row_24_is_off(turn: float) -> None:
    """A circle that falls on a turning rod: rows 23 and 24 move the rod's ends on straight lines.

    Half-way its half length is then short by 1 − cos(θ/2), and the greatest error in time of these falls is 0.11 of
    that for small turns and 0.22 for 1 rad: 1.4e-6, 1.4e-4, 1.3e-3 and 2.6e-2 of the motion.
    """
    rng = np.random.default_rng(24)
    worst = 0.0
    for _ in range(300):
        x, angle = rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4)
        ends = [(math.cos(angle + part * turn), math.sin(angle + part * turn)) for part in (0.0, 1.0)]
        (px, py), (qx, qy) = ends
        linear = moving_circle_moving_segment(
            x, 2.0, 0.3, 0.0, -3.0, -px, -py, px - qx, py - qy, px, py, qx - px, qy - py
        ).time
        exact = ec.time_of_impact(
            ec.Segment((-1.0, 0.0), (1.0, 0.0)),
            (0.0, 0.0, angle),
            (0.0, 0.0, angle + turn),
            ec.Circle(0.3),
            (x, 2.0, 0.0),
            (x, -1.0, 0.0),
        )
        assert linear is not None
        assert exact is not None
        worst = max(worst, abs(linear - exact))
    error = 1.0 - math.cos(turn / 2.0)
    assert 0.1 * error < worst < 0.25 * error


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6, 1e-8])
def test_a_motion_that_nearly_touches_all_along_passes(gap: float) -> None:
    still = (ORIGIN, ORIGIN)
    orbit = (ORIGIN, (0.0, 0.0, 20.0))
    assert ec.time_of_impact(ec.Circle(1.0), *still, ec.Circle(0.5, (1.5 + gap, 0.0)), *orbit) is None
    assert ec.time_of_impact(ec.Ring(2.0 + gap), *still, ec.Circle(0.5, (1.5, 0.0)), *orbit) is None
    slide = ((-3.0, 1.0 + gap, 0.0), (3.0, 1.0 + gap, 0.0))
    assert ec.time_of_impact(BOX, *still, BOX, *slide) is None
    gear = ec.Polygon([(math.cos(math.pi * k / 16), math.sin(math.pi * k / 16)) for k in range(32)])
    roll = ((-3.0, 1.0 + gap, 0.0), (3.0, 1.0 + gap, -6.0))
    assert ec.time_of_impact(ec.HalfPlane(), *still, gear, *roll) is None


@pytest.mark.parametrize("gap", [1e-2, 1e-3, 1e-5, 1e-8])
def test_along_a_hollow_edge_the_answer_is_none_or_early_by_the_gap(gap: float) -> None:
    """A disk that swings along a bowl as close as that.

    Where parts of the arc join only the bound by speed holds, and patience may end.
    """
    radius = 2.0 + gap
    corners = [(-3.0, -3.0), (3.0, -3.0), (3.0, 0.0), (radius, 0.0), (-radius, 0.0), (-3.0, 0.0)]
    bowl = ec.ArcPolygon(corners, [0.0, 0.0, 0.0, -1.0, 0.0, 0.0])
    disk = ec.Circle(0.5, (0.0, -1.5))
    found = ec.time_of_impact(bowl, ORIGIN, ORIGIN, disk, (0.0, 0.0, -0.8), (0.0, 0.0, 0.8))
    if gap >= 1e-5:
        assert found is None
    elif found is not None:
        assert ec.distance(bowl, ORIGIN, disk, (0.0, 0.0, -0.8 + 1.6 * found)) == pytest.approx(gap, rel=1e-3)


@pytest.mark.parametrize("offset", [0.0, 1e-13, -1e-9, -1e-6])
def test_grazing(offset: float) -> None:
    """The least distance is `offset`, half-way; the time of a double root hangs on the square root of the tolerance."""
    found = ec.time_of_impact(DISK, ORIGIN, ORIGIN, DISK, (-2.0, 1.0 + offset, 0.0), (2.0, 1.0 + offset, 0.0))
    early = math.sqrt(2.0 * (abs(offset) + 2.0 * TOLERANCE)) / 4.0
    assert found == pytest.approx(0.5, abs=1.01 * early)
    assert ec.time_of_impact(DISK, ORIGIN, ORIGIN, DISK, (-2.0, 1.0 + 1e-6, 0.0), (2.0, 1.0 + 1e-6, 0.0)) is None


@pytest.mark.parametrize("scale", [1e-4, 1e4])
def test_scale_and_place(scale: float) -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        start_a, end_a, start_b, end_b = (random_pose(rng, 2.0) for _ in range(4))
        unit = ec.time_of_impact(BOX, start_a, end_a, ec.Sector(0.7, 0.8), start_b, end_b)
        start_a, end_a, start_b, end_b = (
            (x * scale + scale, y * scale - scale, angle) for x, y, angle in (start_a, end_a, start_b, end_b)
        )
        box, sector = ec.Box(scale, scale), ec.Sector(0.7 * scale, 0.8)
        found = ec.time_of_impact(box, start_a, end_a, sector, start_b, end_b)
        assert found == (None if unit is None else pytest.approx(unit, abs=1e-6))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((DISK, (0.0, math.nan, 0.0), ORIGIN, DISK, ORIGIN, ORIGIN), ValueError, r"start_a\[1\]"),
        ((DISK, ORIGIN, (0.0, 0.0), DISK, ORIGIN, ORIGIN), ValueError, "end_a"),
        ((DISK, ORIGIN, ORIGIN, DISK, None, ORIGIN), TypeError, "start_b"),
        ((DISK, ORIGIN, ORIGIN, DISK, ORIGIN, (0.0, 0.0, math.inf)), ValueError, r"end_b\[2\]"),
        ((0.5, ORIGIN, ORIGIN, DISK, ORIGIN, ORIGIN), TypeError, "shape_a"),
        ((ec.Ring(1.0), ORIGIN, ORIGIN, ec.Ring(2.0), ORIGIN, ORIGIN), ValueError, "unbounded"),
    ],
)
def test_bad_arguments_are_named(arguments: tuple[Any, ...], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ec.time_of_impact(*arguments)
