"""Impacts at the start of each substep: how far they reach, and the passes that stop or bounce them.

Let a body of mass M land on a body of mass m that rests on the ground. In each pass it keeps the fraction M / (M + m)
of its speed. The upper contact passes the rest to the lower body, and the lower contact removes it. The solver repeats
the impulses of a substep in the next one, because most of them are lasting loads. The impulse of an impact does not
last. If it were repeated, it would act once too often and throw the body back, with 0.16 of its speed at M = m and 0.34
at M = 3 m. So bodies that approach fast are stopped first, like a bounce, by impulses that nothing repeats.

An impact begins if two movable bodies approach fast enough to meet within the step. It reaches the contacts of both
bodies, and spreads from body to body while half of its speed at each is still an impact. Blocks without an impact
nearby are skipped, so that only landing bodies cost time.
"""

from __future__ import annotations

from ecs_collide.common import tolerances as tuning
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, lane_bits, store
from ecs_collide.step.solver.bounce import bounce_contacts
from ecs_collide.step.solver.solver_rows import INDEX, STATUS


@device
def find_impacts(solver, k, speeds, impact_speed):
    """Find the impacts in block k, given its approach `speeds` [m/s]; return the number of contacts that they reach.

    Each contact on the way takes half the speed. Writes solver_status (REACH).
    """
    bits = lane_bits(speeds > tuning.IMPACT_BEGINS * impact_speed)
    if bits == 0:
        return 0
    farthest = 0
    store(solver.scratch, 0, speeds)
    for lane in range(LANES):
        if (bits >> lane) & 1:
            speed, reach = solver.scratch[0, lane], 0
            while speed > impact_speed and reach < tuning.IMPACT_REACH:
                speed, reach = 0.5 * speed, reach + 1
            extend_reach(solver.status, solver.index[k, INDEX.ROW_A, lane], reach)
            extend_reach(solver.status, solver.index[k, INDEX.ROW_B, lane], reach)
            farthest = max(farthest, reach)
    return farthest


@device
def extend_reach(status, body, reach):
    """Raise the impact reach of a body, unless it is immovable. Writes solver_status (REACH)."""
    if status[body, STATUS.ALLOWED] != 0:
        status[body, STATUS.REACH] = max(status[body, STATUS.REACH], reach)


@device
def spread_impacts(solver, blocks, farthest):
    """Spread the reach of impacts from body to body through the contacts. Writes solver_status (REACH)."""
    status, index = solver.status, solver.index
    for _ in range(farthest - 1):
        for k in range(blocks):
            for lane in range(LANES):
                a, b = index[k, INDEX.ROW_A, lane], index[k, INDEX.ROW_B, lane]
                reach_a, reach_b = status[a, STATUS.REACH], status[b, STATUS.REACH]
                if reach_a > reach_b + 1:
                    extend_reach(status, b, reach_a - 1)
                elif reach_b > reach_a + 1:
                    extend_reach(status, a, reach_b - 1)


@device
def list_impact_blocks(solver, start, stop, count):
    """Append the blocks that an impact can reach to the `count` listed blocks; return the new number of blocks.

    Reads solver_status, solver_has_impact. Writes solver_impact_blocks.
    """
    status, index = solver.status, solver.index
    for k in range(start, stop):
        reached = solver.has_impact[k]
        for lane in range(LANES):
            reached = (
                reached
                or status[index[k, INDEX.ROW_A, lane], STATUS.REACH] > 0
                or status[index[k, INDEX.ROW_B, lane], STATUS.REACH] > 0
            )
        if reached:
            solver.impact_blocks[count] = k
            count += 1
    return count


@device
def stop_impacts(solver, ranges, h, dt, tolerances, records):
    """Make passes over the listed blocks until a pass has no hit. `ranges` are the blocks of each kind in the list.

    If it `records` bounces, see `bounce_contacts`.
    """
    for number in range(tuning.IMPACT_PASSES):
        any_hit = False
        for start, stop, points in ranges:
            hit = bounce_contacts(solver, start, stop, points, h, dt, tolerances, number == 0, records)
            any_hit = any_hit or hit
        if not any_hit:
            return
