"""Move and slide: how a character comes to its place at the end of a step.

    put it outside what it overlaps; see what it stands on, by which it is carried at a velocity u: v = given + u
    where it walks on that, what is given across up leads along it: all that falls goes into it, and none along it
    go as far as nothing is in the way, of which the velocity there is w and the normal n
    then go on with v − ((v − w)·n) n, until the time is used up
    where it walked, and did not jump, follow the ground downwards by up to `snap`
    on a floor, of v − u is left what is across up

What is steeper than `max_slope` is a wall, and what leans over as far is a ceiling. A steep slope lifts nobody: who
would be lifted by it meets it as a vertical wall. What only falls on a floor stays where it is. In front of a wall, one
that walks is raised by up to `step_height`, moved on and let down, if it can stand there.

Between two surfaces that both stop it, it comes to rest. All is as in Godot's CharacterBody2D and Rapier's character
controller, but that no gap is kept, and that what moves is met where it will be, and not where it was.
"""

from __future__ import annotations

from ecs_collide.character import character_rows as of_character, ground
from ecs_collide.character.character_rows import MOST_HITS, Characters
from ecs_collide.character.depenetration import is_in_something, put_outside
from ecs_collide.character.ground import SMALL, Rules, Start, body_of, rise_of, velocity_met
from ecs_collide.character.obstacles import (
    KINEMATIC,
    NEAR,
    NOBODY,
    Walker,
    gap_to,
    is_passed,
    look_around,
    run_into,
    size_of,
)
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.corner import length
from ecs_collide.data.bodies import FRAME, POSE, SURFACE, VELOCITY
from ecs_collide.data.frames import put_body
from ecs_collide.data.pieces import PIECE
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import device, stage, subroutine
from ecs_collide.queries.candidates import MASK, LoadedPiece, Scene
from ecs_collide.step.broadphase.boxes import box_of

DYNAMIC = int(BodyKind.DYNAMIC)
STEP_SKINS = 4.0
"""How many skins a step may be higher than allowed."""


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


@device
def set_off(walker, rules, x, y, vx, vy):
    """(`ground.Start`, velocity) of a character at (x, y) that wants to move at (vx, vy), seen from its floor [m/s]."""
    piece, ground_x, ground_y, is_step = ground.stand(walker, rules, NOBODY, x, y, 0.0)
    floor = body_of(piece, walker)
    if floor == NOBODY:
        return Start(floor, False, False, 0.0, 0.0), vx, vy
    is_rising = rise_of(rules, vx, vy) > 0.0
    if is_rising and vx * ground_x + vy * ground_y > SMALL * length(vx, vy):
        ux, uy = velocity_met(walker, floor, floor, x, y, ground_x, ground_y, 0.0)
        return Start(floor, False, True, ux, uy), vx + ux, vy + uy
    if not is_step:
        vx, vy = ground.along_floor(rules, vx, vy, ground_x, ground_y)
    ux, uy = ground.ride_of(walker, floor, x, y, ground_x, ground_y)
    return Start(floor, True, False, ux, uy), vx + ux, vy + uy


@device
def record_hit(row, number, body, t, normal_x, normal_y, characters):
    """Put down what a character runs into at a time of the step."""
    characters.hit_body[row, number] = body
    hit = characters.hit
    hit[row, number, of_character.HIT_TIME] = t
    hit[row, number, of_character.HIT_NORMAL_X], hit[row, number, of_character.HIT_NORMAL_Y] = normal_x, normal_y


@device
def clear_state(row, characters):
    """A character has met nothing, and stands nowhere."""
    for k in range(of_character.STATE_WIDTH):
        characters.state[row, k] = 0
    characters.outcome[row, of_character.FLOOR_X] = characters.outcome[row, of_character.FLOOR_Y] = 0.0


@device
def mark_side(row, rise, least_up, characters):
    """A character has met a ceiling or a wall, by the part of the normal that points up."""
    side = of_character.ON_CEILING if rise <= -least_up else of_character.ON_WALL
    characters.state[row, side] = 1


@subroutine
def mark_squeeze(walker, rules, x, y, row, characters):
    """A character that is in something it cannot be put outside of has met that, and what holds it there."""
    near = NEAR * walker.skin
    for number in range(walker.near_count):
        gap, nx, ny = gap_to(walker, NOBODY, number, x, y, 0.0, 1.01 * near)
        up = rise_of(rules, nx, ny)
        if gap <= near and up < rules.least_up and not is_passed(walker, NOBODY, number, gap, nx, ny, 0.0):
            mark_side(row, up, rules.least_up, characters)


@subroutine
def slide(walker, rules, x, y, vx, vy, row, characters):
    """Where a character ends that is at (x, y) and wants to move at (vx, vy); writes the rest to its row."""
    skin, dt = walker.skin, walker.dt
    start, vx, vy = set_off(walker, rules, x, y, vx, vy)
    floor, walks = start.floor, start.walks
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
        record_hit(row, hits, other, t, nx, ny, characters)
        hits += 1
        wx, wy = velocity_met(walker, other, floor, x, y, nx, ny, t)
        rx, ry = vx - wx, vy - wy
        along = rise_of(rules, rx, ry)
        side_x, side_y = rx - along * rules.up_x, ry - along * rules.up_y
        is_floor = up >= rules.least_up
        if not is_floor and up > -rules.least_up and walks and rules.step_height > 0.0:
            if side_x * nx + side_y * ny < 0.0:
                left = (1.0 - t) * dt
                is_step, to_x, to_y = ground.climb(walker, rules, floor, x, y, left * side_x, left * side_y, t)
                if is_step:
                    x, y, vx, vy = to_x, to_y, wx + side_x, wy + side_y
                    break
            elif up > 1e-3 and other == floor:
                is_floor = True  # the edge of a step that it stands on
        if is_floor:
            walks = walks or not start.jumps
        else:
            mark_side(row, up, rules.least_up, characters)
        if is_floor and length(side_x, side_y) <= SMALL * length(rx, ry):
            rx, ry = 0.0, 0.0  # and back to where it fell from, not to the side
            x, y = x + skin * (rules.up_x / up - nx), y + skin * (rules.up_y / up - ny)
        else:
            rx, ry = turned_off(rules, rx, ry, nx, ny)
        if since <= NEAR * skin and rx * last_x + ry * last_y < -SMALL * length(rx, ry):
            rx, ry = 0.0, 0.0  # between two surfaces
        vx, vy = rx + wx, ry + wy
        last_x, last_y, since = nx, ny, 0.0
    characters.state[row, of_character.HIT_COUNT] = hits
    x, y, vx, vy = ground.come_down(walker, rules, start, walks, x, y, vx, vy, row, characters)
    characters.outcome[row, of_character.OUT_X], characters.outcome[row, of_character.OUT_Y] = vx + 0.0, vy + 0.0
    return x, y


@device
def speed_of_centre(body, bodies):
    """How fast the centre of a body moves [m/s]."""
    return length(bodies.velocity[body, VELOCITY.X], bodies.velocity[body, VELOCITY.Y])


@device
def fastest_kinematic(movers, bodies):
    """The greatest speed of a kinematic body [m/s]."""
    fastest = 0.0
    for row in movers:
        if bodies.kind[row] == KINEMATIC and bodies.island[row] == 0:
            fastest = max(fastest, speed_of_centre(row, bodies))
    return fastest


@device
def fastest_ride(count, scene):
    """The greatest speed [m/s] at which one of the first candidates may carry a character that stands on it.

    What is dynamic moves on under it, too, but is met where it is by all others.
    """
    bodies, fastest = scene.bodies, 0.0
    for number in range(count):
        other = scene.pieces.index[scene.candidates[number], PIECE.BODY]
        ride = abs(bodies.surface[other, SURFACE.SPEED])
        if bodies.kind[other] == DYNAMIC and bodies.island[other] == 0:
            ride += 2.0 * speed_of_centre(other, bodies)
        fastest = max(fastest, ride)
    return fastest


@device
def rules_of(row, characters, skin):
    """The rules of a character, who stands a `skin` [m] above what it is on: a step just as high as allowed is one."""
    wish = characters.wish
    step_height = wish[row, of_character.STEP_HEIGHT]
    return Rules(
        wish[row, of_character.UP_X],
        wish[row, of_character.UP_Y],
        wish[row, of_character.LEAST_UP],
        step_height + STEP_SKINS * skin if step_height > 0.0 else 0.0,
        wish[row, of_character.SNAP],
    )


@device
def place_free(walker, rules, x, y, vx, vy, reach):
    """(character with what it may meet, where it is outside of that, whether it is not), looking so far around [m]."""
    way = walker.dt * length(vx, vy)
    extra_x, extra_y = reach + min(way, walker.dt * abs(vx)), reach + min(way, walker.dt * abs(vy))
    if vx != 0.0 and vy != 0.0:
        extra_x = extra_y = reach + way  # a slope may turn it
    if rules.step_height > 0.0:
        extra_x, extra_y = extra_x + size_of(walker), extra_y + size_of(walker)
    walker = look_around(walker, x, y, extra_x, extra_y)
    carried = walker.dt * fastest_ride(walker.near_count, walker.scene)
    extra_x, extra_y = extra_x + carried, extra_y + carried
    if carried > 0.0:
        walker = look_around(walker, x, y, extra_x, extra_y)
    is_squeezed = False
    if is_in_something(walker, x, y):
        x, y = put_outside(walker, x, y)
        walker = look_around(walker, x, y, extra_x, extra_y)
        is_squeezed = is_in_something(walker, x, y)
    return walker, x, y, is_squeezed


@stage
def slide_all(
    characters: Characters,
    own: Ints,
    dt: float,
    skin: float,
    movers: Ints,
    scene: Scene,
    room: LoadedPiece,
    placed: FloatTable,
):
    """Move characters one after the other, as they wish, for a time `dt` [s].

    `own` lists the pieces of all. `room` and `placed` are scratch for one piece of theirs. Writes body_frame,
    body_pose, and in their rows how they fared.
    """
    bodies, wish, filters = scene.bodies, characters.wish, scene.question.filter
    fastest, usual_mask = fastest_kinematic(movers, bodies), filters[MASK]
    for k, body in enumerate(characters.body):
        frame = bodies.frame
        x, y, angle = frame[body, FRAME.CENTER_X], frame[body, FRAME.CENTER_Y], frame[body, FRAME.ANGLE]
        filters[MASK] = characters.mask[k]
        far, first, stop = max(max(abs(x), abs(y)), 1.0), characters.start[k], characters.start[k + 1]
        drops = wish[k, of_character.DROP] != 0.0
        walker = Walker(body, angle, own, first, stop, 0, dt, max(skin, 1e-13 * far), drops, scene, room, placed)
        rules = rules_of(k, characters, walker.skin)
        reach = 2.0 * dt * fastest + rules.step_height + rules.snap + 8.0 * skin
        vx, vy = wish[k, of_character.WISH_X], wish[k, of_character.WISH_Y]
        clear_state(k, characters)
        walker, x, y, is_squeezed = place_free(walker, rules, x, y, vx, vy, reach)
        if is_squeezed:
            mark_squeeze(walker, rules, x, y, k, characters)
        to_x, to_y = slide(walker, rules, x, y, vx, vy, k, characters)
        put_body(body, to_x, to_y, angle, frame[body, FRAME.COS], frame[body, FRAME.SIN], bodies)
        characters.outcome[k, of_character.AT_X] = bodies.pose[body, POSE.X]
        characters.outcome[k, of_character.AT_Y] = bodies.pose[body, POSE.Y]
        for number in range(characters.state[k, of_character.HIT_COUNT]):
            characters.hit_body[k, number] = bodies.entity[characters.hit_body[k, number]]
        follow(body, scene)
    filters[MASK] = usual_mask


@device
def follow(body, scene):
    """Bring the boxes of a body up to date that was put elsewhere, for those after it."""
    nearby, pieces = scene.nearby, scene.pieces
    for k in range(nearby.astray_count[0]):
        piece = nearby.astray[k]
        if pieces.index[piece, PIECE.BODY] == body:
            box = box_of(piece, scene.bodies, pieces)
            for side in range(4):
                nearby.astray_box[k, side] = box[side]
