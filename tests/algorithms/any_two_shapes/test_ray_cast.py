"""Row 30: `ec.ray_cast` against closed forms and shapely."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest
import shapely

import ecs_collide as ec
from tests.algorithms.any_two_shapes.reference import SHAPES, Pose, place_by_shapely, random_pose

ORIGIN = (0.0, 0.0, 0.0)
BOX = ec.Box(1.0, 1.0)
DISK = ec.Circle(1.0)
Vector = tuple[float, float]


@pytest.mark.parametrize(
    ("shape", "pose", "origin", "end", "fraction", "normal"),
    [
        (BOX, ORIGIN, (-2.0, 0.1), (2.0, 0.1), 0.375, (-1.0, 0.0)),
        (BOX, ORIGIN, (-2.0, 0.5), (2.0, 0.5), 0.375, (-1.0, 0.0)),
        (BOX, (1.0, 1.0, math.pi / 4), (1.0, 5.0), (1.0, -3.0), (4.0 - math.sqrt(0.5)) / 8.0, None),
        (BOX, ORIGIN, (-0.5, 0.0), (1.0, 0.0), 0.0, (-1.0, 0.0)),
        (DISK, (1.0, 2.0, 0.3), (1.0, 5.0), (1.0, -5.0), 0.2, (0.0, 1.0)),
        (DISK, ORIGIN, (-2.0, 1.0), (2.0, 1.0), 0.5, None),
        (ec.Segment((-1.0, 0.0), (1.0, 0.0)), ORIGIN, (0.5, 1.0), (0.5, -1.0), 0.5, (0.0, 1.0)),
        (ec.Segment((-1.0, 0.0), (1.0, 0.0)), ORIGIN, (0.5, -1.0), (0.5, 1.0), 0.5, (0.0, -1.0)),
        (ec.Segment((-1.0, 0.0), (1.0, 0.0)), ORIGIN, (-2.0, 0.0), (2.0, 0.0), 0.25, (-1.0, 0.0)),
        (ec.Capsule((-1.0, 0.0), (1.0, 0.0), 0.5), ORIGIN, (-3.5, 0.0), (0.5, 0.0), 0.5, (-1.0, 0.0)),
        (ec.Polygon([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)], 0.1), ORIGIN, (2.1, 0.1), (0.1, 0.1), 0.5, (1.0, 0.0)),
        (ec.HalfPlane(), ORIGIN, (2.0, 1.0), (2.0, -3.0), 0.25, (0.0, 1.0)),
        (ec.Ring(2.0), ORIGIN, (0.0, 0.0), (4.0, 0.0), 0.5, (-1.0, 0.0)),
        (ec.Ring(2.0), (0.0, 1.0, 1.0), (0.0, 1.0), (0.0, -3.0), 0.5, (0.0, 1.0)),
        (ec.Sector(1.0, 0.5), ORIGIN, (3.0, 0.0), (-1.0, 0.0), 0.5, (1.0, 0.0)),
    ],
)
def test_closed_forms(
    shape: ec.Shape, pose: Pose, origin: Vector, end: Vector, fraction: float, normal: Vector | None
) -> None:
    hit = ec.ray_cast(shape, pose, origin, end)
    assert hit is not None
    assert hit.fraction == pytest.approx(fraction, abs=1e-12)
    assert hit.point == pytest.approx(
        (origin[0] + fraction * (end[0] - origin[0]), origin[1] + fraction * (end[1] - origin[1])), abs=1e-11
    )
    if normal is not None:
        assert hit.normal == pytest.approx(normal, abs=1e-12)


@pytest.mark.parametrize(
    ("shape", "origin", "end"),
    [
        (BOX, (-2.0, 0.6), (2.0, 0.6)),
        (BOX, (-2.0, 0.0), (-0.6, 0.0)),
        (BOX, (0.5, 0.0), (2.0, 0.0)),
        (DISK, (2.0, 0.0), (3.0, 0.0)),
        (DISK, (1.0, 0.0), (3.0, 0.5)),
        (ec.HalfPlane(), (0.0, 1.0), (5.0, 1.0)),
        (ec.HalfPlane(), (0.0, 0.0), (1.0, 1.0)),
        (ec.Ring(2.0), (0.0, 0.0), (1.0, 1.0)),
        (DISK, (2.0, 0.0), (2.0, 0.0)),
    ],
)
def test_misses(shape: ec.Shape, origin: Vector, end: Vector) -> None:
    assert ec.ray_cast(shape, ORIGIN, origin, end) is None
    assert ec.ray_cast(shape, ORIGIN, origin, end, inside="exit") is None


@pytest.mark.parametrize(
    ("shape", "origin", "end", "fraction", "normal"),
    [
        (BOX, (0.0, 0.0), (2.0, 0.0), 0.25, (1.0, 0.0)),
        (DISK, (0.0, 0.5), (0.0, -1.5), 0.75, (0.0, -1.0)),
        (ec.HalfPlane(), (0.0, -1.0), (0.0, 1.0), 0.5, (0.0, 1.0)),
        (ec.Ring(2.0), (-4.0, 0.0), (4.0, 0.0), 0.25, (1.0, 0.0)),
        (ec.Bitmap([[1, 1, 1], [1, 0, 0]], 1.0), (0.5, 0.5), (4.5, 0.5), 0.625, (1.0, 0.0)),
        (ec.Bitmap([[1, 1], [1, 1]], 1.0), (1.0, 0.5), (1.0, 3.5), 0.5, (0.0, 1.0)),
        (ec.Sector(1.0, 3.0), (0.0, 0.5), (0.0, -1.5), 0.75, (0.0, -1.0)),
    ],
)
def test_from_inside(shape: ec.Shape, origin: Vector, end: Vector, fraction: float, normal: Vector) -> None:
    assert ec.ray_cast(shape, ORIGIN, origin, end) == (0.0, origin, (0.0, 0.0))
    hit = ec.ray_cast(shape, ORIGIN, origin, end, inside="exit")
    assert hit is not None
    assert hit.fraction == pytest.approx(fraction)
    assert hit.normal == pytest.approx(normal)
    middle = tuple(a + 0.5 * fraction * (b - a) for a, b in zip(origin, end, strict=True))
    assert ec.ray_cast(shape, ORIGIN, origin, middle, inside="exit") is None  # type: ignore[arg-type]


@pytest.mark.usefixtures("fresh_world")
def test_a_ray_from_the_corner_of_a_cell_meets_what_it_goes_into() -> None:
    """Starts where cells, or what they are joined to, have their corners: alone and in a world."""
    rng = np.random.default_rng(11)
    physics = ec.install()
    ways = [(x, y) for x in (-2.0, -1.0, 0.0, 1.0, 2.0) for y in (-2.0, -1.0, 0.0, 1.0, 2.0) if x or y]
    goes_in = 0
    for _ in range(12):
        cells = rng.random((3, 4)) < 0.6
        cells[1, 1] = True
        bitmap = ec.Bitmap(cells, 1.0)
        entity = esper.create_entity(ec.Transform(), ec.Collider(bitmap))
        esper.process(0.01)
        boxes = [(*piece.vertices.min(0), *piece.vertices.max(0)) for piece in bitmap.pieces()]
        solid = shapely.union_all([shapely.box(*box) for box in boxes])
        for x, y in np.ndindex(5, 4):
            for dx, dy in ways:
                just_after = shapely.Point(x + 1e-3 * dx, y + 1e-3 * dy)
                expected = bool(shapely.intersects(solid, just_after))
                goes_in += expected
                for hit in (
                    ec.ray_cast(bitmap, ORIGIN, (x, y), (x + dx / 4, y + dy / 4)),
                    physics.ray_cast((x, y), (x + dx / 4, y + dy / 4)),
                ):
                    assert (hit is not None) == expected
                    assert hit is None or hit.fraction == 0.0
        esper.delete_entity(entity, immediate=True)
    assert 1000 < goes_in < 12 * 20 * len(ways) - 1000


def test_a_ray_without_length_hits_what_holds_it() -> None:
    assert ec.ray_cast(DISK, ORIGIN, (0.5, 0.0), (0.5, 0.0)) == (0.0, (0.5, 0.0), (0.0, 0.0))
    assert ec.ray_cast(DISK, ORIGIN, (0.5, 0.0), (0.5, 0.0), inside="exit") is None


def test_random_rays_like_shapely() -> None:
    """Fraction, normal and the way out of all shapes; rays that pass within 1e-5 of a rim may go either way."""
    rng = np.random.default_rng(30)
    hits = exits = 0
    for _ in range(6000):
        shape = SHAPES[str(rng.choice(list(SHAPES)))]
        pose = random_pose(rng, 1.0)
        origin, end = rng.uniform(-3.0, 3.0, 2), rng.uniform(-3.0, 3.0, 2)
        core, radius = place_by_shapely(shape, pose)
        solid = core.buffer(radius, quad_segs=500) if radius else core
        ray = shapely.LineString([origin, end])
        common = shapely.intersection(ray, solid)
        hit = ec.ray_cast(shape, pose, (origin[0], origin[1]), (end[0], end[1]))
        if common.length < 1e-2 and not isinstance(shape, ec.Segment | ec.Chain):
            assert hit is None or shapely.distance(solid, shapely.Point(hit.point)) < 1e-5
            continue
        if common.is_empty:
            assert hit is None
            continue
        assert hit is not None
        size = float(np.hypot(*(end - origin)))
        first = float(np.hypot(*(shapely.get_coordinates(common) - origin).T).min()) / size
        assert hit.fraction == pytest.approx(first, abs=1e-3 if first > 0.0 else 1e-12)
        rim = solid.boundary if solid.area else solid
        assert first == 0.0 or shapely.distance(rim, shapely.Point(hit.point)) < 1e-5
        if first > 0.0:
            hits += 1
            assert math.hypot(*hit.normal) == pytest.approx(1.0, abs=1e-12)
            assert np.dot(hit.normal, end - origin) <= 0.0
            outside = np.array(hit.point) + 1e-4 * np.array(hit.normal)
            assert shapely.distance(solid, shapely.Point(outside)) > 5e-5
            continue
        leaving = ec.ray_cast(shape, pose, (origin[0], origin[1]), (end[0], end[1]), inside="exit")
        beyond = shapely.difference(ray, solid)
        if beyond.is_empty:
            assert leaving is None
            continue
        exits += 1
        assert leaving is not None
        way_out = float(np.hypot(*(shapely.get_coordinates(beyond) - origin).T).min()) / size
        assert leaving.fraction == pytest.approx(way_out, abs=1e-3)
    assert hits > 1000
    assert exits > 100


def test_no_ray_meets_a_seam() -> None:
    """Rays within a block of cells, along and across the sides of the rectangles it is made of."""
    block = ec.Bitmap([[1, 1, 1, 1], [1, 0, 1, 1], [1, 1, 1, 0]], 1.0)
    assert len(block.pieces()) > 2
    for y in (0.5, 1.0, 0.25):
        hit = ec.ray_cast(block, ORIGIN, (-1.0, y), (5.0, y))
        assert hit is not None
        assert hit.point == pytest.approx((0.0, y))
        assert hit.normal == pytest.approx((-1.0, 0.0))
    hit = ec.ray_cast(block, ORIGIN, (0.5, 2.5), (3.5, -0.5), inside="exit")
    assert hit is not None
    assert hit.point == pytest.approx((1.0, 2.0))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("disk", ORIGIN, (0.0, 0.0), (1.0, 0.0)), TypeError, "shape"),
        ((DISK, (0.0, math.nan, 0.0), (0.0, 0.0), (1.0, 0.0)), ValueError, r"pose\[1\]"),
        ((DISK, ORIGIN, (0.0, math.inf), (1.0, 0.0)), ValueError, r"origin\[1\]"),
        ((DISK, ORIGIN, (0.0, 0.0), 3.0), TypeError, "end"),
    ],
)
def test_bad_arguments_are_named(arguments: tuple[Any, ...], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        ec.ray_cast(*arguments)


def test_inside_must_be_one_of_two_words() -> None:
    with pytest.raises(ValueError, match="inside"):
        ec.ray_cast(DISK, ORIGIN, (0.0, 0.0), (1.0, 0.0), inside="out")  # type: ignore[arg-type]
