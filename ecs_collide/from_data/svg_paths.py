"""Shapes from the paths of an SVG file.

svgelements reads the file, and applies transforms, groups, `use`, styles, units and the view box. So a pixel is one of
the drawing as a browser shows it, of which there are 96 to the inch.

| element                          | shape                                                       |
|----------------------------------|-------------------------------------------------------------|
| rect, circle, ellipse, polygon   | a polygon                                                   |
| line, polyline                   | a chain; a polygon if its ends meet                         |
| path                             | polygons of its closed parts, chains of its open ones       |

The closed parts of a path are one area with holes, by its `fill-rule`. Their lines are cut where they cross, and each
face between them is solid or empty by its winding number w: `nonzero` fills w != 0, `evenodd` fills odd w.

svgelements was chosen before svgpathtools, which reads neither `use` nor units nor the view box, and needs scipy.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from io import StringIO
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np

from ecs_collide.draw.missing import library_missing
from ecs_collide.from_data.flatten_curves import flatten_segment
from ecs_collide.from_data.named_errors import checked_names, name_errors
from ecs_collide.from_data.pixel_frame import Origin, PixelFrame
from ecs_collide.from_data.placed import PlacedShape
from ecs_collide.from_data.shapely_geometry import NamedGeometry, place_geometry
from ecs_collide.shapes.piece import FloatArray
from ecs_collide.shapes.simple import cross
from ecs_collide.validate import positive

try:
    import shapely
    import svgelements
except ImportError as error:
    raise library_missing("svgelements", "svg") from error

PATH_DATA = re.compile(r"\s*[Mm][\sMmZzLlHhVvCcSsQqTtAa0-9.,eE+-]*")
"""Characters of path data, which begin with a move."""

TEMPLATES = ("symbol", "mask", "marker")
"""Elements whose contents are not drawn where they stand."""

SVG = "{http://www.w3.org/2000/svg}"
"""Namespace of elements."""


class Subpath(NamedTuple):
    """A part of a path, as a polyline."""

    points: FloatArray
    """Points [pixels] (n, 2); those of a closed part do not repeat the first one."""
    is_closed: bool
    """True if the part ends where it starts."""


def from_svg(
    file: str | PathLike[str],
    *,
    ids: Collection[str] | None = None,
    tolerance: float = 0.25,
    scale: float = 1.0,
    y_down: bool = False,
    origin: Origin = None,
    as_chains: bool = False,
    as_one: bool = False,
    centered: bool = False,
) -> list[PlacedShape]:
    """Return the shapes of an SVG file, in the order of the file, with the ids of their elements as names.

    Args:
        file: path of the file.
        ids: ids of the elements to read, None for all. Hidden elements, text and images are left out.
        tolerance: greatest distance of a curve from its polyline [pixels].
        scale: length of a pixel [m].
        y_down: True if y points down in the game.
        origin: pixel at the origin of the game, "middle", or None for a corner: the lower left one, or the upper left
            one with `y_down`.
        as_chains: True for outlines without an inside, for terrain; False for solid polygons.
        as_one: True for one shape of all elements.
        centered: True to put the origin of each shape at its centroid.

    Raises:
        OSError: the file cannot be read.
        ValueError: the file is no SVG, an element is invalid or has no area, an id is missing, or a number is out of
            range. The error names the element and the file.
        ImportError: svgelements or shapely is missing.
    """
    path = fspath(file)
    slack = positive(tolerance, "tolerance")
    wanted = checked_names(ids, "ids")
    drawing = _parse(path)
    height = drawing.values["attributes"].get("height", "100%")
    if height.endswith("%") and drawing.viewbox is None and (origin == "middle" or (origin is None and not y_down)):
        raise ValueError(f"{path} has neither height nor viewBox: pass the origin in pixels, such as origin=(0, 0)")
    frame = PixelFrame.over((drawing.width, drawing.height), scale, y_down, origin)
    given = []
    for element in drawing.elements():
        name = getattr(element, "id", None) or ""
        if not isinstance(element, svgelements.Shape) or (wanted is not None and name not in wanted):
            continue
        attributes = dict(element.values["attributes"])
        where = f"{attributes.pop('tag')} {name!r} of {path}"
        with name_errors(where):
            parts = [_flatten(part, slack) for part in svgelements.Path(element).as_subpaths()]
            geometry = _geometry(parts, str(element.values.get("fill-rule", "nonzero")))
        given.append(NamedGeometry(shapely.transform(geometry, frame.place), where, name, attributes))
    if missing := sorted(set(wanted or ()) - {each.name for each in given}):
        raise ValueError(f"{path} has no visible path, rect, circle, ... with the id {missing[0]!r}")
    return place_geometry(given, as_chains=as_chains, as_one=as_one, centered=centered)


def _parse(path: str) -> svgelements.SVG:
    """Return the drawing of a file, after a check of its path data, which svgelements reads as far as it can."""
    try:
        root = ElementTree.fromstring(Path(path).read_bytes())
    except ElementTree.ParseError as error:
        raise ValueError(f"{path} is no XML: {error}") from None
    if root.tag not in ("svg", SVG + "svg"):
        raise ValueError(f"{path} is no SVG: its first element is <{root.tag}>")
    for element in root.iter():
        data = element.get("d") if element.tag in ("path", SVG + "path") else None
        if data and not PATH_DATA.fullmatch(data):
            name = element.get("id", "")
            raise ValueError(f"path {name!r} of {path} has invalid data: d={data[:60]!r}")
    _hide_templates(root)
    try:
        return svgelements.SVG.parse(StringIO(ElementTree.tostring(root, "unicode")), on_error="raise")
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(f"svgelements cannot read {path}: {error!r}") from error


def _hide_templates(root: ElementTree.Element) -> None:
    """Put the elements whose contents are not drawn into `defs`, because svgelements would draw them."""
    parents = {child: parent for parent in root.iter() for child in parent}
    templates = [each for each in root.iter() if each.tag.rpartition("}")[2] in TEMPLATES]
    store = ElementTree.Element(SVG + "defs" if root.tag.startswith(SVG) else "defs")
    for template in templates:
        parents[template].remove(template)
        store.append(template)
    if templates:
        root.insert(0, store)


def _flatten(subpath: svgelements.Subpath, tolerance: float) -> Subpath:
    """Return a part of a path as a polyline."""
    points: list[tuple[float, float]] = []
    is_closed = False
    for segment in subpath.segments():
        if isinstance(segment, svgelements.Close):
            is_closed = True
        elif isinstance(segment, svgelements.Move):
            points = [(float(segment.end.x), float(segment.end.y))]
        else:
            points += flatten_segment(segment, tolerance)
    if len(points) > 2 and np.allclose(points[0], points[-1], rtol=0.0, atol=1e-9):
        is_closed = True
        points.pop()
    return Subpath(np.array(points), is_closed)


def _geometry(parts: Sequence[Subpath], fill_rule: str) -> shapely.Geometry:
    """Return the area of the closed parts of a path, and the lines of its open parts [pixels].

    Raises:
        ValueError: the closed parts have no area, or an open part has no length.
    """
    lines = [shapely.LineString(part.points) for part in _open_parts(parts)]
    rings = [part.points for part in parts if part.is_closed]
    if not rings:
        return shapely.GeometryCollection(lines)
    if not any(len(np.unique(ring, axis=0)) > 2 for ring in rings):
        raise ValueError("a closed part must have three different corners")
    area = _fill([ring for ring in rings if len(ring) > 2], fill_rule)
    if area.is_empty:
        raise ValueError("the closed parts must have an area: all points lie on one line")
    return shapely.GeometryCollection([area, *lines])


def _open_parts(parts: Sequence[Subpath]) -> Iterator[Subpath]:
    """Yield the open parts, without moves that nothing follows."""
    for part in parts:
        if not part.is_closed and len(part.points) > 1:
            yield part


def _fill(rings: Sequence[FloatArray], fill_rule: str) -> shapely.Geometry:
    """Return the area that the closed polylines `rings` fill by a rule, "nonzero" or "evenodd"."""
    lines = shapely.union_all([shapely.LinearRing(ring) for ring in rings])
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(lines)))
    solid = []
    for face in faces:
        middle = shapely.get_coordinates(face.representative_point())[0]
        winding = sum(_winding_number(ring, middle) for ring in rings)
        if winding % 2 if fill_rule == "evenodd" else winding:
            solid.append(face)
    return shapely.union_all(solid)


def _winding_number(ring: FloatArray, point: FloatArray) -> int:
    """Return how often a closed polyline runs counter-clockwise around a point that is not on it."""
    start = ring - point
    end = np.roll(start, -1, axis=0)
    side = cross(start, end)
    upwards = (start[:, 1] <= 0.0) & (end[:, 1] > 0.0) & (side > 0.0)
    downwards = (start[:, 1] > 0.0) & (end[:, 1] <= 0.0) & (side < 0.0)
    return int(upwards.sum() - downwards.sum())
