"""Shapes of the objects and tiles of a Tiled map.

A form is the outline of an object in pixels, y down, relative to a point of the object. An affine map takes it to the
axes of a shape: it flips, turns and stretches tiles, and scales pixels to lengths.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ecs_collide.from_data.pixel_frame import map_linearly
from ecs_collide.from_data.tiled_file import MapObject, Tile
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.shapes import Chain, Circle, Compound, Polygon, Shape
from ecs_collide.shapes.piece import FloatArray

ROUNDING = 1e-9
"""Relative difference of two axes up to which an ellipse is a circle."""


class CornerForm(NamedTuple):
    """A polygon or polyline."""

    points: FloatArray
    """Points [pixels] (n, 2)."""
    is_closed: bool = True
    """True for a polygon, False for a polyline."""


class EllipseForm(NamedTuple):
    """An ellipse with its axes along x and y."""

    center: FloatArray
    """Centre [pixels] (2,)."""
    radii: FloatArray
    """Radii along x and y [pixels] (2,)."""


def is_area(item: MapObject) -> bool:
    """Return True for an object that has a shape: neither a point nor text."""
    return not item.tags & {"point", "text"}


def object_form(item: MapObject) -> CornerForm | EllipseForm:
    """Return the form of an object, relative to its position.

    Raises:
        ValueError: the object has no size, or is of a kind that is not supported.
    """
    data, tags = item.data, item.tags
    if tags & {"polygon", "polyline"}:
        points = np.array(data.points, np.float64) - (data.x, data.y)
        return CornerForm(points, "polygon" in tags)
    if "capsule" in tags:
        raise ValueError("capsules are not supported: draw an ellipse or a polygon")
    size = np.array((data.width, data.height), np.float64)
    if not (size > 0.0).all():
        raise ValueError(f"its size must be positive, got {size[0]:g} x {size[1]:g}: delete it, or make it a point")
    if "ellipse" in tags:
        return EllipseForm(0.5 * size, 0.5 * size)
    return CornerForm(np.array(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))) * size)


def turn_matrix(degrees: float) -> FloatArray:
    """Return the matrix of a rotation clockwise on the screen [degrees] (2, 2), for row vectors with y down."""
    c, s = cosine_and_sine(math.radians(degrees))
    return np.array(((c, s), (-s, c)))


def shape_of_form(form: CornerForm | EllipseForm, matrix: FloatArray, offset: FloatArray, tolerance: float) -> Shape:
    """Return the shape of a form.

    Args:
        form: form [pixels].
        matrix: matrix of the map from pixels to lengths (2, 2), for row vectors.
        offset: position at which the origin of the form comes to lie [m] (2,).
        tolerance: greatest distance of an ellipse from its polygon [m].
    """
    if isinstance(form, CornerForm):
        points = map_linearly(form.points, matrix) + offset
        if form.is_closed:
            return Polygon(points)
        return Chain(points, loop=len(points) > 3 and bool((points[0] == points[-1]).all()))
    center = map_linearly(form.center, matrix) + offset
    first, second = map_linearly(np.diag(form.radii), matrix)
    lengths = math.hypot(*first), math.hypot(*second)
    skew = abs(float((first * second).sum()))
    if math.isclose(*lengths, rel_tol=ROUNDING) and skew <= ROUNDING * lengths[0] * lengths[1]:
        return Circle(lengths[0], tuple(center.tolist()))
    # The chord of an angle a leaves an arc of the radius r by r (1 - cos(a/2)) <= r a²/8.
    count = max(8, math.ceil(2.0 * math.pi / math.sqrt(8.0 * tolerance / max(lengths))))
    around = np.array([cosine_and_sine(2.0 * math.pi * k / count) for k in range(count)])
    return Polygon(center + around[:, :1] * first + around[:, 1:] * second)


def is_whole_tile(tile: Tile) -> bool:
    """Return True if the only shape of a tile is a rectangle that covers it."""
    if len(tile.objects) != 1 or tile.objects[0].tags:
        return False
    data = tile.objects[0].data
    return (data.x, data.y, data.rotation) == (0, 0, 0) and (data.width, data.height) == tuple(tile.size)


def shape_of_tile(tile: Tile, matrix: FloatArray, tolerance: float) -> Shape | None:
    """Return the shapes of a tile as one, relative to the middle of the tile; None if it has none.

    Args:
        tile: tile with its flips.
        matrix: matrix from pixels, after the flips, to lengths (2, 2), for row vectors.
        tolerance: greatest distance of an ellipse from its polygon [m].
    """
    shapes = []
    for item in tile.objects:
        if not is_area(item):
            continue
        drawn = map_linearly(tile.flips, matrix)
        place = map_linearly(np.array((item.data.x, item.data.y)) - 0.5 * tile.size, drawn)
        whole = map_linearly(turn_matrix(item.data.rotation), drawn)
        try:
            shapes.append(shape_of_form(object_form(item), whole, place, tolerance))
        except (TypeError, ValueError) as error:
            raise ValueError(f"{item.where}: {error}") from error
    if len(shapes) > 1:
        return Compound(shapes)
    return shapes[0] if shapes else None
