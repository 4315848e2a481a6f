"""Normals, boxes, sizes and areas of many convex pieces and polygons in one call.

Only operations with the same rounding everywhere are used: shapes have the same bits on every machine.

The normal of an edge is computed from its direction divided by the larger component, so that no edge is too long or too
short. The core of a piece is a disk inside it, not much smaller than the largest one. Its centre is the best of the
mean of the corners and of points on the way from there to each corner. An outward arc counts as the polygon through its
ends and its middle.
"""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import NamedTuple

import numpy as np

from ecs_collide.geometry.cone import in_cone
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, FloatTableIn, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.material import MATERIAL_VALUE
from ecs_collide.shapes.outline import OUTLINE

RUN = layout(
    "run of corners",
    START="first corner in the pools",
    COUNT="number of corners",
    IS_PLAIN="1 if normals and outline are still to be computed",
    FORM="row of the piece's form",
)

FORM_PLACE = layout(
    "place of a stored piece",
    KIND="`PieceKind`",
    FIRST="first corner in the pools",
    CORNERS="number of corners",
)

FORM_SIZE = layout(
    "size of a stored piece",
    RADIUS="rounding radius [m]",
    MIDDLE_X="centre of the box without the radius [m]",
    MIDDLE_Y="centre of the box without the radius [m]",
    HALF_X="half the width of the box without the radius [m]",
    HALF_Y="half the height of the box without the radius [m]",
    CORE="radius of a disk inside the piece [m]",
    EXTENT="greatest distance from the origin [m]",
)

FORM_PART = layout(
    "part of a shape",
    NUMBER="number of the link of a chain, or of the part of a compound",
    GIVEN="bits of the columns of `MATERIAL_VALUE` that its material gives",
)

AREA = layout(
    "area of a polygon",
    AREA="area [m²]",
    CENTROID_X="x of the centroid [m]",
    CENTROID_Y="y of the centroid [m]",
    SECOND_MOMENT="second moment of area about the centroid [m⁴]",
)

SIDE = layout(
    "side of a straight-edged piece",
    X="x of the corner [m]",
    Y="y of the corner [m]",
    NORMAL=("outward unit normal of the edge to the next corner", 2),
)


class PieceForms(NamedTuple):
    """The pieces in a shape store: where their corners are in the pools, and their sizes."""

    place: IntTable
    """Columns of `FORM_PLACE` (f, 3)."""
    size: FloatTable
    """Columns of `FORM_SIZE` (f, 7)."""
    part: IntTable
    """Part that the piece belongs to, columns of `FORM_PART` (f, 2)."""
    material: FloatTable
    """Values that the material of the part gives, columns of `MATERIAL_VALUE` (f, 4)."""


def no_forms(capacity: int) -> PieceForms:
    """Return room for the forms of `capacity` pieces."""
    return PieceForms(
        place=np.zeros((capacity, FORM_PLACE.WIDTH), np.int64),
        size=np.zeros((capacity, FORM_SIZE.WIDTH)),
        part=np.zeros((capacity, FORM_PART.WIDTH), np.int64),
        material=np.zeros((capacity, MATERIAL_VALUE.WIDTH)),
    )


@device
def length_and_direction(x, y):
    """Return the length of a vector and its unit vector.

    The vector may have any length. A vector without length is returned unchanged.
    """
    scale = max(abs(x), abs(y))
    if scale == 0.0:
        return 0.0, x, y
    x, y = x / scale, y / scale
    length = sqrt(x * x + y * y)
    return scale * length, x / length, y / length


@kernel
def find_normals(vertices: FloatTableIn, normals: FloatTable):
    """Write the unit normals to the right of the edges i → i+1 between `vertices` [m] (k, 2), cyclically."""
    write_normals(vertices, 0, len(vertices), normals, 0)


@device
def write_normals(vertices, start, count, normals, column):
    """Write the normals of a run of corners to `normals`, in two columns from `column` on."""
    for k in range(count):
        a, b = start + k, start + (k + 1 if k + 1 < count else 0)
        _, x, y = length_and_direction(vertices[b, X] - vertices[a, X], vertices[b, Y] - vertices[a, Y])
        normals[a, column], normals[a, column + 1] = y, -x


@kernel
def measure_forms(
    runs: IntTable,
    given: FloatTable,
    centers: FloatTable,
    vertices: FloatTable,
    normals: FloatTable,
    outlines: FloatTable,
    scratch: FloatTable,
    forms: PieceForms,
):
    """Write pieces to the pools, relative to the centres of their shapes, and measure them.

    Reads:
        runs: runs of corners (p, 4).
        given: corners, one run after the other [m] (v, 2).
        centers: centres of the shapes [m] (p, 2).
        normals, outlines: rows in the pools, for runs that are not plain.
        forms: kind and radius.

    Writes vertices, normals and outlines of the pools, and `forms`. `scratch` (k, 4) has at least as many rows as the
    largest piece has corners.
    """
    at = 0
    for k in range(len(runs)):
        start, count = runs[k, RUN.START], runs[k, RUN.COUNT]
        x, y = centers[k, X], centers[k, Y]
        for corner in range(start, start + count):
            vertices[corner, X], vertices[corner, Y] = given[at, X] - x, given[at, Y] - y
            at += 1
            if runs[k, RUN.IS_PLAIN] == 0 and outlines[corner, OUTLINE.ARC_RADIUS] > 0.0:
                outlines[corner, OUTLINE.ARC_X] -= x
                outlines[corner, OUTLINE.ARC_Y] -= y
        if runs[k, RUN.IS_PLAIN] != 0:
            write_plain_outline(vertices, start, count, normals, outlines)
        row = runs[k, RUN.FORM]
        forms.place[row, FORM_PLACE.FIRST], forms.place[row, FORM_PLACE.CORNERS] = start, count
        size = forms.size[row]
        low_x, low_y, high_x, high_y = find_local_box(vertices, outlines, start, count)
        size[FORM_SIZE.MIDDLE_X], size[FORM_SIZE.MIDDLE_Y] = (low_x + high_x) / 2.0, (low_y + high_y) / 2.0
        size[FORM_SIZE.HALF_X], size[FORM_SIZE.HALF_Y] = (high_x - low_x) / 2.0, (high_y - low_y) / 2.0
        size[FORM_SIZE.CORE] = find_core_radius(size[FORM_SIZE.RADIUS], vertices, outlines, start, count, scratch)
        size[FORM_SIZE.EXTENT] = find_extent(size[FORM_SIZE.RADIUS], vertices, outlines, start, count)


@kernel
def measure_piece(radius: float, vertices: FloatTableIn, outlines: FloatTableIn, scratch: FloatTable):
    """Return the box of one piece without its radius, its core and its extent [m].

    The box is low x, low y, high x and high y. `scratch` has a row for each corner (k, 4).
    """
    count = len(vertices)
    low_x, low_y, high_x, high_y = find_local_box(vertices, outlines, 0, count)
    core = find_core_radius(radius, vertices, outlines, 0, count, scratch)
    return low_x, low_y, high_x, high_y, core, find_extent(radius, vertices, outlines, 0, count)


@device
def write_plain_outline(vertices, start, count, normals, outlines):
    """Write normals and outline of a piece that is open to contacts all round.

    The piece is a circle, with one corner, or a hull with straight edges.
    """
    for corner in range(start, start + count):
        for field in range(OUTLINE.WIDTH):
            outlines[corner, field] = 0.0
        outlines[corner, OUTLINE.CORNER] = 1.0
        outlines[corner, OUTLINE.EDGE] = of_outline.ZERO_LENGTH if count == 1 else of_outline.EXPOSED
    if count == 1:
        normals[start, X], normals[start, Y] = 0.0, 0.0
        return
    write_normals(vertices, start, count, normals, 0)
    before = start + count - 1
    for corner in range(start, start + count):
        outlines[corner, OUTLINE.FROM_X], outlines[corner, OUTLINE.FROM_Y] = (
            normals[before, X],
            normals[before, Y],
        )
        outlines[corner, OUTLINE.TO_X], outlines[corner, OUTLINE.TO_Y] = normals[corner, X], normals[corner, Y]
        before = corner


@device
def is_bounded(outlines, start, count):
    """Return True if a piece is bounded: the one corner of an unbounded piece has an edge."""
    return count > 1 or outlines[start, OUTLINE.EDGE] == of_outline.ZERO_LENGTH


@device
def is_on_arc(outline, x, y):
    """Return True if a corner that is an arc has a point in the direction (x, y)."""
    from_x, from_y = outline[OUTLINE.FROM_X], outline[OUTLINE.FROM_Y]
    return in_cone(from_x, from_y, outline[OUTLINE.TO_X], outline[OUTLINE.TO_Y], 0.0, x, y)


@device
def find_local_box(vertices, outlines, start, count):
    """Return the box of a piece without its radius: low x, low y, high x and high y [m]."""
    low_x, low_y, high_x, high_y = inf, inf, -inf, -inf
    for corner in range(start, start + count):
        x, y, outline = vertices[corner, X], vertices[corner, Y], outlines[corner]
        radius = outline[OUTLINE.CORNER_RADIUS]
        if radius == 0.0 or is_on_arc(outline, -1.0, 0.0):
            low_x = min(low_x, x - radius)
        if radius == 0.0 or is_on_arc(outline, 0.0, -1.0):
            low_y = min(low_y, y - radius)
        if radius == 0.0 or is_on_arc(outline, 1.0, 0.0):
            high_x = max(high_x, x + radius)
        if radius == 0.0 or is_on_arc(outline, 0.0, 1.0):
            high_y = max(high_y, y + radius)
    return low_x, low_y, high_x, high_y


@device
def find_extent(radius, vertices, outlines, start, count):
    """Return the greatest distance of a piece from the origin [m], infinite for an unbounded piece."""
    if not is_bounded(outlines, start, count):
        return inf
    farthest = 0.0
    for corner in range(start, start + count):
        x, y, arc = vertices[corner, X], vertices[corner, Y], outlines[corner, OUTLINE.CORNER_RADIUS]
        if arc == 0.0 or is_on_arc(outlines[corner], x, y):
            length, _, _ = length_and_direction(x, y)
            farthest = max(farthest, length + arc)
    return farthest + radius


@device
def find_core_radius(radius, vertices, outlines, start, count, scratch):
    """Return the radius [m] of a disk inside a piece, infinite for an unbounded piece."""
    if not is_bounded(outlines, start, count):
        return inf
    if count == 1:
        return radius
    mean_x, mean_y = 0.0, 0.0
    for k in range(count):
        outline = outlines[start + k]
        x, y, arc = vertices[start + k, X], vertices[start + k, Y], outline[OUTLINE.CORNER_RADIUS]
        if arc > 0.0:  # use the middle of the arc
            _, ahead_x, ahead_y = length_and_direction(
                outline[OUTLINE.TO_Y] - outline[OUTLINE.FROM_Y],
                outline[OUTLINE.FROM_X] - outline[OUTLINE.TO_X],
            )
            x, y = x + arc * ahead_x, y + arc * ahead_y
        scratch[k, SIDE.X], scratch[k, SIDE.Y] = x, y
        mean_x, mean_y = mean_x + x, mean_y + y
    mean_x, mean_y = mean_x / count, mean_y / count
    write_normals(scratch, 0, count, scratch, SIDE.NORMAL)
    best = find_clearance(mean_x, mean_y, outlines, start, count, scratch)
    for share in (0.25, 0.5):
        for k in range(count):
            x, y = mean_x + share * (scratch[k, SIDE.X] - mean_x), mean_y + share * (scratch[k, SIDE.Y] - mean_y)
            best = max(best, find_clearance(x, y, outlines, start, count, scratch))
    return best + radius


@device
def find_clearance(x, y, outlines, start, count, sides):
    """Return the distance of a point [m] to the nearest edge of a piece.

    The corners and normals of the piece are in `sides`, with columns of `SIDE` (k, 4).
    """
    room = inf
    for k in range(count):
        along_x, along_y = sides[k, SIDE.X] - x, sides[k, SIDE.Y] - y
        room = min(room, along_x * sides[k, SIDE.NORMAL] + along_y * sides[k, SIDE.NORMAL + 1])
        outline = outlines[start + k]
        if outline[OUTLINE.ARC_RADIUS] > 0.0:
            length, _, _ = length_and_direction(x - outline[OUTLINE.ARC_X], y - outline[OUTLINE.ARC_Y])
            room = min(room, length - outline[OUTLINE.ARC_RADIUS])
    return room


@kernel
def measure_areas(given: FloatTableIn, runs: IntTable, areas: FloatTable):
    """Write area, centroid and second moment of simple polygons to `areas`, with columns of `AREA` (p, 4).

    Reads the counter-clockwise corners in `given`, one polygon after the other [m] (v, 2), and their numbers in `runs`
    (p, 4). Each area is a sum of triangles (0, a, b) from the first corner. If it is 0, the other columns are NaN.
    """
    start = 0
    for k in range(len(runs)):
        stop = start + runs[k, RUN.COUNT]
        first_x, first_y = given[start, X], given[start, Y]
        area, x, y, moment = 0.0, 0.0, 0.0, 0.0
        for corner in range(start + 1, stop - 1):
            ax, ay = given[corner, X] - first_x, given[corner, Y] - first_y
            bx, by = given[corner + 1, X] - first_x, given[corner + 1, Y] - first_y
            part = 0.5 * (ax * by - ay * bx)
            area += part
            x += part * (ax + bx)
            y += part * (ay + by)
            moment += part * (ax * ax + ax * bx + bx * bx)
            moment += part * (ay * ay + ay * by + by * by)
        start = stop
        areas[k, AREA.AREA] = area
        if area == 0.0:
            areas[k, AREA.CENTROID_X], areas[k, AREA.CENTROID_Y], areas[k, AREA.SECOND_MOMENT] = nan, nan, nan
            continue
        x, y = x / (3.0 * area), y / (3.0 * area)
        areas[k, AREA.CENTROID_X], areas[k, AREA.CENTROID_Y] = x + first_x, y + first_y
        areas[k, AREA.SECOND_MOMENT] = moment / 6.0 - area * (x * x + y * y)


@kernel
def find_winding(points: FloatTable, least: float):
    """Return the winding of a strictly convex polygon: 1 counter-clockwise, -1 clockwise; otherwise 0.

    The result is also 0 if a corner is nearer to the line between its neighbours than `least`, a fraction of the
    diagonal of the bounding box. Such `points` [m] (k, 2) need a closer look.
    """
    count = len(points)
    low_x, low_y, high_x, high_y = inf, inf, -inf, -inf
    for k in range(count):
        low_x, high_x = min(low_x, points[k, X]), max(high_x, points[k, X])
        low_y, high_y = min(low_y, points[k, Y]), max(high_y, points[k, Y])
    diagonal, _, _ = length_and_direction(high_x - low_x, high_y - low_y)
    if count < 3 or not 1e-100 < diagonal < 1e100:
        return 0
    left, right, flips = 0, 0, 0
    was_up = points[0, Y] > points[count - 1, Y]
    for k in range(count):
        before, after = k - 1 if k > 0 else count - 1, k + 1 if k + 1 < count else 0
        x, y = points[after, X] - points[before, X], points[after, Y] - points[before, Y]
        chord, x, y = length_and_direction(x, y)
        rise = x * (points[k, Y] - points[before, Y]) - y * (points[k, X] - points[before, X])
        if chord == 0.0 or not abs(rise) > least * diagonal:
            return 0
        left, right = left + int(rise < 0.0), right + int(rise > 0.0)
        is_up = points[after, Y] > points[k, Y]
        flips += int(is_up != was_up)
        was_up = is_up
    if flips != 2 or left * right != 0:
        return 0
    return 1 if left > 0 else -1
