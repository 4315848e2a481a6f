"""Characters that go with their floors: floors that went elsewhere than expected, and characters that carry others.

A character moves with its floor by the velocity that the floor has before the step. If the step moves the floor
elsewhere, as contacts do with a dynamic one, the character catches up before its next motion. A floor that has gone
farther than its speed explains was put elsewhere by the game, and nothing goes with it.

A character that moves takes its riders along, as far as nothing is in their way. It rises no farther than they can.
Their own motions are relative to it, so they fare alike in any order of calls.
"""

from __future__ import annotations

from ecs_collide.character.character_rows import OUTCOME, STATE
from ecs_collide.character.floors_and_riders import NO_BODY, REMEMBERED, floor_of, is_character, is_in_place, stand_on
from ecs_collide.character.ground_rules import rise_of
from ecs_collide.character.obstacles import (
    NOTHING,
    STATIC,
    Character,
    first_obstacle,
    pose_at_time,
    velocity_at,
    with_obstacles_around,
)
from ecs_collide.character.probes import core_of_contact
from ecs_collide.contours.corner import length
from ecs_collide.data.bodies import FRAME, POSE, VELOCITY
from ecs_collide.data.frames import put_body
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.queries.candidates import QUERY_FILTER
from ecs_collide.step.broadphase.boxes import box_of

HITS = 4
"""Greatest number of obstacles along which a character is carried in one motion."""
SLACK = 1e6
"""Way of a floor that needs no speed [skins]: a tenth of a metre."""
EXACT = 0.01
"""Difference of places that counts as rounding [skins]."""


@device
def renew_own_boxes(body, scene):
    """Update the boxes of a body that was moved, for the characters after it."""
    nearby, pieces = scene.nearby, scene.pieces
    for k in range(nearby.outside_count[0]):
        piece = nearby.outside[k]
        if pieces.index[piece, PIECE.BODY] == body:
            box = box_of(piece, scene.bodies, pieces)
            for side in range(4):
                nearby.outside_box[k, side] = box[side]


@device
def put_character(body, x, y, scene):
    """Put a character at (x, y) [m]; its angle stays."""
    frame = scene.bodies.frame
    put_body(body, x, y, frame[body, FRAME.ANGLE], frame[body, FRAME.COS], frame[body, FRAME.SIN], scene.bodies)
    renew_own_boxes(body, scene)


@device
def move_rider(body, x, y, memory, scene):
    """Put a rider at (x, y) [m], where it still stands on its carrier."""
    values, pose = memory.values, scene.bodies.pose
    put_character(body, x, y, scene)
    values[body, REMEMBERED.X], values[body, REMEMBERED.Y] = pose[body, POSE.X], pose[body, POSE.Y]


@subroutine
def carry(character, x, y, way_x, way_y, end):
    """Return the position of a character at (x, y) that is carried by a way [m], until a time `end` of the step."""
    wish_x, wish_y, t = way_x, way_y, 0.0
    for _ in range(HITS):
        fraction, nx, ny, piece = first_obstacle(character, NOTHING, x, y, way_x, way_y, t, end)
        x, y = x + fraction * way_x, y + fraction * way_y
        if piece == NOTHING:
            break
        x, y, t = x + character.skin * nx, y + character.skin * ny, t + fraction * (end - t)
        way_x, way_y = (1.0 - fraction) * way_x, (1.0 - fraction) * way_y
        into = way_x * nx + way_y * ny
        way_x, way_y = way_x - into * nx, way_y - into * ny
        if way_x * wish_x + way_y * wish_y <= 0.0:
            break
    return x, y


@device
def rider_as_character(carrier, body, place, start):
    """Return a character that stands on the one that is moved; `place` is its place in the list of bodies."""
    return Character(
        body=body,
        root=carrier.root,
        angle=carrier.scene.bodies.frame[body, FRAME.ANGLE],
        own=carrier.own,
        first=start[place],
        stop=start[place + 1],
        near_count=0,
        dt=carrier.dt,
        skin=carrier.skin,
        drops=False,
        memory=carrier.memory,
        scene=carrier.scene,
        own_loaded=carrier.own_loaded,
        placed=carrier.placed,
    )


@subroutine
def carry_riders(character, rules, rows, way_x, way_y, end):
    """Carry those that stand on a character, on these, and so on.

    Returns (how far it must come down for them [m], number of characters in memory.queue). The character has gone by a
    way [m] until a time `end` of the step. Whoever meets a ceiling holds its carrier back.
    """
    memory, scene = character.memory, character.scene
    values, queue, frame = memory.values, memory.queue, scene.bodies.frame
    settings = scene.query_filter.settings
    usual_mask = settings[QUERY_FILTER.MASK]
    queue[0], count, head = character.body, 1, 0
    values[character.body, REMEMBERED.MOVED_X], values[character.body, REMEMBERED.MOVED_Y] = way_x, way_y
    while head < count:
        carrier = queue[head]
        head += 1
        body = memory.first_rider[carrier]
        while body != NO_BODY:
            place = memory.listed[body]
            is_listed = place < len(rows.listed) and rows.listed[place] == body
            if is_listed and is_in_place(body, memory, scene.bodies, character.skin) and count < len(queue):
                queue[count] = body
                count += 1
                move_x, move_y = values[carrier, REMEMBERED.MOVED_X], values[carrier, REMEMBERED.MOVED_Y]
                settings[QUERY_FILTER.MASK] = memory.mask[body]
                x, y = frame[body, FRAME.CENTER_X], frame[body, FRAME.CENTER_Y]
                rider = rider_as_character(character, body, place, rows.start)
                extra = length(move_x, move_y)
                rider = with_obstacles_around(rider, x, y, extra, extra)
                to_x, to_y = carry(rider, x, y, move_x, move_y, end)
                move_rider(body, to_x, to_y, memory, scene)
                values[body, REMEMBERED.MOVED_X], values[body, REMEMBERED.MOVED_Y] = to_x - x, to_y - y
            body = memory.next_rider[body]
    settings[QUERY_FILTER.MASK] = usual_mask
    if rise_of(rules, way_x, way_y) > 0.0:
        lower_carriers(count, rules, character)
    for number in range(1, count):
        keep_place(queue[number], scene.bodies, memory)
    held_x, held_y = values[character.body, REMEMBERED.MOVED_X], values[character.body, REMEMBERED.MOVED_Y]
    return rise_of(rules, way_x - held_x, way_y - held_y), count


@device
def lower_carriers(count, rules, character):
    """Lower each carrier in the queue to below the riders that could not rise as far; the first one later."""
    memory, scene = character.memory, character.scene
    values, frame = memory.values, scene.bodies.frame
    for number in range(count - 1, 0, -1):
        body = memory.queue[number]
        carrier = memory.carrier[body]
        lag = rise_of(
            rules,
            values[carrier, REMEMBERED.MOVED_X] - values[body, REMEMBERED.MOVED_X],
            values[carrier, REMEMBERED.MOVED_Y] - values[body, REMEMBERED.MOVED_Y],
        )
        if lag > 2.0 * character.skin:
            values[carrier, REMEMBERED.MOVED_X] -= lag * rules.up_x
            values[carrier, REMEMBERED.MOVED_Y] -= lag * rules.up_y
            if carrier != character.body:
                x, y = frame[carrier, FRAME.CENTER_X], frame[carrier, FRAME.CENTER_Y]
                move_rider(carrier, x - lag * rules.up_x, y - lag * rules.up_y, memory, scene)


@device
def keep_place(body, bodies, memory):
    """Remember where the carrier of a rider is that was carried, and where the rider stands on it."""
    values, carrier = memory.values, memory.carrier[body]
    values[body, REMEMBERED.AT_X] += values[body, REMEMBERED.MOVED_X]
    values[body, REMEMBERED.AT_Y] += values[body, REMEMBERED.MOVED_Y]
    values[body, REMEMBERED.FLOOR_X] = bodies.frame[carrier, FRAME.CENTER_X]
    values[body, REMEMBERED.FLOOR_Y] = bodies.frame[carrier, FRAME.CENTER_Y]


@subroutine
def take_riders_back(count, memory, scene):
    """Move the riders in the queue back to the places from which they were carried."""
    values, frame = memory.values, scene.bodies.frame
    for number in range(1, count):
        body = memory.queue[number]
        way_x, way_y = values[body, REMEMBERED.MOVED_X], values[body, REMEMBERED.MOVED_Y]
        move_rider(body, frame[body, FRAME.CENTER_X] - way_x, frame[body, FRAME.CENTER_Y] - way_y, memory, scene)
        values[body, REMEMBERED.MOVED_X], values[body, REMEMBERED.MOVED_Y] = -way_x, -way_y
        keep_place(body, scene.bodies, memory)


@device
def velocity_of_carriers(body, memory):
    """Return the velocity [m/s] at which a character and those below it go, (0, 0) for a body that is no character."""
    vx, vy = 0.0, 0.0
    while body != NO_BODY and is_character(body, memory) and memory.now[0] - memory.moved_at[body] <= 1:
        vx += memory.values[body, REMEMBERED.WENT_X]
        vy += memory.values[body, REMEMBERED.WENT_Y]
        body = memory.carrier[body]
    return vx, vy


@subroutine
def way_to_floor(character):
    """Return the way [m] from a character to its place on its floor, which went elsewhere than expected."""
    body, memory, bodies, dt = character.body, character.memory, character.scene.bodies, character.dt
    floor = floor_of(body, memory, bodies, character.skin)
    if floor == NOTHING:
        return 0.0, 0.0
    values, frame, velocity = memory.values, bodies.frame, bodies.velocity
    at_x, at_y = values[body, REMEMBERED.AT_X], values[body, REMEMBERED.AT_Y]
    arm_x, arm_y = at_x - values[body, REMEMBERED.FLOOR_X], at_y - values[body, REMEMBERED.FLOOR_Y]
    c, s = cos_sin(frame[floor, FRAME.ANGLE] - values[body, REMEMBERED.FLOOR_ANGLE])
    arm_x, arm_y = c * arm_x - s * arm_y, s * arm_x + c * arm_y
    way_x, way_y = frame[floor, FRAME.CENTER_X] + arm_x - at_x, frame[floor, FRAME.CENTER_Y] + arm_y - at_y
    spin = velocity[floor, VELOCITY.ANGULAR]
    speed = length(velocity[floor, VELOCITY.X] - spin * arm_y, velocity[floor, VELOCITY.Y] + spin * arm_x)
    way = length(way_x, way_y)
    is_explained = way <= values[body, REMEMBERED.FLOOR_WAY] + dt * speed + SLACK * character.skin
    if way <= EXACT * character.skin or not is_explained:
        return 0.0, 0.0
    return way_x, way_y


@device
def catch_up(character, rules, rows):
    """Move a character, with its riders, to its place on a floor that is elsewhere than expected."""
    way_x, way_y = way_to_floor(character)
    if way_x == 0.0 and way_y == 0.0:
        return
    scene, body = character.scene, character.body
    x, y = scene.bodies.frame[body, FRAME.CENTER_X], scene.bodies.frame[body, FRAME.CENTER_Y]
    extra = length(way_x, way_y)
    character = with_obstacles_around(character, x, y, extra, extra)
    to_x, to_y = carry(character, x, y, way_x, way_y, 0.0)
    put_character(body, to_x, to_y, scene)
    if character.memory.first_rider[body] != NO_BODY:
        carry_riders(character, rules, rows, to_x - x, to_y - y, 0.0)


@device
def remember(character, begun_x, begun_y, x, y, row, rows):
    """Remember a motion of a character from `begun` to (x, y) [m], and where it stands on its floor."""
    body, memory, bodies, dt = character.body, character.memory, character.scene.bodies, character.dt
    values, floor = memory.values, rows.state[row, STATE.FLOOR]
    stand_on(body, floor, memory, bodies)
    memory.moved_at[body] = memory.now[0]
    memory.mask[body] = rows.mask[row]
    values[body, REMEMBERED.X], values[body, REMEMBERED.Y] = bodies.pose[body, POSE.X], bodies.pose[body, POSE.Y]
    values[body, REMEMBERED.WENT_X] = (x - begun_x) / dt if dt > 0.0 else 0.0
    values[body, REMEMBERED.WENT_Y] = (y - begun_y) / dt if dt > 0.0 else 0.0
    if floor == NOTHING:
        return
    normal_x, normal_y = rows.outcome[row, OUTCOME.NORMAL_X], rows.outcome[row, OUTCOME.NORMAL_Y]
    values[body, REMEMBERED.NORMAL_X], values[body, REMEMBERED.NORMAL_Y] = normal_x, normal_y
    values[body, REMEMBERED.FLOOR_VX] = rows.outcome[row, OUTCOME.FLOOR_VX]
    values[body, REMEMBERED.FLOOR_VY] = rows.outcome[row, OUTCOME.FLOOR_VY]
    at_x, at_y = x, y
    if bodies.kind[floor] != STATIC:
        at_x, at_y = core_of_contact(character, x, y, normal_x, normal_y, bodies.velocity[floor, VELOCITY.ANGULAR])
    floor_x, floor_y, floor_angle = pose_at_time(floor, floor, 1.0, dt, bodies)
    values[body, REMEMBERED.FLOOR_X], values[body, REMEMBERED.FLOOR_Y] = floor_x, floor_y
    values[body, REMEMBERED.FLOOR_ANGLE] = floor_angle
    values[body, REMEMBERED.AT_X], values[body, REMEMBERED.AT_Y] = at_x, at_y
    vx, vy = velocity_at(floor, floor, at_x, at_y, 1.0, dt, bodies)
    values[body, REMEMBERED.FLOOR_WAY] = dt * length(vx, vy)
