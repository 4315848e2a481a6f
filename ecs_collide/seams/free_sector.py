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

from ecs_collide.jit import device
from ecs_collide.seams.tables import STRAIGHT
from ecs_collide.shapes.outline import CONCAVE, CONVEX, FLAT

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
def put(solids, count, from_x, from_y, to_x, to_y):
    """Note one more solid sector of at most π; return their number."""
    solids[count, 0], solids[count, 1], solids[count, 2], solids[count, 3] = from_x, from_y, to_x, to_y
    return count + 1


@device
def put_corner(solids, count, near, number, k):
    """Note the solid sector of a piece at its k-th corner; return their number."""
    start, stop = near.start[number], near.start[number + 1]
    j = start + k
    before = j - 1 if j > start else stop - 1
    return put(
        solids,
        count,
        -near.leaving[j, 1],
        near.leaving[j, 0],
        near.arriving[before, 1],
        -near.arriving[before, 0],
    )


@device
def put_edge(solids, count, near, number, ux, uy):
    """Note the solid sector of a piece at a point of its edge along (ux, uy); return their number."""
    if near.start[number + 1] - near.start[number] == 2:
        count = put(solids, count, ux, uy, ux, uy)
        return put(solids, count, -ux, -uy, -ux, -uy)
    return put(solids, count, ux, uy, -ux, -uy)


@device
def put_touching(solids, count, near, number, x, y, tolerance):
    """Note the solid sectors of a piece at (x, y) [m], if it touches it; return their number, or EVERYTHING."""
    start, stop = near.start[number], near.start[number + 1]
    if near.is_straight[number]:
        deepest = -tolerance
        for j in range(start, stop):
            distance = near.normals[j, 0] * (x - near.vertices[j, 0]) + near.normals[j, 1] * (y - near.vertices[j, 1])
            if distance > tolerance:
                return count
            deepest = max(deepest, distance)
        if deepest <= -tolerance:
            return EVERYTHING

    for j in range(start, stop):
        before = j - 1 if j > start else stop - 1
        dx, dy = x - near.vertices[j, 0], y - near.vertices[j, 1]
        if (
            not near.is_round[j]
            and abs(near.leaving[j, 0] * dx + near.leaving[j, 1] * dy) <= tolerance
            and abs(near.arriving[before, 0] * dx + near.arriving[before, 1] * dy) <= tolerance
            and dx * dx + dy * dy <= (NEAR_CORNER * tolerance) ** 2
        ):
            return put_corner(solids, count, near, number, j - start)

    closest, side = tolerance, -1
    for j in range(start, stop):
        if near.edge[j] != STRAIGHT:
            continue
        following = j + 1 if j + 1 < stop else start
        nx, ny = near.normals[j, 0], near.normals[j, 1]
        distance = abs(nx * (x - near.vertices[j, 0]) + ny * (y - near.vertices[j, 1]))
        if (
            distance <= closest
            and nx * (y - near.vertices[j, 1]) - ny * (x - near.vertices[j, 0]) >= 0.0
            and nx * (y - near.vertices[following, 1]) - ny * (x - near.vertices[following, 0]) <= 0.0
        ):
            closest, side = distance, j
    if side < 0:
        return count
    return put_edge(solids, count, near, number, -near.normals[side, 1], near.normals[side, 0])


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
            return Gap(CONCAVE, 0.0, 0.0, 0.0, 0.0)
        turn = diamond_angle(along, -after)
        if turn < ahead:
            ahead, first = turn, k
        turn = diamond_angle(to_x * x + to_y * y, -before)
        if turn < behind:
            behind, last = turn, k
    g0x, g0y, g1x, g1y = solids[last, 2], solids[last, 3], solids[first, 0], solids[first, 1]
    sine, cosine = g0x * g1y - g0y * g1x, g0x * g1x + g0y * g1y
    form = CONCAVE
    if cosine < 0.0 and abs(sine) <= FLAT_ANGLE:
        form = FLAT
    elif (sine < 0.0 and (cosine < 0.0 or ahead + behind > 2.0)) or (cosine > 0.0 and ahead + behind > 2.0):
        form = CONVEX
    return Gap(form, g0x, g0y, g1x, g1y)
