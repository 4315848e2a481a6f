"""Segments among tiles and other segments: both sides, ends and cones, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.shapes import Box, PieceKind, Segment
from ecs_collide.shapes.outline import CONCAVE, CONVEX, EXPOSED, FLAT, HIDDEN, OUTLINE
from tests.support.reference.seam_union import Tile, static_tiles

UNIT = Box(1.0, 1.0)


def edges(part: Tile, up: bool) -> list[tuple[float, float, float, float, float]]:
    """Of the edges that face up, or down: smaller and larger x, EDGE, START and STOP, from left to right."""
    result = []
    following = np.roll(part.vertices, -1, axis=0)
    for a, b, normal, row in zip(part.vertices, following, part.normals, part.outline, strict=True):
        if (normal[1] > 0.0) == up and abs(normal[1]) > 1e-9:
            low, high = sorted((round(float(a[0]), 9), round(float(b[0]), 9)))
            result.append((low, high, float(row[OUTLINE.EDGE]), float(row[OUTLINE.START]), float(row[OUTLINE.STOP])))
    return sorted(result)


def cone_at_corner(part: Tile, x: float, y: float) -> tuple[float, float] | None:
    """The angles [rad] between which the corner at (x, y) gives contacts."""
    (k,) = np.flatnonzero(np.hypot(*(part.vertices - (x, y)).T) < 1e-9)
    row = part.outline[k]
    if row[OUTLINE.CORNER] == 0.0:
        return None
    return float(np.arctan2(row[OUTLINE.FROM_Y], row[OUTLINE.FROM_X])), float(
        np.arctan2(row[OUTLINE.TO_Y], row[OUTLINE.TO_X])
    )


def test_a_straight_chain_goes_on_on_both_sides() -> None:
    parts = static_tiles(*(Segment((float(k), 0.0), (k + 1.0, 0.0)) for k in range(4)))
    for k, part in enumerate(parts):
        left, right = (CONVEX if k == 0 else FLAT), (CONVEX if k == 3 else FLAT)
        assert edges(part, up=True) == [(k, k + 1.0, EXPOSED, right, left)]
        assert edges(part, up=False) == [(k, k + 1.0, EXPOSED, left, right)]
        assert (cone_at_corner(part, k, 0.0) is None) == (k > 0)
        assert (cone_at_corner(part, k + 1.0, 0.0) is None) == (k < 3)
    assert cone_at_corner(parts[0], 0.0, 0.0) == pytest.approx((0.5 * np.pi, -0.5 * np.pi))
    assert cone_at_corner(parts[3], 4.0, 0.0) == pytest.approx((-0.5 * np.pi, 0.5 * np.pi))


@pytest.mark.parametrize("kink", [0.01, 0.3, 1.5, 3.0])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_kink_is_a_corner_on_its_outer_side_only(kink: float, reverse: bool) -> None:
    end = (float(np.cos(kink)), float(np.sin(kink)))
    parts = static_tiles(
        Segment((-1.0, 0.0), (0.0, 0.0)), Segment(end, (0.0, 0.0)) if reverse else Segment((0.0, 0.0), end)
    )
    # the valley is above, the hill below: normals from straight down to those of the second segment's lower side
    for part in parts:
        assert cone_at_corner(part, 0.0, 0.0) == pytest.approx((-0.5 * np.pi, kink - 0.5 * np.pi))
    assert edges(parts[0], up=True) == [(-1.0, 0.0, EXPOSED, CONCAVE, CONVEX)]
    assert edges(parts[0], up=False) == [(-1.0, 0.0, EXPOSED, CONVEX, CONVEX)]


def test_three_segments_that_meet_leave_no_corner() -> None:
    parts = static_tiles(*(Segment((0.0, 0.0), (float(np.cos(a)), float(np.sin(a)))) for a in (0.0, 2.1, 4.2)))
    for part in parts:
        assert cone_at_corner(part, 0.0, 0.0) is None
        ends = [
            row[field]
            for row, a, b in zip(part.outline, part.vertices, np.roll(part.vertices, -1, axis=0), strict=True)
            for field, at in ((OUTLINE.START, a), (OUTLINE.STOP, b))
            if np.hypot(*at) < 1e-9
        ]
        assert ends == [CONCAVE, CONCAVE]


def test_a_segment_that_ends_in_a_tile_s_face() -> None:
    tile, fence = static_tiles(UNIT, Segment((0.2, 0.5), (0.2, 2.0)))
    assert tile.kind == PieceKind.POLYGON
    assert cone_at_corner(fence, 0.2, 0.5) is None
    assert cone_at_corner(fence, 0.2, 2.0) == pytest.approx((0.0, np.pi))
    assert sorted((row[OUTLINE.START], row[OUTLINE.STOP]) for row in fence.outline) == [
        (CONVEX, CONCAVE),
        (CONCAVE, CONVEX),
    ]


def test_a_segment_that_goes_into_a_tile() -> None:
    tile, fence = static_tiles(UNIT, Segment((0.2, -0.1), (0.2, 2.0)))
    assert tile.kind == PieceKind.POLYGON
    assert cone_at_corner(fence, 0.2, -0.1) is None
    lengths = {
        (round(float(min(a[1], b[1])), 9), round(float(max(a[1], b[1])), 9), float(row[OUTLINE.EDGE]))
        for row, a, b in zip(fence.outline, fence.vertices, np.roll(fence.vertices, -1, axis=0), strict=True)
    }
    assert lengths == {(-0.1, 0.5, HIDDEN), (0.5, 2.0, EXPOSED)}
    assert {row[OUTLINE.START] for row in fence.outline if row[OUTLINE.EDGE] == EXPOSED} == {CONVEX, CONCAVE}


def test_a_segment_inside_a_tile_has_nothing_exposed() -> None:
    tile, inner = static_tiles(UNIT, Segment((-0.3, 0.1), (0.4, 0.2)))
    assert tile.kind == PieceKind.POLYGON
    assert inner.outline[:, OUTLINE.EDGE].tolist() == [HIDDEN, HIDDEN]
    assert inner.outline[:, OUTLINE.CORNER].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("height", [-1e-4, 0.0, 1e-4, 2e-3])
def test_a_segment_along_a_tile_s_face(height: float) -> None:
    tile, lid = static_tiles(UNIT, Segment((-0.3, 0.5 + height), (0.9, 0.5 + height)))
    if height > 0.0:  # it lies on the tile
        assert edges(tile, up=True) == [(-0.5, -0.3, EXPOSED, FLAT, CONVEX), (-0.3, 0.5, HIDDEN, FLAT, FLAT)]
        assert edges(lid, up=True) == [(-0.3, 0.9, EXPOSED, CONVEX, FLAT)]
    else:
        assert edges(lid, up=True) == [(-0.3, 0.5, HIDDEN, FLAT, FLAT), (0.5, 0.9, EXPOSED, CONVEX, FLAT)]
        assert [edge[:3] for edge in edges(tile, up=True)] == [(-0.5, 0.5, EXPOSED)]
    assert [edge[:3] for edge in edges(lid, up=False)] == [(-0.3, 0.5, HIDDEN), (0.5, 0.9, EXPOSED)]
    assert edges(lid, up=False)[1][3:] == (CONCAVE, CONVEX)
    assert cone_at_corner(lid, -0.3, 0.5 + height) is None


def test_a_bridge_between_two_tiles() -> None:
    left, bridge, right = static_tiles(
        Box(1.0, 1.0, (-1.0, 0.0)), Segment((-0.5, 0.5), (0.5, 0.5)), Box(1.0, 1.0, (1.0, 0.0))
    )
    assert edges(left, up=True) == [(-1.5, -0.5, EXPOSED, FLAT, CONVEX)]
    assert edges(bridge, up=True) == [(-0.5, 0.5, EXPOSED, FLAT, FLAT)]
    assert edges(bridge, up=False) == [(-0.5, 0.5, EXPOSED, CONCAVE, CONCAVE)]
    assert edges(right, up=True) == [(0.5, 1.5, EXPOSED, CONVEX, FLAT)]
    assert cone_at_corner(left, -0.5, 0.5) is None


@pytest.mark.parametrize("reverse", [False, True])
def test_of_two_segments_on_each_other_one_stays(reverse: bool) -> None:
    second = Segment((1.0, 0.5), (0.0, 0.0)) if reverse else Segment((0.0, 0.0), (1.0, 0.5))
    parts = static_tiles(Segment((0.0, 0.0), (1.0, 0.5)), second)
    exposed = [int((part.outline[:, OUTLINE.EDGE] == EXPOSED).sum()) for part in parts]
    assert sorted(exposed) == [0, 2]
    for part, count in zip(parts, exposed, strict=True):
        assert (cone_at_corner(part, 0.0, 0.0) is not None) == (count > 0)


def test_segments_that_overlap_in_line() -> None:
    first, second = static_tiles(Segment((0.0, 0.0), (2.0, 0.0)), Segment((1.0, 0.0), (3.0, 0.0)))
    for up in (True, False):
        covered = [edge[:3] for edge in edges(second, up)]
        assert covered == [(1.0, 2.0, HIDDEN), (2.0, 3.0, EXPOSED)]
        assert edges(first, up) == [(0.0, 2.0, EXPOSED, *((FLAT, CONVEX) if up else (CONVEX, FLAT)))]
    assert cone_at_corner(first, 2.0, 0.0) is None
    assert cone_at_corner(second, 3.0, 0.0) is not None
