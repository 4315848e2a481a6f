"""Tests of `Bitmap`."""

import math
import random

import numpy as np
import pytest
import shapely
from hypothesis import given, settings, strategies as st

from ecs_collide.shapes import Bitmap, Box, PieceKind
from ecs_collide.shapes.outline import CONCAVE, CONVEX, FLAT, OUTLINE
from tests.shapes.boundary import check_cones, check_form, exposed_lines
from tests.shapes.reference import outline_of

MASKS = {
    "cell": ["#"],
    "row": ["####"],
    "corner": ["#.", "##"],
    "hole": ["####", "#.##", "####"],
    "diagonal": ["#.", ".#"],
    "diagonal hole": ["####", "#.##", "##.#", "####"],
    "checkers": ["#.#.", ".#.#", "#.#."],
    "plus": [".#.", "###", ".#."],
    "islands": ["##..#", "....#", "#...."],
}


def cells_of(rows: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    return np.array([[character == "#" for character in row] for row in rows])


def random_cells(seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    generator = np.random.default_rng(seed)
    cells = generator.random((random.Random(seed).randint(1, 9), random.Random(seed + 1).randint(1, 9))) < 0.6
    cells[0, 0] = True
    return cells


def check_bitmap(mask: np.ndarray[tuple[int, int], np.dtype[np.bool_]], size: float) -> None:
    """Compare with the squares: union, what is exposed, and at each end of an edge the four cells around it."""
    bitmap = Bitmap(mask, size)
    squares = [shapely.box(x, y, x + 1, y + 1) for y, x in np.argwhere(mask)]
    solid = shapely.affinity.scale(shapely.union_all(squares), size, size, origin=(0, 0))
    pieces = bitmap.pieces()
    check_form(pieces)
    outlines = [outline_of(piece) for piece in pieces]
    assert shapely.union_all(outlines).symmetric_difference(solid).area < 1e-9 * size**2
    assert sum(outline.area for outline in outlines) == pytest.approx(solid.area, rel=1e-12)
    lines = exposed_lines(pieces)
    assert sum(line.length for line in lines) == pytest.approx(solid.boundary.length, rel=1e-12)
    shown = shapely.union_all([shapely.LineString(line.points) for line in lines])
    assert solid.boundary.difference(shown.buffer(1e-9 * size)).length < 1e-9 * size

    def is_solid(x: float, y: float) -> bool:
        column, row = math.floor(x / size), math.floor(y / size)
        return bool(0 <= row < mask.shape[0] and 0 <= column < mask.shape[1] and mask[row, column])

    convex_count = 0
    for piece in pieces:
        for index, row in enumerate(piece.outline):
            vertex, normal = piece.vertices[index], piece.normals[index]
            following = piece.vertices[(index + 1) % len(piece.vertices)]
            along = (following - vertex) / math.dist(vertex, following)
            if row[OUTLINE.EDGE]:
                for point, ahead, end in ((vertex, -along, row[OUTLINE.START]), (following, along, row[OUTLINE.STOP])):
                    inside = is_solid(*(point + 0.1 * size * (ahead - normal)))
                    outside = is_solid(*(point + 0.1 * size * (ahead + normal)))
                    assert end == ((CONCAVE if outside else FLAT) if inside else CONVEX)
            convex_count += int(row[OUTLINE.CORNER])
            if row[OUTLINE.CORNER]:
                assert row[OUTLINE.FROM_X : OUTLINE.FROM_X + 2].tolist() == piece.normals[index - 1].tolist()
                assert row[OUTLINE.TO_X : OUTLINE.TO_X + 2].tolist() == normal.tolist()
    # A cell has a convex corner where neither of the two cells beside it there is solid.
    padded = np.pad(mask, 1).astype(int)
    middle, expected = padded[1:-1, 1:-1], 0
    for dy, dx in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        beside = np.roll(padded, dy, axis=0)[1:-1, 1:-1] + np.roll(padded, dx, axis=1)[1:-1, 1:-1]
        expected += int((middle * (beside == 0)).sum())
    assert convex_count == expected

    parts = shapely.union_all([shapely.Polygon(outline) for outline in bitmap.outlines() if signed(outline) > 0])
    holes = [shapely.Polygon(outline) for outline in bitmap.outlines() if signed(outline) < 0]
    assert parts.difference(shapely.union_all(holes)).symmetric_difference(solid).area < 1e-9 * size**2
    assert sum(signed(outline) for outline in bitmap.outlines()) == pytest.approx(solid.area, rel=1e-12)
    for outline in bitmap.outlines():
        assert shapely.LinearRing(outline).length > 0
        edges = np.roll(outline, -1, axis=0) - outline
        assert ((edges * np.roll(edges, -1, axis=0)).sum(axis=1) == 0).all()


def signed(outline: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    following = np.roll(outline, -1, axis=0)
    return 0.5 * float((outline[:, 0] * following[:, 1] - outline[:, 1] * following[:, 0]).sum())


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("size", [1.0, 0.3])
def test_the_pieces_are_the_cells(name: str, size: float) -> None:
    check_bitmap(cells_of(MASKS[name]), size)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_random_bitmaps(seed: int) -> None:
    check_bitmap(random_cells(seed), 0.5)


def test_row_0_is_the_lowest() -> None:
    bitmap = Bitmap([[1, 1], [1, 0]], 2)
    (wide, small) = bitmap.pieces()
    assert wide.kind is PieceKind.OUTLINE
    assert wide.vertices.tolist() == [[0, 0], [4, 0], [4, 2], [2, 2], [0, 2]]
    assert wide.outline[:, OUTLINE.EDGE].tolist() == [1, 1, 1, 0, 1]
    assert wide.outline[2, [OUTLINE.START, OUTLINE.STOP]].tolist() == [CONVEX, CONCAVE]
    assert wide.outline[4, [OUTLINE.START, OUTLINE.STOP]].tolist() == [FLAT, CONVEX]
    assert small.vertices.tolist() == [[0, 2], [2, 2], [2, 4], [0, 4]]
    (outline,) = bitmap.outlines()
    assert outline.tolist() == [[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]]


def test_cells_that_touch_by_a_corner_are_not_connected() -> None:
    bitmap = Bitmap(cells_of(MASKS["diagonal"]), 1)
    assert [outline.tolist() for outline in bitmap.outlines()] == [
        [[0, 0], [1, 0], [1, 1], [0, 1]],
        [[1, 1], [2, 1], [2, 2], [1, 2]],
    ]
    assert all(piece.outline[:, OUTLINE.CORNER].all() for piece in bitmap.pieces())


def test_a_hole_runs_clockwise() -> None:
    outer, hole = Bitmap(cells_of(["###", "#.#", "###"]), 1).outlines()
    assert signed(outer) == 9.0
    assert signed(hole) == -1.0


def test_corners_allow_the_normals_that_the_solid_does() -> None:
    bitmap = Bitmap(cells_of(MASKS["hole"]), 1)
    solid = shapely.box(0, 0, 4, 3).difference(shapely.box(1, 1, 2, 2))
    check_cones(bitmap, solid, 0.01)


def test_a_full_bitmap_is_one_box() -> None:
    bitmap = Bitmap(np.ones((40, 60), bool), 0.5)
    (piece,) = bitmap.pieces()
    assert piece.vertices.tolist() == [[0, 0], [30, 0], [30, 20], [0, 20]]
    for actual, expected in zip(bitmap.mass_properties(), Box(30, 20, (15, 10)).mass_properties(), strict=True):
        assert actual == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "mask",
    [
        [[1, 0], [1, 1]],
        np.array([[True, False], [True, True]]),
        (b"\1\0", b"\1\1"),
        ["#.", "##"],
        ("1 ", "11"),
        ["##", "10"][::-1],
    ],
)
def test_masks_may_be_given_in_many_ways(mask: object) -> None:
    assert Bitmap(mask, 1) == Bitmap(np.array([[1, 0], [1, 1]], np.uint8), 1.0)  # type: ignore[arg-type]


def test_the_cells_are_one_metre_wide_by_default() -> None:
    assert Bitmap(["###", "#.#"]) == Bitmap([[1, 1, 1], [1, 0, 1]], 1.0)


def test_the_mask_is_copied() -> None:
    mask = np.array([[1, 0]])
    bitmap = Bitmap(mask, 1)
    mask[:] = 0
    assert repr(bitmap) == r"Bitmap(mask=(b'\x01\x00',), cell_size=1.0)"


@pytest.mark.parametrize(
    ("mask", "error", "message"),
    [
        ([], ValueError, "must have two dimensions, rows and columns, got 1"),
        ([1, 0], ValueError, "must have two dimensions, rows and columns, got 1"),
        ([[]], ValueError, "must hold at least one solid cell: remove the Collider of an empty map"),
        ([[0, 0]], ValueError, "must hold at least one solid cell: remove the Collider of an empty map"),
        ([[1, 0], [1]], ValueError, "must hold rows of equal length"),
        ([[2, 0]], ValueError, "must hold bools or zeros and ones"),
        ([[0.5, 0]], TypeError, "must hold bools or zeros and ones, got float64"),
        (["##", "#"], ValueError, "must hold rows of equal length"),
        (["..", ".."], ValueError, "must hold at least one solid cell: remove the Collider of an empty map"),
        ("##", TypeError, r"must be a string for each row, got one string; use \.splitlines\(\): '##'"),
        (["##", "#o"], ValueError, r"has 'o' in column 1, which is none of '# 1 \. 0  ': '#o'"),
    ],
)
def test_bad_masks(mask: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=rf"^Bitmap\.mask(\[1\])? {message}$"):
        Bitmap(mask, 1)  # type: ignore[arg-type]


def test_bad_cell_size() -> None:
    with pytest.raises(ValueError, match=r"^Bitmap\.cell_size must be a positive finite number, got 0\.0$"):
        Bitmap([[1]], 0)


def test_an_ellipse_by_rasterisation() -> None:
    """PC leaves ellipses to rasterisation: area and second moment come to those of the ellipse with the cell size."""
    for cell, error in ((0.1, 0.02), (0.02, 0.003)):
        ellipse = Bitmap.from_curve(lambda x, y: ((x - 2.0) / 2.0) ** 2 + (y - 1.0) ** 2 <= 1.0, (4.0, 2.0), cell)
        properties = ellipse.mass_properties()
        assert properties.area == pytest.approx(2.0 * math.pi, rel=error)
        assert properties.centroid == pytest.approx((2.0, 1.0), abs=1e-12)
        assert properties.second_moment == pytest.approx(2.0 * math.pi * 5.0 / 4.0, rel=2.0 * error)


def test_a_curve_is_evaluated_at_the_centres_of_the_cells() -> None:
    step = Bitmap.from_curve(lambda x, y: y < x, (0.3, 0.3), 0.1)
    assert step.mask == (b"\0\1\1", b"\0\0\1", b"\0\0\0")
    assert len(Bitmap.from_curve(lambda x, y: x >= 0.0, (0.31, 0.1), 0.1).mask[0]) == 4, "rounded up"


def test_the_first_row_of_an_image_is_the_top_one() -> None:
    assert Bitmap.from_image([[0, 255], [90, 255]], 1.0) == Bitmap([[1, 1], [0, 1]], 1.0)
    assert Bitmap.from_image([[0, 255], [90, 255]], 1.0, threshold=100) == Bitmap([[0, 1], [0, 1]], 1.0)


def test_bad_images_and_curves() -> None:
    with pytest.raises(TypeError, match="pixels must be numbers in rows and columns, got uint8 of shape"):
        Bitmap.from_image(np.zeros((2, 2, 4), np.uint8), 1.0)
    with pytest.raises(ValueError, match="inside must return a value for each of \\(2, 3\\) cells, got shape \\(\\)"):
        Bitmap.from_curve(lambda x, y: True, (3.0, 2.0), 1.0)
    with pytest.raises(ValueError, match="at least one solid cell"):
        Bitmap.from_curve(lambda x, y: x < 0.0, (3.0, 2.0), 1.0)
