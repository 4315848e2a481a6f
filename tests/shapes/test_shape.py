"""Properties of every shape."""

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest

from ecs_collide.shapes import (
    ArcPolygon,
    Bitmap,
    Box,
    Capsule,
    Chain,
    Circle,
    Compound,
    HalfPlane,
    PieceKind,
    Polygon,
    Ring,
    Sector,
    Segment,
    Shape,
)
from ecs_collide.shapes.outline import OUTLINE, ZERO_LENGTH
from ecs_collide.shapes.piece import UNBOUNDED
from tests.shapes.reference import mass_properties_of

SHAPES = [
    Circle(0.5),
    Circle(2.0, (3.0, -1.0)),
    Segment((0, 0), (3, 4)),
    Capsule((-1, 0), (2, 1), 0.5),
    Capsule((1e-3, 0), (0, 0), 2.0),
    Box(2, 1),
    Box(0.5, 3, (1, 2), 0.7),
    Polygon([(0, 0), (2, 0), (1, 3)]),
    Polygon([(0, 0), (2, 0), (1, 3)], 0.25),
    Polygon([(0, 0), (4, -1), (5, 2), (1, 3)], 1.5),
    HalfPlane(),
    HalfPlane((3, 4), 10),
    Polygon([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]),
    Sector(2.0, 0.3, 1.0),
    Sector(2.0, 2.0),
    Sector(1.0, math.pi),
    Ring(3.0, (1, 2)),
    Chain([(0, 0), (1, 0), (2, 1)]),
    Chain([(0, 0), (1, 0), (1, 1)], loop=True),
    ArcPolygon([(0, 0), (2, 0), (2, 1), (0, 1)], [0, 1, -0.2, 0]),
    ArcPolygon([(-1, 0), (1, 0)], [1, -0.5]),
    Bitmap([[1, 1, 0], [0, 1, 1]], 0.5),
    Bitmap([[True]], 2),
    Compound([Circle(1), (Box(1, 2), (3, 1, 0.5))]),
    Compound([Sector(1, 1), (Compound([(ArcPolygon([(-1, 0), (1, 0)], [1, -0.5]), (1, 2, 3))]), (5, 0, 0.1))]),
]
LINES = (HalfPlane, Ring, Segment, Chain)
SOLIDS = [shape for shape in SHAPES if not isinstance(shape, LINES)]


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_equal_by_value_and_hashable(shape: Shape) -> None:
    twin = copy.deepcopy(shape)
    assert twin == shape
    assert hash(twin) == hash(shape)
    assert [other == shape for other in SHAPES].count(True) == 1


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_survives_pickle_replace_and_repr(shape: Shape) -> None:
    assert pickle.loads(pickle.dumps(shape)) == shape
    assert dataclasses.replace(shape) == shape  # type: ignore[type-var]
    assert eval(repr(shape)) == shape


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_frozen_and_slotted(shape: Shape) -> None:
    field = dataclasses.fields(shape)[0].name  # type: ignore[arg-type]
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(shape, field, 1.0)
    assert not hasattr(shape, "__dict__")


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_pieces_are_contiguous_float64_and_made_anew(shape: Shape) -> None:
    for piece, again in zip(shape.pieces(), shape.pieces(), strict=True):
        assert isinstance(piece.kind, PieceKind)
        assert type(piece.radius) is float
        assert piece.vertices.shape == piece.normals.shape
        for array, other in ((piece.vertices, again.vertices), (piece.normals, again.normals)):
            assert array.dtype == np.float64
            assert array.ndim == 2
            assert array.shape[1] == 2
            assert array.flags.c_contiguous
            assert not np.shares_memory(array, other)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_piece_normals_are_unit_and_outward(shape: Shape) -> None:
    for piece in shape.pieces():
        if piece.kind == PieceKind.CIRCLE:
            assert not piece.normals.any()
            continue
        np.testing.assert_allclose(np.hypot(*piece.normals.T), piece.kind != PieceKind.RING, rtol=2e-15)
        if piece.kind in UNBOUNDED:
            continue
        is_edge, is_point = (
            piece.outline[:, OUTLINE.EDGE] != ZERO_LENGTH,
            piece.outline[:, OUTLINE.CORNER_RADIUS] == 0.0,
        )
        edges = np.roll(piece.vertices, -1, axis=0) - piece.vertices
        np.testing.assert_allclose((edges * piece.normals).sum(axis=1)[is_edge], 0.0, atol=1e-14)
        extents = piece.normals @ piece.vertices.T
        highest = extents[:, is_point].max(axis=1)
        np.testing.assert_allclose(highest[is_edge], extents.diagonal()[is_edge], atol=1e-14)


@pytest.mark.parametrize("shape", SOLIDS, ids=repr)
def test_mass_properties_against_shapely(shape: Shape) -> None:
    expected, actual = mass_properties_of(shape.pieces()), shape.mass_properties()
    assert actual.area == pytest.approx(expected.area, rel=3e-6)
    assert actual.centroid == pytest.approx(expected.centroid, rel=3e-6, abs=3e-6)
    assert actual.second_moment == pytest.approx(expected.second_moment, rel=6e-6)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_mass_properties_are_plain_floats(shape: Shape) -> None:
    area, centroid, second_moment = shape.mass_properties()
    assert [type(value) for value in (area, *centroid, second_moment)] == [float] * 4


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_an_outline_has_a_row_for_each_vertex(shape: Shape) -> None:
    for piece, again in zip(shape.pieces(), shape.pieces(), strict=True):
        assert piece.outline.shape == (len(piece.vertices), OUTLINE.WIDTH)
        assert piece.outline.dtype == np.float64
        assert np.isfinite(piece.outline).all()
        assert not np.shares_memory(piece.outline, again.outline)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_unbounded_if_a_piece_is(shape: Shape) -> None:
    assert shape.is_bounded == (not any(piece.kind in UNBOUNDED for piece in shape.pieces()))
    assert math.isfinite(shape.mass_properties().area) == shape.is_bounded


def test_shape_is_abstract() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Shape()  # type: ignore[abstract]
