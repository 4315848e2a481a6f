"""Added inertia: bodies that joints pull at turn no faster than a substep can follow.

The pull of its joints swings a body. If the body turns fast, or is light under a load, that swing can exceed what a
substep can follow. With omega the angular frequency of the swing,

    (h omega)^2 = h pull / I,   pull = sum of r.lambda over the joints

r is the arm of a joint, outwards positive, and lambda its mean impulse in a substep. A body with h pull > I gets the
greater inertia

    I' = h pull

Otherwise the links of a light chain with a heavy ball, or of a chain that is too short, would jitter for ever.

A body with spin w then has an energy of 1/2 (I' - I) w^2 that is not its own, and passes it on when it is stopped. So
if I' grows from one step to the next, w is reduced such that I' w^2 stays constant. This is not done in touched trees:
contacts take more energy than that, and a straight bridge keeps together better.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, load, select, splat, square_root, store
from ecs_collide.step.joints.rows.block_algebra import Triple
from ecs_collide.step.joints.rows.body_lanes import lanes_of_trees, put_triple, triple_of
from ecs_collide.step.joints.rows.pin_blocks import anchors_of
from ecs_collide.step.joints.trees.loop_layout import LOOP_JOINT
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK, INDEX, LANE

LATEST = 0.5
"""Weight of the last step in the mean pull, which evens out steps in which a joint bears nothing."""


@subroutine
def add_inertia(trees, h):
    """Write the inertia of all bodies at the start of a step. Reads MEAN_PULL, OWN_INERTIA. Writes INERTIA, PULL."""
    add_up_pulls(trees)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        store(trees.lanes[s], LANE.INERTIA, pulled_inertia(trees.lanes[s], h))


@subroutine
def slow_spins(trees, h, dt):
    """Update mean pulls, and slow down bodies whose inertia grows in the next step. Used at the end of a step.

    Reads LOAD. Writes MEAN_PULL, and W, PULL of body lanes.
    """
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        field = trees.blocks[block]
        for k in range(2):
            pull = load(field, BLOCK.MEAN_PULL + k)
            now = load(field, BLOCK.LOAD + k) * (h / dt)
            store(field, BLOCK.MEAN_PULL + k, pull + LATEST * (now - pull))
    add_up_pulls(trees)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes = trees.lanes[s]
        before, after = load(lanes, LANE.INERTIA), pulled_inertia(lanes, h)
        grows = (after < before) & lanes_of_trees(trees, s, trees.is_touched, False)
        share = select(grows, after, 1.0) / select(grows, before, 1.0)
        store(lanes, LANE.W, load(lanes, LANE.W) * square_root(share))


@device
def pulled_inertia(lanes, h):
    """Return the inverse of I' of eight bodies [1/(kg m^2)]."""
    own = load(lanes, LANE.OWN_INERTIA)
    ratio = h * load(lanes, LANE.PULL) * own
    return own / select(ratio > 1.0, ratio, 1.0)


@device
def add_up_pulls(trees):
    """Add up the pulls of all joints on each body in a substep. Reads MEAN_PULL and the arms. Writes PULL, share."""
    nothing = splat(0.0)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        store(trees.lanes[s], LANE.PULL, nothing)
    joint = 0
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        on_child, on_parent = nothing, nothing
        if trees.block_kind[block] in kinds.ON_ARCS:
            on_child, on_parent = pulls_of(trees, block)
        if block < trees.span[BATCH.STOP_TREES]:
            add_pull(trees, block, INDEX.CHILD, on_child)
            add_pull(trees, block, INDEX.PARENT, on_parent)
        else:
            joint = add_pulls_of_loop(trees, block, joint, on_child, on_parent)


@device
def pulls_of(trees, block):
    """Return the pulls of eight joints on their children and their parents."""
    field = trees.blocks[block]
    x, y = load(field, BLOCK.MEAN_PULL), load(field, BLOCK.MEAN_PULL + 1)
    arm_x, arm_y, lever_x, lever_y = anchors_of(trees, block)
    return arm_x * x + arm_y * y, 0.0 - (lever_x * x + lever_y * y)


@device
def add_pulls_of_loop(trees, block, joint, on_child, on_parent):
    """Add the pulls of eight joints of loops, from `joint` of the loops on; return the first joint behind them.

    A body of a loop may have several joints in a block. Writes PULL, share.
    """
    loops = trees.loops
    store(loops.share, 0, on_child)
    store(loops.share, 1, on_parent)
    while joint < len(loops.joint) and loops.joint[joint, LOOP_JOINT.LANE] // LANES == block:
        lane = loops.joint[joint, LOOP_JOINT.LANE] % LANES
        for side in range(2):
            body = loops.lane[loops.joint[joint, LOOP_JOINT.CHILD + side]]
            if trees.lane_numbers[body + LANES * LANE.INERTIA] > 0.0:
                trees.lane_numbers[body + LANES * LANE.PULL] += loops.share[side, lane]
        joint += 1
    return joint


@device
def add_pull(trees, block, side, pull):
    """Add to the pull on eight bodies. A body that turns has one lane only. Writes PULL."""
    spin = triple_of(trees, block, side, LANE.INERTIA)
    put_triple(trees, block, side, LANE.INERTIA, Triple(spin.x, select(spin.x > 0.0, spin.y + pull, 0.0), spin.z))
