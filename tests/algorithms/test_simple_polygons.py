"""Row 29."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import simple_polygons_overlap
from tests.algorithms.reference import Array, outlines, shifted

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
BAR = np.array([(-3.0, -1.0), (3.0, -1.0), (3.0, 1.0), (-3.0, 1.0)])
POST = BAR[:, ::-1]
HORSESHOE = np.array([(0, 0), (5, 0), (5, 5), (4, 5), (4, 1), (1, 1), (1, 5), (0, 5)], dtype=float)
RANDOM_CASES = 3_000


def blob(rng: np.random.Generator) -> Array:
    """The outline of a few grid cells that hang together without a hole, so that two of them share a lot."""
    while True:
        cells = [(0, 0)]
        for _ in range(int(rng.integers(0, 6))):
            x, y = cells[int(rng.integers(len(cells)))]
            dx, dy = ((1, 0), (0, 1), (-1, 0), (0, -1))[int(rng.integers(4))]
            cells.append((x + dx, y + dy))
        shape = shapely.unary_union([shapely.box(x, y, x + 1, y + 1) for x, y in cells])
        if shape.geom_type == "Polygon" and not shape.interiors:
            corners: Array = np.array(shape.exterior.coords, np.float64)[:-1] + rng.integers(-2, 3, 2)
            return corners if rng.random() < 0.5 else corners[::-1]


def check_overlap(a: Array, b: Array) -> None:
    shape_a, shape_b = shapely.Polygon(a), shapely.Polygon(b)
    assert simple_polygons_overlap(a, b) == shapely.intersects(shape_a, shape_b), (a, b)
    inner = shapely.relate_pattern(shape_a, shape_b, "T********")
    assert simple_polygons_overlap(a, b, touching=False) == inner, (a, b)
    assert simple_polygons_overlap(b, a, touching=False) == inner, (a, b)


def test_a_cross_without_a_point_inside_the_other() -> None:
    assert simple_polygons_overlap(BAR, POST)
    assert simple_polygons_overlap(BAR, POST, touching=False)


def test_one_inside_the_other() -> None:
    for touching in (True, False):
        assert simple_polygons_overlap(BAR, 0.1 * SQUARE, touching)
        assert simple_polygons_overlap(0.1 * SQUARE, BAR, touching)


def test_in_the_gap_of_a_horseshoe() -> None:
    assert not simple_polygons_overlap(HORSESHOE, shifted(SQUARE, 2.0, 2.0))
    assert simple_polygons_overlap(HORSESHOE, shifted(SQUARE, 2.0, 0.5))
    assert not simple_polygons_overlap(HORSESHOE, shifted(3.0 * SQUARE, 1.0, 1.0), touching=False), "it fits exactly"
    assert simple_polygons_overlap(HORSESHOE, shifted(3.0 * SQUARE, 1.0, 1.0))


def test_neighbours_touch_and_do_not_overlap() -> None:
    for shift in ((1.0, 0.0), (1.0, 0.5), (1.0, 1.0)):
        assert simple_polygons_overlap(SQUARE, SQUARE + shift)
        assert not simple_polygons_overlap(SQUARE, SQUARE + shift, touching=False)
        assert not simple_polygons_overlap(SQUARE, SQUARE[::-1] + shift, touching=False)


def test_the_same_polygon_twice_overlaps_without_any_crossing() -> None:
    assert simple_polygons_overlap(HORSESHOE, HORSESHOE, touching=False)
    assert simple_polygons_overlap(HORSESHOE, HORSESHOE[::-1], touching=False)
    assert simple_polygons_overlap(SQUARE, SQUARE[[2, 3, 0, 1]], touching=False)


@pytest.mark.parametrize("angle", [0.3, 1.1, 2.9])
def test_neighbours_at_any_angle(angle: float) -> None:
    turn = np.array([(math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))])
    a, b = HORSESHOE @ turn, (shifted(3.0 * SQUARE, 1.0, 1.0)) @ turn
    assert simple_polygons_overlap(a, b)
    assert not simple_polygons_overlap(a, b, touching=False)
    assert simple_polygons_overlap(a, a + 1e-16, touching=False)


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="vertices_a must be three points"):
        simple_polygons_overlap([(0, 0), (1, 1)], SQUARE)
    with pytest.raises(TypeError, match="touching must be True or False"):
        simple_polygons_overlap(SQUARE, SQUARE, touching=1)  # type: ignore[arg-type]


def test_random_stars_against_shapely() -> None:
    rng = np.random.default_rng(30)
    for _ in range(RANDOM_CASES):
        check_overlap(outlines(rng), outlines(rng))


def test_random_cells_that_share_corners_and_edges_against_shapely() -> None:
    rng = np.random.default_rng(31)
    blobs = [blob(rng) for _ in range(400)]
    for _ in range(RANDOM_CASES // 2):
        a, b = (blobs[int(index)] for index in rng.integers(len(blobs), size=2))
        check_overlap(a, b + rng.integers(-1, 2, 2))


def test_stars_that_nearly_touch() -> None:
    rng = np.random.default_rng(32)
    for _ in range(RANDOM_CASES // 10):
        a, b = outlines(rng), outlines(rng)
        shape_a, shape_b = shapely.Polygon(a), shapely.Polygon(b)
        if shapely.intersects(shape_a, shape_b):
            continue
        line = shapely.shortest_line(shape_a, shape_b)
        (ax, ay), (bx, by) = line.coords
        gap = 10.0 ** rng.uniform(-9, -3)
        way = np.array((ax - bx, ay - by)) / line.length
        assert not simple_polygons_overlap(a, b + (line.length - gap) * way)
        assert simple_polygons_overlap(a, b + (line.length + gap) * way)
        assert simple_polygons_overlap(a, b + (line.length + gap) * way, touching=False)


@pytest.mark.parametrize("touching", [True, False])
def test_arrays_broadcast_and_agree_with_single_pairs(touching: bool) -> None:
    rng = np.random.default_rng(33)
    angles = (np.arange(8) + rng.uniform(0.0, 0.8, (40, 8))) / 8.0 * 2.0 * np.pi
    stars = rng.uniform(0.3, 2.0, (40, 8, 1)) * np.stack((np.cos(angles), np.sin(angles)), -1)
    stars += rng.uniform(-2.0, 2.0, (40, 1, 2))
    blocks = SQUARE + rng.integers(-2, 3, (30, 1, 1, 2)) * 0.5
    found = simple_polygons_overlap(stars, blocks, touching)
    assert found.shape == (30, 40) and found.dtype == np.bool_ and 0.1 < found.mean() < 0.9
    for i, j in np.ndindex(30, 40):
        assert simple_polygons_overlap(stars[j], blocks[i, 0], touching) is bool(found[i, j])
    assert np.array_equal(simple_polygons_overlap(blocks, stars, touching), found)


def test_a_wrong_item_is_named_with_its_index() -> None:
    many = np.repeat(SQUARE[np.newaxis], 5, axis=0)
    many[3, 1, 1] = math.nan
    with pytest.raises(ValueError, match=r"^vertices_b\[3, 1\] must be finite numbers"):
        simple_polygons_overlap(SQUARE, many)
    with pytest.raises(ValueError, match=r"do not go together: vertices_a \(2, 4, 2\), vertices_b \(3, 4, 2\)"):
        simple_polygons_overlap(np.ones((2, 4, 2)), np.ones((3, 4, 2)))


def test_turned_shifted_and_scaled_in_arrays() -> None:
    """Stars of 7 corners, where they are not within rounding of touching: there all lengths keep their ratios."""
    rng = np.random.default_rng(39)
    count = 12_000
    turns = (np.arange(7) + rng.uniform(0.0, 0.8, (2, count, 7))) / 7.0 * 2.0 * np.pi
    stars = rng.uniform(0.5, 2.0, (2, count, 7)) * np.exp(1j * turns) + rng.uniform(-2, 2, (2, count, 1))
    stars = stars + 1j * rng.uniform(-2.0, 2.0, (2, count, 1))
    scale = 10.0 ** rng.uniform(-3.0, 3.0, (count, 1))
    moved = scale * (stars * np.exp(1j * rng.uniform(-4.0, 4.0, (count, 1))) + rng.uniform(-9.0, 9.0, (count, 1)))
    a, b = (np.stack((star.real, star.imag), -1) for star in stars)
    c, d = (np.stack((star.real, star.imag), -1) for star in moved)
    gap = shapely.distance(shapely.polygons(a), shapely.polygons(b))
    shared = shapely.area(shapely.intersection(shapely.polygons(a), shapely.polygons(b)))
    clear = (gap > 1e-9) | (shared > 1e-9)
    for touching in (True, False):
        expected = simple_polygons_overlap(a, b, touching)
        assert np.array_equal(expected[clear], (shared > 0.0)[clear]) and 0.2 < expected.mean() < 0.9
        assert np.array_equal(simple_polygons_overlap(c, d, touching)[clear], expected[clear])
        assert np.array_equal(simple_polygons_overlap(b[:, ::-1], a, touching), expected)
