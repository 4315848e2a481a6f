"""Equal shapes share their vertices, and the last one to go frees them."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.data.pieces import NO_BODY, PIECE, PieceColumns
from ecs_collide.data.shape_store import ShapeStore, StoredShape
from ecs_collide.shapes import Box, Capsule, Circle, HalfPlane, Polygon, Segment, Shape, measure


def store() -> tuple[ShapeStore, PieceColumns]:
    columns = PieceColumns(16)
    return ShapeStore(columns), columns


def acquired(shapes: ShapeStore, shape: Shape) -> StoredShape:
    (stored,) = shapes.prepare([shape])
    assert stored is not None
    shapes.store([stored])
    stored.users += 1
    return stored


def corner_run(shapes: ShapeStore, stored: StoredShape) -> slice:
    """Return the pool row of the corners of a shape of one piece."""
    ((_, first, count),) = shapes.forms.place[list(stored.forms)].tolist()
    return slice(first, first + count)


def test_equal_shapes_share() -> None:
    shapes, _ = store()
    first = acquired(shapes, Box(1, 2))
    assert acquired(shapes, Box(1.0, 2.0)) is first
    assert first.users == 2
    assert acquired(shapes, Box(2, 1)) is not first


def test_the_last_user_frees_and_the_next_shape_of_as_many_vertices_moves_in() -> None:
    shapes, columns = store()
    held = acquired(shapes, Box(1, 2))
    box = corner_run(shapes, held)
    acquired(shapes, Circle(1))
    acquired(shapes, Box(1, 2))
    shapes.release([held])
    assert corner_run(shapes, acquired(shapes, Polygon([(0, 0), (3, 0), (3, 1), (0, 2)]))) != box
    shapes.release([held])
    again = corner_run(shapes, acquired(shapes, Box(7, 7)))
    assert again == box
    assert columns.arrays.vertices[again.start].tolist() == [-3.5, -3.5]


@pytest.mark.parametrize(
    "shape",
    [
        Circle(0.5, (3.0, 4.0)),
        Capsule((0, 0), (2, 0), 0.25),
        Segment((1, 1), (4, 5)),
        Box(1, 2, (5, 6), 0.3),
        Polygon([(0, 0), (4, 0), (0, 3)], radius=0.2),
        HalfPlane((3, 4), 10),
    ],
)
def test_vertices_are_stored_about_the_centroid(shape: Shape) -> None:
    shapes, columns = store()
    stored = acquired(shapes, shape)
    (piece,) = shape.pieces()
    run = corner_run(shapes, stored)
    expected = piece.vertices - shape.mass_properties().centroid
    assert (columns.arrays.vertices[run] == expected).all()
    assert (columns.arrays.normals[run] == piece.normals).all()
    (form,) = stored.forms
    assert shapes.forms.place[form, measure.FORM_PLACE.KIND] == piece.kind
    radius, x, y, half_x, half_y = shapes.forms.size[form, : measure.FORM_SIZE.CORE]
    assert radius == piece.radius
    assert np.allclose((x - half_x, y - half_y), expected.min(axis=0), atol=1e-15)
    assert np.allclose((x + half_x, y + half_y), expected.max(axis=0), atol=1e-15)


def test_the_pool_grows_and_keeps_what_is_there() -> None:
    shapes, columns = store()
    held = [acquired(shapes, Box(1.0 + k, 1.0)) for k in range(50)]
    assert len(columns.arrays.vertices) == 271
    for k, shape in enumerate(held):
        start = corner_run(shapes, shape).start
        assert columns.arrays.vertices[start].tolist() == [-0.5 - 0.5 * k, -0.5]
        assert columns.arrays.normals[start].tolist() == [0.0, -1.0]
    starts = [corner_run(shapes, shape).start for shape in held]
    assert starts == list(range(0, 200, 4))


def test_coming_and_going_does_not_use_up_the_pool() -> None:
    shapes, columns = store()
    random = np.random.default_rng(0)
    held: list[StoredShape] = []
    for step in range(2000):
        if len(held) >= 10:
            shapes.release([held.pop(int(random.integers(len(held))))])
        corners = int(random.integers(3, 7))
        turns = 2.0 * np.pi * np.arange(corners) / corners
        outline = (1.0 + step) * np.stack((np.cos(turns), np.sin(turns)), axis=1)
        held.append(acquired(shapes, Polygon(outline)))
    assert len(columns.arrays.vertices) <= 256


def test_piece_rows_grow_and_are_used_again() -> None:
    columns = PieceColumns(4)
    assert columns.allocate_rows(4) == [0, 1, 2, 3]
    columns.arrays.box[:4] = 2.0
    pool = columns.arrays.vertices
    assert columns.allocate_rows(3) == [4, 5, 6]
    assert len(columns.arrays.moved) == 7
    assert (columns.arrays.box[:4] == 2.0).all() and not columns.arrays.box[4:].any()
    assert columns.arrays.vertices is pool
    columns.free_rows([2])
    assert columns.arrays.index[2, PIECE.BODY] == NO_BODY
    assert not columns.arrays.box[2].any()
    assert columns.allocate_rows(2) == [2, 7]
