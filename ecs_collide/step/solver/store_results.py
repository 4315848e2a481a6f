"""Write the solver's results back to the columns at the end of a step."""

from __future__ import annotations

from ecs_collide.data.bodies import FRAME, POSE, sleep_speed_of
from ecs_collide.data.frames import put_body
from ecs_collide.data.pairs import IMPULSE
from ecs_collide.data.solver_state import STATE
from ecs_collide.geometry.rotation import cos_sin_lanes
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, load, maximum, scatter2, scatter4, splat, store
from ecs_collide.step.solver.solver_rows import BLOCK, INDEX, POINT, SHIFTED, STATUS

EIGHT = layout("angles of eight bodies", ANGLE="angle [rad]", COSINE="cosine", SINE="sine")
"""Rows of `solver_scratch` in `store_bodies`."""


@device
def store_bodies(movers, bodies, solver, sleep_speed, dt):
    """Store the poses and velocities of the bodies in rows `movers`.

    A body that moved faster than its sleep speed [m/s] in this step of dt [s] is not at rest, even without velocity:
    `push_out` gives none to the bodies that it shifts. Cosines and sines are computed for eight bodies at once.

    Reads solver_state, solver_status. Writes body_pose, body_velocity, body_frame, body_settled, body_rest_time and
    solver_scratch; clears body_push.
    """
    state, angles = solver.state, solver.scratch
    pose, velocity, frame, push = bodies.pose, bodies.velocity, bodies.frame, bodies.push
    for start in range(0, len(movers), LANES):
        eight = movers[start : start + LANES]
        for lane in range(len(eight)):
            angles[EIGHT.ANGLE, lane] = pose[eight[lane], POSE.ANGLE] + state[start + lane + 1, STATE.DA]
        cosines, sines = cos_sin_lanes(load(angles, EIGHT.ANGLE))
        store(angles, EIGHT.COSINE, cosines)
        store(angles, EIGHT.SINE, sines)
        for lane in range(len(eight)):
            body, row = eight[lane], start + lane + 1
            for k in range(3):
                velocity[body, k] = state[row, STATE.VX + k]
                if push[body, k] != 0.0:  # so pages without a push are never written
                    push[body, k] = 0.0
            dx, dy = state[row, STATE.DX], state[row, STATE.DY]
            rest = sleep_speed_of(body, bodies, sleep_speed) * dt
            if dx * dx + dy * dy > rest * rest:
                bodies.rest_time[body] = 0.0
            x, y = frame[body, FRAME.CENTER_X] + dx, frame[body, FRAME.CENTER_Y] + dy
            bodies.settled[body] = solver.status[row, STATUS.PLACEMENT] != SHIFTED
            angle, cosine, sine = angles[EIGHT.ANGLE, lane], angles[EIGHT.COSINE, lane], angles[EIGHT.SINE, lane]
            put_body(body, x, y, angle, cosine, sine, bodies)


@device
def store_impulses(contacts, pairs, solver, single_blocks, blocks):
    """Store the impulses and approach speeds of the contacts, and the impulses for the next warm start.

    An empty lane has the contact of the block's first lane, whose values are written last and stay. Totals below zero
    are rounding, from a pass that takes back an impulse, and are stored as 0.

    Reads solver_block, solver_has_surface. Writes pair_impulse, pair_rolling, contact_normal_impulse,
    contact_tangent_impulse and contact_approach_speed.
    """
    index = solver.index
    for k in range(blocks):
        first = solver.block[k, BLOCK.FIRST :]
        normal0, tangent0 = load(first, POINT.NORMAL_IMPULSE), load(first, POINT.TANGENT_IMPULSE)
        normal_total0, tangent_total0, speed0 = (
            load(first, POINT.NORMAL_TOTAL),
            load(first, POINT.TANGENT_TOTAL),
            load(first, POINT.APPROACH),
        )
        nothing = splat(0.0)
        normal1, tangent1, normal_total1, tangent_total1, speed1 = nothing, nothing, nothing, nothing, nothing
        if k >= single_blocks:
            second = solver.block[k, BLOCK.SECOND :]
            normal1, tangent1 = load(second, POINT.NORMAL_IMPULSE), load(second, POINT.TANGENT_IMPULSE)
            normal_total1, tangent_total1 = load(second, POINT.NORMAL_TOTAL), load(second, POINT.TANGENT_TOTAL)
            speed1 = load(second, POINT.APPROACH)
        scatter4(pairs.impulse, IMPULSE.NORMAL, index, (k, INDEX.PAIR), normal0, normal1, tangent0, tangent1)
        along0, along1 = maximum(normal_total0, nothing), maximum(normal_total1, nothing)
        scatter2(contacts.normal_impulse, 0, index, (k, INDEX.CONTACT), along0, along1)
        scatter2(contacts.tangent_impulse, 0, index, (k, INDEX.CONTACT), tangent_total0, tangent_total1)
        scatter2(contacts.approach_speed, 0, index, (k, INDEX.CONTACT), nothing - speed0, nothing - speed1)
        if solver.has_surface[k]:
            for lane in range(LANES - 1, -1, -1):
                pairs.rolling[index[k, INDEX.PAIR, lane]] = solver.block[k, BLOCK.ROLLING_IMPULSE, lane]
