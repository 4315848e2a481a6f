"""Touching means the same to all functions of two shapes, on slanted edges and far from the origin."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide.algorithms import polygons_overlap
from tests.algorithms.any_two_shapes.exact_reference import Corner, polygons_share, segments_meet, side_of

Pose = tuple[float, float, float]
ORIGIN = (0.0, 0.0, 0.0)
PLACES = [(10, 0, 0), (100, 0, 0), (1000, 0, 0), (10**6, 0, 0), (100, 10**6, -(10**6)), (3, -(10**6), 10**6)]
"""Size of an integer grid, and the place of its middle."""


def check_meeting(a: ec.Shape, pose_a: Pose, b: ec.Shape, pose_b: Pose, meets: bool, overlaps: bool) -> None:
    """Check all functions of two shapes against the truth, in both orders."""
    for one, there, other, here in ((a, pose_a, b, pose_b), (b, pose_b, a, pose_a)):
        distance = ec.distance(one, there, other, here)
        found = ec.overlap(one, there, other, here), ec.overlap(one, there, other, here, touching=False)
        assert (*found, distance <= 0.0, distance < 0.0) == (meets, overlaps, meets, overlaps)
        assert (ec.manifold(one, there, other, here) is not None) == meets
        if meets:
            assert ec.time_of_impact(one, there, there, other, here, (here[0] + 1, here[1], here[2])) == 0.0


def corners_near(size: int, x: int, y: int, rng: random.Random) -> Iterator[Corner]:
    while True:
        yield x + rng.randint(-size, size), y + rng.randint(-size, size)


def triangle(points: Iterator[Corner]) -> list[Corner]:
    while True:
        a, b, c = next(points), next(points), next(points)
        if side_of(a, b, c) > 0:
            return [a, b, c]


@pytest.mark.parametrize(("size", "x", "y"), PLACES)
def test_segments_that_meet_in_a_t_do(size: int, x: int, y: int) -> None:
    rng = random.Random(f"t {size} {x}")
    points = corners_near(size, x, y, rng)
    for _ in range(120):
        (ax, ay), (bx, by), count = next(points), next(points), rng.randint(2, 7)
        step_x, step_y, k = (bx - ax) // count, (by - ay) // count, rng.randint(0, count)
        foot, head = (ax + k * step_x, ay + k * step_y), next(points)
        if step_x == step_y == 0 or foot == head:
            continue
        bar, stem = ec.Segment((ax, ay), (ax + count * step_x, ay + count * step_y)), ec.Segment(foot, head)
        assert ec.overlap(bar, ORIGIN, stem, ORIGIN) and ec.distance(bar, ORIGIN, stem, ORIGIN) <= 0.0
        moved = ec.Segment((0, 0), (head[0] - foot[0], head[1] - foot[1]))
        assert ec.overlap(bar, ORIGIN, moved, (*foot, 0.0)) and ec.overlap(moved, (*foot, 0.0), bar, ORIGIN)
        assert ec.manifold(bar, ORIGIN, stem, ORIGIN) is not None


@pytest.mark.parametrize(("size", "x", "y"), PLACES)
def test_segments_meet_exactly_where_integers_say_so(size: int, x: int, y: int) -> None:
    points = corners_near(size, x, y, random.Random(f"any {size} {x}"))
    for _ in range(250):
        a, b, c, d = next(points), next(points), next(points), next(points)
        if a != b and c != d:
            assert ec.overlap(ec.Segment(a, b), ORIGIN, ec.Segment(c, d), ORIGIN) == segments_meet(a, b, c, d)


@pytest.mark.parametrize(("size", "x", "y"), PLACES)
def test_triangles_that_share_an_edge_touch_and_do_not_overlap(size: int, x: int, y: int) -> None:
    points = corners_near(size, x, y, random.Random(f"edge {size} {x}"))
    for _ in range(160):
        (a, b, c), d = triangle(points), next(points)
        if side_of(a, b, d) >= 0:
            continue
        first, second = ec.Polygon([a, b, c]), ec.Polygon([b, a, d])
        check_meeting(first, ORIGIN, second, ORIGIN, True, False)
        moved = ec.Polygon([(p - d[0], q - d[1]) for p, q in (b, a, d)])
        check_meeting(first, ORIGIN, moved, (*d, 0.0), True, False)
        assert polygons_overlap([a, b, c], [b, a, d]) and not polygons_overlap([a, b, c], [b, a, d], touching=False)


@pytest.mark.parametrize(("size", "x", "y"), PLACES)
def test_triangles_touch_and_overlap_exactly_where_integers_say_so(size: int, x: int, y: int) -> None:
    points = corners_near(size, x, y, random.Random(f"triangles {size} {x}"))
    for _ in range(150):
        a, b = triangle(points), triangle(points)
        meets, overlaps = polygons_share(a, b, True), polygons_share(a, b, False)
        check_meeting(ec.Polygon(a), ORIGIN, ec.Polygon(b), ORIGIN, meets, overlaps)
        assert (polygons_overlap(a, b), polygons_overlap(a, b, touching=False)) == (meets, overlaps)


def test_a_corner_that_misses_a_long_edge_by_the_least_that_integers_can_is_apart() -> None:
    n = 10**6
    edge, nearest = ec.Segment((-n, -n + 1), (n, n)), (1 - n, 1 - n + 1)
    assert side_of((-n, -n + 1), (n, n), nearest) != 0
    apart = ec.distance(edge, ORIGIN, ec.Segment(nearest, (1 - n, n)), ORIGIN)
    assert 0.0 < apart < 1e-6
    assert not ec.overlap(edge, ORIGIN, ec.Segment(nearest, (1 - n, n)), ORIGIN)


ON_TOP: dict[str, Callable[[float], tuple[ec.Shape, float, float]]] = {
    "circle": lambda r: (ec.Circle(r), r, 0.0),
    "box": lambda r: (ec.Box(2 * r, r), r / 2, 0.0),
    "turned box": lambda r: (ec.Box(r, 2 * r), r / 2, math.pi / 2),
    "capsule": lambda r: (ec.Capsule((-1, 0), (1, 0), r), r, 0.0),
    "corner": lambda r: (ec.Polygon([(0, 0), (1, 2), (-1, 2)]), 0.0, 0.0),
    "rounded": lambda r: (ec.Polygon([(0, 0), (1, 2), (-1, 2)], radius=r), r, 0.0),
    "segment": lambda r: (ec.Segment((0, 0), (r, 2)), 0.0, 0.0),
    "sector": lambda r: (ec.Sector(r, 0.5), r, -math.pi / 2),
    "arcs": lambda r: (ec.ArcPolygon([(-1, 0), (1, 0), (1, 2), (-1, 2)], [0.5, 0, -0.3, 0]), 0.5, 0.0),
}
"""A shape that stands on a line, the height of its origin above it, and its angle."""


@pytest.mark.parametrize("name", ON_TOP)
@pytest.mark.parametrize("far", [0.0, 1e3, 1e6])
def test_a_body_on_a_slanted_face_touches_it(name: str, far: float) -> None:
    rng = random.Random(f"{name} {far}")
    for _ in range(60):
        slope, x, y = rng.uniform(-7, 7), far * rng.uniform(-1, 1), far * rng.uniform(-1, 1)
        width, height, radius = rng.uniform(0.1, 5), rng.uniform(0.1, 5), rng.uniform(0.1, 3)
        shape, lift, angle = ON_TOP[name](radius)
        across, up = rng.uniform(-0.4, 0.4) * width, height / 2 + lift
        cosine, sine = math.cos(slope), math.sin(slope)
        here = x + cosine * across - sine * up, y + sine * across + cosine * up, slope + angle
        check_meeting(ec.Box(width, height), (x, y, slope), shape, here, True, False)


@pytest.mark.parametrize("far", [0.0, 1e3, 1e6])
def test_gaps_and_depths_above_rounding_are_seen(far: float) -> None:
    rng = random.Random(f"gaps {far}")
    for _ in range(60):
        slope, x, y, radius = (
            rng.uniform(-7, 7),
            far * rng.uniform(-1, 1),
            far * rng.uniform(-1, 1),
            rng.uniform(0.1, 3),
        )
        for gap in (2e-14 * (far + 10), -2e-14 * (far + 10)):
            up = 1.0 + radius + gap
            here = x - math.sin(slope) * up, y + math.cos(slope) * up, 0.0
            check_meeting(ec.Box(9, 2), (x, y, slope), ec.Circle(radius), here, gap < 0.0, gap < 0.0)


@pytest.mark.parametrize("far", [0.0, 1e3, 1e6])
def test_queries_of_a_world_agree_with_the_functions_of_two_shapes(far: float, fresh_world: str) -> None:
    rng = random.Random(f"world {far}")
    physics = ec.install()
    for k in range(40):
        slope, x, y = rng.uniform(-3, 3), far * rng.uniform(-1, 1), far * rng.uniform(-1, 1)
        entity = esper.create_entity(ec.Transform(x, y, slope), ec.Collider(ec.Box(4, 2)), *[ec.Velocity()][: k % 2])
        radius, across = rng.uniform(0.1, 3), rng.uniform(-1.5, 1.5)
        cosine, sine = math.cos(slope), math.sin(slope)
        foot = x + cosine * across - sine, y + sine * across + cosine
        here = foot[0] - sine * radius, foot[1] + cosine * radius, 0.0
        assert physics.shape_query(ec.Circle(radius), here) == [entity]
        assert physics.shape_query(ec.Segment((0, 0), (-sine, cosine)), (*foot, 0.0)) == [entity]
        assert physics.point_query(foot) == [entity]
        (near,) = physics.nearest(foot)
        assert near.distance == 0.0
        hit = physics.shape_cast(ec.Circle(radius), here, (here[0] - sine, here[1] + cosine, 0.0))
        assert hit is not None and (hit.entity, hit.fraction) == (entity, 0.0)
        esper.delete_entity(entity, immediate=True)


def test_upright_boxes_of_tenths_touch() -> None:
    for left in np.arange(0.1, 3.0, 0.1).tolist():
        boxes = ec.Box(0.1, 0.1), ec.Box(0.2, 0.1)
        check_meeting(boxes[0], (left, 0.3, 0.0), boxes[1], (left + 0.15, 0.3, 0.0), True, False)


def test_both_shapes_of_a_public_report_meet() -> None:
    a, b = ec.Segment((-132, 91), (56, -77)), ec.Segment((-85, 49), (-49, 74))
    check_meeting(a, ORIGIN, b, ORIGIN, True, False)
