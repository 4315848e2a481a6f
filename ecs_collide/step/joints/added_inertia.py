"""Let bodies that the joints pull at turn no faster than a substep can follow, and gain nothing by that.

The pull of joints on a body that turns fast, or is light under a load, would swing it further within a substep than it
can follow: where (h omega)^2 of that swing, h pull / I with pull = sum of r.lambda over its joints (outwards positive,
lambda the impulse of a substep, of late), is above 1, its inertia is taken to be as much larger,

    I' = I (1 + h pull / I - 1)

Without that a heavy ball on a chain of light links, or a chain that does not fit, makes them jitter for ever.

A body that turns with w has 1/2 (I' - I) w^2 of energy that is not its own, and gives it to the others when they stop
it. So it may get none: where I' grows from one step to the next, w is made smaller, that I' w^2 stays the same. Of what
has contacts these take more than that; and a straight bridge keeps together better without.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, load, select, splat, square_root, store
from ecs_collide.step.joints.block_algebra import Triple
from ecs_collide.step.joints.body_lanes import put_triple, triple_of
from ecs_collide.step.joints.pin_blocks import anchors_of
from ecs_collide.step.joints.trees import tree_rows as layout

LATEST = 0.5
"""The part of the last step in what a joint is said to have borne of late: in one substep it may bear nothing."""


@subroutine
def add_inertia(trees, h):
    """At the start of a step. Reads what `add_up_pulls` does, seat (OWN_INERTIA). Writes seat (INERTIA, PULL)."""
    add_up_pulls(trees)
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        store(trees.seat[s], layout.INERTIA, pulled_inertia(trees.seat[s], h))


@subroutine
def slow_spins(trees, h, dt):
    """At the end of a step, for what the next one will make of it.

    Reads BORNE. Writes PULL_ON_CHILD, seat (W, PULL).
    """
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        field = trees.field[block]
        for k in range(2):
            pull = load(field, layout.PULL_ON_CHILD + k)
            now = load(field, layout.BORNE + k) * (h / dt)
            store(field, layout.PULL_ON_CHILD + k, pull + LATEST * (now - pull))
    add_up_pulls(trees)
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        seat = trees.seat[s]
        before, after = load(seat, layout.INERTIA), pulled_inertia(seat, h)
        grows = (after < before) & ~touched_lanes(trees, s)
        share = select(grows, after, 1.0) / select(grows, before, 1.0)
        store(seat, layout.W, load(seat, layout.W) * square_root(share))


@device
def touched_lanes(trees, s):
    """Which of eight bodies are in a tree that has a contact."""
    for lane in range(LANES):
        tree = trees.seat_index[s, layout.SEAT_TREE, lane]
        trees.passing[0, lane] = 1.0 if tree == layout.NONE or trees.is_touched[tree] else 0.0
    return load(trees.passing, 0) > 0.0


@device
def pulled_inertia(seat, h):
    """The inverse of I' of eight bodies [1/(kg m^2)]."""
    own = load(seat, layout.OWN_INERTIA)
    ratio = h * load(seat, layout.PULL) * own
    return own / select(ratio > 1.0, ratio, 1.0)


@device
def add_up_pulls(trees):
    """Add up what the joints pull on each body in a substep. Reads PULL_ON_CHILD and the arms. Writes seat (PULL)."""
    nothing = splat(0.0)
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        store(trees.seat[s], layout.PULL, nothing)
    for block in range(trees.span[layout.FIRST], trees.span[layout.IN_TREES]):
        kind, field = trees.block_kind[block], trees.field[block]
        if kind != kinds.REVOLUTE and kind != kinds.WELD and kind != kinds.DISTANCE:
            continue
        x, y = load(field, layout.PULL_ON_CHILD), load(field, layout.PULL_ON_CHILD + 1)
        arm_x, arm_y, lever_x, lever_y = anchors_of(trees, block)
        on_child, on_parent = arm_x * x + arm_y * y, lever_x * x + lever_y * y
        add_pull(trees, block, layout.CHILD, on_child)
        add_pull(trees, block, layout.PARENT, 0.0 - on_parent)


@device
def add_pull(trees, block, side, pull):
    """Add to the pull on eight bodies, of which none that turns sits in two seats. Writes seat (PULL)."""
    spin = triple_of(trees, block, side, layout.INERTIA)
    put_triple(trees, block, side, layout.INERTIA, Triple(spin.x, select(spin.x > 0.0, spin.y + pull, 0.0), spin.z))
