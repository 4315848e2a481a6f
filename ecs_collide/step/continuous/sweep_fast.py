"""All that the sweeps do in most steps, in one call: find what is near the ways of the fast bodies, and stop them."""

from __future__ import annotations

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import Pairs
from ecs_collide.data.pieces import Pieces
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.step.broadphase.joined_bodies import leave_out_connected
from ecs_collide.step.broadphase.pair_update_arrays import Search
from ecs_collide.step.continuous import body_motions as of_track
from ecs_collide.step.continuous.body_motions import Tracks, forget_stops, put_stopped
from ecs_collide.step.continuous.sweep import sweep_bullets, sweep_near
from ecs_collide.step.continuous.sweep_candidates import find_near, find_near_movers, list_fast, list_off, sort_by_min_x
from ecs_collide.step.continuous.sweep_scratch import SweepScratch

BULLET_ROUNDS = 20
"""How often stopping times may change each other; two bullets need two rounds."""

GLIDE_ROUNDS = 8
"""How often the ways of what glides are moved out in a step, and all are swept again; then it is stopped."""

ALL_STOPPED, TO_SETTLE, TO_RESERVE = range(3)
"""What `sweep_fast` leaves to do."""


@stage
def sweep_fast(
    mover_count: int,
    movers: Ints,
    mover_bodies: Ints,
    farthest_dynamic: float,
    has_bullets: int,
    farthest_kinematic: float,
    has_kinematic: int,
    trees: Ints,
    bodies: Bodies,
    pieces: Pieces,
    pairs: Pairs,
    contacts: Contacts,
    contact_count: int,
    tracks: Tracks,
    span: FloatTable,
    search: Search,
    scratch: SweepScratch,
    slop: float,
    gravity: tuple[float, float],
    dt: float,
):
    """Stop the bodies that `mark_fast` and `mark_kinematic` found to be fast, where they would overlap something.

    Returns what is left to do, how many were stopped, and how many pairs there are in `near`, `met`, `crossed` and
    `off` of the scratch space.

        ALL_STOPPED   all is done
        TO_SETTLE     it is known where they are stopped, but sensors were crossed, some are pushed or asleep, or hang
                      by joints
        TO_RESERVE    there is no room for all of these pairs: call again with more

    `trees` (n,): the tree of joints of each body, -1 where it has none; empty where no body has one. Reads body_pose,
    body_frame, piece_box, the strips. Writes what `stop_bodies` does, track_stop and scratch space.
    """
    if tracks.counts[of_track.FAST_COUNT] == 0:
        return ALL_STOPPED, 0, 0, 0, 0, 0
    off = list_off(pairs, contacts, contact_count, scratch)
    glide_rounds = GLIDE_ROUNDS
    while True:
        fast = list_fast(mover_count, movers, mover_bodies, bodies, pieces, tracks, scratch)
        near, met = find_near(fast, search.unbounded, bodies, pieces, search.tree, scratch), 0
        if has_bullets != 0 or has_kinematic != 0:
            farthest = max(farthest_dynamic, farthest_kinematic)
            sort_by_min_x(fast, scratch.box, scratch.fast, scratch.nearby)
            near, met = find_near_movers(fast, near, farthest, bodies, pieces, tracks, span, search.strips, scratch)
        if near > len(scratch.near) or met > len(scratch.met) or off > len(scratch.off):
            return TO_RESERVE, 0, near, met, 0, off
        if len(search.connected) > 0:
            near = leave_out_connected(scratch.near, near, search.connected, pieces)
            met = leave_out_connected(scratch.met, met, search.connected, pieces)
        crossed, any_moved = sweep_near(near, glide_rounds > 0, trees, bodies, pieces, tracks, span, scratch, slop)
        if crossed > len(scratch.crossed):
            return TO_RESERVE, 0, near, met, crossed, off
        if not any_moved:
            break
        forget_stops(tracks)
        glide_rounds -= 1
    rounds = 0
    while met > 0 and rounds < BULLET_ROUNDS and sweep_bullets(met, bodies, pieces, tracks, span, scratch, slop):
        rounds += 1
    if crossed > 0 or must_hold_back(bodies, tracks, trees):
        return TO_SETTLE, 0, near, met, crossed, off
    return ALL_STOPPED, put_stopped(bodies, tracks, gravity, dt), near, met, crossed, off


@device
def must_hold_back(bodies, tracks, trees):
    """Whether any body that was stopped is pushed on, sleeps, or may take others along."""
    for k in range(tracks.counts[of_track.STOPPED_COUNT]):
        body = tracks.stopped[k]
        if len(trees) > 0 or bodies.island[body] != 0 or tracks.stop[body, of_track.PUSHED_AT] <= 1.0:
            return True
    return False
