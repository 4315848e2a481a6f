"""Obstacles of a character: where they are during the step, and which one the character hits first.

A kinematic body continues at its velocity during the step, and so does the floor of the character. All other bodies
keep their places. Time runs from 0, the present place, to 1, the place after the step.

A character hits a piece once it overlaps it by `skin`, and is then put back along the normal by as much. So a surface
along which it slides without a gap is no obstacle, nor is the flush side of the next tile. The skin is a ten-millionth
of a metre; the final position is exact up to rounding.

A one-way collider is an obstacle for a character that is outside it and meets it from its solid side. A character
inside it was let through, and passes until it is outside again. A floor that has entered a character which something
held in place is still its floor.

A one-sided line is an obstacle for the pieces of a character whose middle is in front of it. Where the two only touch,
the normal must not lead to the back either. A piece that overlaps the line by more than a little came from behind, and
passes until it is outside.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

import numpy as np

from ecs_collide.character.floors_and_riders import NO_BODY, REMEMBERED, Memory, floor_of, rides_on
from ecs_collide.common.front_side import is_one_sided, meets_back, middle_of_piece
from ecs_collide.common.one_way_side import LEAST_FACING, facing, is_one_way
from ecs_collide.common.pair_roles import are_sensors, filters_agree
from ecs_collide.common.part_material import surface_speed_of
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.corner import place_contour_rows
from ecs_collide.contours.first_contact import (
    TOLERANCE,
    find_moving_contact,
    interpolate_pose,
    make_moving_piece,
)
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.contours.shape_distance import find_pose_seen_from, rows_distance
from ecs_collide.data.bodies import FRAME, VELOCITY
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.pose import rotate_vector
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.queries.candidates import LoadedPiece, Scene, find_in_box
from ecs_collide.step.broadphase.boxes import box_of

STATIC, KINEMATIC = int(BodyKind.STATIC), int(BodyKind.KINEMATIC)

NOTHING = NO_BODY
SHALLOW = 0.02
"""Greatest overlap with a one-sided line that puts a piece of a character out in front of it, in radii of the piece."""
NEAR = 4.0
"""A character stands on a surface within this gap [skins]."""


class Character(NamedTuple):
    """A character and its obstacles."""

    body: int
    """Row of its body."""
    root: int
    """Row of the character that is moved, with all that stands on it: these are no obstacles."""
    angle: float
    """Angle of its body [rad]."""
    own: np.ndarray
    """Pieces of all characters; its own are those from `first` on and before `stop`."""
    first: int
    stop: int
    near_count: int
    """Number of scene.candidates that are obstacles near it."""
    dt: float
    """Time of the motion [s]."""
    skin: float
    """Depth by which it enters an obstacle before it is put back [m]."""
    drops: bool
    """True if it falls through one-way colliders."""
    memory: Memory
    """Floors and riders of all characters."""
    scene: Scene
    """All pieces of the world."""
    own_loaded: LoadedPiece
    """Scratch space for a piece of its own."""
    placed: np.ndarray
    """Scratch space for that piece in the axes of an obstacle."""


@device
def is_obstacle(piece, character):
    """Return True if a piece stops a character: the filters agree, neither is a sensor, and it is not carried along."""
    body, root, scene = character.body, character.root, character.scene
    filters, other = scene.bodies.filter, scene.pieces.index[piece, PIECE.BODY]
    collider = scene.pieces.index[piece, PIECE.COLLIDER]
    if other in (body, root) or not filters_agree(filters, body, collider) or are_sensors(filters, body, collider):
        return False
    memory = character.memory
    return memory.carrier[other] == NOTHING or not rides_on(other, root, memory, scene.bodies, character.skin)


@subroutine
def find_obstacles(character, low_x, low_y, high_x, high_y):
    """Keep in scene.candidates the obstacles of a character near a box [m]; return their number."""
    scene = character.scene
    candidates = scene.candidates
    kept = 0
    for number in range(find_in_box(low_x, low_y, high_x, high_y, scene)):
        if is_obstacle(candidates[number], character):
            candidates[kept] = candidates[number]
            kept += 1
    return kept


@device
def own_box(character, k, x, y):
    """Return the box (min_x, min_y, max_x, max_y) [m] of a piece of a character at (x, y)."""
    frame = character.scene.bodies.frame
    low_x, low_y, high_x, high_y = box_of(character.own[k], character.scene.bodies, character.scene.pieces)
    dx, dy = x - frame[character.body, FRAME.CENTER_X], y - frame[character.body, FRAME.CENTER_Y]
    return low_x + dx, low_y + dy, high_x + dx, high_y + dy


@device
def whole_box(character, x, y):
    """Return the box (min_x, min_y, max_x, max_y) [m] of a character at (x, y)."""
    low_x, low_y, high_x, high_y = own_box(character, character.first, x, y)
    for k in range(character.first + 1, character.stop):
        left, low, right, high = own_box(character, k, x, y)
        low_x, low_y, high_x, high_y = min(low_x, left), min(low_y, low), max(high_x, right), max(high_y, high)
    return low_x, low_y, high_x, high_y


@device
def size_of(character):
    """Return the sum of width and height of a character [m]."""
    low_x, low_y, high_x, high_y = whole_box(character, 0.0, 0.0)
    return (high_x - low_x) + (high_y - low_y)


@subroutine
def find_obstacles_around(character, x, y, extra_x, extra_y):
    """Keep in scene.candidates the obstacles within some lengths [m] of a box at (x, y); return their number."""
    low_x, low_y, high_x, high_y = whole_box(character, x, y)
    return find_obstacles(character, low_x - extra_x, low_y - extra_y, high_x + extra_x, high_y + extra_y)


@device
def with_obstacles_around(character, x, y, extra_x, extra_y):
    """Return the character with the obstacles within some lengths [m] of its box at (x, y).

    This function is inlined, because a tuple of arrays must not go through memory.
    """
    count = find_obstacles_around(character, x, y, extra_x, extra_y)
    return Character(
        body=character.body,
        root=character.root,
        angle=character.angle,
        own=character.own,
        first=character.first,
        stop=character.stop,
        near_count=count,
        dt=character.dt,
        skin=character.skin,
        drops=character.drops,
        memory=character.memory,
        scene=character.scene,
        own_loaded=character.own_loaded,
        placed=character.placed,
    )


@device
def is_moving(other, floor, bodies):
    """Return True if a body moves during the step: a kinematic one, or the floor unless it is static.

    A static body does not move by the velocity that a game wrote to its row. A kinematic one that sleeps moves by it,
    because the step wakes it.
    """
    kind = bodies.kind[other]
    return kind == KINEMATIC or (other == floor and kind != STATIC and bodies.island[other] == 0)


@device
def pose_at_time(other, floor, t, dt, bodies):
    """Return the pose (x, y, angle) of a body's centre of mass at a time of the step."""
    frame, velocity = bodies.frame, bodies.velocity
    x, y, angle = frame[other, FRAME.CENTER_X], frame[other, FRAME.CENTER_Y], frame[other, FRAME.ANGLE]
    if not is_moving(other, floor, bodies):
        return x, y, angle
    h = t * dt
    return (
        x + h * velocity[other, VELOCITY.X],
        y + h * velocity[other, VELOCITY.Y],
        angle + h * velocity[other, VELOCITY.ANGULAR],
    )


@device
def velocity_at(other, floor, x, y, t, dt, bodies):
    """Return the velocity [m/s] of a body at a world point at a time of the step."""
    if other == NOTHING or not is_moving(other, floor, bodies):
        return 0.0, 0.0
    center_x, center_y, _ = pose_at_time(other, floor, t, dt, bodies)
    velocity = bodies.velocity
    spin = velocity[other, VELOCITY.ANGULAR]
    return velocity[other, VELOCITY.X] - spin * (y - center_y), velocity[other, VELOCITY.Y] + spin * (x - center_x)


@device
def surface_velocity(piece, floor, x, y, normal_x, normal_y, t, dt, scene):
    """Return the velocity [m/s] of a piece's surface at a world point at a time of the step; zeros for `NOTHING`.

    The surface may run, clockwise around the shape: along (normal_y, -normal_x).
    """
    if piece == NOTHING:
        return 0.0, 0.0
    pieces, bodies = scene.pieces, scene.bodies
    vx, vy = velocity_at(pieces.index[piece, PIECE.BODY], floor, x, y, t, dt, bodies)
    speed = surface_speed_of(pieces.index[piece, PIECE.COLLIDER], piece, bodies, pieces)
    return vx + speed * normal_y, vy - speed * normal_x


@device
def comes_from_behind(line, own, there, here, normal_x, normal_y, overlaps, margin, scene):
    """Return True if a piece of a character at a pose meets the back of a one-sided line at another pose.

    A middle up to `margin` [m] behind the line counts as in front.
    """
    c, s = cos_sin(here[2])
    x, y = middle_of_piece(own, scene.pieces)
    x, y = here[0] + c * x - s * y, here[1] + s * x + c * y
    return meets_back(line, there, x, y, normal_x, normal_y, overlaps, margin, scene.pieces)


@device
def deepest_in_front(character, floor, line, size, normal_x, normal_y, t):
    """Return the greatest overlap [m] of a piece of this size [m] that a one-sided line puts out in front of it.

    A deeper one came from behind. A moving line may have entered the character by its motion in a step.
    """
    scene, other = character.scene, character.scene.pieces.index[line, PIECE.BODY]
    x, y = scene.bodies.frame[other, FRAME.CENTER_X], scene.bodies.frame[other, FRAME.CENTER_Y]
    vx, vy = velocity_at(other, floor, x, y, t, character.dt, scene.bodies)
    return SHALLOW * size + character.dt * max(0.0, vx * normal_x + vy * normal_y)


@device
def lets_pass(piece, angle, is_outside, normal_x, normal_y, character):
    """Return True if a piece at an angle is one-way and lets a character pass that meets it at a normal."""
    bodies, collider = character.scene.bodies, character.scene.pieces.index[piece, PIECE.COLLIDER]
    if not is_one_way(collider, bodies):
        return False
    c, s = cos_sin(angle)
    return character.drops or not is_outside or facing(collider, c, s, normal_x, normal_y, bodies) < LEAST_FACING


@device
def is_passable(character, floor, number, gap, normal_x, normal_y, t):
    """Return True if a candidate at a gap [m] from the character is one-way and lets it pass.

    A moving collider may have entered the character since it was moved last, by at most its motion in a step. The floor
    of its last motion may have done so in that step.
    """
    scene, dt = character.scene, character.dt
    piece = scene.candidates[number]
    other = scene.pieces.index[piece, PIECE.BODY]
    if not is_one_way(scene.pieces.index[piece, PIECE.COLLIDER], scene.bodies):
        return False
    _, _, angle = pose_at_time(other, floor, t, dt, scene.bodies)
    vx, vy = velocity_at(
        other,
        floor,
        scene.bodies.frame[other, FRAME.CENTER_X],
        scene.bodies.frame[other, FRAME.CENTER_Y],
        t,
        dt,
        scene.bodies,
    )
    body, memory = character.body, character.memory
    entered = dt * max(0.0, vx * normal_x + vy * normal_y)
    if other == floor_of(body, memory, scene.bodies, character.skin):
        entered = max(entered, memory.values[body, REMEMBERED.FLOOR_WAY])
    outside = gap > -NEAR * character.skin - entered
    return lets_pass(piece, angle, outside, normal_x, normal_y, character)


@device
def tolerance_of(a, b, skin):
    """Return the accuracy of the place of a contact [m]."""
    return min(TOLERANCE * (a.bound + b.bound), 0.01 * skin)


@device
def is_resting(other, floor, bodies):
    """Return True if a body keeps its place during the whole step."""
    velocity = bodies.velocity
    return not is_moving(other, floor, bodies) or (
        velocity[other, VELOCITY.X] == 0.0
        and velocity[other, VELOCITY.Y] == 0.0
        and velocity[other, VELOCITY.ANGULAR] == 0.0
    )


@device
def is_beyond(piece, floor, box, reach, scene):
    """Return True if a piece is certainly further than `reach` [m] from a box; `reach` may be negative."""
    bodies, pieces = scene.bodies, scene.pieces
    if not is_piece_bounded(piece, pieces) or not is_resting(pieces.index[piece, PIECE.BODY], floor, bodies):
        return False
    low_x, low_y, high_x, high_y = box_of(piece, bodies, pieces)
    return box[0] - reach > high_x or box[2] + reach < low_x or box[1] - reach > high_y or box[3] + reach < low_y


@subroutine
def first_obstacle(character, floor, x, y, move_x, move_y, start, end):
    """Return (fraction, normal x and y, piece) of the first obstacle of a character; piece `NOTHING` for none.

    The character moves from (x, y) by (move_x, move_y) [m], from time `start` of the step to time `end`.
    """
    scene, skin = character.scene, character.skin
    bodies, pieces = scene.bodies, scene.pieces
    rows, own_rows = scene.loaded.rows, character.own_loaded.rows
    until, normal_x, normal_y, met = 1.0, 0.0, 0.0, NOTHING
    for k in range(character.first, character.stop):
        here, there = (x, y, character.angle), (x + move_x, y + move_y, character.angle)
        b = make_moving_piece(character.own[k], pieces, here, there, own_rows)
        low_x, low_y, high_x, high_y = own_box(character, k, x, y)
        box = (
            low_x + min(move_x, 0.0), low_y + min(move_y, 0.0), high_x + max(move_x, 0.0), high_y + max(move_y, 0.0)
        )  # fmt: skip
        for number in range(character.near_count):
            piece = scene.candidates[number]
            if is_beyond(piece, floor, box, -0.5 * skin, scene):
                continue
            other = pieces.index[piece, PIECE.BODY]
            before = pose_at_time(other, floor, start, character.dt, bodies)
            after = pose_at_time(other, floor, end, character.dt, bodies)
            a = make_moving_piece(piece, pieces, before, after, rows)
            t, nx, ny = find_moving_contact(
                rows, a, own_rows, b, character.placed, until, skin, tolerance_of(a, b, skin)
            )
            drift_x, drift_y = move_x - (after[0] - before[0]), move_y - (after[1] - before[1])
            if t == t and is_one_sided(piece, pieces):
                place, its_place = interpolate_pose(here, there, t), interpolate_pose(before, after, t)
                if t == 0.0 or comes_from_behind(piece, character.own[k], its_place, place, nx, ny, False, skin, scene):
                    continue
            is_outside = t > 0.0 or other == floor
            if t == t and lets_pass(piece, before[2] + t * (after[2] - before[2]), is_outside, nx, ny, character):
                continue
            is_parting = t == 0.0 and after[2] == before[2] and nx * drift_x + ny * drift_y >= 0.0
            if t == t and not is_parting and (met == NOTHING or t < until):
                until, normal_x, normal_y, met = t, nx, ny, piece
    return until, normal_x, normal_y, met


@subroutine
def gap_to(character, floor, number, x, y, t, reach):
    """Return (gap [m], normal x and y) between a character at (x, y) and a candidate at a time of the step.

    The gap is inf if it is certainly more than `reach` [m].
    """
    scene = character.scene
    pieces, rows, own_rows = scene.pieces, scene.loaded.rows, character.own_loaded.rows
    piece = scene.candidates[number]
    least, normal_x, normal_y = inf, 0.0, 0.0
    for k in range(character.first, character.stop):
        if is_beyond(piece, floor, own_box(character, k, x, y), reach, scene):
            continue
        there = pose_at_time(pieces.index[piece, PIECE.BODY], floor, t, character.dt, scene.bodies)
        here = (x, y, character.angle)
        a = make_moving_piece(piece, pieces, there, there, rows)
        b = make_moving_piece(character.own[k], pieces, here, here, own_rows)
        place_contour_rows(own_rows, 0, b.corners, find_pose_seen_from(*there, *here), character.placed)
        is_hollow = a.is_hollow or b.is_hollow
        distance, nx, ny = rows_distance(rows, 0, a.corners, is_hollow, character.placed, b.corners)
        distance -= a.radius + b.radius
        if distance < least:
            out_x, out_y = rotate_vector(find_pose_seen_from(0.0, 0.0, 0.0, *there), nx, ny)
            if is_one_sided(piece, pieces) and (
                -distance > deepest_in_front(character, floor, piece, b.bound, out_x, out_y, t)
                or comes_from_behind(
                    piece, character.own[k], there, here, out_x, out_y, distance < 0.0, character.skin, scene
                )
            ):
                continue
            least, normal_x, normal_y = distance, out_x, out_y
    return least, normal_x, normal_y
