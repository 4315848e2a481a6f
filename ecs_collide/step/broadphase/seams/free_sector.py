"""The free sector around a corner: the directions in which no touching piece is solid.

Each piece that touches the corner takes a sector of directions. It is the angle of the piece's own corner, half of all
directions if the corner lies on its edge, or all directions if the corner lies inside. A thin piece takes one direction
or two opposite ones. A free gap of angle F runs counter-clockwise from g0 to g1:

    | F           | the surface there is | normals it allows                       |
    |-------------|----------------------|-----------------------------------------|
    | > π + FLAT  | convex               | from g0 turned by +π/2 to g1 by -π/2    |
    | = π ± FLAT  | flat                 | none: the edges on both sides have it   |
    | less        | concave              | none: nothing gets there                |

A probe, a direction inside the gap, selects the gap. Angles are compared by the diamond angle, which grows with the
angle and needs no trigonometry.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device
from ecs_collide.shapes import outline as of_outline
from ecs_collide.step.broadphase.seams import seam_arrays as of_seam
from ecs_collide.step.broadphase.seams.seam_arrays import SECTOR, SIDE

FLAT_ANGLE = 1e-3
"""Largest angle between two surfaces that count as flat [rad]."""

PROBE_ANGLE = 2.0 * FLAT_ANGLE
"""Angle between an edge and the probe of its gap [rad]; solids that overhang by less do not hide the gap."""

NEAR_CORNER = 1.5
"""Largest distance of two corners that meet, in tolerances.

Each must also be within one tolerance of both lines of the other.
"""

EVERYTHING = -1
"""Number of sectors if a piece takes all directions."""


class Gap(NamedTuple):
    """A free sector: CONVEX, FLAT or CONCAVE, and the unit vectors where it begins and ends, counter-clockwise."""

    form: float
    from_x: float
    from_y: float
    to_x: float
    to_y: float


@device
def diamond_angle(x, y):
    """Return a number in [0, 4) that grows with the angle of (x, y) in [0, 2π)."""
    if y >= 0.0:
        return y / (x + y) if x >= 0.0 else 1.0 - x / (y - x)
    return 2.0 + y / (x + y) if x < 0.0 else 3.0 + x / (x - y)


@device
def add_sector(solids, count, from_x, from_y, to_x, to_y):
    """Add a solid sector of at most π; return the number of sectors."""
    (
        solids[count, SECTOR.FROM_X],
        solids[count, SECTOR.FROM_Y],
        solids[count, SECTOR.TO_X],
        solids[count, SECTOR.TO_Y],
    ) = from_x, from_y, to_x, to_y
    return count + 1


@device
def add_corner_sector(solids, count, sides, before, corner):
    """Add the solid sector at a corner, between the edge `before` it and the edge after it; return the number."""
    return add_sector(
        solids,
        count,
        -sides[corner, SIDE.LEAVING_Y],
        sides[corner, SIDE.LEAVING_X],
        sides[before, SIDE.ARRIVING_Y],
        -sides[before, SIDE.ARRIVING_X],
    )


@device
def add_edge_sectors(solids, count, ux, uy, is_thin):
    """Add the solid sector at a point of an edge along (ux, uy); return the number of sectors."""
    if is_thin:
        count = add_sector(solids, count, ux, uy, ux, uy)
        return add_sector(solids, count, -ux, -uy, -ux, -uy)
    return add_sector(solids, count, ux, uy, -ux, -uy)


@device
def add_touching_sectors(solids, count, near, number, x, y, tolerance):
    """Add the solid sectors that a neighbour takes at a point (x, y) [m]; return the number, or EVERYTHING.

    `number` is that of the neighbour in `near`. It touches the point if it is within `tolerance` [m].
    """
    sides, edge, start, stop = near.sides, near.edge, near.start[number], near.start[number + 1]
    if near.is_straight[number]:
        deepest = -tolerance
        for j in range(start, stop):
            distance = sides[j, SIDE.NORMAL_X] * (x - sides[j, SIDE.X]) + sides[j, SIDE.NORMAL_Y] * (
                y - sides[j, SIDE.Y]
            )
            if distance > tolerance:
                return count
            deepest = max(deepest, distance)
        if deepest <= -tolerance:
            return EVERYTHING

    before = stop - 1
    for j in range(start, stop):
        dx, dy = x - sides[j, SIDE.X], y - sides[j, SIDE.Y]
        if (
            dx * dx + dy * dy <= (NEAR_CORNER * tolerance) ** 2
            and not near.is_round[j]
            and abs(sides[j, SIDE.LEAVING_X] * dx + sides[j, SIDE.LEAVING_Y] * dy) <= tolerance
            and abs(sides[before, SIDE.ARRIVING_X] * dx + sides[before, SIDE.ARRIVING_Y] * dy) <= tolerance
        ):
            return add_corner_sector(solids, count, sides, before, j)
        before = j

    is_thin = stop - start == 2 and edge[stop - 1] != of_seam.LINE_BACK
    closest, side = tolerance, -1
    for j in range(start, stop):
        if edge[j] != of_seam.STRAIGHT:
            continue
        following = j + 1 if j + 1 < stop else start
        nx, ny = sides[j, SIDE.NORMAL_X], sides[j, SIDE.NORMAL_Y]
        dx, dy = x - sides[j, SIDE.X], y - sides[j, SIDE.Y]
        distance = abs(nx * dx + ny * dy)
        if (
            distance <= closest
            and nx * dy - ny * dx >= 0.0
            and nx * (y - sides[following, SIDE.Y]) - ny * (x - sides[following, SIDE.X]) <= 0.0
        ):
            closest, side = distance, j
    if side < 0:
        return count
    return add_edge_sectors(solids, count, -sides[side, SIDE.NORMAL_Y], sides[side, SIDE.NORMAL_X], is_thin)


@device
def add_sectors_around(solids, count, x, y, reach, near, nearby_count):
    """Add the solid sectors of those of `near.nearby` that touch (x, y) [m] within `reach` tolerances.

    Returns the number of sectors, or EVERYTHING if the point is inside a piece, and True if a piece of another body
    touches.
    """
    is_touched, is_buried = False, False
    for k in range(nearby_count):
        number = near.nearby[k]
        found = add_touching_sectors(solids, count, near, number, x, y, reach * near.tolerance[number])
        if found == count:
            continue
        is_touched = is_touched or not near.is_own[number]
        if found == EVERYTHING:
            is_buried = True
        else:
            count = found
    return EVERYTHING if is_buried else count, is_touched


@device
def free_gap(solids, count, x, y):
    """Return the gap that contains the direction (x, y); it is concave if that direction is solid."""
    ahead, behind = 5.0, 5.0
    first, last = 0, 0
    for k in range(count):
        from_x = solids[k, SECTOR.FROM_X]
        from_y = solids[k, SECTOR.FROM_Y]
        to_x = solids[k, SECTOR.TO_X]
        to_y = solids[k, SECTOR.TO_Y]
        after = from_x * y - from_y * x
        before = x * to_y - y * to_x
        along = from_x * x + from_y * y
        if after >= 0.0 and before >= 0.0 and (after > 0.0 or before > 0.0 or along > 0.0):
            return Gap(form=of_outline.CONCAVE, from_x=0.0, from_y=0.0, to_x=0.0, to_y=0.0)
        turn = diamond_angle(along, -after)
        if turn < ahead:
            ahead, first = turn, k
        turn = diamond_angle(to_x * x + to_y * y, -before)
        if turn < behind:
            behind, last = turn, k
    g0x = solids[last, SECTOR.TO_X]
    g0y = solids[last, SECTOR.TO_Y]
    g1x = solids[first, SECTOR.FROM_X]
    g1y = solids[first, SECTOR.FROM_Y]
    sine, cosine = g0x * g1y - g0y * g1x, g0x * g1x + g0y * g1y
    form = of_outline.CONCAVE
    if cosine < 0.0 and abs(sine) <= FLAT_ANGLE:
        form = of_outline.FLAT
    elif (sine < 0.0 and (cosine < 0.0 or ahead + behind > 2.0)) or (cosine > 0.0 and ahead + behind > 2.0):
        form = of_outline.CONVEX
    return Gap(form=form, from_x=g0x, from_y=g0y, to_x=g1x, to_y=g1y)
