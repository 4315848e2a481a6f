"""Bodies that were put into each other are shifted apart at the start of a step; no velocity comes of it.

A soft contact pushes an overlap out by a velocity, and a relaxing pass takes that back. That does for the overlaps of
impacts and piles. But where dozens of bodies are put into one place, or a row of them, each contact adds its push to
the others', one pass does not take them back, and every further substep repeats by its warm start what was left: they
flew apart at several times `push_out_speed`, by energy made out of nothing.

So a pair of which a body was put where it is since the last step, or shifted in it, and which begins to touch deeper
than its speed explains is *merged*, until it overlaps by no more than under its load.
Its contact only stops approach, and bodies are moved in its stead: as far as a soft contact would move them in a step,
less what they part by themselves, and no body faster than `push_out_speed`. Like the solver's, the passes go along
normals in the metric of kinetic energy. Other contacts only see to it that what is shifted does not go into them.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.data import pairs as of_pair, solver_state as of_state
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver.solver_rows import BLOCK, INDEX, POINT, SETTLED, SHIFTED, STATUS
from ecs_collide.step.solver.substep import by_turning

PASSES = 16
STEPWISE = 0.8
"""The part of what is lacking that a pass shifts: with all of it, what is between two goes to the last one's side."""
LARGEST_TURN = 0.1
"""How far a body is turned in a step, at most [rad]."""


@device
def mark_merged(pairs, solver, k, point_count, again, depth, explained, touch):
    """Find out which pairs of block k are merged, and let their contacts only stop approach; return whether any is.

    `depth` is that of a contact's deepest point, `explained` what its speed explains where a pair begins to touch [m].
    A pair stays merged, where `again` says that any was in the last step, until it is no deeper than under its load.
    Reads solver_block, solver_colour, pair_index (TOUCHING). Writes pair_index (MERGED), and solver_block (softness).
    """
    turn, index, colour, row = solver.scratch, solver.index, solver.status, solver.block[k]
    borne = simd.load(row[BLOCK.FIRST :], POINT.NORMAL_IMPULSE) * simd.load(row[BLOCK.FIRST :], POINT.NORMAL_K)
    if point_count == 2:
        second = row[BLOCK.SECOND :]
        borne = simd.maximum(borne, simd.load(second, POINT.NORMAL_IMPULSE) * simd.load(second, POINT.NORMAL_K))
    simd.store(turn, 0, depth - explained)
    simd.store(
        turn, 1, depth - touch - borne * (simd.load(row, BLOCK.SOFTENING) - 1.0) / simd.load(row, BLOCK.BIAS_RATE)
    )
    any_merged = False
    for lane in range(simd.LANES):
        pair = pairs.index[index[k, INDEX.PAIR, lane]]
        begins, stays = turn[0, lane] > 0.0, turn[1, lane] > 0.0
        turn[2, lane] = 0.0
        a, b = index[k, INDEX.ROW_A, lane], index[k, INDEX.ROW_B, lane]
        if a == 0 and b == 0:
            continue
        begins = begins and (colour[a, STATUS.PLACEMENT] != SETTLED or colour[b, STATUS.PLACEMENT] != SETTLED)
        merged = begins if pair[of_pair.TOUCHING] == of_pair.APART else again and stays and pair[of_pair.MERGED] != 0
        pair[of_pair.MERGED] = 1 if merged else 0
        if merged:
            turn[2, lane] = 1.0
            any_merged = True
    if any_merged:
        hold(row, simd.load(turn, 2) > 0.0)
    return any_merged


@device
def hold(row, lanes):
    """Let the contacts in some lanes only stop approach: neither do they push, nor give way."""
    simd.store(row, BLOCK.BIAS_RATE, simd.select(lanes, 0.0, simd.load(row, BLOCK.BIAS_RATE)))
    simd.store(row, BLOCK.MASS_SCALE, simd.select(lanes, 1.0, simd.load(row, BLOCK.MASS_SCALE)))
    simd.store(row, BLOCK.SOFTENING, simd.select(lanes, 1.0, simd.load(row, BLOCK.SOFTENING)))


@device
def push_out(movers, pairs, solver, kinds, rate, dt, tolerances):
    """Shift what is merged apart, by `rate` [1/s] of its overlap. Writes solver_state (movement), solver_colour."""
    state, farthest = solver.state, tolerances.push_out_speed * dt
    for _ in range(PASSES):
        for start, stop, point_count in kinds:
            shift_pass(solver, start, stop, point_count, rate * dt, farthest, dt)
    for row in range(1, len(movers) + 1):
        dx, dy, turn = state[row, of_state.DX], state[row, of_state.DY], state[row, of_state.DA]
        way = sqrt(dx * dx + dy * dy)
        part = min(farthest / max(way, farthest), LARGEST_TURN / max(abs(turn), LARGEST_TURN))
        state[row, of_state.DX], state[row, of_state.DY], state[row, of_state.DA] = dx * part, dy * part, turn * part
        if way > tolerances.sleep_speed * dt:
            solver.status[row, STATUS.PLACEMENT] = SHIFTED
    for start, stop, point_count in kinds:
        merge_pressed(pairs, solver, start, stop, point_count, tolerances.touch)


@device
def shift_pass(solver, start, stop, point_count, part, farthest, dt):
    """One pass over the blocks of one kind. Writes solver_state (movement)."""
    state, index = solver.state, solver.index
    for k in range(start, stop):
        row = solver.block[k]
        dax, day, turn_a, mass_ay = simd.gather4(state, of_state.DX, index, (k, INDEX.ROW_A))
        dbx, dby, turn_b, mass_by = simd.gather4(state, of_state.DX, index, (k, INDEX.ROW_B))
        merged = simd.load(row, BLOCK.BIAS_RATE) <= 0.0
        stirred = dax * dax + day * day + turn_a * turn_a + dbx * dbx + dby * dby + turn_b * turn_b > 0.0
        if not simd.any_lane(merged | stirred):
            continue
        vax, vay, wa, mass_ax = simd.gather4(state, of_state.VX, index, (k, INDEX.ROW_A))
        vbx, vby, wb, mass_bx = simd.gather4(state, of_state.VX, index, (k, INDEX.ROW_B))
        normal_x, normal_y = simd.load(row, BLOCK.NORMAL_X), simd.load(row, BLOCK.NORMAL_Y)
        inertia_a, inertia_b = simd.load(row, BLOCK.INVERSE_INERTIA_A), simd.load(row, BLOCK.INVERSE_INERTIA_B)
        closing = (vbx - vax) * normal_x + (vby - vay) * normal_y
        for i in range(point_count):
            point = row[BLOCK.FIRST + i * POINT.WIDTH :]
            arm_a, arm_b, separation = (
                simd.load(point, POINT.NORMAL_ARM_A),
                simd.load(point, POINT.NORMAL_ARM_B),
                simd.load(point, POINT.SEPARATION),
            )
            moved = (dbx - dax) * normal_x + (dby - day) * normal_y + by_turning(point, turn_a, turn_b)
            parting = simd.maximum(closing + by_turning(point, wa, wb), 0.0) * dt
            overlap = simd.maximum(-separation, 0.0)
            wanted = simd.select(merged, simd.minimum(part * overlap, farthest) - parting, 0.0) - simd.maximum(
                separation, 0.0
            )
            push = STEPWISE * simd.maximum(wanted - moved, 0.0) * simd.load(point, POINT.NORMAL_MASS)
            px, py = push * normal_x, push * normal_y
            dax, day, turn_a = dax - mass_ax * px, day - mass_ay * py, turn_a - inertia_a * (push * arm_a)
            dbx, dby, turn_b = dbx + mass_bx * px, dby + mass_by * py, turn_b + inertia_b * (push * arm_b)
        simd.scatter4(state, of_state.DX, index, (k, INDEX.ROW_A), dax, day, turn_a, mass_ay)
        simd.scatter4(state, of_state.DX, index, (k, INDEX.ROW_B), dbx, dby, turn_b, mass_by)


@device
def merge_pressed(pairs, solver, start, stop, point_count, least):
    """What the shift has pressed into each other by more than `least` [m] is merged too.

    Writes pair_index (MERGED), and the softness in solver_block.
    """
    state, index = solver.state, solver.index
    for k in range(start, stop):
        row = solver.block[k]
        dax, day, turn_a, _ = simd.gather4(state, of_state.DX, index, (k, INDEX.ROW_A))
        dbx, dby, turn_b, _ = simd.gather4(state, of_state.DX, index, (k, INDEX.ROW_B))
        along = (dbx - dax) * simd.load(row, BLOCK.NORMAL_X) + (dby - day) * simd.load(row, BLOCK.NORMAL_Y)
        pressed = along < along
        for i in range(point_count):
            point = row[BLOCK.FIRST + i * POINT.WIDTH :]
            moved = along + by_turning(point, turn_a, turn_b)
            pressed = pressed | (simd.maximum(simd.load(point, POINT.SEPARATION), 0.0) + moved < -least)
        if simd.any_lane(pressed):
            bits = simd.lane_bits(pressed)
            for lane in range(simd.LANES):
                if (bits >> lane) & 1:
                    pairs.index[index[k, INDEX.PAIR, lane], of_pair.MERGED] = 1
            hold(row, pressed)
