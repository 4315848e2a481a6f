"""Tiles in rows, blocks and heaps expose what the union of them has as its boundary, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
import shapely

from ecs_collide.components import BodyKind
from ecs_collide.shapes import Box, PieceKind, Polygon, Shape
from ecs_collide.shapes.outline import CONCAVE, EXPOSED, HIDDEN, OUTLINE
from tests.support.reference.column_world import PLAIN, ColumnWorld, Pose
from tests.support.reference.seam_union import check_edges, check_tiles, exposed_edges, tiles_of_world, union_of

UNIT: Shape = Box(1.0, 1.0)
Scene = list[tuple[Shape, Pose]]


def static_world(scene: Iterable[tuple[Shape, Pose]], length_unit: float = 1.0) -> ColumnWorld:
    world = ColumnWorld(length_unit)
    world.add_all((shape, pose, BodyKind.STATIC, PLAIN) for shape, pose in scene)
    world.update()
    return world


def shuffled(scene: Scene, seed: int) -> Scene:
    return [scene[k] for k in np.random.default_rng(seed).permutation(len(scene))]


def row_of_shapes(count: int, angle: float = 0.0, step: float = 1.0, shape: Shape = UNIT) -> Scene:
    return [(shape, (step * k * np.cos(angle), step * k * np.sin(angle), angle)) for k in range(count)]


def block(width: int, height: int, step_x: float = 1.0, step_y: float = 1.0) -> Scene:
    return [(UNIT, (step_x * x, step_y * y, 0.0)) for x in range(width) for y in range(height)]


def bricks(width: int, height: int) -> Scene:
    return [(Box(2.0, 1.0), (2.0 * x + 0.7 * (y % 2), float(y), 0.0)) for x in range(width) for y in range(height)]


def triangulation(seed: int) -> Scene:
    random = np.random.default_rng(seed)
    inner = random.uniform(0.1, 0.9, (12, 2)) * (6.0, 3.0)
    rim = [(x, y) for x in (0.0, 2.0, 4.0, 6.0) for y in (0.0, 3.0)] + [(0.0, 1.5), (6.0, 1.5)]
    points = shapely.MultiPoint(np.concatenate((inner, rim)))
    return [
        (Polygon(np.asarray(triangle.exterior.coords)[:-1]), (0.0, 0.0, 0.0))
        for triangle in shapely.delaunay_triangles(points).geoms
    ]


EXACT: dict[str, Scene] = {
    "one": row_of_shapes(1),
    "row": row_of_shapes(50),
    "row at 0.1": row_of_shapes(20, 0.1),
    "row at 0.52": row_of_shapes(20, 0.52),
    "row at 1.0": row_of_shapes(20, 1.0),
    "block": block(5, 4),
    "ring of tiles": [tile for tile in block(5, 5) if tile[1][:2] != (2.0, 2.0)],
    "diagonal": [(UNIT, (float(k), float(k), 0.0)) for k in range(4)],
    "checkerboard": [tile for tile in block(5, 5) if (tile[1][0] + tile[1][1]) % 2 == 0],
    "bricks": bricks(4, 4),
    "layers of other widths": [
        *((Box(1.3, 0.5), (1.3 * k, 0.0, 0.0)) for k in range(6)),
        *((Box(0.9, 1.0), (0.9 * k, 0.75, 0.0)) for k in range(6)),
    ],
    "overlaps of 30 %": row_of_shapes(20, step=0.7),
    "overlaps of 60 %": row_of_shapes(20, step=0.4),
    "turned overlaps of 30 %": row_of_shapes(12, 0.52, 0.7),
    "turned overlaps of 60 %": row_of_shapes(12, 1.0, 0.4),
    "block of overlaps": block(5, 4, 0.7, 0.6),
    "duplicates": row_of_shapes(4) + row_of_shapes(4) + row_of_shapes(4),
    "duplicates of a turned row": row_of_shapes(4, 0.3) + row_of_shapes(4, 0.3),
    "T-junction": [(Box(4.0, 1.0), (0.0, 0.0, 0.0)), (Box(1.0, 2.0), (0.3, 1.5, 0.0))],
    "cross": [(Box(4.0, 1.0), (0.0, 0.0, 0.0)), (Box(1.0, 4.0), (0.3, 0.2, 0.0))],
    "L-corner": [*row_of_shapes(4), (UNIT, (3.0, 1.0, 0.0)), (UNIT, (3.0, 2.0, 0.0))],
    "stairs": [(Box(1.0, 1.0 + 0.25 * k), (float(k), 0.5 * (1.0 + 0.25 * k), 0.0)) for k in range(5)],
    "slope onto a row": [*row_of_shapes(3), (Polygon([(-2.5, -0.5), (-0.5, -0.5), (-0.5, 0.5)]), (0.0, 0.0, 0.0))],
    "a corner on a face": [(Box(4.0, 1.0), (0.0, 0.0, 0.0)), (UNIT, (0.2, 0.5 + np.sqrt(0.5), 0.25 * np.pi))],
    "one inside another": [(Box(4.0, 4.0), (0.0, 0.0, 0.0)), (UNIT, (0.2, 0.3, 0.4))],
    "a fan": [
        (Polygon([(0.0, 0.0), (np.cos(a), np.sin(a)), (np.cos(a + 0.5), np.sin(a + 0.5))]), (0.0, 0.0, 0.0))
        for a in (0.0, 0.5, 1.0, 1.5)
    ],
    "many sides": [
        (Polygon([(np.cos(a), np.sin(a)) for a in np.linspace(0.0, 2.0 * np.pi, 33)[:-1]]), (0.0, 0.0, 0.0)),
        (Box(4.0, 1.0), (0.0, -0.5, 0.0)),
    ],
    "small tiles on a large one": [
        (Box(10.0, 1.0), (0.0, 0.0, 0.0)),
        *((Box(0.1, 0.1), (-1.0 + 0.1 * k, 0.55, 0.0)) for k in range(20)),
    ],
    "many tiles on a large one": [
        (Box(70.0, 1.0, (0.0, 0.0), 0.3), (0.0, 0.0, 0.2)),
        *(
            (UNIT, (0.9 * k * np.cos(0.5) - np.sin(0.5), 0.9 * k * np.sin(0.5) + np.cos(0.5), 0.5))
            for k in range(-35, 36)
            if k % 3
        ),
    ],
    "crossing at an angle": [(Box(4.0, 1.0), (0.0, 0.0, 0.0)), (Box(4.0, 1.0), (0.1, 0.2, 0.7))],
}
EXACT |= {f"triangles {seed}": triangulation(seed) for seed in range(6)}


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("seed", [0, 1])
def test_tiles_expose_the_boundary_of_their_union_once(name: str, seed: int) -> None:
    world = static_world(shuffled(EXACT[name], seed))
    check_tiles(tiles_of_world(world))


@pytest.mark.parametrize(
    "name", ["row", "bricks", "block of overlaps", "turned overlaps of 60 %", "a fan", "triangles 1"]
)
@pytest.mark.parametrize("far", [(1e5, -3e4), (-7e3, 1e5)])
def test_far_from_the_origin(name: str, far: tuple[float, float]) -> None:
    scene = EXACT[name]
    world = static_world((shape, (x + far[0], y + far[1], angle)) for shape, (x, y, angle) in scene)
    check_tiles(tiles_of_world(world, far), gap=1e-10, tolerance=1e-7)


@pytest.mark.parametrize("name", ["row", "bricks", "stairs", "L-corner"])
def test_in_pixels(name: str) -> None:
    scene = EXACT[name]
    larger: Scene = [
        (Box(100.0 * shape.width, 100.0 * shape.height), (100.0 * x, 100.0 * y, angle))
        for shape, (x, y, angle) in scene
        if isinstance(shape, Box)
    ]
    pixels, metres = tiles_of_world(static_world(larger, 100.0)), tiles_of_world(static_world(scene))
    check_tiles(pixels, tolerance=1e-7, radius=2.0)
    for large, small in zip(pixels, metres, strict=True):
        np.testing.assert_allclose(large.vertices, 100.0 * small.vertices, atol=1e-9)
        np.testing.assert_allclose(large.outline, small.outline, atol=1e-12)


@pytest.mark.parametrize(
    "name", ["row", "block", "bricks", "overlaps of 60 %", "triangles 2", "turned overlaps of 30 %"]
)
def test_the_order_of_insertion_does_not_matter(name: str) -> None:
    scene = EXACT[name]
    plain = tiles_of_world(static_world(scene))
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(scene))
        mixed = tiles_of_world(static_world([scene[k] for k in order]))
        for k, found in zip(order, mixed, strict=True):
            assert found.kind == plain[k].kind
            for a, b in zip(found[1:], plain[k][1:], strict=True):
                assert np.array_equal(a, b)


@pytest.mark.parametrize("size", [1e-9, 1e-6, 1e-4, 1e-3])
@pytest.mark.parametrize("step", [1.0, 0.7, 0.4])
def test_misaligned_rows_have_no_steps(size: float, step: float) -> None:
    random = np.random.default_rng(7)
    scene: Scene = [
        (UNIT, (step * k + random.uniform(-size, size), random.uniform(-size, size), 0.0)) for k in range(30)
    ]
    check_tiles(tiles_of_world(static_world(scene)), gap=2.0 * size, radius=0.15)


@pytest.mark.parametrize("gap", [1e-9, 1e-4, 4.9e-3])
def test_gaps_up_to_the_tolerance_are_closed(gap: float) -> None:
    check_tiles(
        tiles_of_world(static_world(row_of_shapes(10, step=1.0 + gap))),
        gap=0.6 * gap,
        tolerance=2e-3 * gap,
        radius=0.05,
    )


def test_a_gap_above_the_tolerance_is_open() -> None:
    world = static_world(row_of_shapes(10, step=1.0 + 5.1e-3))
    assert set(world.pieces.arrays.index[:10, 1].tolist()) == {PieceKind.POLYGON}


@pytest.mark.parametrize(("step", "blocks"), [(0.9, False), (1.1, True), (2.0, True), (10.0, True), (100.0, True)])
def test_steps_below_the_tolerance_are_none(step: float, blocks: bool) -> None:
    height = 0.005 * step
    parts = tiles_of_world(static_world([(UNIT, (0.0, 0.0, 0.0)), (UNIT, (1.0, height, 0.0))]))
    risers = [(a, b) for a, b in exposed_edges(parts) if abs(a[0] - 0.5) < 1e-9 and abs(b[0] - 0.5) < 1e-9]
    above = [edge for edge in risers if edge[0][1] > 0.4]
    assert len(above) == int(blocks)
    if blocks:
        check_tiles(parts, radius=0.5 * height)
        assert np.hypot(*(above[0][1] - above[0][0])) == pytest.approx(height)


@pytest.mark.parametrize("seed", range(8))
def test_never_a_hole_in_surfaces_that_are_nearly_flush(seed: int) -> None:
    """Overlaps of more than half and heights of every size of difference: flush is not transitive."""
    random = np.random.default_rng(seed)
    scale = 10.0 ** random.uniform(-10.0, -2.5)
    world = static_world((UNIT, (0.3 * k, float(scale * random.integers(-3, 4)), 0.0)) for k in range(40))
    parts = tiles_of_world(world)
    tops = [
        (part.vertices[(k + 1) % len(part.vertices)][0], part.vertices[k][0])
        for part in parts
        for k in range(len(part.vertices))
        if part.outline[k, OUTLINE.EDGE] == EXPOSED and part.normals[k][1] > 0.9
    ]
    for x in np.linspace(-0.49, 12.19, 3001):
        assert any(low - 1e-9 <= x <= high + 1e-9 for low, high in tops), (x, scale)


@pytest.mark.parametrize("seed", range(20))
def test_heaps_of_boxes_on_a_grid(seed: int) -> None:
    random = np.random.default_rng(seed)
    scene: Scene = []
    for _ in range(14):
        box = Box(*random.choice([0.5, 1.0, 1.5, 2.0], 2).tolist())
        x, y = (0.25 * random.integers(0, 14, 2)).tolist()
        scene.append((box, (x, y, float(random.choice([0.0, 0.5 * np.pi])))))
    check_tiles(tiles_of_world(static_world(scene)), tolerance=1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_heaps_of_boxes_at_any_angle(seed: int) -> None:
    random = np.random.default_rng(seed)
    scene: Scene = []
    for _ in range(12):
        x, y = random.uniform(0.0, 4.0, 2).tolist()
        scene.append((Box(*random.uniform(0.5, 2.0, 2).tolist()), (x, y, float(random.uniform(0.0, 6.0)))))
    parts = tiles_of_world(static_world(scene))
    check_edges(parts, union_of(parts, 1e-9), 0.006)


@pytest.mark.parametrize("size", [1e-9, 1e-6, 1e-4])
def test_triangles_that_do_not_quite_meet(size: float) -> None:
    random = np.random.default_rng(3)
    scene: Scene = [(shape, (*random.uniform(-size, size, 2).tolist(), 0.0)) for shape, _ in triangulation(4)]
    parts = tiles_of_world(static_world(scene))
    check_edges(parts, union_of(parts, 3.0 * size), max(6.0 * size, 1e-9))
    corners = [
        vertex for part in parts for vertex, row in zip(part.vertices, part.outline) if row[OUTLINE.CORNER] == 1.0
    ]
    for x, y in ((0.0, 0.0), (6.0, 0.0), (6.0, 3.0), (0.0, 3.0)):
        corners = [corner for corner in corners if np.hypot(*(corner - (x, y))) > 10.0 * size]
    assert corners == []


@pytest.mark.parametrize("rise", [2.6e-8, 3.5e-8, 4.9e-8, -2.6e-8, -3.5e-8, -4.9e-8])
def test_a_row_that_rises_by_just_less_than_flush_has_a_surface(rise: float) -> None:
    """Each tile is flush with the next, and higher than the one after that: which of the three stays?"""
    parts = tiles_of_world(static_world((UNIT, (0.3 * k, rise * k, 0.0)) for k in range(20)))
    tops = [edge for edge in exposed_edges(parts) if edge[0][0] > edge[1][0] + 1e-6 and edge[0][1] > 0.0]
    for x in np.linspace(-0.49, 6.19, 1001):
        assert any(b[0] <= x <= a[0] for a, b in tops), x


def test_a_crack_that_opens_is_hollow_where_it_begins() -> None:
    leaning = Polygon([(0.5, -0.5), (1.5, -0.5), (1.5, 0.5), (0.51, 0.5)])
    parts = tiles_of_world(static_world([(UNIT, (0.0, 0.0, 0.0)), (leaning, (0.0, 0.0, 0.0))]))
    for part, inner in zip(parts, (1.0, -1.0), strict=True):
        sides = [
            (vertex[1], row)
            for vertex, normal, row in zip(part.vertices, part.normals, part.outline)
            if inner * normal[0] > 0.9
        ]
        (low, covered), (high, open_part) = sorted(sides, key=lambda side: float(inner * side[0]))[:: int(inner)]
        assert [covered[OUTLINE.EDGE], open_part[OUTLINE.EDGE]] == [HIDDEN, EXPOSED]
        assert max(low, high) == pytest.approx(0.0 if inner > 0.0 else 0.5, abs=0.01)
        assert open_part[OUTLINE.START if inner > 0.0 else OUTLINE.STOP] == CONCAVE
