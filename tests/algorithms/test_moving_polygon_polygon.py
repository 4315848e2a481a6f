"""Row 22 for whole polygons, against shapely at sampled times."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings, strategies as st

from ecs_collide.algorithms import FirstTouch, moving_polygon_moving_polygon, moving_vertex_moving_edge
from tests.algorithms.moving_reference import FloatArray

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
MISS = FirstTouch(None, False)
REST = (0.0, 0.0)
COUNT = 10_000

numbers = st.floats(-3.0, 3.0)
vectors = st.tuples(numbers, numbers)


@pytest.mark.parametrize(
    ("motion", "offset", "expected"),
    [
        ((4, 0), (3, 0.3), FirstTouch(0.5, False)),  # side against side
        ((4, 0), (3, 0), FirstTouch(0.5, False)),  # all four corners meet corners
        ((4, 4), (3, 3), FirstTouch(0.5, False)),  # corner on corner
        ((4, 0), (3, 1), FirstTouch(0.5, False)),  # sliding past, touching
        ((4, 0), (3, 1.001), MISS),
        ((1.9, 0), (3, 0), MISS),  # stops short
        ((-4, 0), (3, 0), MISS),  # moves away
        ((0, 0), (3, 0), MISS),  # relative rest
        ((4, 0), (0.5, 0.5), FirstTouch(0.0, True)),
        ((0, 0), (0, 0), FirstTouch(0.0, True)),  # one on the other
        ((-4, 0), (0.999, 0), FirstTouch(0.0, True)),
        ((4, 0), (1, 0), FirstTouch(0.0, False)),  # flush, moving in
        ((-4, 0), (1, 0), MISS),  # flush, moving apart
        ((0, 3), (1, 0), FirstTouch(0.0, False)),  # flush, sliding
        ((0, 0), (1, 0), FirstTouch(0.0, False)),  # flush, at rest
    ],
)
def test_squares(motion: tuple[float, float], offset: tuple[float, float], expected: FirstTouch) -> None:
    other = SQUARE + offset
    back = (-motion[0], -motion[1])
    for found in (
        moving_polygon_moving_polygon(SQUARE, motion, other, REST),
        moving_polygon_moving_polygon(other, REST, SQUARE, motion),
        moving_polygon_moving_polygon(SQUARE[::-1], REST, other, back),
    ):
        assert found.overlapping is expected.overlapping
        assert found.time == (None if expected.time is None else pytest.approx(expected.time, abs=1e-15))


@pytest.mark.parametrize("angle", np.linspace(0.0, 6.0, 13))
def test_flush_squares_at_any_angle(angle: float) -> None:
    """Corners that meet corners do not slip through between two edges, whatever the rounding does."""
    turn = np.array([(math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))])
    for x in np.linspace(-700.0, 700.0, 15):
        a, b = SQUARE @ turn + (x, 0.1 * x), np.add(SQUARE, (3.0, 0.0)) @ turn + (x, 0.1 * x)
        found = moving_polygon_moving_polygon(a, np.array([4.0, 0.0]) @ turn, b, REST)
        assert found.time == pytest.approx(0.5, abs=1e-9)
        assert not found.overlapping
        touching = moving_polygon_moving_polygon(a, np.array([4.0, 0.0]) @ turn, b - (2.0 * turn[0]), REST)
        assert touching == (0.0, False)
        assert moving_polygon_moving_polygon(a, np.array([-4.0, 0.0]) @ turn, b - (2.0 * turn[0]), REST) == MISS


def test_as_printed_one_direction_is_not_enough() -> None:
    """EQ tests B's vertices against A's edges only: a spike of A that pierces a side of B goes unseen."""
    spike = np.array([(0.0, -0.1), (1.0, 0.0), (0.0, 0.1)])
    wall = np.array([(2.0, -5.0), (3.0, -5.0), (3.0, 5.0), (2.0, 5.0)])
    seen = [
        moving_vertex_moving_edge(*vertex, 0, 0, *a, 2, 0, *b, 2, 0)
        for vertex in wall.tolist()
        for a, b in zip(spike.tolist(), np.roll(spike, -1, axis=0).tolist())
    ]
    assert seen == [None] * 12
    assert moving_polygon_moving_polygon(spike, (2, 0), wall, REST).time == pytest.approx(0.5)


def random_padded_polygons(rng: np.random.Generator, count: int) -> FloatArray:
    """Convex polygons with 3 to 6 corners on ellipses, as lists padded to 6 by repeating the last corner."""
    angles = np.sort(rng.uniform(0.0, 2.0 * math.pi, (count, 6)), axis=1)
    even = np.linspace(0.0, 2.0 * math.pi, 6, endpoint=False)
    angles = 0.6 * even + 0.4 * angles * 5.0 / 6.0
    radii = rng.uniform(0.2, 1.0, (count, 1, 2))
    return np.stack([np.cos(angles), np.sin(angles)], axis=2) * radii + rng.uniform(-1.5, 1.5, (count, 1, 2))


def test_against_shapely() -> None:
    """Translations and nearly rigid turns; a third start or pass at a hair's breadth."""
    rng = np.random.default_rng(1)
    a, b = random_padded_polygons(rng, COUNT), random_padded_polygons(rng, COUNT)
    motion_a = np.repeat(rng.uniform(-3.0, 3.0, (COUNT, 1, 2)), 6, axis=1)
    motion_b = np.repeat(rng.uniform(-3.0, 3.0, (COUNT, 1, 2)), 6, axis=1)
    theta = rng.uniform(-0.5, 0.5, COUNT)[:, None] * (np.arange(COUNT) % 2)[:, None]
    centred = b - b.mean(axis=1, keepdims=True)
    motion_b[..., 0] += (np.cos(theta) - 1.0) * centred[..., 0] - np.sin(theta) * centred[..., 1]
    motion_b[..., 1] += np.sin(theta) * centred[..., 0] + (np.cos(theta) - 1.0) * centred[..., 1]
    # A third end (nearly) touching: B ends where A's end is nearest, but for a hair.
    nearly = np.flatnonzero(np.arange(COUNT) % 3 == 0)
    line = shapely.shortest_line(shapely.polygons((a + motion_a)[nearly]), shapely.polygons((b + motion_b)[nearly]))
    ends = shapely.get_coordinates(line).reshape(-1, 2, 2)
    hair = rng.choice([-1.0, 1.0], (len(nearly), 1)) * 10.0 ** rng.uniform(-9.0, -2.0, (len(nearly), 1))
    motion_b[nearly] += ((ends[:, 0] - ends[:, 1]) * (1.0 + hair))[:, None]

    time: Any
    overlapping: Any
    time, overlapping = moving_polygon_moving_polygon(a, motion_a, b, motion_b)
    for i in range(0, COUNT, 7):
        single = moving_polygon_moving_polygon(a[i], motion_a[i], b[i], motion_b[i])
        assert single == (None if np.isnan(time[i]) else time[i], overlapping[i])

    def at(t: FloatArray) -> tuple[Any, Any]:
        moment = t[:, None, None]
        return shapely.polygons(a + moment * motion_a), shapely.polygons(b + moment * motion_b)

    start = shapely.area(shapely.intersection(*at(np.zeros(COUNT))))
    np.testing.assert_array_equal(overlapping, start > 1e-12)
    free = ~overlapping
    hit = ~np.isnan(time) & free
    assert hit.sum() > 2000 and np.isnan(time).sum() > 1000
    np.testing.assert_allclose(shapely.distance(*at(np.nan_to_num(time)))[hit], 0.0, atol=1e-11)
    until = np.where(np.isnan(time), 1.0, time)
    for part in np.linspace(0.05, 1.0, 20):
        before = at(part * until * (1.0 - 1e-9))
        meet = shapely.intersects(*before) & free
        depth = shapely.area(shapely.intersection(before[0][meet], before[1][meet]))
        assert depth.max(initial=0.0) < 1e-11
        if part == 1.0:  # exactly touching at the end is either
            assert meet[np.isnan(time)].sum() == 0


@given(vectors, vectors, st.floats(-math.pi, math.pi), vectors, vectors, st.integers(-20, 20), st.integers(0, 2**31))
@settings(deadline=None, max_examples=150)
def test_symmetries(
    motion_a: tuple[float, float],
    motion_b: tuple[float, float],
    angle: float,
    shift: tuple[float, float],
    common: tuple[float, float],
    power: int,
    seed: int,
) -> None:
    a, b = random_padded_polygons(np.random.default_rng(seed), 2)
    found = moving_polygon_moving_polygon(a, motion_a, b, motion_b)
    swapped = moving_polygon_moving_polygon(b[::-1], motion_b, a, motion_a)
    turn = np.array([(math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))])
    size = 2.0**power
    moved = moving_polygon_moving_polygon(
        size * (a @ turn + shift),
        size * (np.array(motion_a) @ turn + common),
        size * (b @ turn + shift),
        size * (np.array(motion_b) @ turn + common),
    )
    aside = moving_polygon_moving_polygon(a, motion_a, b, np.array(motion_b) * (1.0 + 1e-7))
    if (aside.time is None) != (found.time is None) or (
        aside.time is not None and found.time is not None and abs(aside.time - found.time) > 1e-5
    ):
        return  # a grazing case, which rounding decides
    for other in (swapped, moved):
        assert other.overlapping == found.overlapping
        assert other.time == (None if found.time is None else pytest.approx(found.time, abs=1e-5))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((SQUARE[:2], REST, SQUARE, REST), ValueError, "vertices_a"),
        ((SQUARE, REST, SQUARE[[0, 2, 1, 3]], REST), ValueError, "vertices_b"),
        ((SQUARE, (0.0, 0.0, 0.0), SQUARE, REST), ValueError, "motion_a"),
        ((SQUARE, np.zeros((3, 2)), SQUARE, REST), ValueError, "motion_a"),
        ((SQUARE, REST, SQUARE, (0.0, math.nan)), ValueError, "motion_b"),
        ((SQUARE, REST, SQUARE, "left"), TypeError, "motion_b"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        moving_polygon_moving_polygon(*arguments)


def test_arrays_broadcast() -> None:
    """Polygons against polygons, motions per vertex, per polygon and for all."""
    rng = np.random.default_rng(3)
    a, b = random_padded_polygons(rng, 20), random_padded_polygons(rng, 15)[:, None]
    per_vertex, per_polygon = rng.uniform(-3.0, 3.0, (20, 6, 2)), rng.uniform(-3.0, 3.0, (15, 1, 1, 2))
    found: Any = moving_polygon_moving_polygon(a, per_vertex, b, per_polygon)
    still: Any = moving_polygon_moving_polygon(a, per_vertex, b, REST)
    many: Any = moving_polygon_moving_polygon(a[0], per_vertex, b[0, 0], REST)
    assert found.time.shape == found.overlapping.shape == (15, 20)
    for i, j in np.ndindex(15, 20):
        for touch, motion in ((found, per_polygon[i, 0, 0]), (still, REST)):
            single = moving_polygon_moving_polygon(a[j], per_vertex[j], b[i, 0], motion)
            assert single == (None if np.isnan(touch.time[i, j]) else touch.time[i, j], touch.overlapping[i, j])
        single = moving_polygon_moving_polygon(a[0], per_vertex[j], b[0, 0], REST)
        assert single == (None if np.isnan(many.time[j]) else many.time[j], many.overlapping[j])


def test_a_bad_polygon_among_many_is_named_with_its_index() -> None:
    many = np.repeat(SQUARE[None], 5, axis=0)
    many[2] = many[2, [0, 2, 1, 3]]
    with pytest.raises(ValueError, match=r"^vertices_b\[2\] must be the corners of a convex polygon"):
        moving_polygon_moving_polygon(SQUARE, REST, many, REST)
    with pytest.raises(ValueError, match=r"do not go together: .*motion_a \(3, 4, 2\)"):
        moving_polygon_moving_polygon(SQUARE, np.zeros((3, 1, 2)), many[:2], REST)
