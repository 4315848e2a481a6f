"""Row 12: where two convex polygons touch, and how deep. All random cases are looked at in arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import PolygonManifold, axis_of_least_penetration, polygon_manifold, polygons_overlap
from tests.algorithms.reference import Array, Truth, shifted, turned_corners

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
CASES = 3_000


def random_boxes(rng: np.random.Generator, count: int = CASES) -> Array:
    """Boxes (count, 4, 2) at any angle, in either winding."""
    x, y = rng.uniform(-1.0, 1.0, (2, count))
    width, height = rng.uniform(0.2, 2.0, (2, count))
    corners = turned_corners(x, y, width, height, rng.uniform(-4.0, 4.0, count))
    return np.where(rng.random((count, 1, 1)) < 0.5, corners, corners[:, ::-1])


def random_polygons(rng: np.random.Generator, corners: int, count: int = CASES) -> Array:
    """Convex polygons (count, corners, 2) on ellipses, in either winding."""
    turns = (np.arange(corners) + rng.uniform(0.0, 0.8, (count, corners))) / corners * 2.0 * np.pi
    turns += rng.uniform(0.0, 7.0, (count, 1))
    outline = np.stack((np.cos(turns), np.sin(turns)), -1) * rng.uniform(0.3, 2.0, (count, 1, 2))
    outline += rng.uniform(-1.5, 1.5, (count, 1, 2))
    return np.where(rng.random((count, 1, 1)) < 0.5, outline, outline[:, ::-1])


def nearly_touching(rng: np.random.Generator, a: Array, b: Array) -> Array:
    """B, every second one moved along the axis until it is within 1e-2 to 1e-11 of just touching A."""
    x, y, separation = axis_of_least_penetration(a, b)
    hair = 10.0 ** rng.uniform(-11.0, -2.0, len(b)) * rng.choice([-1.0, 1.0], len(b))
    move = np.where((np.arange(len(b)) % 2 == 0) & (separation <= 0.0), hair - separation, 0.0)
    moved: Array = b + (move[:, None] * np.stack((x, y), -1))[:, None]
    return moved


def exact_separations(a: Array, b: Array) -> Array:
    """Distance, or minus the depth: how far the origin is from the outline of the Minkowski difference."""
    differences = (b[:, :, None] - a[:, None]).reshape(len(a), -1, 2)
    hulls = shapely.convex_hull(shapely.multipoints(differences))
    origin = shapely.Point(0.0, 0.0)
    outside = shapely.distance(hulls, origin)
    separations: Array = np.where(outside > 0.0, outside, -shapely.distance(shapely.boundary(hulls), origin))
    return separations


def off_outline(polygons: Array, points: Array) -> Array:
    return shapely.distance(shapely.boundary(shapely.polygons(polygons)), shapely.points(points))  # type: ignore[no-any-return]


def check_manifolds(a: Array, b: Array) -> Truth:
    """Compare with the Minkowski difference and shapely; return which pairs touch."""
    exact = exact_separations(a, b)
    found: Any = polygon_manifold(a, b)
    meets = found.point_count > 0
    clear = np.abs(exact) > 1e-13
    assert clear.sum() > 0.99 * len(a)
    assert np.array_equal(meets[clear], exact[clear] < 0.0)
    assert np.array_equal(meets, polygons_overlap(a, b))
    assert np.abs(np.hypot(found.normal[:, 0], found.normal[:, 1]) - 1.0).max() < 1e-15
    assert np.abs(np.nanmin(found.separations[meets], axis=1) - exact[meets]).max() < 1e-12, "the least translation"
    for slot in (0, 1):
        there = found.point_count > slot
        assert np.isnan(found.points[~there, slot]).all() and np.isnan(found.separations[~there, slot]).all()
        point, separation = found.points[there, slot], found.separations[there, slot]
        assert (separation <= 1e-11).all()
        assert off_outline(a[there], point).max() < 1e-11
        assert off_outline(b[there], point + separation[:, None] * found.normal[there]).max() < 1e-11
    return np.asarray(meets, np.bool_)


def assert_same_manifolds(found: Any, expected: Any, sure: Truth, tolerance: float) -> None:
    assert np.array_equal(found.point_count[sure], expected.point_count[sure])
    for one, other in zip(found[:3], expected[:3]):
        np.testing.assert_allclose(one[sure], other[sure], rtol=0.0, atol=tolerance)


def ties(a: Array, b: Array) -> Truth:
    """Pairs whose best two axes, or the two points, are so nearly alike that rounding decides between them."""
    axes = []
    for polygons in (a, b):
        edges = np.roll(polygons, -1, axis=1) - polygons
        area = (polygons[..., 0] * np.roll(polygons[..., 1], -1, 1)).sum(1) - (
            polygons[..., 1] * np.roll(polygons[..., 0], -1, 1)
        ).sum(1)
        normals = np.stack((edges[..., 1], -edges[..., 0]), -1) * np.sign(area)[:, None, None]
        axes.append(normals / np.linalg.norm(normals, axis=-1, keepdims=True))
    of_a = np.einsum("pnd,pvd->pnv", axes[0], b).min(-1) - np.einsum("pnd,pvd->pnv", axes[0], a).max(-1)
    of_b = np.einsum("pnd,pvd->pnv", axes[1], a).min(-1) - np.einsum("pnd,pvd->pnv", axes[1], b).max(-1)
    separations = np.sort(np.concatenate((of_a, of_b), axis=1), axis=1)
    close = separations[:, -1] - separations[:, -2] < 1e-9
    heights = polygon_manifold(a, b).separations
    return np.asarray(close | (np.abs(separations[:, -1]) < 1e-10) | (np.abs(heights) < 1e-10).any(axis=1), np.bool_)


def test_two_squares() -> None:
    found = polygon_manifold(SQUARE, shifted(SQUARE, 0.75, 0.25))
    assert found.normal.tolist() == [1.0, 0.0]
    assert found.points.tolist() == [[1.0, 0.25], [1.0, 1.0]]
    assert found.separations.tolist() == [-0.25, -0.25]
    assert found.point_count == 2 and type(found.point_count) is int


def test_the_reference_edge_is_of_b() -> None:
    """The points lie on A even then, and in A's counter-clockwise order."""
    corner = np.array([(0.0, -0.1), (1.0, 0.9), (-1.0, 0.9)])
    floor = np.array([(-3.0, -2.0), (3.0, -2.0), (3.0, 0.0), (-3.0, 0.0)])
    found = polygon_manifold(corner, floor)
    assert found.point_count == 1
    assert found.normal == pytest.approx((0.0, -1.0), abs=1e-15)
    assert found.points[0] == pytest.approx((0.0, -0.1)) and found.separations[0] == pytest.approx(-0.1)
    assert np.isnan(found.points[1]).all() and math.isnan(found.separations[1])


@pytest.mark.parametrize(
    ("move", "count"), [((1.0, 0.5), 2), ((1.0, 0.0), 2), ((1.0, 1.0), 1), ((0.0, -1.0), 2), ((1.0 + 1e-9, 0.0), 0)]
)
def test_touching(move: tuple[float, float], count: int) -> None:
    """A shared side, half a side and a corner have separation 0; past that there is nothing."""
    found = polygon_manifold(SQUARE, SQUARE + move)
    assert found.point_count == count
    assert not np.nan_to_num(found.separations).any()


def test_the_same_polygon_twice() -> None:
    found = polygon_manifold(SQUARE, SQUARE)
    assert found.point_count == 2 and found.separations.tolist() == [-1.0, -1.0]


def test_one_inside_the_other() -> None:
    found = polygon_manifold(SQUARE, 0.2 * SQUARE + (0.4, 0.7))
    assert found.normal.tolist() == [0.0, 1.0]
    assert found.separations == pytest.approx([-0.3, -0.3])
    assert found.points == pytest.approx(np.array([(0.6, 1.0), (0.4, 1.0)]))


def test_repeated_and_straight_corners_do_no_harm() -> None:
    extra = np.array([(0.0, 0.0), (0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 0.3), (1.0, 0.3), (1.0, 1.0), (0.0, 1.0)])
    for move in ((0.75, 0.25), (0.9, -0.4), (-0.2, 0.8)):
        expected, back = polygon_manifold(SQUARE, SQUARE + move), polygon_manifold(SQUARE + move, SQUARE)
        for found, wanted in (
            (polygon_manifold(extra, SQUARE + move), expected),
            (polygon_manifold(SQUARE + move, extra), back),
            (polygon_manifold(extra, extra + move), expected),
        ):
            for one, other in zip(found, wanted):
                assert np.asarray(one) == pytest.approx(np.asarray(other), abs=1e-15)


def test_random_boxes_against_the_minkowski_difference() -> None:
    rng = np.random.default_rng(50)
    a, b = random_boxes(rng), random_boxes(rng)
    meets = check_manifolds(a, nearly_touching(rng, a, b))
    assert 0.2 < meets.mean() < 0.8


@pytest.mark.parametrize(("k", "m"), [(3, 3), (3, 7), (8, 5)])
def test_random_polygons_against_the_minkowski_difference(k: int, m: int) -> None:
    rng = np.random.default_rng(51)
    a, b = random_polygons(rng, k), random_polygons(rng, m)
    meets = check_manifolds(a, nearly_touching(rng, a, b))
    assert 0.2 < meets.mean() < 0.9


def test_boxes_on_a_grid_are_flush_in_every_way() -> None:
    """Shared sides, corners on sides, equal axes; all boxes turned by the same angle."""
    rng = np.random.default_rng(52)
    corners = np.sort(rng.integers(0, 5, (2, CASES, 2, 2)), axis=2).astype(float)
    corners[:, :, 1] += 0.5 * (corners[:, :, 1] == corners[:, :, 0])
    low, high = corners[:, :, 0], corners[:, :, 1]
    boxes = np.stack(
        (low, np.stack((high[..., 0], low[..., 1]), -1), high, np.stack((low[..., 0], high[..., 1]), -1)), 2
    )
    a, b = boxes
    found: Any = polygon_manifold(a, b)
    overlap = np.minimum(high[0], high[1]) - np.maximum(low[0], low[1])
    apart = overlap.min(axis=1) < 0.0
    assert np.array_equal(found.point_count == 0, apart)
    corner = (overlap == 0.0).all(axis=1)
    assert np.array_equal(found.point_count[~apart], np.where(corner, 1, 2)[~apart])
    push = np.minimum(high[0] - low[1], high[1] - low[0]).min(axis=1)
    assert np.array_equal(found.separations[~apart, 0], -push[~apart])
    turn = np.array([(math.cos(0.3), math.sin(0.3)), (-math.sin(0.3), math.cos(0.3))])
    solid = overlap.min(axis=1) > 0.0
    check_manifolds((a @ turn)[solid], (b @ turn)[solid])


def test_swapped() -> None:
    """The normal turns round, and what lay on A lies on B."""
    rng = np.random.default_rng(53)
    a, b = random_boxes(rng), random_polygons(rng, 5)
    found: Any = polygon_manifold(a, b)
    swapped: Any = polygon_manifold(b, a)
    sure = ~ties(a, b)
    assert sure.sum() > 0.9 * CASES
    two = sure & (found.point_count == 2)
    on_b = found.points + found.separations[..., None] * found.normal[:, None]
    assert np.array_equal(found.point_count[sure], swapped.point_count[sure])
    np.testing.assert_allclose(swapped.normal[sure], -found.normal[sure], atol=1e-12)
    one = sure & (found.point_count == 1)
    assert one.sum() > CASES // 10 and two.sum() > CASES // 10
    for slot, other, which in ((0, 0, one), (0, 1, two), (1, 0, two)):
        np.testing.assert_allclose(swapped.points[which, other], on_b[which, slot], atol=1e-9)
        np.testing.assert_allclose(swapped.separations[which, other], found.separations[which, slot], atol=1e-9)


def test_turned_shifted_and_scaled() -> None:
    rng = np.random.default_rng(54)
    a, b = random_polygons(rng, 4), random_boxes(rng)
    angle, scale, shift = (
        rng.uniform(0.0, 7.0, CASES),
        10.0 ** rng.uniform(-3, 3, CASES),
        rng.uniform(-9, 9, (CASES, 2)),
    )
    turn = np.stack((np.cos(angle), np.sin(angle), -np.sin(angle), np.cos(angle)), -1).reshape(-1, 2, 2)

    def moved(points: Array) -> Array:
        result: Array = scale[:, None, None] * (points @ turn) + shift[:, None]
        return result

    expected, found = polygon_manifold(a, b), polygon_manifold(moved(a), moved(b))
    unit = PolygonManifold(
        found.normal,
        (found.points - shift[:, None]) / scale[:, None, None],
        found.separations / scale[:, None],
        found.point_count,
    )
    normal = (expected.normal[:, None] @ turn)[:, 0]
    sure = ~ties(a, b) & (scale > 0.01)
    assert sure.sum() > 0.7 * CASES
    assert_same_manifolds(unit, expected._replace(normal=normal, points=expected.points @ turn), sure, 1e-9)


def test_arrays_broadcast_and_agree_with_single_pairs_to_the_bit() -> None:
    rng = np.random.default_rng(55)
    a, b = random_polygons(rng, 5, 300).reshape(20, 15, 5, 2), random_boxes(rng, 15)
    found: Any = polygon_manifold(a, b)
    assert [field.shape for field in found[:3]] == [(20, 15, 2), (20, 15, 2, 2), (20, 15, 2)]
    axes: Any = axis_of_least_penetration(a, b)
    touching, inside = polygons_overlap(a, b), polygons_overlap(a, b, touching=False)
    for index in np.ndindex(20, 15):
        single = polygon_manifold(a[index], b[index[1]])
        for one, many in zip(single, found):
            assert np.array_equal(one, many[index], equal_nan=True)
        assert axis_of_least_penetration(a[index], b[index[1]]) == tuple(field[index] for field in axes)
        assert polygons_overlap(a[index], b[index[1]]) is bool(touching[index])
        assert polygons_overlap(a[index], b[index[1]], touching=False) is bool(inside[index])
    against_one: Any = polygon_manifold(b, b[3])
    for one, many in zip(polygon_manifold(b, np.repeat(b[3:4], 15, axis=0)), against_one):
        assert np.array_equal(one, many, equal_nan=True)
    assert polygon_manifold(a[:0], b).normal.shape == (0, 15, 2)


def test_a_wrong_item_is_named_with_its_index() -> None:
    many = np.repeat(SQUARE[None], 6, axis=0).reshape(2, 3, 4, 2)
    bent, endless = many.copy(), many.copy()
    bent[1, 2] = SQUARE[[0, 2, 1, 3]]
    endless[0, 1, 2, 0] = math.inf
    for function in (polygon_manifold, polygons_overlap, axis_of_least_penetration):
        with pytest.raises(ValueError, match=r"^vertices_b\[1, 2\] must be the corners of a convex polygon, in order$"):
            function(SQUARE, bent)
        with pytest.raises(ValueError, match=r"^vertices_a\[1, 2\] must be the corners of a convex polygon"):
            function(bent, many)
        with pytest.raises(ValueError, match=r"^vertices_a\[0, 1, 2\] must be finite numbers .* got \[inf, 1.0\]$"):
            function(endless, SQUARE)
        with pytest.raises(ValueError, match=r"do not go together: vertices_a \(2, 3, 4, 2\), vertices_b \(2, 4, 2\)"):
            function(many, many[:, 0])
        with pytest.raises(ValueError, match=r"^vertices_a must be three points or more"):
            function(many[..., :2, :], SQUARE)
