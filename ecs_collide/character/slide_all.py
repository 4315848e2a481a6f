"""The kernel that moves characters, one after the other, each with those that stand on it.

For each character:

    bring it to its floor, if that went elsewhere than expected
    list the obstacles near its motion, and put it outside those that it overlaps
    slide it, and carry its riders along
    remember where it stands
"""

from __future__ import annotations

from ecs_collide.character.character_rows import OUTCOME, REQUEST, STATE, Characters
from ecs_collide.character.depenetration import STATIC_ONLY, deepest_overlap, depenetrate, overlaps_anything
from ecs_collide.character.floors_and_riders import NO_BODY, Memory
from ecs_collide.character.ground_rules import Rules, rise_of
from ecs_collide.character.obstacles import KINEMATIC, NOTHING, Character, size_of, with_obstacles_around
from ecs_collide.character.riding import carry_riders, catch_up, put_character, remember, take_riders_back
from ecs_collide.character.slide import mark_squeeze, slide
from ecs_collide.common.part_material import surface_speed_of
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.corner import length
from ecs_collide.data.bodies import FRAME, POSE, VELOCITY
from ecs_collide.data.pieces import PIECE
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.queries.candidates import QUERY_FILTER, LoadedPiece, Scene

DYNAMIC = int(BodyKind.DYNAMIC)
STEP_SKINS = 4.0
"""Height by which a step may exceed the allowed one [skins]."""


@device
def speed_of_centre(body, bodies):
    """Return the speed of a body's centre of mass [m/s]."""
    return length(bodies.velocity[body, VELOCITY.X], bodies.velocity[body, VELOCITY.Y])


@device
def fastest_kinematic(mobile, bodies):
    """Return the greatest speed of a kinematic body [m/s]."""
    fastest = 0.0
    for row in mobile:
        if bodies.kind[row] == KINEMATIC:
            fastest = max(fastest, speed_of_centre(row, bodies))
    return fastest


@device
def fastest_ride(count, scene):
    """Return the greatest speed [m/s] at which one of the first candidates may carry a character that stands on it.

    A dynamic body under a character moves on during the step, but all other characters meet it in its present place.
    """
    bodies, fastest = scene.bodies, 0.0
    for number in range(count):
        piece = scene.candidates[number]
        other = scene.pieces.index[piece, PIECE.BODY]
        ride = abs(surface_speed_of(scene.pieces.index[piece, PIECE.COLLIDER], piece, bodies, scene.pieces))
        if bodies.kind[other] == DYNAMIC and bodies.island[other] == 0:
            ride += 2.0 * speed_of_centre(other, bodies)
        fastest = max(fastest, ride)
    return fastest


@device
def rules_of(row, rows, skin):
    """Return the rules of a character.

    The step height grows by a few skins, since a character stands a skin above its floor.
    """
    request = rows.request
    step_height = request[row, REQUEST.STEP_HEIGHT]
    return Rules(
        up_x=request[row, REQUEST.UP_X],
        up_y=request[row, REQUEST.UP_Y],
        least_up=request[row, REQUEST.LEAST_UP],
        step_height=step_height + STEP_SKINS * skin if step_height > 0.0 else 0.0,
        snap=request[row, REQUEST.SNAP],
    )


@device
def clear_state(row, rows):
    """Set the state of a character to no contact and no floor."""
    for k in range(STATE.WIDTH):
        rows.state[row, k] = 0
    rows.state[row, STATE.FLOOR] = NOTHING
    for k in range(OUTCOME.WIDTH):
        rows.outcome[row, k] = 0.0


@device
def begin_outside(character, rules, x, y, vx, vy, reach):
    """Return (character with its obstacles, x, y, True if it is squeezed) after depenetration at (x, y).

    Obstacles are those within `reach` [m] of its motion.
    """
    extra_x = extra_y = reach + character.dt * length(vx, vy)  # a slope may turn it to any side
    if rules.step_height > 0.0:
        extra_x, extra_y = extra_x + size_of(character), extra_y + size_of(character)
    character = with_obstacles_around(character, x, y, extra_x, extra_y)
    carried = character.dt * fastest_ride(character.near_count, character.scene)
    extra_x, extra_y = extra_x + carried, extra_y + carried
    if carried > 0.0:
        character = with_obstacles_around(character, x, y, extra_x, extra_y)
    is_squeezed = False
    if overlaps_anything(character, x, y):
        x, y = depenetrate(character, x, y)
        character = with_obstacles_around(character, x, y, extra_x, extra_y)
        is_squeezed = overlaps_anything(character, x, y)
    return character, x, y, is_squeezed


@kernel
def slide_all(
    rows: Characters,
    own: Ints,
    dt: float,
    skin: float,
    mobile: Ints,
    scene: Scene,
    memory: Memory,
    own_loaded: LoadedPiece,
    placed: FloatTable,
):
    """Move characters one after the other for a time `dt` [s].

    `own` lists the pieces of the bodies in rows.listed. `own_loaded` and `placed` are scratch space for one of these
    pieces. Reads the requests of `rows`. Writes body_frame, body_pose, `memory` and the results in `rows`.
    """
    bodies, frame, settings = scene.bodies, scene.bodies.frame, scene.query_filter.settings
    fastest, usual_mask = fastest_kinematic(mobile, bodies), settings[QUERY_FILTER.MASK]
    for place in range(len(rows.listed)):
        memory.listed[rows.listed[place]] = place
    for k, body in enumerate(rows.body):
        settings[QUERY_FILTER.MASK] = rows.mask[k]
        far = max(max(abs(frame[body, FRAME.CENTER_X]), abs(frame[body, FRAME.CENTER_Y])), 1.0)
        character = Character(
            body=body,
            root=body,
            angle=frame[body, FRAME.ANGLE],
            own=own,
            first=rows.start[k],
            stop=rows.start[k + 1],
            near_count=0,
            dt=dt,
            skin=max(skin, 1e-13 * far),
            drops=rows.drops_through[k],
            memory=memory,
            scene=scene,
            own_loaded=own_loaded,
            placed=placed,
        )
        rules = rules_of(k, rows, character.skin)
        clear_state(k, rows)
        catch_up(character, rules, rows)
        move_character(character, rules, fastest, k, rows)
        rows.outcome[k, OUTCOME.X] = bodies.pose[body, POSE.X]
        rows.outcome[k, OUTCOME.Y] = bodies.pose[body, POSE.Y]
        floor = rows.state[k, STATE.FLOOR]
        rows.state[k, STATE.FLOOR] = bodies.entity[floor] if floor != NOTHING else 0
        for number in range(rows.state[k, STATE.HIT_COUNT]):
            rows.hit_body[k, number] = bodies.entity[rows.hit_body[k, number]]
    settings[QUERY_FILTER.MASK] = usual_mask


@device
def move_character(character, rules, fastest, row, rows):
    """Move a character as its row requests, with its riders; `fastest` is the greatest kinematic speed [m/s]."""
    body, scene, dt, skin = character.body, character.scene, character.dt, character.skin
    x, y = scene.bodies.frame[body, FRAME.CENTER_X], scene.bodies.frame[body, FRAME.CENTER_Y]
    vx, vy = rows.request[row, REQUEST.VX], rows.request[row, REQUEST.VY]
    reach = 2.0 * dt * fastest + rules.step_height + rules.snap + 8.0 * skin
    character, from_x, from_y, is_squeezed = begin_outside(character, rules, x, y, vx, vy, reach)
    if is_squeezed:
        mark_squeeze(character, rules, from_x, from_y, row, rows)
    to_x, to_y = slide(character, rules, from_x, from_y, vx, vy, row, rows)
    put_character(body, to_x, to_y, scene)
    if character.memory.first_rider[body] != NO_BODY:
        held, count = carry_riders(character, rules, rows, to_x - x, to_y - y, 1.0)
        if held > 0.0:
            to_x, to_y = hold_back(character, rules, held, to_x, to_y, row, rows)
            if (
                deepest_overlap(character, to_x, to_y, STATIC_ONLY)[0] < 0.0
            ):  # it would enter stairs or a slope: it stays in place
                to_x, to_y = x, y
                put_character(body, x, y, scene)
                take_riders_back(count, character.memory, scene)
    remember(character, x, y, to_x, to_y, row, rows)


@device
def hold_back(character, rules, held, x, y, row, rows):
    """Return the position of a character at (x, y) whose riders met a ceiling: lower by `held` [m], and not rising."""
    outcome = rows.outcome
    rise = rise_of(rules, outcome[row, OUTCOME.VX], outcome[row, OUTCOME.VY])
    if rise > 0.0:
        outcome[row, OUTCOME.VX] -= rise * rules.up_x
        outcome[row, OUTCOME.VY] -= rise * rules.up_y
    rows.state[row, STATE.ON_CEILING] = 1
    x, y = x - held * rules.up_x, y - held * rules.up_y
    put_character(character.body, x, y, character.scene)
    return x, y
