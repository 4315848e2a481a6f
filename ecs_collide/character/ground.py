"""What a character stands on: floors, steps, and the way down to the ground at the end of a slide."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.character import character_rows as of_character
from ecs_collide.character.obstacles import (
    NEAR,
    NOBODY,
    gap_to,
    half_width,
    is_moving,
    is_passed,
    nearest_end,
    pose_at_time,
    run_into,
    surface_velocity,
)
from ecs_collide.contours.corner import length
from ecs_collide.data.bodies import VELOCITY
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, subroutine

SMALL = 1e-9
"""A speed that is less of the whole counts as none."""


class Rules(NamedTuple):
    """How a character moves: the unit vector up, the least share of it in a floor's normal, and lengths [m]."""

    up_x: float
    up_y: float
    least_up: float
    step_height: float
    snap: float


class Start(NamedTuple):
    """How a character begins: the body of its floor, whether it walks on that or jumps off, and how that carries it."""

    floor: int
    walks: bool
    jumps: bool
    ride_x: float
    """[m/s]."""
    ride_y: float


@device
def rise_of(rules, x, y):
    """The part of a vector that points up."""
    return rules.up_x * x + rules.up_y * y


@device
def body_of(piece, walker):
    """The body of a piece, `NOBODY` for none."""
    return walker.scene.pieces.index[piece, PIECE.BODY] if piece >= 0 else NOBODY


@device
def velocity_met(walker, other, floor, x, y, normal_x, normal_y, t):
    """The velocity [m/s] of a body's surface where it meets a character that is at (x, y) at a time of the step."""
    at_x, at_y = nearest_end(walker, x, y, normal_x, normal_y)
    bodies = walker.scene.bodies
    return surface_velocity(other, floor, at_x, at_y, normal_x, normal_y, t, walker.dt, bodies)


@device
def ride_of(walker, floor, x, y, normal_x, normal_y):
    """The velocity [m/s] that takes a character at (x, y) to where the place on which it stands is after the step.

    Where its floor turns by an angle a in a time h, the place at an arm r from its centre goes by (R(a) - 1) r / h.
    """
    vx, vy = velocity_met(walker, floor, floor, x, y, normal_x, normal_y, 0.0)
    bodies = walker.scene.bodies
    spin = bodies.velocity[floor, VELOCITY.ANGULAR]
    if spin == 0.0 or walker.dt == 0.0 or not is_moving(floor, floor, bodies):
        return vx, vy
    at_x, at_y = nearest_end(walker, x, y, normal_x, normal_y)
    center_x, center_y, _ = pose_at_time(floor, floor, 0.0, walker.dt, bodies)
    arm_x, arm_y = at_x - center_x, at_y - center_y
    c, s = cos_sin(walker.dt * spin)
    bend, lead = (c - 1.0) / walker.dt, s / walker.dt - spin
    return vx + bend * arm_x - lead * arm_y, vy + lead * arm_x + bend * arm_y


@device
def along_floor(rules, vx, vy, normal_x, normal_y):
    """A velocity seen from the floor [m/s]: its part across `up`, led along the floor, and that into the floor."""
    rise = rise_of(rules, vx, vy)
    side_x, side_y = vx - rise * rules.up_x, vy - rise * rules.up_y
    lift = -(side_x * normal_x + side_y * normal_y) / rise_of(rules, normal_x, normal_y)
    into = min(vx * normal_x + vy * normal_y, 0.0)
    return side_x + lift * rules.up_x + into * normal_x, side_y + lift * rules.up_y + into * normal_y


@subroutine
def can_step(walker, rules, floor, x, y, ahead_x, ahead_y, t):
    """Whether what is ahead (a unit vector) is a step: one could stand on it, and it is no higher than allowed."""
    far = half_width(walker)
    fraction, _, _, _ = run_into(
        walker, floor, x, y, rules.step_height * rules.up_x, rules.step_height * rules.up_y, t, t
    )
    rise = fraction * rules.step_height - walker.skin
    x, y = x + rise * rules.up_x, y + rise * rules.up_y
    fraction, _, _, met = run_into(walker, floor, x, y, far * ahead_x, far * ahead_y, t, t)
    if met != NOBODY and fraction * far < 0.5 * far:
        return False
    x, y = x + fraction * far * ahead_x, y + fraction * far * ahead_y
    down = rise + NEAR * walker.skin
    _, nx, ny, met = run_into(walker, floor, x, y, -down * rules.up_x, -down * rules.up_y, t, t)
    return met != NOBODY and rise_of(rules, nx, ny) >= rules.least_up


@subroutine
def stand(walker, rules, floor, x, y, t):
    """(piece, normal, whether it is the edge of a step) that a character stands on, the flattest; `NOBODY` if none."""
    best, normal_x, normal_y, is_step = NOBODY, 0.0, 0.0, False
    for number in range(walker.near_count):
        gap, nx, ny = gap_to(walker, floor, number, x, y, t, 1.01 * NEAR * walker.skin)
        rise = rise_of(rules, nx, ny)
        if gap > NEAR * walker.skin or rise < 1e-3 or is_passed(walker, floor, number, gap, nx, ny, t):
            continue
        if best == NOBODY or rise > rise_of(rules, normal_x, normal_y):
            best, normal_x, normal_y = walker.scene.candidates[number], nx, ny
    rise = rise_of(rules, normal_x, normal_y)
    if best != NOBODY and rise < rules.least_up:
        ahead_x, ahead_y = rise * rules.up_x - normal_x, rise * rules.up_y - normal_y
        size = length(ahead_x, ahead_y)
        is_step = rules.step_height > 0.0 and can_step(walker, rules, floor, x, y, ahead_x / size, ahead_y / size, t)
        if not is_step:
            best = NOBODY
    return best, normal_x, normal_y, is_step


@subroutine
def climb(walker, rules, floor, x, y, move_x, move_y, t):
    """(whether there is a step, where a character is on it) that goes by (move_x, move_y) [m] across what is up."""
    size = length(move_x, move_y)
    if size <= walker.skin or not can_step(walker, rules, floor, x, y, move_x / size, move_y / size, t):
        return False, x, y
    skin, height = walker.skin, rules.step_height
    fraction, _, _, _ = run_into(walker, floor, x, y, height * rules.up_x, height * rules.up_y, t, t)
    rise = fraction * height - skin
    to_x, to_y = x + rise * rules.up_x, y + rise * rules.up_y
    fraction, nx, ny, met = run_into(walker, floor, to_x, to_y, move_x, move_y, t, 1.0)
    to_x, to_y = to_x + fraction * move_x, to_y + fraction * move_y
    if met != NOBODY:
        to_x, to_y = to_x + skin * nx, to_y + skin * ny
    down = rise + NEAR * skin
    fraction, nx, ny, met = run_into(walker, floor, to_x, to_y, -down * rules.up_x, -down * rules.up_y, 1.0, 1.0)
    up = rise_of(rules, nx, ny)
    if met == NOBODY or up <= 1e-3:
        return False, x, y
    down = fraction * down - skin / up
    return True, to_x - down * rules.up_x, to_y - down * rules.up_y


@subroutine
def come_down(walker, rules, start, walks, x, y, vx, vy, row, characters):
    """(place, velocity) of a character that looks for a floor at the end of its way; it moves as that does, then."""
    floor = start.floor
    skin = walker.skin
    reach = NEAR * skin
    if walks:
        reach = max(reach, rules.snap)
    fraction, nx, ny, piece = run_into(walker, floor, x, y, -reach * rules.up_x, -reach * rules.up_y, 1.0, 1.0)
    up = rise_of(rules, nx, ny)
    to_x, to_y, is_step = x, y, False
    if piece != NOBODY and up > 1e-3:
        down = fraction * reach - skin / up
        to_x, to_y = x - down * rules.up_x, y - down * rules.up_y
        if up < rules.least_up:
            found, flat_x, flat_y, is_step = stand(walker, rules, floor, to_x, to_y, 1.0)
            if found != NOBODY and not is_step:  # in a corner: beside what it came down on there is a floor
                piece, nx, ny, up = found, flat_x, flat_y, rise_of(rules, flat_x, flat_y)
            is_step = is_step and found == piece
    if piece == NOBODY or (up < rules.least_up and not is_step):
        return x, y, vx, vy
    other = body_of(piece, walker)
    ux, uy = velocity_met(walker, other, other, to_x, to_y, nx, ny, 1.0)
    rx, ry = vx - ux, vy - uy
    if other == floor:
        rx, ry = vx - start.ride_x, vy - start.ride_y
    into = rx * nx + ry * ny
    if not walks and into > SMALL * length(vx, vy):
        return x, y, vx, vy  # it leaves
    if not is_step:
        rx, ry = rx - into * nx, ry - into * ny
    rise = rise_of(rules, rx, ry)
    rx, ry = rx - rise * rules.up_x, ry - rise * rules.up_y
    state, outcome = characters.state, characters.outcome
    state[row, of_character.ON_FLOOR], state[row, of_character.FLOOR] = 1, walker.scene.bodies.entity[other]
    outcome[row, of_character.FLOOR_X], outcome[row, of_character.FLOOR_Y] = ux, uy
    return to_x, to_y, rx, ry
