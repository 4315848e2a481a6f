"""Write the solver's results back to the columns at the end of a step."""

from __future__ import annotations

from ecs_collide.columns.bodies import ANGLE, CENTER_X, CENTER_Y, COS, FRAME_ANGLE, LOCAL_X, LOCAL_Y, SIN, X, Y
from ecs_collide.columns.pairs import NORMAL_IMPULSE as PAIR_NORMAL
from ecs_collide.columns.pairs import TANGENT_IMPULSE as PAIR_TANGENT
from ecs_collide.jit import device
from ecs_collide.response.colour import NOT_SOLVED
from ecs_collide.response.layout import (
    DA,
    DX,
    DY,
    NORMAL_IMPULSE,
    NORMAL_TOTAL,
    POINT,
    POINT_WIDTH,
    TANGENT_IMPULSE,
    TANGENT_TOTAL,
    VX,
    VY,
    W,
)
from ecs_collide.rotation import cos_sin
from ecs_collide.simd import LANES


@device
def store_bodies(movers, bodies, solver):
    """Reads solver_state. Writes body_pose, body_velocity, body_frame; clears body_push."""
    state = solver.state
    for k in range(len(movers)):
        body, row = movers[k], k + 1
        pose, frame = bodies.pose, bodies.frame
        bodies.velocity[body, X] = state[row, VX]
        bodies.velocity[body, Y] = state[row, VY]
        bodies.velocity[body, ANGLE] = state[row, W]
        bodies.push[body, :] = 0.0
        x, y = frame[body, CENTER_X] + state[row, DX], frame[body, CENTER_Y] + state[row, DY]
        c, s = frame[body, COS], frame[body, SIN]
        if state[row, DA] != 0.0:
            angle = pose[body, ANGLE] + state[row, DA]
            c, s = cos_sin(angle)
            pose[body, ANGLE] = angle
            frame[body, COS], frame[body, SIN], frame[body, FRAME_ANGLE] = c, s, angle
        frame[body, CENTER_X], frame[body, CENTER_Y] = x, y
        local_x, local_y = bodies.mass[body, LOCAL_X], bodies.mass[body, LOCAL_Y]
        pose[body, X] = x - (c * local_x - s * local_y)
        pose[body, Y] = y - (s * local_x + c * local_y)


@device
def store_impulses(contacts, contact_count, pairs, solver):
    """Reads solver_block. Writes pair_impulse for the next warm start, and the contacts' impulses of this step."""
    for contact in range(contact_count):
        pair, place = contacts.pair[contact], solver.lane[contact]
        if place == NOT_SOLVED:
            pairs.impulse[pair, :] = 0.0
            continue
        row, lane = solver.block[place // LANES], place % LANES
        for k in range(contacts.point_count[contact]):
            point = row[POINT + k * POINT_WIDTH :]
            pairs.impulse[pair, PAIR_NORMAL + k] = point[NORMAL_IMPULSE, lane]
            pairs.impulse[pair, PAIR_TANGENT + k] = point[TANGENT_IMPULSE, lane]
            contacts.normal_impulse[contact, k] = point[NORMAL_TOTAL, lane]
            contacts.tangent_impulse[contact, k] = point[TANGENT_TOTAL, lane]
