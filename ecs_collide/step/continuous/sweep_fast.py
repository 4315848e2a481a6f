"""Sweep of all fast bodies in one call: find the candidates near their paths, and stop the bodies."""

from __future__ import annotations

from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import Pairs
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.step.broadphase.excluded_pairs import drop_excluded_pairs
from ecs_collide.step.broadphase.pair_update_arrays import Search
from ecs_collide.step.continuous.body_motions import (
    COUNTS,
    FARTHEST,
    STOP,
    clear_moved,
    clear_stops,
    place_stopped,
)
from ecs_collide.step.continuous.pushed_bodies import shorten_pushes
from ecs_collide.step.continuous.sweep import drop_crossed_of_moved, sweep_bullets, sweep_candidates
from ecs_collide.step.continuous.sweep_candidates import (
    find_moving,
    find_static,
    keep_near_stopping,
    list_disabled,
    list_fast,
    sort_by_min_x,
)
from ecs_collide.step.continuous.sweep_scratch import SweepScene

BULLET_ROUNDS = 20
"""Greatest number of rounds in which stopping times change each other. Two bullets need two rounds."""

GLIDE_ROUNDS = 8
"""Greatest number of rounds that move the ends of gliding bodies. Then the bodies are stopped.

Each round sweeps only the bodies whose ends were moved in the one before, as no body's sweep depends on another's.
"""

ALL_STOPPED, TO_APPLY_STOPS, TO_RESERVE = range(3)
"""Work that `sweep_fast` leaves to Python."""


class SweepNeighbours(Bundle):
    """Columns in which the sweep finds candidates."""

    search: Search
    """Pieces by place."""
    pairs: Pairs
    reachable: Pairs
    """Pairs that hooks of this step have seen beside these."""
    contacts: Contacts
    movers: Ints
    """Bounded pieces of awake bodies (p,) int64."""
    owners: Ints
    """Body of each of these pieces (p,) int64."""


@kernel
def sweep_fast(
    scene: SweepScene,
    neighbours: SweepNeighbours,
    mover_count: int,
    contact_count: int,
    has_kinematic: int,
    has_bullets: int,
    has_one_way: int,
    some_disabled: int,
    gravity: tuple[float, float],
    dt: float,
):
    """Stop the bodies that `mark_fast` and `mark_kinematic` found to be fast, where they would overlap something.

    `has_kinematic`, `has_bullets` and `has_one_way` are 0 if there are no such bodies, awake or not; `some_disabled` is
    0 if the game disabled no pairs. Returns the work that is left, the number of bodies stopped, and the numbers of
    pairs in `candidates`, `bullets`, `crossed` and `disabled` of the scratch space.

        ALL_STOPPED      all is done
        TO_APPLY_STOPS   the stopping times are known, but pieces were crossed, or some stopped bodies are asleep
        TO_RESERVE       there is no room for all of these pairs: call again with more room, which continues from there

    Reads body_pose, body_frame, piece_box, the strips, motion_counts, motion_farthest. Writes the same as
    `stop_bodies`, motion_stop, and scratch space.
    """
    motions, scratch, search = scene.motions, scene.scratch, neighbours.search
    if motions.counts[COUNTS.FAST] == 0:
        return ALL_STOPPED, 0, 0, 0, 0, 0
    disabled = list_disabled(
        neighbours.pairs,
        some_disabled + has_one_way,
        neighbours.reachable,
        neighbours.contacts,
        contact_count,
        scratch,
    )
    has_slow = has_bullets != 0 or motions.counts[COUNTS.SLOW_KINEMATIC] > 0
    clear_stops(True, motions)
    clear_moved(motions)
    crossed, of_all = 0, True
    while True:
        # Find the candidates.
        is_listing_all = of_all or has_bullets != 0
        fast = list_fast(mover_count, neighbours.movers, neighbours.owners, is_listing_all, scene)
        candidates, bullets = find_static(fast, of_all, search.unbounded, search.tree, scene), 0
        if has_kinematic != 0 or has_bullets != 0:
            farthest = max(motions.farthest[FARTHEST.DYNAMIC], motions.farthest[FARTHEST.KINEMATIC])
            if not has_slow:
                fast = keep_near_stopping(fast, scene)
            sort_by_min_x(fast, scratch.box, scratch.fast, scratch.nearby)
            candidates, bullets = find_moving(fast, candidates, farthest, has_slow, of_all, search.strips, scene)
        if candidates > len(scratch.candidates) or bullets > len(scratch.bullets) or disabled > len(scratch.disabled):
            return TO_RESERVE, 0, candidates, bullets, 0, disabled
        if len(search.excluded_pairs) > 0:
            candidates = drop_excluded_pairs(scratch.candidates, candidates, search.excluded_pairs, scene.pieces)
            bullets = drop_excluded_pairs(scratch.bullets, bullets, search.excluded_pairs, scene.pieces)
        # Sweep them, until no end of a path is moved out any more.
        crossed = drop_crossed_of_moved(crossed, scene)
        clear_stops(False, motions)
        clear_moved(motions)
        crossed = sweep_candidates(candidates, crossed, motions.counts[COUNTS.GLIDES] < GLIDE_ROUNDS, scene)
        if motions.counts[COUNTS.MOVED] > 0:
            motions.counts[COUNTS.GLIDES] += 1
        if crossed > len(scratch.crossed):
            return TO_RESERVE, 0, candidates, bullets, crossed, disabled
        if motions.counts[COUNTS.MOVED] == 0:
            break
        of_all = False
    # Sweep the bullets, until no stopping time changes any more.
    while bullets > 0 and motions.counts[COUNTS.ROUND] < BULLET_ROUNDS and sweep_bullets(bullets, scene):
        pass
    are_pushed, are_asleep = find_stopped_states(scene)
    if crossed > 0 or are_asleep:
        return TO_APPLY_STOPS, 0, candidates, bullets, crossed, disabled
    if are_pushed:
        shorten_pushes(neighbours.movers[:mover_count], search.unbounded, search.tree, scene)
    return ALL_STOPPED, place_stopped(scene.bodies, motions, gravity, dt), candidates, bullets, crossed, disabled


@device
def find_stopped_states(scene):
    """Return True if any stopped body is pushed on, and True if any sleeps."""
    motions, are_pushed, are_asleep = scene.motions, False, False
    for k in range(motions.counts[COUNTS.STOPPED]):
        body = motions.stopped[k]
        are_pushed = are_pushed or motions.stop[body, STOP.PUSH_TIME] <= 1.0
        are_asleep = are_asleep or scene.bodies.island[body] != 0
    return are_pushed, are_asleep
