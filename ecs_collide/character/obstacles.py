"""What may be in the way of a character, where it will be during the step, and where the character first runs into it.

A kinematic body goes on as its velocity says, and so does what the character stands on; all else stays where it is. So
what is in the way moves from its place now, time 0, to that after the step, time 1.

A character runs into a piece where it is in it by `skin`, and is then put back along the normal by as much: so what it
slides along with no gap at all is not in its way, nor is the side of a tile that is flush with the one it stands on.
The skin is a ten-millionth of a metre; where the character ends it is off by what is lost in computing alone.

What is one-way is in the way of a character that is outside of it and meets it from the side to which it is solid: in
it, it was let pass, and is until it is outside again.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from ecs_collide.common.one_way_side import LEAST_FACING, facing, is_one_way
from ecs_collide.common.pair_roles import are_sensors, filters_agree
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.corner import length, place_contour_rows
from ecs_collide.contours.first_contact import TOLERANCE, find_moving_contact, make_moving_piece
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.contours.shape_distance import find_pose_seen_from, rows_distance
from ecs_collide.data.bodies import FRAME, SURFACE
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.pose import rotate_vector
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.queries.candidates import LoadedPiece, Scene, find_in_box
from ecs_collide.step.broadphase.boxes import box_of

STATIC, KINEMATIC = int(BodyKind.STATIC), int(BodyKind.KINEMATIC)

NOBODY = -1
NEAR = 4.0
"""A character stands on what is no further than so many skins."""


class Walker(NamedTuple):
    """A character, and what is near it."""

    body: int
    angle: float
    own: np.ndarray
    """Its pieces, from row `first` on and before `stop`."""
    first: int
    stop: int
    near_count: int
    """How many of scene.candidates are near it."""
    dt: float
    skin: float
    """[m]."""
    drops: bool
    """Whether nothing one-way is in its way."""
    scene: Scene
    room: LoadedPiece
    """Scratch space for a piece of its own ..."""
    placed: np.ndarray
    """... and for that as the other sees it."""


@device
def is_in_the_way(piece, body, scene):
    """Whether a piece stops a body: it is another's, their filters agree, and neither is a sensor to the other."""
    filters, other = scene.bodies.filter, scene.pieces.index[piece, PIECE.BODY]
    return other != body and filters_agree(filters, body, other) and not are_sensors(filters, body, other)


@subroutine
def find_obstacles(body, low_x, low_y, high_x, high_y, scene):
    """Keep those of the pieces near a box [m] that are in the way of a body; return how many they are."""
    candidates = scene.candidates
    kept = 0
    for number in range(find_in_box(low_x, low_y, high_x, high_y, scene)):
        if is_in_the_way(candidates[number], body, scene):
            candidates[kept] = candidates[number]
            kept += 1
    return kept


@device
def own_box(walker, k, x, y):
    """The box (min_x, min_y, max_x, max_y) [m] of a piece of a character at (x, y)."""
    frame = walker.scene.bodies.frame
    low_x, low_y, high_x, high_y = box_of(walker.own[k], walker.scene.bodies, walker.scene.pieces)
    dx, dy = x - frame[walker.body, FRAME.CENTER_X], y - frame[walker.body, FRAME.CENTER_Y]
    return low_x + dx, low_y + dy, high_x + dx, high_y + dy


@device
def whole_box(walker, x, y):
    """The box (min_x, min_y, max_x, max_y) [m] of a character at (x, y)."""
    low_x, low_y, high_x, high_y = own_box(walker, walker.first, x, y)
    for k in range(walker.first + 1, walker.stop):
        left, low, right, high = own_box(walker, k, x, y)
        low_x, low_y, high_x, high_y = min(low_x, left), min(low_y, low), max(high_x, right), max(high_y, high)
    return low_x, low_y, high_x, high_y


@device
def size_of(walker):
    """Width and height of a character together [m]."""
    low_x, low_y, high_x, high_y = whole_box(walker, 0.0, 0.0)
    return (high_x - low_x) + (high_y - low_y)


@subroutine
def find_obstacles_around(walker, x, y, extra_x, extra_y):
    """Keep what is in a character's way within some lengths [m] of its box at (x, y); return how many pieces."""
    low_x, low_y, high_x, high_y = whole_box(walker, x, y)
    return find_obstacles(
        walker.body, low_x - extra_x, low_y - extra_y, high_x + extra_x, high_y + extra_y, walker.scene
    )


@device
def look_around(walker, x, y, extra_x, extra_y):
    """A character with what is in its way within some lengths [m] of its box at (x, y).

    Inlined, as it holds arrays, which may not go through memory.
    """
    count = find_obstacles_around(walker, x, y, extra_x, extra_y)
    return Walker(
        walker.body,
        walker.angle,
        walker.own,
        walker.first,
        walker.stop,
        count,
        walker.dt,
        walker.skin,
        walker.drops,
        walker.scene,
        walker.room,
        walker.placed,
    )


@device
def is_moving(other, floor, bodies):
    """Whether a body moves on during the step: a kinematic one, or what the character stands on, if that is not static.

    A static one may have a velocity that a game wrote into its row; it does not move by it.
    """
    kind = bodies.kind[other]
    return (kind == KINEMATIC or (other == floor and kind != STATIC)) and bodies.island[other] == 0


@device
def pose_at_time(other, floor, t, dt, bodies):
    """The pose of a body's centre of mass at a time of the step."""
    frame, velocity = bodies.frame, bodies.velocity
    x, y, angle = frame[other, FRAME.CENTER_X], frame[other, FRAME.CENTER_Y], frame[other, FRAME.ANGLE]
    if not is_moving(other, floor, bodies):
        return x, y, angle
    h = t * dt
    return x + h * velocity[other, 0], y + h * velocity[other, 1], angle + h * velocity[other, 2]


@device
def velocity_at(other, floor, x, y, t, dt, bodies):
    """The velocity [m/s] of a body at a place of the world, at a time of the step."""
    if other == NOBODY or not is_moving(other, floor, bodies):
        return 0.0, 0.0
    center_x, center_y, _ = pose_at_time(other, floor, t, dt, bodies)
    velocity = bodies.velocity
    spin = velocity[other, 2]
    return velocity[other, 0] - spin * (y - center_y), velocity[other, 1] + spin * (x - center_x)


@device
def surface_velocity(other, floor, x, y, normal_x, normal_y, t, dt, bodies):
    """The same of its surface, which may run: clockwise around it, so along (normal_y, -normal_x) [m/s]."""
    vx, vy = velocity_at(other, floor, x, y, t, dt, bodies)
    if other == NOBODY:
        return vx, vy
    speed = bodies.surface[other, SURFACE.SPEED]
    return vx + speed * normal_y, vy - speed * normal_x


@device
def lets_pass(other, angle, is_outside, normal_x, normal_y, walker):
    """Whether a body is one-way and not in the way of a character that meets it at a normal."""
    bodies = walker.scene.bodies
    if not is_one_way(other, bodies):
        return False
    c, s = cos_sin(angle)
    return walker.drops or not is_outside or facing(other, c, s, normal_x, normal_y, bodies) < LEAST_FACING


@device
def is_passed(walker, floor, number, gap, normal_x, normal_y, t):
    """Whether one of a character's candidates, at a gap [m], is one-way and lets it pass.

    What moves may have come into it since it was moved last: by no more than that goes in a step.
    """
    scene, dt = walker.scene, walker.dt
    other = scene.pieces.index[scene.candidates[number], PIECE.BODY]
    if not is_one_way(other, scene.bodies):
        return False
    _, _, angle = pose_at_time(other, floor, t, dt, scene.bodies)
    vx, vy = velocity_at(other, floor, scene.bodies.frame[other, 0], scene.bodies.frame[other, 1], t, dt, scene.bodies)
    outside = gap > -NEAR * walker.skin - dt * max(0.0, vx * normal_x + vy * normal_y)
    return lets_pass(other, angle, outside, normal_x, normal_y, walker)


@device
def tolerance_of(a, b, skin):
    """How exact the place of a contact is [m]."""
    return min(TOLERANCE * (a.bound + b.bound), 0.01 * skin)


@device
def rests(other, floor, bodies):
    """Whether a body is where it is during the whole step."""
    velocity = bodies.velocity
    return not is_moving(other, floor, bodies) or (
        velocity[other, 0] == 0.0 and velocity[other, 1] == 0.0 and velocity[other, 2] == 0.0
    )


@device
def is_beyond(piece, floor, box, reach, scene):
    """Whether a piece certainly is further than `reach` [m], also less than 0, from all that is in a box."""
    bodies, pieces = scene.bodies, scene.pieces
    if not is_piece_bounded(piece, pieces) or not rests(pieces.index[piece, PIECE.BODY], floor, bodies):
        return False
    low_x, low_y, high_x, high_y = box_of(piece, bodies, pieces)
    return box[0] - reach > high_x or box[2] + reach < low_x or box[1] - reach > high_y or box[3] + reach < low_y


@subroutine
def run_into(walker, floor, x, y, move_x, move_y, start, end):
    """(fraction, normal, piece) at which a character first runs into something; the piece is `NOBODY` if it does not.

    It goes from (x, y) by a way (move_x, move_y) [m], from time `start` of the step to time `end`.
    """
    scene, skin = walker.scene, walker.skin
    bodies, pieces = scene.bodies, scene.pieces
    rows, own_rows = scene.loaded.rows, walker.room.rows
    until, normal_x, normal_y, met = 1.0, 0.0, 0.0, NOBODY
    for k in range(walker.first, walker.stop):
        here, there = (x, y, walker.angle), (x + move_x, y + move_y, walker.angle)
        b = make_moving_piece(walker.own[k], pieces, here, there, own_rows)
        low_x, low_y, high_x, high_y = own_box(walker, k, x, y)
        box = (
            low_x + min(move_x, 0.0), low_y + min(move_y, 0.0), high_x + max(move_x, 0.0), high_y + max(move_y, 0.0)
        )  # fmt: skip
        for number in range(walker.near_count):
            piece = scene.candidates[number]
            if is_beyond(piece, floor, box, -0.5 * skin, scene):
                continue
            other = pieces.index[piece, PIECE.BODY]
            before, after = (
                pose_at_time(other, floor, start, walker.dt, bodies),
                pose_at_time(other, floor, end, walker.dt, bodies),
            )
            a = make_moving_piece(piece, pieces, before, after, rows)
            t, nx, ny = find_moving_contact(rows, a, own_rows, b, walker.placed, until, skin, tolerance_of(a, b, skin))
            drift_x, drift_y = move_x - (after[0] - before[0]), move_y - (after[1] - before[1])
            if t == t and lets_pass(other, before[2] + t * (after[2] - before[2]), t > 0.0, nx, ny, walker):
                continue
            is_parting = t == 0.0 and after[2] == before[2] and nx * drift_x + ny * drift_y >= 0.0
            if t == t and not is_parting and (met == NOBODY or t < until):
                until, normal_x, normal_y, met = t, nx, ny, piece
    return until, normal_x, normal_y, met


@subroutine
def gap_to(walker, floor, number, x, y, t, reach):
    """(gap [m], normal) between a character at (x, y) and one of its candidates at a time of the step.

    The gap is inf where it certainly is more than `reach` [m].
    """
    scene = walker.scene
    pieces, rows, own_rows = scene.pieces, scene.loaded.rows, walker.room.rows
    piece = scene.candidates[number]
    least, normal_x, normal_y = inf, 0.0, 0.0
    for k in range(walker.first, walker.stop):
        if is_beyond(piece, floor, own_box(walker, k, x, y), reach, scene):
            continue
        there, here = (
            pose_at_time(pieces.index[piece, PIECE.BODY], floor, t, walker.dt, scene.bodies),
            (x, y, walker.angle),
        )
        a = make_moving_piece(piece, pieces, there, there, rows)
        b = make_moving_piece(walker.own[k], pieces, here, here, own_rows)
        place_contour_rows(own_rows, 0, b.corners, find_pose_seen_from(*there, *here), walker.placed)
        is_hollow = a.is_hollow or b.is_hollow
        distance, nx, ny = rows_distance(rows, 0, a.corners, is_hollow, walker.placed, b.corners)
        distance -= a.radius + b.radius
        if distance < least:
            least = distance
            normal_x, normal_y = rotate_vector(find_pose_seen_from(0.0, 0.0, 0.0, *there), nx, ny)
    return least, normal_x, normal_y


@device
def nearest_end(walker, x, y, normal_x, normal_y):
    """A place near where a character at (x, y) touches something along the normal, for the velocity there [m]."""
    size = walker.scene.pieces.size
    reach = 0.0
    for k in range(walker.first, walker.stop):
        piece = walker.own[k]
        reach = max(
            reach,
            abs(normal_x) * size[piece, PIECE_SIZE.HALF_X]
            + abs(normal_y) * size[piece, PIECE_SIZE.HALF_Y]
            + size[piece, PIECE_SIZE.RADIUS],
        )
    return x - reach * normal_x, y - reach * normal_y


@device
def half_width(walker):
    """How far a character reaches from its centre at most [m]."""
    size = walker.scene.pieces.size
    reach = 0.0
    for k in range(walker.first, walker.stop):
        piece = walker.own[k]
        middle = length(size[piece, PIECE_SIZE.LOCAL_X], size[piece, PIECE_SIZE.LOCAL_Y])
        half = length(size[piece, PIECE_SIZE.HALF_X], size[piece, PIECE_SIZE.HALF_Y])
        reach = max(reach, middle + half + size[piece, PIECE_SIZE.RADIUS])
    return reach
