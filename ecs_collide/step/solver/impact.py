"""Impacts, at the start of each substep: how far they reach, and the passes that stop them or let them bounce.

A body of mass M that lands on one of mass m, which rests on the ground, keeps the fraction M / (M + m) of its speed in
each pass: the upper contact gives the rest to the lower body, and the lower contact takes it away. The solver repeats
the impulses of a substep in the next one, because most are loads that stay. That of an impact is done; repeated, it
arrives once too often, when little approaches any more, and throws the body back with .16 of its speed at M = m and
.34 at M = 3 m. So what comes together fast is stopped before, like a bounce, by impulses that nothing repeats.

An impact begins where two bodies that can be moved come together fast enough to meet within the step. It reaches the
contacts of both, and so on from body to body, as long as half of its speed in each is still an impact. Nothing is
looked at where none is near, so that only what lands pays: a pile of 2,000 circles takes 1.2 times its step for a
second.
"""

from __future__ import annotations

from ecs_collide.common import tolerances as tuning
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, lane_bits, store
from ecs_collide.step.solver.bounce import bounce_contacts
from ecs_collide.step.solver.solver_rows import INDEX, STATUS


@device
def note_impacts(solver, k, speeds, impact_speed):
    """Let the impacts in block k, of such `speeds` [m/s], begin at its bodies; return how far they reach, 0 if none.

    Each contact on the way takes half the speed. Writes solver_colour (REACH).
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
            reach_body(solver.status, solver.index[k, INDEX.ROW_A, lane], reach)
            reach_body(solver.status, solver.index[k, INDEX.ROW_B, lane], reach)
            farthest = max(farthest, reach)
    return farthest


@device
def reach_body(colour, body, reach):
    """Let an impact travel on from a body that can be moved. Writes solver_colour (REACH)."""
    if colour[body, STATUS.ALLOWED] != 0:
        colour[body, STATUS.REACH] = max(colour[body, STATUS.REACH], reach)


@device
def hand_impacts_on(solver, blocks, farthest):
    """Let impacts reach what is behind the bodies that they hit. Writes solver_colour (REACH)."""
    colour, index = solver.status, solver.index
    for _ in range(farthest - 1):
        for k in range(blocks):
            for lane in range(LANES):
                a, b = index[k, INDEX.ROW_A, lane], index[k, INDEX.ROW_B, lane]
                reach_a, reach_b = colour[a, STATUS.REACH], colour[b, STATUS.REACH]
                if reach_a > reach_b + 1:
                    reach_body(colour, b, reach_a - 1)
                elif reach_b > reach_a + 1:
                    reach_body(colour, a, reach_b - 1)


@device
def list_struck(solver, start, stop, count):
    """Append the blocks that an impact can reach to the `count` listed ones; return how many there are then.

    Reads solver_colour, solver_meets. Writes solver_struck.
    """
    colour, index = solver.status, solver.index
    for k in range(start, stop):
        reached = solver.has_impact[k]
        for lane in range(LANES):
            reached = (
                reached
                or colour[index[k, INDEX.ROW_A, lane], STATUS.REACH] > 0
                or colour[index[k, INDEX.ROW_B, lane], STATUS.REACH] > 0
            )
        if reached:
            solver.impact_blocks[count] = k
            count += 1
    return count


@device
def stop_impacts(solver, struck, h, dt, tolerances):
    """Passes over the struck blocks until none has a hit. `struck` says where those of each kind stand in the list."""
    for number in range(tuning.IMPACT_PASSES):
        any_hit = False
        for start, stop, points in struck:
            hit = bounce_contacts(solver, start, stop, points, h, dt, tolerances, number == 0)
            any_hit = any_hit or hit
        if not any_hit:
            return
