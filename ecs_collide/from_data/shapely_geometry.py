"""Shapes from geometry of shapely.

| geometry                    | shape                                                  | with `as_chains`        |
|-----------------------------|--------------------------------------------------------|-------------------------|
| Polygon                     | `Polygon`                                              | `Chain` around it       |
| Polygon with holes          | `Compound` of convex polygons                          | `Chain` for each outline |
| LineString                  | `Chain`, a loop if its ends meet                       | the same                |
| LinearRing                  | `Chain`, a loop                                        | the same                |
| Multi..., collection, list  | those of the parts                                     | those of the parts      |

A polygon with holes is cut into triangles by shapely's constrained Delaunay triangulation, which adds no corners. They
are merged into convex parts by Hertel and Mehlhorn's rule, as the pieces of a `Polygon` are (`shapes/decompose.py`).

Chains run counter-clockwise around the solid, and clockwise around its holes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ecs_collide.draw.missing import library_missing
from ecs_collide.from_data.named_errors import name_errors
from ecs_collide.from_data.placed import PlacedShape
from ecs_collide.shapes import Chain, Compound, Polygon, Shape
from ecs_collide.shapes.decompose import merge_cells
from ecs_collide.shapes.piece import FloatArray
from ecs_collide.shapes.simple import TOLERANCE, signed_area
from ecs_collide.validate import Vector2, flag

try:
    import shapely
    from shapely.geometry.base import BaseMultipartGeometry
except ImportError as error:
    raise library_missing("shapely", "shapely") from error

SLIVER = 4.0 * TOLERANCE
"""Greatest area of a part that is left out, for a diagonal of 1."""

AREA_TOLERANCE = 1e-9
"""Greatest part of a polygon's area by which its triangles may miss it."""


class NamedGeometry(NamedTuple):
    """Geometry with what the data say about it."""

    geometry: shapely.Geometry
    """Geometry in the units of the game [m]."""
    where: str
    """Name for error messages."""
    name: str = ""
    """Name in the data."""
    properties: Mapping[str, Any] = {}
    """Properties in the data."""


def from_shapely(
    geometry: shapely.Geometry | Iterable[shapely.Geometry],
    *,
    as_chains: bool = False,
    as_one: bool = False,
    centered: bool = False,
) -> list[PlacedShape]:
    """Return the shapes of geometry of shapely, one for each polygon and line; none for empty geometry.

    Args:
        geometry: polygons and lines in the units of the game [m]: one geometry, or several.
        as_chains: True for outlines without an inside, for terrain; False for solid polygons.
        as_one: True for one shape of all parts, a `Compound` if there are several.
        centered: True to put the origin of each shape at its centroid, for bodies that move. False keeps the
            coordinates, so that all poses are zero.

    Raises:
        TypeError: `geometry` is no geometry of shapely.
        ValueError: a polygon is invalid, or a geometry is a point.
        ImportError: shapely is missing.
    """
    if isinstance(geometry, shapely.Geometry):
        given = [NamedGeometry(geometry, "geometry")]
    elif isinstance(geometry, Iterable) and not isinstance(geometry, str | bytes):
        given = [NamedGeometry(each, f"geometry[{index}]") for index, each in enumerate(geometry)]
    else:
        raise TypeError(f"geometry must be a geometry of shapely, or several, got {geometry!r}")
    return place_geometry(given, as_chains=as_chains, as_one=as_one, centered=centered)


def place_geometry(
    given: Sequence[NamedGeometry], *, as_chains: bool, as_one: bool, centered: bool
) -> list[PlacedShape]:
    """Return the shapes of geometry, with names and properties. See `from_shapely` for the arguments."""
    chains, joined, moved = flag(as_chains, "as_chains"), flag(as_one, "as_one"), flag(centered, "centered")
    parts = [part for each in given for part in _simple_parts(each, chains)]
    if joined and len(parts) > 1:
        whole = NamedGeometry(shapely.GeometryCollection([part.geometry for part in parts]), "all parts")
        middle = _centroid(whole.geometry) if moved else (0.0, 0.0)
        shapes = [_shape(_shifted(part, middle)) for part in parts]
        return [PlacedShape(Compound(shapes), (*middle, 0.0), parts[0].name, parts[0].properties)]
    result = []
    for part in parts:
        middle = _centroid(part.geometry) if moved else (0.0, 0.0)
        result.append(PlacedShape(_shape(_shifted(part, middle)), (*middle, 0.0), part.name, part.properties))
    return result


def _simple_parts(given: NamedGeometry, as_chains: bool) -> Iterator[NamedGeometry]:
    """Yield the polygons and lines of a geometry, without those that are empty."""
    geometry, where = given.geometry, given.where
    if not isinstance(geometry, shapely.Geometry):
        raise TypeError(f"{where} must be a geometry of shapely, got {geometry!r}")
    if geometry.is_empty:
        return
    if isinstance(geometry, BaseMultipartGeometry):
        for index, part in enumerate(geometry.geoms):
            yield from _simple_parts(given._replace(geometry=part, where=f"part {index} of {where}"), as_chains)
    elif isinstance(geometry, shapely.Polygon):
        if not geometry.is_valid:
            reason = shapely.is_valid_reason(geometry)
            raise ValueError(f"{where} is an invalid polygon ({reason}): mend it with shapely.make_valid")
        whole = shapely.orient_polygons(geometry)
        for outline in (whole.exterior, *whole.interiors) if as_chains else (whole,):
            yield given._replace(geometry=outline)
    elif isinstance(geometry, shapely.LineString):
        yield given
    else:
        raise ValueError(
            f"{where} is a {geometry.geom_type}, which has no shape: point.buffer(radius) makes a polygon of it"
        )


def _centroid(geometry: shapely.Geometry) -> Vector2:
    """Return the centroid of a geometry [m]."""
    return float(geometry.centroid.x), float(geometry.centroid.y)


def _shifted(part: NamedGeometry, middle: Vector2) -> NamedGeometry:
    """Return geometry with its origin moved to `middle` [m]."""
    if middle == (0.0, 0.0):
        return part
    return part._replace(geometry=shapely.transform(part.geometry, lambda points: points - np.array(middle)))


def _shape(part: NamedGeometry) -> Shape:
    """Return the shape of one polygon or line."""
    with name_errors(part.where):
        if isinstance(part.geometry, shapely.LineString):  # also a ring
            return Chain(shapely.get_coordinates(part.geometry), loop=part.geometry.is_closed)
        if not part.geometry.interiors:
            return Polygon(shapely.get_coordinates(part.geometry)[:-1])
        return Compound([Polygon(corners) for corners in cut_convex(part.geometry)])


def cut_convex(polygon: shapely.Polygon) -> list[FloatArray]:
    """Return convex polygons (k, 2), counter-clockwise, that together are a polygon with holes.

    Raises:
        ValueError: the triangles do not cover the polygon.
    """
    triangles = shapely.orient_polygons(shapely.constrained_delaunay_triangles(polygon)).geoms
    corners = shapely.get_coordinates(triangles).reshape(-1, 4, 2)[:, :3]
    area = float(sum(triangle.area for triangle in triangles))
    if abs(area - polygon.area) > AREA_TOLERANCE * polygon.area:
        raise ValueError("the polygon cannot be cut into convex parts: parts of it are too thin; make them wider")
    points, numbers = np.unique(corners.reshape(-1, 2), axis=0, return_inverse=True)
    cells = merge_cells(points, numbers.reshape(-1, 3).tolist())
    return [corners for corners in (points[cell] for cell in cells) if not _is_sliver(corners)]


def _is_sliver(corners: FloatArray) -> bool:
    """Return True if a convex polygon is so thin that a `Polygon` takes its corners for points of one line."""
    extent = np.ptp(corners, axis=0)
    return signed_area(corners) <= SLIVER * float((extent * extent).sum())
