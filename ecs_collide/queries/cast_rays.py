"""Where rays first meet anything, or all that they go through (row 30).

A piece is asked in its body's axes, as the ray cast of a single shape is, if the ray comes into its box there at all.
Of hits at one place the one of the lower entity counts, and of one entity the one that the ray meets more squarely.
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
from ecs_collide.kernels.arrays import Floats, FloatTable, Ints
from ecs_collide.kernels.kernel import device, stage, subroutine
from ecs_collide.queries.candidates import Scene, in_body, load
from ecs_collide.queries.search_path import search_along, search_either

# hit
FRACTION, NORMAL_X, NORMAL_Y, SLOPE = 0, 1, 2, 3

NOBODY = -1
NO_HIT = (inf, 0.0, 0.0, inf, NOBODY, 0)
"""Fraction, normal, its slope against the ray, the body, and how many hits were listed."""


class Asking(NamedTuple):
    """What is wanted of a ray."""

    is_through: bool
    """Every hit is listed in `body` and `hit` from row `first` on as far as there is room, and there is no best one."""
    from_inside: bool
    """A ray meets at once what it starts in."""
    first: int
    body: np.ndarray
    hit: np.ndarray


@device
def comes_near(piece, pieces, px, py, qx, qy):
    """(whether a ray comes into the box of a piece, whether it starts there), in the body's axes, if it has an end.

    For a circle, whose box is a point that is rounded, the first is all there is to ask.
    """
    if not is_piece_bounded(piece, pieces):
        return True, True
    size = pieces.size
    half_x, half_y, radius = (
        size[piece, PIECE_SIZE.HALF_X],
        size[piece, PIECE_SIZE.HALF_Y],
        size[piece, PIECE_SIZE.RADIUS],
    )
    x, y = px - size[piece, PIECE_SIZE.LOCAL_X], py - size[piece, PIECE_SIZE.LOCAL_Y]
    dx, dy = qx - px, qy - py
    most = half_x * abs(dy) + half_y * abs(dx) + radius * sqrt(dx * dx + dy * dy)
    slack = 1e-9 * (radius + half_x + half_y + abs(x) + abs(y))
    is_near = abs(dx * y - dy * x) <= most + slack * (abs(dx) + abs(dy))
    return is_near, abs(x) <= half_x + radius + slack and abs(y) <= half_y + radius + slack


@subroutine
def visit(piece, best, way, asking, scene):
    """The better of the best hit so far and that of a piece."""
    bodies, pieces, loaded = scene.bodies, scene.pieces, scene.loaded
    body = pieces.index[piece, PIECE.BODY]
    px, py = in_body(body, bodies, way[0], way[1])
    qx, qy = in_body(body, bodies, way[2], way[3])
    is_near, starts_near = comes_near(piece, pieces, px, py, qx, qy)
    if not is_near:
        return best
    load(piece, pieces, loaded)
    u, x, y, slope = inf, 0.0, 0.0, inf
    if px != qx or py != qy:
        u, x, y, slope = find_piece_entry(loaded, 0, (px, py, qx, qy))
    may_hold = asking.from_inside and starts_near and u > STEP
    if may_hold and contains_point(loaded, 0, px + STEP * (qx - px), py + STEP * (qy - py)):
        u, x, y, slope = 0.0, 0.0, 0.0, 0.0
    if u == inf:
        return best
    count = best[5]
    if asking.is_through:
        row = listed(asking, count, body)
        if row < len(asking.body) and (row == count or is_before(u, slope, asking.hit, row)):
            asking.body[row] = body
            asking.hit[row, FRACTION], asking.hit[row, SLOPE] = u, slope
            asking.hit[row, NORMAL_X], asking.hit[row, NORMAL_Y] = rotate_vector(body_pose(body, bodies), x, y)
        return best[0], best[1], best[2], best[3], best[4], max(count, row + 1)
    if u > best[0]:
        return best
    if u == best[0]:
        entity, other = bodies.entity[body], bodies.entity[best[4]]
        if entity > other or (entity == other and slope >= best[3]):
            return best
    x, y = rotate_vector(body_pose(body, bodies), x, y)
    return u, x, y, slope, body, count


@device
def listed(asking, count, body):
    """The row where a hit of a body is listed already, from row `first` on; else the next free one."""
    for row in range(asking.first, min(count, len(asking.body))):
        if asking.body[row] == body:
            return row
    return count


@device
def is_before(u, slope, hit, row):
    """Whether a hit comes before the one that is listed in a row."""
    return u < hit[row, FRACTION] or (u == hit[row, FRACTION] and slope < hit[row, SLOPE])


search = search_along(visit, search_either(visit))


@stage
def first_hits(
    rays: FloatTable,
    from_inside: bool,
    scene: Scene,
    entity: Ints,
    fraction: Floats,
    point: FloatTable,
    normal: FloatTable,
):
    """What each ray first meets. With `from_inside` it meets at once what it starts in.

    Reads rays, origin and end [m] (n, 4). Writes entity (n,), 0 where there is none, fraction (n,), point [m] and
    normal (n, 2), NaN where there is none.
    """
    asking = Asking(False, from_inside, 0, entity, point)  # the last two are not used
    for k in range(len(rays)):
        way = (rays[k, 0], rays[k, 1], rays[k, 2], rays[k, 3], 0.0)
        u, x, y, _, body, _ = search(NO_HIT, way, asking, scene)
        if body == NOBODY:
            entity[k], fraction[k] = 0, nan
            point[k, 0], point[k, 1], normal[k, 0], normal[k, 1] = nan, nan, nan, nan
        else:
            entity[k], fraction[k] = scene.bodies.entity[body], u
            point[k, 0], point[k, 1] = way[0] + u * (way[2] - way[0]), way[1] + u * (way[3] - way[1])
            normal[k, 0], normal[k, 1] = x + 0.0, y + 0.0  # never -0.0


@stage
def first_hit_of(px: float, py: float, qx: float, qy: float, from_inside: bool, scene: Scene):
    """(entity, fraction, point, normal) of what one ray first meets; the entity is 0 where it meets nothing."""
    asking = Asking(False, from_inside, 0, scene.hits, scene.loaded.sizes)  # the last two are not used
    u, x, y, _, body, _ = search(NO_HIT, (px, py, qx, qy, 0.0), asking, scene)
    if body == NOBODY:
        return 0, nan, nan, nan, nan, nan
    entity = int(scene.bodies.entity[body])
    return entity, float(u), float(px + u * (qx - px)), float(py + u * (qy - py)), float(x) + 0.0, float(y) + 0.0


@stage
def all_hits(rays: FloatTable, from_inside: bool, scene: Scene, starts: Ints, hit_body: Ints, hit: FloatTable):
    """List what rays go through, each body once, in no order; return how much that is.

    Where there is no room for all the number tells the room that will do. Reads rays (n, 4). Writes starts (n + 1,),
    the row in which each ray's hits begin, hit_body (k,) and hit (k, 4): fraction, outward unit normal, slope.
    """
    count = 0
    for k in range(len(rays)):
        starts[k] = count
        asking = Asking(True, from_inside, count, hit_body, hit)
        way = (rays[k, 0], rays[k, 1], rays[k, 2], rays[k, 3], 0.0)
        _, _, _, _, _, count = search((inf, 0.0, 0.0, inf, NOBODY, count), way, asking, scene)
    starts[len(rays)] = count
    return count
