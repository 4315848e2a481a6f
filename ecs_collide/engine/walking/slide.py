"""Move and slide: how a character comes to its place at the end of a step.

    put it outside what it overlaps; see what it stands on, whose velocity u it shares: v = given + u
    go as far as nothing is in the way, of which the velocity there is w and the normal n
    then go on with v − ((v − w)·n) n, until the time is used up
    where it walked, and did not jump, follow the ground downwards by up to `snap`

What is steeper than `max_slope` is a wall, and what leans over as far is a ceiling. A steep slope lifts nobody: who
would be lifted by it meets it as a vertical wall. On a floor a character that only falls stays where it is. In front of
a wall, one that walks is raised by up to `step_height`, moved on and let down, if it can stand there.

Between two surfaces that both stop it, it comes to rest. All is as in Godot's CharacterBody2D and Rapier's character
controller, but that no gap is kept, and that what moves is met where it will be, and not where it was.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.columns import bodies as of_body, pieces as of_piece
from ecs_collide.columns.frames import put_body
from ecs_collide.compiled.arrays import FloatCube, FloatTable, Ints, IntTable
from ecs_collide.compiled.kernels import device, stage, subroutine
from ecs_collide.contours.corner import length
from ecs_collide.engine.broadphase.boxes import box_of
from ecs_collide.engine.queries.asked import MASK, LoadedPiece, Scene
from ecs_collide.engine.walking.obstacles import (
    NEAR,
    NOBODY,
    Walker,
    gap_to,
    half_width,
    is_moving,
    is_passed,
    look_around,
    nearest_end,
    run_into,
    size_of,
    surface_velocity,
)
from ecs_collide.engine.walking.way_out import deepest_overlap, put_outside

# wish: what a character is asked to do
WISH_X, WISH_Y, UP_X, UP_Y, LEAST_UP, STEP_HEIGHT, SNAP, DROP = range(8)
WISH_WIDTH = 8

# outcome
OUT_X, OUT_Y, FLOOR_X, FLOOR_Y = range(4)
OUTCOME_WIDTH = 4

# state
ON_FLOOR, ON_WALL, ON_CEILING, FLOOR, HIT_COUNT = range(5)
STATE_WIDTH = 5

# hit
HIT_TIME, HIT_NORMAL_X, HIT_NORMAL_Y = range(3)

MOST_HITS = 16
"""Surfaces that one character slides along in one step."""
SMALL = 1e-9
"""A speed that is less of the whole counts as none."""


class Rules(NamedTuple):
    """How a character moves: the unit vector up, the least share of it in a floor's normal, and lengths [m]."""

    up_x: float
    up_y: float
    least_up: float
    step_height: float
    snap: float


@device
def rise_of(rules, x, y):
    """The part of a vector that points up."""
    return rules.up_x * x + rules.up_y * y


@device
def body_of(piece, walker):
    """The body of a piece, `NOBODY` for none."""
    return walker.scene.pieces.index[piece, of_piece.BODY] if piece >= 0 else NOBODY


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
def turned_off(rules, vx, vy, normal_x, normal_y):
    """A velocity, seen from what is in the way, with that into it taken off; a steep slope lifts nobody."""
    into = vx * normal_x + vy * normal_y
    if into >= 0.0:
        return vx, vy
    rise = rise_of(rules, normal_x, normal_y)
    x, y = vx - into * normal_x, vy - into * normal_y
    if 0.0 < rise < rules.least_up and rise_of(rules, x, y) > max(rise_of(rules, vx, vy), 0.0):
        side_x, side_y = normal_x - rise * rules.up_x, normal_y - rise * rules.up_y
        square = side_x * side_x + side_y * side_y
        into = min((vx * side_x + vy * side_y) / square, 0.0)
        return vx - into * side_x, vy - into * side_y
    return x, y


@subroutine
def slide(walker, rules, x, y, vx, vy, row, outcome, state, hit_body, hit):
    """Where a character ends that is at (x, y) and wants to move at (vx, vy); writes the rest to its row."""
    scene, skin, dt = walker.scene, walker.skin, walker.dt
    bodies = scene.bodies
    ground, ground_x, ground_y, _ = stand(walker, rules, NOBODY, x, y, 0.0)
    floor = body_of(ground, walker)
    speed = length(vx, vy)
    walks = floor != NOBODY
    if floor != NOBODY:
        is_rising = rise_of(rules, vx, vy) > 0.0
        walks = not (is_rising and vx * ground_x + vy * ground_y > SMALL * speed)
        at_x, at_y = nearest_end(walker, x, y, ground_x, ground_y)
        ux, uy = surface_velocity(floor, floor, at_x, at_y, ground_x, ground_y, 0.0, dt, bodies)
        vx, vy = vx + ux, vy + uy
    jumps = floor != NOBODY and not walks
    state[row, ON_FLOOR] = state[row, ON_WALL] = state[row, ON_CEILING] = state[row, FLOOR] = 0
    outcome[row, FLOOR_X] = outcome[row, FLOOR_Y] = 0.0
    t, last_x, last_y, since, hits = 0.0, 0.0, 0.0, 1.0, 0
    while t < 1.0 and hits < MOST_HITS:
        left = (1.0 - t) * dt
        fraction, nx, ny, piece = run_into(walker, floor, x, y, left * vx, left * vy, t, 1.0)
        x, y = x + fraction * left * vx, y + fraction * left * vy
        if piece == NOBODY:
            break
        since += fraction * left * length(vx, vy)
        t += fraction * (1.0 - t)
        x, y = x + skin * nx, y + skin * ny
        other, up = body_of(piece, walker), rise_of(rules, nx, ny)
        at_x, at_y = nearest_end(walker, x, y, nx, ny)
        hit_body[row, hits], hit[row, hits, HIT_TIME] = other, t
        hit[row, hits, HIT_NORMAL_X], hit[row, hits, HIT_NORMAL_Y] = nx, ny
        hits += 1
        wx, wy = surface_velocity(other, floor, at_x, at_y, nx, ny, t, dt, bodies)
        rx, ry = vx - wx, vy - wy
        along = rise_of(rules, rx, ry)
        side_x, side_y = rx - along * rules.up_x, ry - along * rules.up_y
        is_floor = up >= rules.least_up
        if not is_floor and up > -rules.least_up and walks and rules.step_height > 0.0:
            if side_x * nx + side_y * ny < 0.0:
                left = (1.0 - t) * dt
                is_step, to_x, to_y = climb(walker, rules, floor, x, y, left * side_x, left * side_y, t)
                if is_step:
                    x, y, t = to_x, to_y, 1.0
                    vx, vy = wx + side_x, wy + side_y
                    break
            elif up > 1e-3 and other == floor:
                is_floor = True  # the edge of a step that it stands on
        if is_floor:
            walks = walks or not jumps
        elif up <= -rules.least_up:
            state[row, ON_CEILING] = 1
        else:
            state[row, ON_WALL] = 1
        if is_floor and length(side_x, side_y) <= SMALL * length(rx, ry):
            rx, ry = 0.0, 0.0  # and back to where it fell from, not to the side
            x, y = x + skin * (rules.up_x / up - nx), y + skin * (rules.up_y / up - ny)
        else:
            rx, ry = turned_off(rules, rx, ry, nx, ny)
        if since <= NEAR * skin and rx * last_x + ry * last_y < -SMALL * length(rx, ry):
            rx, ry = 0.0, 0.0  # between two surfaces
        vx, vy = rx + wx, ry + wy
        last_x, last_y, since = nx, ny, 0.0
    state[row, HIT_COUNT] = hits
    x, y, vx, vy = come_down(walker, rules, floor, walks, jumps, x, y, vx, vy, row, outcome, state)
    outcome[row, OUT_X], outcome[row, OUT_Y] = vx + 0.0, vy + 0.0
    return x, y


@subroutine
def come_down(walker, rules, floor, walks, jumps, x, y, vx, vy, row, outcome, state):
    """(place, velocity) of a character that looks for a floor at the end of its way; it moves as that does, then."""
    skin, bodies = walker.skin, walker.scene.bodies
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
            found, _, _, is_step = stand(walker, rules, floor, to_x, to_y, 1.0)
            is_step = is_step and found == piece
    if piece == NOBODY or (up < rules.least_up and not is_step):
        return x, y, vx, vy
    other = body_of(piece, walker)
    at_x, at_y = nearest_end(walker, to_x, to_y, nx, ny)
    ux, uy = surface_velocity(other, other, at_x, at_y, nx, ny, 1.0, walker.dt, bodies)
    rx, ry = vx - ux, vy - uy
    into = rx * nx + ry * ny
    if not walks and into > SMALL * length(vx, vy):
        return x, y, vx, vy  # it leaves
    if not is_step:
        rx, ry = rx - into * nx, ry - into * ny
    elif rise_of(rules, rx, ry) < 0.0:
        fall = rise_of(rules, rx, ry)
        rx, ry = rx - fall * rules.up_x, ry - fall * rules.up_y
    state[row, ON_FLOOR], state[row, FLOOR] = 1, bodies.entity[other]
    outcome[row, FLOOR_X], outcome[row, FLOOR_Y] = ux, uy
    return to_x, to_y, rx, ry


@device
def fastest_of(movers, bodies):
    """The greatest speed of a kinematic body, or of one that may be stood on [m/s]."""
    square = 0.0
    for row in movers:
        if is_moving(row, row, bodies):
            velocity = bodies.velocity
            square = max(square, velocity[row, 0] * velocity[row, 0] + velocity[row, 1] * velocity[row, 1])
    return square**0.5


@device
def fastest_surface(count, scene):
    """The greatest speed of a surface that carries what stands on it, among the first candidates [m/s]."""
    fastest = 0.0
    for number in range(count):
        other = scene.pieces.index[scene.candidates[number], of_piece.BODY]
        fastest = max(fastest, abs(scene.bodies.surface[other, of_body.SURFACE_SPEED]))
    return fastest


@stage
def slide_all(
    rows: Ints,
    masks: Ints,
    starts: Ints,
    own: Ints,
    wish: FloatTable,
    dt: float,
    skin: float,
    movers: Ints,
    scene: Scene,
    room: LoadedPiece,
    placed: FloatTable,
    outcome: FloatTable,
    state: IntTable,
    hit_body: IntTable,
    hit: FloatCube,
):
    """Move characters in some rows, one after the other, as `wish` (n, 8) says, for a time `dt` [s].

    The pieces of the k-th are own[starts[k] : starts[k + 1]]. `room` and `placed` are scratch for one piece of theirs.
    Writes body_frame, body_pose, and for each outcome (n, 4), state (n, 5), hit_body (n, 16) and hit (n, 16, 3).
    """
    bodies = scene.bodies
    fastest = fastest_of(movers, bodies)
    for k in range(len(rows)):
        body = rows[k]
        frame = bodies.frame
        x, y, angle = frame[body, of_body.CENTER_X], frame[body, of_body.CENTER_Y], frame[body, of_body.FRAME_ANGLE]
        rules = Rules(wish[k, UP_X], wish[k, UP_Y], wish[k, LEAST_UP], wish[k, STEP_HEIGHT], wish[k, SNAP])
        vx, vy = wish[k, WISH_X], wish[k, WISH_Y]
        reach = 2.0 * dt * fastest + rules.step_height + rules.snap + 8.0 * skin
        way = dt * length(vx, vy)
        extra_x, extra_y = reach + min(way, dt * abs(vx)), reach + min(way, dt * abs(vy))
        if vx != 0.0 and vy != 0.0:
            extra_x = extra_y = reach + way  # a slope may turn it
        scene.question.filter[MASK] = masks[k]
        far = max(max(abs(x), abs(y)), 1.0)
        walker = Walker(
            body,
            angle,
            own,
            starts[k],
            starts[k + 1],
            0,
            dt,
            max(skin, 1e-13 * far),
            wish[k, DROP] != 0.0,
            scene,
            room,
            placed,
        )
        if rules.step_height > 0.0:
            extra_x, extra_y = extra_x + size_of(walker), extra_y + size_of(walker)
        walker = look_around(walker, x, y, extra_x, extra_y)
        carried = dt * fastest_surface(walker.near_count, scene)
        extra_x, extra_y = extra_x + carried, extra_y + carried
        if carried > 0.0:
            walker = look_around(walker, x, y, extra_x, extra_y)
        if deepest_overlap(walker, x, y)[0] < 0.0:
            x, y = put_outside(walker, x, y)
            walker = look_around(walker, x, y, extra_x, extra_y)
        to_x, to_y = slide(walker, rules, x, y, vx, vy, k, outcome, state, hit_body, hit)
        put_body(body, to_x, to_y, angle, frame[body, of_body.COS], frame[body, of_body.SIN], bodies)
        for number in range(state[k, HIT_COUNT]):
            hit_body[k, number] = bodies.entity[hit_body[k, number]]
        follow(body, scene)


@device
def follow(body, scene):
    """Bring the boxes of a body up to date that was put elsewhere, for those after it."""
    nearby, pieces = scene.nearby, scene.pieces
    for k in range(nearby.astray_count[0]):
        piece = nearby.astray[k]
        if pieces.index[piece, of_piece.BODY] == body:
            box = box_of(piece, scene.bodies, pieces)
            for side in range(4):
                nearby.astray_box[k, side] = box[side]
