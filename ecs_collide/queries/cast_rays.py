"""Ray casts: the first entity on each ray, or all of them (row 30).

The ray is turned into the axes of each piece's body and tested against the piece's box, then against its contour. Of
two hits at one place the one of the lower entity counts; of one entity, the one with the smaller slope against the ray.
"""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import NamedTuple

import numpy as np

from ecs_collide.contours.first_hit import STEP, contains_point, find_piece_entry
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.pose import rotate_vector
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Floats, FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.kernels.layout import layout
from ecs_collide.queries.candidates import Scene, in_body, load
from ecs_collide.queries.search_path import search_along, search_either

HIT = layout(
    "hit of a ray",
    FRACTION="fraction of the ray, 0 at its origin",
    NORMAL_X="outward unit normal along x",
    NORMAL_Y="outward unit normal along y",
    SLOPE="slope of the normal against the ray, the smaller the more squarely the ray hits",
)

RAY = layout("ray", FROM_X="start, x [m]", FROM_Y="start, y [m]", TO_X="end, x [m]", TO_Y="end, y [m]")

NO_COLLIDER = -1
NO_HIT = (inf, 0.0, 0.0, inf, NO_COLLIDER, 0)
"""Fraction, normal x and y, slope of the normal against the ray, row of the collider, number of listed hits."""


class RayOptions(NamedTuple):
    """Options of a ray, and the list for all its hits."""

    is_through: bool
    """True to list every hit in `collider` and `hit` from row `first` on, as far as there is room, with no best hit."""
    from_inside: bool
    """True if a ray hits at fraction 0 an entity in which it starts."""
    first: int
    """First row of the list."""
    collider: np.ndarray
    """Row of the collider of each hit (k,)."""
    hit: np.ndarray
    """Columns of `HIT` (k, 4)."""


@device
def enters_box(piece, pieces, px, py, qx, qy):
    """Return (True if a ray enters the box of a piece, True if it starts in that box), in the body's axes.

    An unbounded piece has no box: the result is (True, True). The box of a circle is a rounded point.
    """
    if not is_piece_bounded(piece, pieces):
        return True, True
    size = pieces.size
    half_x = size[piece, PIECE_SIZE.HALF_X]
    half_y = size[piece, PIECE_SIZE.HALF_Y]
    radius = size[piece, PIECE_SIZE.RADIUS]
    x, y = px - size[piece, PIECE_SIZE.LOCAL_X], py - size[piece, PIECE_SIZE.LOCAL_Y]
    dx, dy = qx - px, qy - py
    most = half_x * abs(dy) + half_y * abs(dx) + radius * sqrt(dx * dx + dy * dy)
    slack = 1e-9 * (radius + half_x + half_y + abs(x) + abs(y))
    is_near = abs(dx * y - dy * x) <= most + slack * (abs(dx) + abs(dy))
    return is_near, abs(x) <= half_x + radius + slack and abs(y) <= half_y + radius + slack


@subroutine
def visit(piece, best, path, options, scene):
    """Return the better of the best hit so far and the hit of a piece."""
    bodies, pieces, loaded = scene.bodies, scene.pieces, scene.loaded
    body = pieces.index[piece, PIECE.BODY]
    px, py = in_body(body, bodies, path[0], path[1])
    qx, qy = in_body(body, bodies, path[2], path[3])
    is_near, starts_near = enters_box(piece, pieces, px, py, qx, qy)
    if not is_near:
        return best
    load(piece, pieces, loaded)
    u, x, y, slope = inf, 0.0, 0.0, inf
    if px != qx or py != qy:
        u, x, y, slope = find_piece_entry(loaded, 0, (px, py, qx, qy))
    may_hold = options.from_inside and starts_near and u > STEP
    if may_hold and contains_point(loaded, 0, px + STEP * (qx - px), py + STEP * (qy - py)):
        u, x, y, slope = 0.0, 0.0, 0.0, 0.0
    if u == inf:
        return best
    count, collider = best[5], pieces.index[piece, PIECE.COLLIDER]
    if options.is_through:
        row = row_of_hit(options, count, collider)
        if row < len(options.collider) and (row == count or is_before(u, slope, options.hit, row)):
            options.collider[row] = collider
            options.hit[row, HIT.FRACTION], options.hit[row, HIT.SLOPE] = u, slope
            options.hit[row, HIT.NORMAL_X], options.hit[row, HIT.NORMAL_Y] = rotate_vector(
                body_pose(body, bodies), x, y
            )
        return best[0], best[1], best[2], best[3], best[4], max(count, row + 1)
    if u > best[0]:
        return best
    if u == best[0]:
        entity, other = bodies.entity[collider], bodies.entity[best[4]]
        if entity > other or (entity == other and slope >= best[3]):
            return best
    x, y = rotate_vector(body_pose(body, bodies), x, y)
    return u, x, y, slope, collider, count


@device
def row_of_hit(options, count, collider):
    """Return the row from `first` on where a hit of a collider is listed, or else the next free row."""
    for row in range(options.first, min(count, len(options.collider))):
        if options.collider[row] == collider:
            return row
    return count


@device
def is_before(u, slope, hit, row):
    """Return True if a hit comes before the one that is listed in a row."""
    return u < hit[row, HIT.FRACTION] or (u == hit[row, HIT.FRACTION] and slope < hit[row, HIT.SLOPE])


search = search_along(visit, search_either(visit))


@subroutine
def cast_ray(px, py, qx, qy, from_inside, scene):
    """Return (entity, fraction, point x and y [m], normal x and y) of the first hit of a ray; entity 0 for no hit."""
    # A search for one hit does not use the last two.
    options = RayOptions(False, from_inside, 0, scene.hits, scene.loaded.sizes)
    u, x, y, _, collider, _ = search(NO_HIT, (px, py, qx, qy, 0.0), options, scene)
    if collider == NO_COLLIDER:
        return 0, nan, nan, nan, nan, nan
    entity = int(scene.bodies.entity[collider])
    return entity, float(u), float(px + u * (qx - px)), float(py + u * (qy - py)), float(x) + 0.0, float(y) + 0.0


@kernel
def first_hits(
    rays: FloatTable,
    from_inside: bool,
    scene: Scene,
    entity: Ints,
    fraction: Floats,
    point: FloatTable,
    normal: FloatTable,
):
    """Find the first entity on each ray.

    Reads rays, origin and end [m] (n, 4). Writes entity (n,), 0 for no hit, fraction (n,), point [m] and normal (n, 2),
    NaN for no hit. With `from_inside` a ray hits at fraction 0 an entity in which it starts.
    """
    for k in range(len(rays)):
        entity[k], fraction[k], point[k, X], point[k, Y], normal[k, X], normal[k, Y] = cast_ray(
            rays[k, RAY.FROM_X], rays[k, RAY.FROM_Y], rays[k, RAY.TO_X], rays[k, RAY.TO_Y], from_inside, scene
        )


@kernel
def first_hit_of(px: float, py: float, qx: float, qy: float, from_inside: bool, scene: Scene):
    """Return what `cast_ray` does, for a single ray."""
    return cast_ray(px, py, qx, qy, from_inside, scene)


@kernel
def all_hits(rays: FloatTable, from_inside: bool, scene: Scene, starts: Ints, hit_collider: Ints, hit: FloatTable):
    """List all hits of rays, each collider once for a ray, in no order; return the number of hits.

    If there is no room for all, the number is the room that is needed. Reads rays (n, 4). Writes starts (n + 1,), the
    row in which each ray's hits begin, hit_collider (k,) and the columns of `HIT` (k, 4).
    """
    count = 0
    for k in range(len(rays)):
        starts[k] = count
        options = RayOptions(True, from_inside, count, hit_collider, hit)
        path = (rays[k, RAY.FROM_X], rays[k, RAY.FROM_Y], rays[k, RAY.TO_X], rays[k, RAY.TO_Y], 0.0)
        _, _, _, _, _, count = search((inf, 0.0, 0.0, inf, NO_COLLIDER, count), path, options, scene)
    starts[len(rays)] = count
    return count
