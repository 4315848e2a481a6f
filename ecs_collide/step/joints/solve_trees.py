"""Solve the joint trees, and the loops on which they hang: the impulses of all joints together, exactly.

With e = J_c v_c - J_p v_p + b, from the leaves to the root, or to a loop (`solve_loops.py`), and back

    up    v_p <- v_p + G e
    down  lambda = -N e          v_c <- v_c + H lambda

so that afterwards J_c v_c - J_p v_p + Gamma lambda + b = 0 at each joint. The passes serve velocities, movements (with
the position error as b), and the response of a whole tree to a single impulse (b = 0).
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, load, store
from ecs_collide.step.joints.rows.block_algebra import Triple, error_of, load_symmetric, load_triple, times
from ecs_collide.step.joints.rows.body_lanes import put_triple, triple_of
from ecs_collide.step.joints.rows.pin_blocks import climb_pins, descend_pins
from ecs_collide.step.joints.solve_loops import solve_loops
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK, INDEX, NONE


@device
def add_impulses(field, at, motion, amounts):
    """Return a motion plus three columns of factors times three amounts."""
    a, b, c = load_triple(field, at), load_triple(field, at + 3), load_triple(field, at + 6)
    return Triple(
        motion.x + (a.x * amounts.x + b.x * amounts.y + c.x * amounts.z),
        motion.y + (a.y * amounts.x + b.y * amounts.y + c.y * amounts.z),
        motion.z + (a.z * amounts.x + b.z * amounts.y + c.z * amounts.z),
    )


@device
def climb_block(trees, block, column, bias):
    """Make the upward pass of eight joints: pass the motion of the children on to the parents."""
    field = trees.blocks[block]
    child, parent = triple_of(trees, block, INDEX.CHILD, column), triple_of(trees, block, INDEX.PARENT, column)
    moved = add_impulses(field, BLOCK.G, parent, error_of(field, child, parent, bias))
    put_triple(trees, block, INDEX.PARENT, column, moved)


@device
def climb_any_block(trees, block, column, bias):
    """Make the upward pass of eight joints, which may be pins."""
    if trees.is_pin[block]:
        climb_pins(trees, block, column, bias)
    else:
        climb_block(trees, block, column, bias)


@device
def descend_block(trees, block, column, bias, impulse):
    """Make the downward pass of eight joints: move the children with the parents.

    Adds the impulses to three columns from `impulse` on, unless that is NONE.
    """
    field = trees.blocks[block]
    child, parent = triple_of(trees, block, INDEX.CHILD, column), triple_of(trees, block, INDEX.PARENT, column)
    pushed = times(load_symmetric(field, BLOCK.N), error_of(field, child, parent, bias))
    given = Triple(-pushed.x, -pushed.y, -pushed.z)
    put_triple(trees, block, INDEX.CHILD, column, add_impulses(field, BLOCK.H, child, given))
    if impulse == NONE:
        return
    store(field, impulse, load(field, impulse) + given.x)
    store(field, impulse + 1, load(field, impulse + 1) + given.y)
    store(field, impulse + 2, load(field, impulse + 2) + given.z)


@device
def select_blocks(trees):
    """Find the blocks that hold joints of selected trees, or of loops. Writes is_block_selected.

    A partial solve changes the other trees of such a block as well, unless their velocities meet their biases already.
    """
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_TREES]):
        if not trees.has_new_trees[block]:
            trees.is_block_selected[block] = trees.is_block_selected[block - 1]
            continue
        found = False
        for lane in range(LANES):
            tree = trees.block_index[block, INDEX.TREE, lane]
            found = found or (tree != NONE and trees.is_selected[tree])
        trees.is_block_selected[block] = found
    for block in range(trees.span[BATCH.STOP_TREES], trees.span[BATCH.STOP_BLOCK]):
        trees.is_block_selected[block] = True


@subroutine
def solve_trees(trees, column, bias, impulse, of_selected):
    """Solve for three numbers of each body lane, from `column` on.

    Args:
        trees: the trees; blocks of `span` only.
        column: first of three columns of body lanes.
        bias: first of three columns of a block, the bias of each row.
        impulse: first of three columns of a block to which impulses are added; NONE to drop them.
        of_selected: True to solve selected blocks only.
    """
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_TREES]):
        if not of_selected or trees.is_block_selected[block]:
            climb_any_block(trees, block, column, bias)
    descend_trees(trees, column, bias, impulse, of_selected)


@subroutine
def descend_trees(trees, column, bias, impulse, of_selected):
    """Make the second half of `solve_trees`: the loops, then the blocks from the roots to the leaves."""
    first, count = trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_TREES] - trees.span[BATCH.FIRST_BLOCK]
    if len(trees.loops.body) > 0:
        solve_loops(trees, column, bias, impulse)
    for upward in range(count):
        block = first + count - 1 - upward
        if of_selected and not trees.is_block_selected[block]:
            continue
        if trees.is_pin[block]:
            descend_pins(trees, block, column, bias, impulse)
        else:
            descend_block(trees, block, column, bias, impulse)
