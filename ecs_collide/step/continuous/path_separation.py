"""Lower bound of the separation of two pieces over the whole step, in the axes of the larger one.

A long wall that turns has a path whose box holds nearly all bodies around it, but in the wall's own axes few of them
are near. A body that rests on a wall or slides along it comes no deeper into it. So most sweep candidates need no
search for the first overlap.

Let the larger piece q have its body's centre of mass c and an angle at the end of the step, and let the body move by m
and turn by φ. The body of the smaller piece p moves by d and turns by ψ. Seen from q's body at a time that is τ before
the end, in fractions of the step, a point u of its axes at the end is at the place

    w = R(τφ) (u + τ m)  =  u + τ (m + φ J u) + rest        |rest| <= φ² |u + τ m|/2 + |φ| |m|

R is a rotation, and J a quarter turn. The centre of mass of p moves along a line from u - d to u. So at any two times
of both, it is no farther than the rest from the convex hull of four points: u and u - d, each with and without
m + φ J u. The times are independent, since a sweep may stop one body at any time while the other one moves on. Let h be
the support functions of both pieces as they lie at the end, and r the distance of p's farthest corner from its centre
of mass. Then each direction n separates the pieces by at least

    min over the four points of n·w  -  h_q(n)  -  rest  -  min(r, h_p(-n) + r (|φ| + |ψ|))

The direction is the normal of an edge of q, of which the one with the greatest first two terms is taken. If q is a
circle, it is the direction to p.
"""

from __future__ import annotations

from math import inf, sqrt

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.data.solver_state import STATE
from ecs_collide.geometry.pose import find_relative_pose, rotate_vector_back
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.shapes.piece import PieceKind

STATIC = int(BodyKind.STATIC)
CIRCLE, HALF_PLANE, RING = int(PieceKind.CIRCLE), int(PieceKind.HALF_PLANE), int(PieceKind.RING)

ROUNDING = 1e-8
"""Margin as a fraction of coordinates and sizes: far above the rounding and the tolerances of a sweep."""


@device
def movement_in_step(body, scene):
    """Return the movement of a body in the step: x, y [m], angle [rad]."""
    if scene.bodies.kind[body] == STATIC:
        return 0.0, 0.0, 0.0
    movement = scene.motions.state[scene.bodies.solver_row[body]]
    return movement[STATE.DX], movement[STATE.DY], movement[STATE.DA]


@device
def is_larger(p, q, pieces):
    """Return True if p is larger than q, and q is bounded."""
    size = pieces.size
    return pieces.index[q, PIECE.KIND] < HALF_PLANE and (
        size[p, PIECE_SIZE.HALF_X] + size[p, PIECE_SIZE.HALF_Y] + size[p, PIECE_SIZE.RADIUS]
        > size[q, PIECE_SIZE.HALF_X] + size[q, PIECE_SIZE.HALF_Y] + size[q, PIECE_SIZE.RADIUS]
    )


@device
def find_least_reach(p, x, y, angle, pieces):
    """Return a bound of the reach of a piece from its body's centre of mass along a unit direction (x, y) [m].

    The direction is in the body's axes, and the body turns by at most `angle` [rad]. The rounding radius is left out.
    """
    first, farthest, along = pieces.index[p, PIECE.VERTEX_START], 0.0, -inf
    for k in range(first, first + pieces.index[p, PIECE.VERTEX_COUNT]):
        corner_x, corner_y = pieces.vertices[k, X], pieces.vertices[k, Y]
        radius = pieces.outlines[k, OUTLINE.CORNER_RADIUS]
        farthest = max(farthest, sqrt(corner_x * corner_x + corner_y * corner_y) + radius)
        along = max(along, corner_x * x + corner_y * y + radius)
    return min(farthest, along + farthest * angle)


@device
def least_along(x, y, points):
    """Return the least coordinate of four points along a direction (x, y); the points are x, y in turn."""
    first, second = x * points[0] + y * points[1], x * points[2] + y * points[3]
    third, fourth = x * points[4] + y * points[5], x * points[6] + y * points[7]
    return min(min(first, second), min(third, fourth))


@device
def find_best_direction(q, points, pieces):
    """Return the direction (x, y) in the axes of q in which four points are farthest beyond it, and how far [m].

    The rounding radius of q is left out. The distance is -inf if no direction is known.
    """
    first, best, best_x, best_y = pieces.index[q, PIECE.VERTEX_START], -inf, 0.0, 0.0
    if pieces.index[q, PIECE.KIND] == CIRCLE:
        center_x, center_y = pieces.vertices[first, X], pieces.vertices[first, Y]
        x, y = points[0] - center_x, points[1] - center_y
        distance = sqrt(x * x + y * y)
        if distance > 0.0:
            best_x, best_y = x / distance, y / distance
            best = least_along(best_x, best_y, points) - (center_x * best_x + center_y * best_y)
        return best_x, best_y, best
    for k in range(first, first + pieces.index[q, PIECE.VERTEX_COUNT]):
        x, y = pieces.normals[k, X], pieces.normals[k, Y]
        beyond = pieces.vertices[k, X] * x + pieces.vertices[k, Y] * y + pieces.outlines[k, OUTLINE.CORNER_RADIUS]
        distance = least_along(x, y, points) - beyond
        if distance > best and (x != 0.0 or y != 0.0):
            best_x, best_y, best = x, y, distance
    return best_x, best_y, best


@subroutine
def least_separation(p, q, scene):
    """Return a lower bound of the separation of two pieces at any two times of the step, each stopped or not [m].

    It is -inf if none is known, as for rings. Only q may be unbounded. Reads body_frame, the solver's movements.
    """
    pieces = scene.pieces
    if pieces.index[q, PIECE.KIND] == RING:
        return -inf
    if is_larger(p, q, pieces):
        p, q = q, p
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    pose_p, pose_q = body_pose(body_p, scene.bodies), body_pose(body_q, scene.bodies)
    dx, dy, spin = movement_in_step(body_p, scene)
    mx, my, turn = movement_in_step(body_q, scene)
    dx, dy = rotate_vector_back(pose_q, dx, dy)
    mx, my = rotate_vector_back(pose_q, mx, my)
    # The centre of mass of p, seen from q: at the end and at the start, and both as q moves.
    seen = find_relative_pose(pose_q, pose_p)
    start_x, start_y = seen.x - dx, seen.y - dy
    points = (
        seen.x,
        seen.y,
        start_x,
        start_y,
        seen.x + mx - turn * seen.y,
        seen.y + my + turn * seen.x,
        start_x + mx - turn * start_y,
        start_y + my + turn * start_x,
    )
    x, y, beyond = find_best_direction(q, points, pieces)
    toward_x, toward_y = rotate_vector_back(seen, -x, -y)
    reach = find_least_reach(p, toward_x, toward_y, abs(turn) + abs(spin), pieces)
    # The margin.
    drift = sqrt(mx * mx + my * my)
    far = sqrt(max(seen.x * seen.x + seen.y * seen.y, start_x * start_x + start_y * start_y)) + drift
    coordinates = abs(pose_p.x) + abs(pose_p.y) + abs(pose_q.x) + abs(pose_q.y)
    rest = abs(turn) * (0.5 * abs(turn) * far + drift) + ROUNDING * (coordinates + far + abs(reach))
    return beyond - pieces.size[q, PIECE_SIZE.RADIUS] - pieces.size[p, PIECE_SIZE.RADIUS] - reach - rest
