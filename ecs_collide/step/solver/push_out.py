"""Bodies that were placed into each other are shifted apart at the start of a step, without any velocity.

A soft contact pushes an overlap out by a velocity, and a relaxing pass takes that velocity back. This works for the
overlaps of impacts and piles. If dozens of bodies are placed at one spot or in a row, each contact adds its push to the
others. One relaxing pass does not remove them. The warm start of every further substep repeats the rest, and the bodies
fly apart with energy that came from nowhere.

So such a pair is *merged*. A pair becomes merged if

- one of its bodies was placed since the last step, or shifted in that step, and
- the pair begins to touch, deeper than its speed explains.

It stays merged until it is no deeper than under its load. The contact of a merged pair only stops approach. The bodies
are shifted instead, as far as a soft contact would move them in a step, less the distance that they part by themselves.
No body is shifted faster than `push_out_speed`. Like the passes of the solver, the shifts go along normals, in the
metric of kinetic energy. Other contacts stop shifted bodies from entering them.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PAIR
from ecs_collide.data.solver_state import STATE
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.layout import layout
from ecs_collide.step.solver.solve_contacts import rotation_part
from ecs_collide.step.solver.solver_rows import BLOCK, INDEX, POINT, SETTLED, SHIFTED, STATUS

PASSES = 16
"""Number of passes of a step."""
PASS_SHARE = 0.8
"""Part of the missing distance that a pass shifts. With all of it, the last contact would decide where a body between
two others goes."""
LARGEST_TURN = 0.1
"""Largest rotation of a body in a step [rad]."""

MERGE = layout(
    "merge test",
    BEGIN="depth beyond what the speed explains [m]",
    STAY="depth beyond that under the load [m]",
    IS_MERGED="1 in lanes whose pair is merged, else 0",
)
"""Rows of `solver_scratch` in `mark_merged`."""


@device
def mark_merged(pairs, solver, k, point_count, had_merged, depth, explained, touch):
    """Mark the pairs of block k that are merged, and make their contacts rigid; return True if any pair is merged.

    `depth` is the depth of a contact's deepest point, `explained` the depth that its speed explains [m]. `had_merged`
    is True if any pair was merged in the last step.

    Reads solver_block, solver_status, pair_index (TOUCHING). Writes pair_index (MERGED), solver_block (softness).
    """
    tests, index, status, row = solver.scratch, solver.index, solver.status, solver.block[k]
    # Compare the depths of eight contacts with their limits.
    borne = simd.load(row[BLOCK.FIRST :], POINT.NORMAL_IMPULSE) * simd.load(row[BLOCK.FIRST :], POINT.NORMAL_K)
    if point_count == 2:
        second = row[BLOCK.SECOND :]
        borne = simd.maximum(borne, simd.load(second, POINT.NORMAL_IMPULSE) * simd.load(second, POINT.NORMAL_K))
    simd.store(tests, MERGE.BEGIN, depth - explained)
    under_load = borne * (simd.load(row, BLOCK.SOFTENING) - 1.0) / simd.load(row, BLOCK.BIAS_RATE)
    simd.store(tests, MERGE.STAY, depth - touch - under_load)
    # Decide lane by lane.
    any_merged = False
    for lane in range(simd.LANES):
        pair = pairs.index[index[k, INDEX.PAIR, lane]]
        begins, stays = tests[MERGE.BEGIN, lane] > 0.0, tests[MERGE.STAY, lane] > 0.0
        tests[MERGE.IS_MERGED, lane] = 0.0
        a, b = index[k, INDEX.ROW_A, lane], index[k, INDEX.ROW_B, lane]
        if a == 0 and b == 0:
            continue
        begins = begins and (status[a, STATUS.PLACEMENT] != SETTLED or status[b, STATUS.PLACEMENT] != SETTLED)
        merged = begins if pair[PAIR.TOUCHING] == of_pair.APART else had_merged and stays and pair[PAIR.MERGED] != 0
        pair[PAIR.MERGED] = 1 if merged else 0
        if merged:
            tests[MERGE.IS_MERGED, lane] = 1.0
            any_merged = True
    if any_merged:
        make_rigid(row, simd.load(tests, MERGE.IS_MERGED) > 0.0)
    return any_merged


@device
def make_rigid(row, lanes):
    """Make the contacts in some lanes rigid: they stop approach, and neither push nor give way."""
    simd.store(row, BLOCK.BIAS_RATE, simd.select(lanes, 0.0, simd.load(row, BLOCK.BIAS_RATE)))
    simd.store(row, BLOCK.MASS_SCALE, simd.select(lanes, 1.0, simd.load(row, BLOCK.MASS_SCALE)))
    simd.store(row, BLOCK.SOFTENING, simd.select(lanes, 1.0, simd.load(row, BLOCK.SOFTENING)))


@device
def push_merged_apart(rows, pairs, solver, kinds, rate, dt, tolerances):
    """Shift merged pairs apart, by `rate` [1/s] of their overlap.

    `rows` are the solver rows of the bodies that may have a contact.

    Reads solver_block. Writes solver_state (movement), solver_status (PLACEMENT), pair_index (MERGED).
    """
    state, farthest = solver.state, tolerances.push_out_speed * dt
    for _ in range(PASSES):
        for start, stop, point_count in kinds:
            shift_pass(solver, start, stop, point_count, rate * dt, farthest, dt)
    # Limit the shift of each body.
    for row in rows:
        dx, dy, turn = state[row, STATE.DX], state[row, STATE.DY], state[row, STATE.DA]
        distance = sqrt(dx * dx + dy * dy)
        part = min(farthest / max(distance, farthest), LARGEST_TURN / max(abs(turn), LARGEST_TURN))
        state[row, STATE.DX], state[row, STATE.DY], state[row, STATE.DA] = dx * part, dy * part, turn * part
        if distance > tolerances.sleep_speed * dt:
            solver.status[row, STATUS.PLACEMENT] = SHIFTED
    for start, stop, point_count in kinds:
        merge_squeezed(pairs, solver, start, stop, point_count, tolerances.touch)


@device
def shift_pass(solver, start, stop, point_count, part, farthest, dt):
    """Make one pass over the blocks of one kind. Writes solver_state (movement)."""
    state, index = solver.state, solver.index
    for k in range(start, stop):
        row = solver.block[k]
        dax, day, turn_a, mass_ay = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_A))
        dbx, dby, turn_b, mass_by = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_B))
        merged = simd.load(row, BLOCK.BIAS_RATE) <= 0.0
        shifted = dax * dax + day * day + turn_a * turn_a + dbx * dbx + dby * dby + turn_b * turn_b > 0.0
        if not simd.any_lane(merged | shifted):
            continue
        vax, vay, wa, mass_ax = simd.gather4(state, STATE.VX, index, (k, INDEX.ROW_A))
        vbx, vby, wb, mass_bx = simd.gather4(state, STATE.VX, index, (k, INDEX.ROW_B))
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
            moved = (dbx - dax) * normal_x + (dby - day) * normal_y + rotation_part(point, turn_a, turn_b)
            parting = simd.maximum(closing + rotation_part(point, wa, wb), 0.0) * dt
            overlap = simd.maximum(-separation, 0.0)
            wanted = simd.select(merged, simd.minimum(part * overlap, farthest) - parting, 0.0) - simd.maximum(
                separation, 0.0
            )
            push = PASS_SHARE * simd.maximum(wanted - moved, 0.0) * simd.load(point, POINT.NORMAL_MASS)
            px, py = push * normal_x, push * normal_y
            dax, day, turn_a = dax - mass_ax * px, day - mass_ay * py, turn_a - inertia_a * (push * arm_a)
            dbx, dby, turn_b = dbx + mass_bx * px, dby + mass_by * py, turn_b + inertia_b * (push * arm_b)
        simd.scatter4(state, STATE.DX, index, (k, INDEX.ROW_A), dax, day, turn_a, mass_ay)
        simd.scatter4(state, STATE.DX, index, (k, INDEX.ROW_B), dbx, dby, turn_b, mass_by)


@device
def merge_squeezed(pairs, solver, start, stop, point_count, least):
    """Merge the pairs that the shift has squeezed into each other by more than `least` [m].

    Writes pair_index (MERGED), solver_block (softness).
    """
    state, index = solver.state, solver.index
    for k in range(start, stop):
        row = solver.block[k]
        dax, day, turn_a, _ = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_A))
        dbx, dby, turn_b, _ = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_B))
        along = (dbx - dax) * simd.load(row, BLOCK.NORMAL_X) + (dby - day) * simd.load(row, BLOCK.NORMAL_Y)
        squeezed = along < along  # False in all lanes
        for i in range(point_count):
            point = row[BLOCK.FIRST + i * POINT.WIDTH :]
            moved = along + rotation_part(point, turn_a, turn_b)
            squeezed = squeezed | (simd.maximum(simd.load(point, POINT.SEPARATION), 0.0) + moved < -least)
        if simd.any_lane(squeezed):
            bits = simd.lane_bits(squeezed)
            for lane in range(simd.LANES):
                if (bits >> lane) & 1:
                    pairs.index[index[k, INDEX.PAIR, lane], PAIR.MERGED] = 1
            make_rigid(row, squeezed)
