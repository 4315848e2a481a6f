"""The floor of a character: finding it, and following it down at the end of a motion."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.character.character_rows import OUTCOME, STATE
from ecs_collide.character.ground_rules import rise_of
from ecs_collide.character.obstacles import (
    NEAR,
    NOTHING,
    first_obstacle,
    gap_to,
    is_moving,
    is_passable,
    pose_at_time,
    surface_velocity,
)
from ecs_collide.character.probes import contact_point, core_of_contact, middle_of_contact
from ecs_collide.character.riding import velocity_of_carriers
from ecs_collide.character.stairs import Touch, is_on_edge
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.corner import length
from ecs_collide.data.bodies import VELOCITY
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, subroutine

DYNAMIC = int(BodyKind.DYNAMIC)
SMALL = 1e-9
"""A speed below this fraction of the whole speed counts as zero."""


class Start(NamedTuple):
    """The floor of a character at the start of a motion."""

    floor: int
    """Body of the floor, `NOTHING` for none."""
    walks: bool
    """True if it walks on the floor."""
    jumps: bool
    """True if it jumps off the floor."""
    foot: float
    """Place along up at which it touches the floor, or its lowest point in the air, from its centre [m]."""
    ride_x: float
    """Velocity along x at which the floor carries it [m/s]."""
    ride_y: float
    """Velocity along y at which the floor carries it [m/s]."""


@device
def body_of(piece, character):
    """Return the body of a piece, `NOTHING` for no piece."""
    return character.scene.pieces.index[piece, PIECE.BODY] if piece >= 0 else NOTHING


@device
def velocity_at_contact(character, piece, floor, x, y, normal_x, normal_y, t):
    """Return the velocity [m/s] of a piece's surface where it touches a character at (x, y) at a time of the step."""
    bodies, other = character.scene.bodies, body_of(piece, character)
    spin = bodies.velocity[other, VELOCITY.ANGULAR] if other != NOTHING else 0.0
    if spin != 0.0:
        x, y = contact_point(character, x, y, normal_x, normal_y, spin)
    return surface_velocity(piece, floor, x, y, normal_x, normal_y, t, character.dt, character.scene)


@device
def carrying_velocity(character, piece, x, y, normal_x, normal_y):
    """Return the velocity [m/s] that keeps a character at (x, y) at its place on a piece of the floor during the step.

    If the floor turns by an angle a in a time h, a place at an arm r from its centre moves by (R(a) - 1) r / h.
    """
    bodies, floor = character.scene.bodies, body_of(piece, character)
    spin = bodies.velocity[floor, VELOCITY.ANGULAR]
    at_x, at_y = x, y
    if spin != 0.0:
        at_x, at_y = core_of_contact(character, x, y, normal_x, normal_y, spin)
    vx, vy = surface_velocity(piece, floor, at_x, at_y, normal_x, normal_y, 0.0, character.dt, character.scene)
    if spin == 0.0 or character.dt == 0.0 or not is_moving(floor, floor, bodies):
        return vx, vy
    center_x, center_y, _ = pose_at_time(floor, floor, 0.0, character.dt, bodies)
    arm_x, arm_y = at_x - center_x, at_y - center_y
    c, s = cos_sin(character.dt * spin)
    bend, lead = (c - 1.0) / character.dt, s / character.dt - spin
    return vx + bend * arm_x - lead * arm_y, vy + lead * arm_x + bend * arm_y


@device
def along_floor(rules, vx, vy, normal_x, normal_y):
    """Return a velocity relative to the floor [m/s]: the part across up, led along the floor, and the part into it."""
    rise = rise_of(rules, vx, vy)
    side_x, side_y = vx - rise * rules.up_x, vy - rise * rules.up_y
    lift = -(side_x * normal_x + side_y * normal_y) / rise_of(rules, normal_x, normal_y)
    into = min(vx * normal_x + vy * normal_y, 0.0)
    return side_x + lift * rules.up_x + into * normal_x, side_y + lift * rules.up_y + into * normal_y


@subroutine
def find_floor(character, rules, floor, x, y, t):
    """Return (piece, normal x and y, True for the edge of a step) of the flattest floor; piece `NOTHING` for none."""
    best, normal_x, normal_y, is_step = NOTHING, 0.0, 0.0, False
    for number in range(character.near_count):
        gap, nx, ny = gap_to(character, floor, number, x, y, t, 1.01 * NEAR * character.skin)
        rise = rise_of(rules, nx, ny)
        if gap > NEAR * character.skin or rise < 1e-3 or is_passable(character, floor, number, gap, nx, ny, t):
            continue
        if best == NOTHING or rise > rise_of(rules, normal_x, normal_y):
            best, normal_x, normal_y = character.scene.candidates[number], nx, ny
    rise = rise_of(rules, normal_x, normal_y)
    if best != NOTHING and rise < rules.least_up:
        touch = Touch(x=x, y=y, normal_x=normal_x, normal_y=normal_y, t=t)
        is_step = is_on_edge(character, rules, floor, touch)
        if not is_step:
            best = NOTHING
    return best, normal_x, normal_y, is_step


@subroutine
def snap_down(character, rules, start, walks, x, y, vx, vy, row, rows):
    """Return (x, y, vx, vy) of a character after looking for a floor at the end of its motion.

    On a floor the velocity is relative to it. Writes the state and the velocity of the floor.
    """
    floor = start.floor
    skin = character.skin
    reach = NEAR * skin
    if walks:
        reach = max(reach, rules.snap + reach)
    fraction, nx, ny, piece = first_obstacle(character, floor, x, y, -reach * rules.up_x, -reach * rules.up_y, 1.0, 1.0)
    up = rise_of(rules, nx, ny)
    to_x, to_y, is_step = x, y, False
    if piece != NOTHING and up > 1e-3:
        down = fraction * reach - skin / up
        to_x, to_y = x - down * rules.up_x, y - down * rules.up_y
        if up < rules.least_up:
            found, flat_x, flat_y, is_step = find_floor(character, rules, floor, to_x, to_y, 1.0)
            if found != NOTHING:  # it stands on the edge below it, or on a floor beside the surface below it
                piece, nx, ny, up = found, flat_x, flat_y, rise_of(rules, flat_x, flat_y)
    if piece == NOTHING or (up < rules.least_up and not is_step):
        return x, y, vx, vy
    other = body_of(piece, character)
    ux, uy = velocity_at_contact(character, piece, other, to_x, to_y, nx, ny, 1.0)
    carried_x, carried_y = velocity_of_carriers(other, character.memory)
    ux, uy = ux + carried_x, uy + carried_y
    rx, ry = vx - ux, vy - uy
    if other == floor:
        rx, ry = vx - start.ride_x, vy - start.ride_y
    into = rx * nx + ry * ny
    if not walks and into > SMALL * length(vx, vy):
        return x, y, vx, vy  # it leaves the floor
    if not is_step:
        rx, ry = rx - into * nx, ry - into * ny
    rise = rise_of(rules, rx, ry)
    rx, ry = rx - rise * rules.up_x, ry - rise * rules.up_y
    state, outcome = rows.state, rows.outcome
    state[row, STATE.ON_FLOOR], state[row, STATE.FLOOR] = 1, other
    outcome[row, OUTCOME.NORMAL_X], outcome[row, OUTCOME.NORMAL_Y] = nx, ny
    if character.scene.bodies.kind[other] == DYNAMIC:
        state[row, STATE.MEETS_DYNAMIC] = 1
        outcome[row, OUTCOME.AT_X], outcome[row, OUTCOME.AT_Y] = middle_of_contact(character, piece, to_x, to_y)
    outcome[row, OUTCOME.FLOOR_VX], outcome[row, OUTCOME.FLOOR_VY] = ux, uy
    return to_x, to_y, rx, ry
