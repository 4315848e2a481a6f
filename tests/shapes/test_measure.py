"""Kernels that measure many pieces in one call."""

import math
from random import Random

import numpy as np
import pytest

from ecs_collide.data import shape_store
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.data.shape_store import ShapeStore
from ecs_collide.shapes import ArcPolygon, Box, Capsule, Circle, Compound, Polygon, Sector, Segment, Shape, measure
from ecs_collide.shapes.convex import CLEAR
from ecs_collide.shapes.piece import bounds
from tests.support.reference.piece_sizes import core_of_piece, extent_of_piece

SHAPES: tuple[Shape, ...] = (
    Circle(0.5, (3.0, -1.0)),
    Segment((0.0, 0.0), (2.0, 1.0)),
    Capsule((0.0, 0.0), (2.0, 1.0), 0.25),
    Box(1.0, 2.0, (5.0, 0.0), 0.3),
    Polygon([(0.0, 0.0), (4.0, -1.0), (5.0, 2.0), (1.0, 3.0)]),
    Polygon([(0.0, 0.0), (4.0, -1.0), (5.0, 2.0), (1.0, 3.0)], radius=0.5),
    Polygon([(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)]),
    Sector(2.0, 0.3),
    ArcPolygon([(-1.0, 0.0), (1.0, 0.0), (0.0, 2.0)], [-0.13, 0.0, 0.3]),
    Compound([(Box(1.0, 1.0), (3.0, 0.0, 0.5)), Circle(1.0)]),
)


def test_shapes_stored_in_one_call_are_stored_as_if_alone() -> None:
    columns = PieceColumns()
    together = ShapeStore(columns)
    prepared = [stored for stored in together.prepare(SHAPES) if stored is not None]
    together.store(prepared)
    for shape, stored in zip(SHAPES, prepared, strict=True):
        mass = shape.mass_properties()
        assert stored.geometry == (mass.area, mass.second_moment, *mass.centroid)
        pieces = [one.moved(-np.array(mass.centroid)) for one in shape.pieces()]
        for piece, form in zip(pieces, stored.forms, strict=True):
            *size, core, extent = together.forms.size[form].tolist()
            assert (core, extent) == (core_of_piece(piece), extent_of_piece(piece))
            kind, first, count = together.forms.place[form].tolist()
            run = slice(first, first + count)
            np.testing.assert_array_equal(columns.arrays.vertices[run], piece.vertices)
            np.testing.assert_allclose(columns.arrays.normals[run], piece.normals, atol=1e-15)
            np.testing.assert_allclose(columns.arrays.outlines[run], piece.outline, atol=1e-15)
            low, high = bounds(piece)
            assert kind == piece.kind
            assert size == [piece.radius, *(low + high) / 2, *(high - low) / 2]


def test_equal_shapes_that_come_together_are_one() -> None:
    store = ShapeStore(PieceColumns())
    first, second, other = store.prepare([Circle(1.0), Circle(1.0), Circle(2.0)])
    assert first is second and first is not other


@pytest.mark.parametrize("scale", [1e-90, 1.0, 1e90])
def test_the_winding_of_plainly_convex_outlines(scale: float) -> None:
    random = Random(1)
    for corners in range(3, 12):
        turns = [2.0 * math.pi * (k + 0.6 * random.random()) / corners for k in range(corners)]
        points = scale * np.array([(math.cos(turn), math.sin(turn)) for turn in turns])
        assert measure.find_winding(points, CLEAR) == 1
        assert measure.find_winding(np.ascontiguousarray(points[::-1]), CLEAR) == -1


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (1, 0), (2, 0)],
        [(0, 0), (1, 0), (2, 0), (1, 2)],
        [(0, 0), (2, 0), (2, 0), (1, 2)],
        [(0, 0), (2, 0), (1, 0.5), (1, 2)],
        [(0, 0), (2, 0), (0, 2), (2, 2)],
        [(math.cos(4.0 * math.pi * k / 5), math.sin(4.0 * math.pi * k / 5)) for k in range(5)],
        [(0, 0), (1, 0)],
    ],
    ids=["a line", "a point on a side", "one twice", "a dent", "a bow", "twice around", "too few"],
)
def test_outlines_that_need_a_closer_look(points: list[tuple[float, float]]) -> None:
    assert measure.find_winding(np.array(points, np.float64), CLEAR) == 0


def test_ctrl_c_before_shapes_are_weighed_leaves_them_to_be_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    store, real = ShapeStore(PieceColumns()), shape_store.compute_geometry

    def interrupted(new: list[shape_store.StoredShape]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(shape_store, "compute_geometry", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.prepare(SHAPES)
    store._new.clear()  # as if it had come before the first of them was put down
    monkeypatch.setattr(shape_store, "compute_geometry", real)
    for shape, stored in zip(SHAPES, store.prepare(SHAPES), strict=True):
        assert stored is not None
        assert stored.geometry[0] == shape.mass_properties().area
