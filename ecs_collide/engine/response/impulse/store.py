"""Write the solver's results back to the columns at the end of a step."""

from __future__ import annotations

from ecs_collide.columns.bodies import ANGLE, CENTER_X, CENTER_Y, COS, FRAME_ANGLE, LOCAL_X, LOCAL_Y, SIN, X, Y
from ecs_collide.columns.pairs import NORMAL_IMPULSE as PAIR_NORMAL
from ecs_collide.columns.solver_state import DA, DX, DY, VX
from ecs_collide.compiled.jit import device
from ecs_collide.compiled.simd import LANES, load, scatter2, scatter4, splat, store
from ecs_collide.engine.response.impulse.layout import (
    APPROACH,
    CONTACT,
    NORMAL_IMPULSE,
    NORMAL_TOTAL,
    PAIR,
    POINT,
    POINT_WIDTH,
    PUT,
    SHIFTED,
    TANGENT_IMPULSE,
    TANGENT_TOTAL,
)
from ecs_collide.geometry.rotation import cos_sin_lanes


@device
def store_bodies(movers, bodies, solver):
    """Reads solver_state, solver_colour. Writes body_pose, body_velocity, body_frame, body_settled; clears body_push.

    Cosines and sines are computed for eight bodies at once, through solver_turn.
    """
    state, turn = solver.state, solver.turn
    pose, velocity, frame, push, mass = bodies.pose, bodies.velocity, bodies.frame, bodies.push, bodies.mass
    for start in range(0, len(movers), LANES):
        eight = movers[start : start + LANES]
        for lane in range(len(eight)):
            turn[0, lane] = pose[eight[lane], ANGLE] + state[start + lane + 1, DA]
        cosines, sines = cos_sin_lanes(load(turn, 0))
        store(turn, 1, cosines)
        store(turn, 2, sines)
        for lane in range(len(eight)):
            body, row = eight[lane], start + lane + 1
            for k in range(3):
                velocity[body, k] = state[row, VX + k]
                push[body, k] = 0.0
            x, y = frame[body, CENTER_X] + state[row, DX], frame[body, CENTER_Y] + state[row, DY]
            bodies.settled[body] = solver.colour[row, PUT] != SHIFTED
            angle, c, s = turn[0, lane], turn[1, lane], turn[2, lane]
            local_x, local_y = mass[body, LOCAL_X], mass[body, LOCAL_Y]
            frame[body, CENTER_X], frame[body, CENTER_Y] = x, y
            frame[body, COS], frame[body, SIN], frame[body, FRAME_ANGLE] = c, s, angle
            pose[body, X], pose[body, Y] = x - (c * local_x - s * local_y), y - (s * local_x + c * local_y)
            pose[body, ANGLE] = angle


@device
def store_impulses(contacts, pairs, solver, single_blocks, blocks):
    """Reads solver_block. Writes pair_impulse for the next warm start, the contacts' impulses and approach speeds.

    An empty lane has the contact of the block's first lane, which stays.
    """
    index = solver.index
    for k in range(blocks):
        first = solver.block[k, POINT:]
        normal0, tangent0 = load(first, NORMAL_IMPULSE), load(first, TANGENT_IMPULSE)
        normal_total0, tangent_total0, speed0 = (
            load(first, NORMAL_TOTAL),
            load(first, TANGENT_TOTAL),
            load(first, APPROACH),
        )
        nothing = splat(0.0)
        normal1, tangent1, normal_total1, tangent_total1, speed1 = nothing, nothing, nothing, nothing, nothing
        if k >= single_blocks:
            second = solver.block[k, POINT + POINT_WIDTH :]
            normal1, tangent1 = load(second, NORMAL_IMPULSE), load(second, TANGENT_IMPULSE)
            normal_total1, tangent_total1 = load(second, NORMAL_TOTAL), load(second, TANGENT_TOTAL)
            speed1 = load(second, APPROACH)
        scatter4(pairs.impulse, PAIR_NORMAL, index, (k, PAIR), normal0, normal1, tangent0, tangent1)
        scatter2(contacts.normal_impulse, 0, index, (k, CONTACT), normal_total0, normal_total1)
        scatter2(contacts.tangent_impulse, 0, index, (k, CONTACT), tangent_total0, tangent_total1)
        scatter2(contacts.approach_speed, 0, index, (k, CONTACT), nothing - speed0, nothing - speed1)
