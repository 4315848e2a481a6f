"""What is free around a corner: the directions in which no piece that touches it is solid.

Each piece that touches the corner takes a sector of the directions: the angle of its own corner, half of all where
the corner lies on its edge, everything where the corner lies inside. A thin piece takes one direction, or two that
are opposite. Of what is left between them, a gap of the angle F, counter-clockwise from g0 to g1:

    | F           | the surface there is | normals it allows                       |
    |-------------|----------------------|-----------------------------------------|
    | > π + FLAT  | convex               | from g0 turned by +π/2 to g1 by -π/2    |
    | = π ± FLAT  | flat                 | none: the edges on both sides have it   |
    | less        | concave              | none: nothing gets there                |

Which gap is meant is told by a probe, a direction that lies in it. Angles are compared by the diamond angle, which
grows with the angle and needs no trigonometry.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device
from ecs_collide.shapes import outline as of_outline
from ecs_collide.step.broadphase.seams import seam_arrays as of_seam

FLAT_ANGLE = 1e-3
"""How far two surfaces may be from going on straight and count as flat [rad]."""

PROBE_ANGLE = 2.0 * FLAT_ANGLE
"""How far beside an edge its gap is looked for [rad]: solids that go that far over the edge's end do not hide it."""

NEAR_CORNER = 1.5
"""Two corners meet up to this distance, in tolerances, if each is within one of them of both lines of the other."""

EVERYTHING = -1


class Gap(NamedTuple):
    """Free directions: CONVEX, FLAT or CONCAVE, and the unit vectors where they begin and end, counter-clockwise."""

    form: float
    from_x: float
    from_y: float
    to_x: float
    to_y: float


@device
def diamond_angle(x, y):
    """A number in [0, 4) that grows with the angle of (x, y) in [0, 2π)."""
    if y >= 0.0:
        return y / (x + y) if x >= 0.0 else 1.0 - x / (y - x)
    return 2.0 + y / (x + y) if x < 0.0 else 3.0 + x / (x - y)


@device
def put_sector(solids, count, from_x, from_y, to_x, to_y):
    """Note one more solid sector of at most π; return their number."""
    solids[count, 0], solids[count, 1], solids[count, 2], solids[count, 3] = from_x, from_y, to_x, to_y
    return count + 1


@device
def put_corner(solids, count, sides, before, corner):
    """Note the solid sector at a corner, between the edge `before` it and that which leaves it; return their number."""
    return put_sector(
        solids,
        count,
        -sides[corner, of_seam.LEAVING_Y],
        sides[corner, of_seam.LEAVING_X],
        sides[before, of_seam.ARRIVING_Y],
        -sides[before, of_seam.ARRIVING_X],
    )


@device
def put_edge(solids, count, ux, uy, is_thin):
    """Note the solid sector at a point of an edge along (ux, uy); return their number."""
    if is_thin:
        count = put_sector(solids, count, ux, uy, ux, uy)
        return put_sector(solids, count, -ux, -uy, -ux, -uy)
    return put_sector(solids, count, ux, uy, -ux, -uy)


@device
def put_touching(solids, count, sides, edge, is_round, start, stop, is_straight, x, y, tolerance):
    """Note the solid sectors of a piece at (x, y) [m], if it touches it; return their number, or EVERYTHING.

    The piece's sides are those from start to stop.
    """
    if is_straight:
        deepest = -tolerance
        for j in range(start, stop):
            distance = sides[j, of_seam.NORMAL_X] * (x - sides[j, of_seam.X]) + sides[j, of_seam.NORMAL_Y] * (
                y - sides[j, of_seam.Y]
            )
            if distance > tolerance:
                return count
            deepest = max(deepest, distance)
        if deepest <= -tolerance:
            return EVERYTHING

    before = stop - 1
    for j in range(start, stop):
        dx, dy = x - sides[j, of_seam.X], y - sides[j, of_seam.Y]
        if (
            dx * dx + dy * dy <= (NEAR_CORNER * tolerance) ** 2
            and not is_round[j]
            and abs(sides[j, of_seam.LEAVING_X] * dx + sides[j, of_seam.LEAVING_Y] * dy) <= tolerance
            and abs(sides[before, of_seam.ARRIVING_X] * dx + sides[before, of_seam.ARRIVING_Y] * dy) <= tolerance
        ):
            return put_corner(solids, count, sides, before, j)
        before = j

    closest, side = tolerance, -1
    for j in range(start, stop):
        if edge[j] != of_seam.STRAIGHT:
            continue
        following = j + 1 if j + 1 < stop else start
        nx, ny = sides[j, of_seam.NORMAL_X], sides[j, of_seam.NORMAL_Y]
        dx, dy = x - sides[j, of_seam.X], y - sides[j, of_seam.Y]
        distance = abs(nx * dx + ny * dy)
        if (
            distance <= closest
            and nx * dy - ny * dx >= 0.0
            and nx * (y - sides[following, of_seam.Y]) - ny * (x - sides[following, of_seam.X]) <= 0.0
        ):
            closest, side = distance, j
    if side < 0:
        return count
    return put_edge(solids, count, -sides[side, of_seam.NORMAL_Y], sides[side, of_seam.NORMAL_X], stop - start == 2)


@device
def put_around(solids, count, x, y, reach, near, nearby_count):
    """Note the solid sectors of those in near.nearby that touch (x, y) [m]: up to `reach` tolerances away.

    Returns their number, EVERYTHING where the place is inside one, and whether one of them is of another body.
    """
    is_touched, is_buried = False, False
    for k in range(nearby_count):
        number = near.nearby[k]
        found = put_touching(
            solids,
            count,
            near.sides,
            near.edge,
            near.is_round,
            near.start[number],
            near.start[number + 1],
            near.is_straight[number],
            x,
            y,
            reach * near.tolerance[number],
        )
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
    """The gap between the solid sectors in which the direction (x, y) lies; concave where that is solid itself."""
    ahead, behind = 5.0, 5.0
    first, last = 0, 0
    for k in range(count):
        from_x, from_y, to_x, to_y = solids[k, 0], solids[k, 1], solids[k, 2], solids[k, 3]
        after = from_x * y - from_y * x
        before = x * to_y - y * to_x
        along = from_x * x + from_y * y
        if after >= 0.0 and before >= 0.0 and (after > 0.0 or before > 0.0 or along > 0.0):
            return Gap(of_outline.CONCAVE, 0.0, 0.0, 0.0, 0.0)
        turn = diamond_angle(along, -after)
        if turn < ahead:
            ahead, first = turn, k
        turn = diamond_angle(to_x * x + to_y * y, -before)
        if turn < behind:
            behind, last = turn, k
    g0x, g0y, g1x, g1y = solids[last, 2], solids[last, 3], solids[first, 0], solids[first, 1]
    sine, cosine = g0x * g1y - g0y * g1x, g0x * g1x + g0y * g1y
    form = of_outline.CONCAVE
    if cosine < 0.0 and abs(sine) <= FLAT_ANGLE:
        form = of_outline.FLAT
    elif (sine < 0.0 and (cosine < 0.0 or ahead + behind > 2.0)) or (cosine > 0.0 and ahead + behind > 2.0):
        form = of_outline.CONVEX
    return Gap(form, g0x, g0y, g1x, g1y)
