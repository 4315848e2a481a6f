"""Storage of the vertices of all shapes in use: colliders of equal shapes share them until the last one is freed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat
from math import inf, nan
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from ecs_collide.data.growth import RowPool, as_slice, grown, next_capacity, rows_of_runs
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.layout import layout
from ecs_collide.shapes import Shape, measure, terrain
from ecs_collide.shapes.changed_cells import ChangedCells
from ecs_collide.shapes.mass import measure_polygons
from ecs_collide.shapes.piece import NO_PIECES, Hull, PieceRows
from ecs_collide.shapes.points import flat_points
from ecs_collide.validate import Vector2

T = TypeVar("T")


Geometry: TypeAlias = tuple[float, float, float, float]

GEOMETRY = layout(
    "geometry of a shape",
    AREA="area [m²]; infinite for an unbounded shape, NaN without a shape",
    SECOND_MOMENT="second moment about the centroid [m⁴]",
    CENTROID_X="centroid, x [m]",
    CENTROID_Y="centroid, y [m]",
)
"""Items of a `Geometry`."""

NO_SHAPE: Geometry = (nan, 0.0, 0.0, 0.0)
NOT_COMPUTED: Geometry = (nan, nan, nan, nan)
"""Geometry of a shape whose mass properties are not computed yet. It is compared by identity."""
NO_NUMBERS: Geometry = (nan, nan, nan, nan)
"""Geometry of a shape whose mass properties overflow."""


class StoredShape:
    """A shape, the places of its stored pieces, and the number of colliders that use it."""

    __slots__ = ("center_of_mass", "forms", "geometry", "shape", "users")

    def __init__(self, shape: Shape, center_of_mass: Vector2 | None) -> None:
        self.shape = shape
        self.center_of_mass = center_of_mass
        """Centre of mass that takes the place of the centroid [m]."""
        self.geometry = NOT_COMPUTED
        self.forms: tuple[int, ...] = ()
        """Row of each piece in `ShapeStore.forms`; empty until the shape is stored."""
        self.users = 0

    @property
    def key(self) -> tuple[Shape, Vector2 | None]:
        """Shape and centre of mass, by which stored shapes are found."""
        return self.shape, self.center_of_mass

    @property
    def centroid(self) -> Vector2:
        """Centre of mass of the shape [m]."""
        return self.geometry[GEOMETRY.CENTROID_X], self.geometry[GEOMETRY.CENTROID_Y]

    @property
    def most_pieces(self) -> int:
        """Largest number of pieces in the next step: a terrain may get more than it has now."""
        return max(len(self.forms), 2) if self.shape.can_replace(self.shape) else len(self.forms)


class Splice(NamedTuple):
    """The change of the list of a terrain's pieces."""

    removed: list[int]
    """Places of the removed pieces in the former list."""
    added: list[int]
    """Places of the added pieces in the new list."""
    change: ChangedCells
    """Cells of the terrain that changed."""

    def apply(self, former: tuple[T, ...], added: Iterable[T]) -> tuple[T, ...]:
        """Return the new list, made from a former one."""
        items = list(former)
        for place in reversed(self.removed):
            del items[place]
        for place, item in zip(self.added, added, strict=True):
            items.insert(place, item)
        return tuple(items)


def compute_geometry(new: list[StoredShape]) -> None:
    """Compute the geometry of shapes, that of all plain polygons in one call."""
    corners = {each: corners for each in new if (corners := each.shape.plain_corners()) is not None}
    if corners:
        for each, (area, x, y, second_moment) in zip(corners, measure_polygons(list(corners.values())), strict=True):
            each.geometry = area, second_moment, x, y
    if len(corners) < len(new):
        with np.errstate(all="ignore"):
            for each in new:
                if each not in corners:
                    each.geometry = geometry_of(each.shape)
    for each in new:
        if each.center_of_mass is not None:
            area, second_moment, _, _ = each.geometry
            each.geometry = area, second_moment, *each.center_of_mass


def geometry_of(shape: Shape) -> Geometry:
    """Return the geometry of a shape. Numpy may warn of overflows."""
    try:
        area, (x, y), second_moment = shape.mass_properties()
    except ArithmeticError:
        return NO_NUMBERS
    return area if shape.is_bounded else inf, second_moment, x, y


class ShapeStore:
    """Copies shapes to the pools of the piece columns and removes them again."""

    state_list = list_state(arrays="forms", contents="_shapes _new", objects="_rows", left_out="_columns")

    def __init__(self, columns: PieceColumns) -> None:
        self._columns = columns
        self._shapes: dict[tuple[Shape, Vector2 | None], StoredShape] = {}
        """Shapes in use, and those prepared last."""
        self._new: list[StoredShape] = []
        """Shapes that were new among those prepared last."""
        self._rows = RowPool()
        self.forms = measure.no_forms(64)
        """Place in the pools, size, part and material of each stored piece."""

    def prepare(
        self, shapes: Iterable[Shape | None], centers_of_mass: Iterable[Vector2 | None] = repeat(None)
    ) -> list[StoredShape | None]:
        """Return the stored form of each shape, with its geometry; equal shapes share one. Nothing is stored yet.

        `centers_of_mass` take the places of the shapes' centroids where they are not None [m].
        """
        known = self._shapes
        for stored in self._new:
            if stored.users == 0:  # its change was refused, so no body uses it
                known.pop(stored.key, None)
        found: list[StoredShape | None] = []
        new: list[StoredShape] = []
        self._new = new
        seen: dict[tuple[int, Vector2 | None], StoredShape] = {}  # by identity, because hashing a shape is slow
        for shape, center in zip(shapes, centers_of_mass):
            if shape is None:
                found.append(None)
                continue
            name = id(shape), center
            if name not in seen:
                stored = StoredShape(shape, center)
                seen[name] = stored = known.setdefault(stored.key, stored)
                if stored.geometry is NOT_COMPUTED:
                    new.append(stored)
            found.append(seen[name])
        if new:
            compute_geometry(new)
        return found

    def stored_shapes(self) -> list[StoredShape]:
        """Return the shapes in use, and those prepared last."""
        return list(self._shapes.values())

    def release(self, leaving: Iterable[StoredShape]) -> None:
        """Remove one user of each shape, and free shapes without users."""
        unused: list[int] = []
        for stored in leaving:
            stored.users -= 1
            if stored.users == 0:
                del self._shapes[stored.key]
                unused += stored.forms
                stored.forms = ()
        self._discard(unused)

    def store(self, prepare: Iterable[StoredShape]) -> None:
        """Copy those of the shapes to the pools that are not there yet, in one call."""
        new = [each for each in dict.fromkeys(prepare) if not each.forms]
        if not new:
            return
        made = [(each, each.shape.hull()) for each in new]
        hulls = {each: hull for each, hull in made if hull is not None}
        others = {each: each.shape.piece_rows() for each, hull in made if hull is None}
        shares = [len(rows.counts) for rows in others.values()]
        centers = np.array([each.centroid for each in chain(hulls, others)])
        if others:
            centers = np.repeat(centers, [1] * len(hulls) + shares, axis=0)
        pieces = PieceRows.joined(list(others.values())) if others else NO_PIECES
        rows = self._copy_pieces(list(hulls.values()), pieces, centers)
        for each, row in zip(hulls, rows):
            each.forms = (row,)
        first = len(hulls)
        for each, share in zip(others, shares, strict=True):
            each.forms = tuple(rows[first : first + share])
            first += share

    def replace_terrain(self, former: StoredShape, stored: StoredShape) -> Splice:
        """Replace the shape of a terrain's one collider by its successor; return the change of its pieces."""
        assert isinstance(former.shape, terrain.Terrain) and isinstance(stored.shape, terrain.Terrain)
        source, new = stored.shape.patch(former.shape)
        is_left = np.ones(len(former.forms), np.bool_)
        is_left[source[source >= 0]] = False
        change = stored.shape.changes_since(former.shape)
        splice = Splice(np.flatnonzero(is_left).tolist(), np.flatnonzero(source < 0).tolist(), change)
        added = self._copy_pieces([], new, np.tile(stored.centroid, (len(new.counts), 1))) if new.counts else []
        self._discard([former.forms[k] for k in splice.removed])
        stored.forms = splice.apply(former.forms, added)
        stored.users, former.users, former.forms = 1, 0, ()
        del self._shapes[former.key]
        self._shapes[stored.key] = stored
        return splice

    def _copy_pieces(self, hulls: list[Hull], others: PieceRows, centers: np.ndarray) -> list[int]:
        """Copy pieces to the pools, relative to `centers` [m] (p, 2); return their rows of `forms`."""
        counts = [len(hull.corners) for hull in hulls] + others.counts
        starts = self._columns.allocate_corners(counts)
        rows = self._allocate_forms(len(counts))
        runs = np.zeros((len(counts), measure.RUN.WIDTH), np.int64)
        runs[:, measure.RUN.START], runs[:, measure.RUN.COUNT], runs[:, measure.RUN.FORM] = starts, counts, rows
        runs[: len(hulls), measure.RUN.IS_PLAIN] = 1
        places = as_slice(rows)
        self.forms.place[places, measure.FORM_PLACE.KIND] = [hull.kind for hull in hulls] + others.kinds
        self.forms.size[places, measure.FORM_SIZE.RADIUS] = [hull.radius for hull in hulls] + others.radii
        self.forms.part[places] = 0
        if others.counts:
            self._write_parts(rows[len(hulls) :], others)
        given = flat_points([hull.corners for hull in hulls])
        arrays, scratch = self._columns.arrays, np.empty((max(counts), measure.SIDE.WIDTH))
        if others.counts:
            given = np.concatenate((given, others.vertices))
            corners = rows_of_runs(starts[len(hulls) :], others.counts)
            arrays.normals[corners], arrays.outlines[corners] = others.normals, others.outline
        measure.measure_forms(
            runs, given, centers, arrays.vertices, arrays.normals, arrays.outlines, scratch, self.forms
        )
        return rows

    def _write_parts(self, rows: list[int], pieces: PieceRows) -> None:
        """Write parts and materials of pieces to their rows of `forms`."""
        part, material = self.forms.part, self.forms.material
        part[as_slice(rows), measure.FORM_PART.NUMBER] = pieces.parts
        for row, given in zip(rows, pieces.materials, strict=True):
            for column, value in enumerate(given.values() if given is not None else ()):
                if value is not None:
                    part[row, measure.FORM_PART.GIVEN] |= 1 << column
                    material[row, column] = value

    def _allocate_forms(self, count: int) -> list[int]:
        """Allocate rows of `forms`; the arrays grow as needed."""
        rows = self._rows.allocate(count)
        held = len(self.forms.place)
        capacity = next_capacity(held, self._rows.high)
        if capacity > held:
            self.forms = measure.PieceForms(*(grown(column, capacity) for column in self.forms))
        return rows

    def _discard(self, rows: list[int]) -> None:
        """Free the corners of pieces and their rows."""
        if not rows:
            return
        first, corners = measure.FORM_PLACE.FIRST, measure.FORM_PLACE.CORNERS
        for start, count in self.forms.place[rows][:, [first, corners]].tolist():
            self._columns.discard(start, count)
        self._rows.release(rows)
