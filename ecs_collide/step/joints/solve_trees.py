"""Solve the trees, and the webs that they hang on: the impulses at all joints at once, exactly.

With e = J_c v_c - J_p v_p + b, from the leaves to the root, or to a web (`web.py`), and back

    up    v_p <- v_p + G e
    down  lambda = -N e          v_c <- v_c + H lambda

so that afterwards J_c v_c - J_p v_p + Gamma lambda + b = 0 at every joint. The same passes serve velocities, movements
(where b is how far a joint gapes), and what a single impulse does to the whole tree (b = 0).
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, load, store
from ecs_collide.step.joints.block_algebra import Triple, error_of, load_symmetric, load_triple, times
from ecs_collide.step.joints.body_lanes import put_triple, triple_of
from ecs_collide.step.joints.pin_blocks import climb_pins, descend_pins
from ecs_collide.step.joints.solve_loops import solve_web
from ecs_collide.step.joints.trees import tree_rows as layout


@device
def applied(field, at, motion, amounts):
    """A motion with three columns of factors added, each so many times."""
    a, b, c = load_triple(field, at), load_triple(field, at + 3), load_triple(field, at + 6)
    return Triple(
        motion.x + (a.x * amounts.x + b.x * amounts.y + c.x * amounts.z),
        motion.y + (a.y * amounts.x + b.y * amounts.y + c.y * amounts.z),
        motion.z + (a.z * amounts.x + b.z * amounts.y + c.z * amounts.z),
    )


@device
def climb_block(trees, block, column, bias):
    """Let the parents of eight joints feel what moves the children."""
    field = trees.field[block]
    child, parent = triple_of(trees, block, layout.CHILD, column), triple_of(trees, block, layout.PARENT, column)
    moved = applied(field, layout.G, parent, error_of(field, child, parent, bias))
    put_triple(trees, block, layout.PARENT, column, moved)


@device
def descend_block(trees, block, column, bias, impulse):
    """Let the children of eight joints follow the parents."""
    field = trees.field[block]
    child, parent = triple_of(trees, block, layout.CHILD, column), triple_of(trees, block, layout.PARENT, column)
    pushed = times(load_symmetric(field, layout.N), error_of(field, child, parent, bias))
    given = Triple(-pushed.x, -pushed.y, -pushed.z)
    put_triple(trees, block, layout.CHILD, column, applied(field, layout.H, child, given))
    if impulse == layout.NONE:
        return
    store(field, impulse, load(field, impulse) + given.x)
    store(field, impulse + 1, load(field, impulse + 1) + given.y)
    store(field, impulse + 2, load(field, impulse + 2) + given.z)


@device
def choose_blocks(trees):
    """Find the blocks that a solve of the chosen trees goes through. Writes is_chosen.

    What else has joints there is led astray by it, unless it has what it asks for.
    """
    for block in range(trees.span[layout.FIRST], trees.span[layout.IN_TREES]):
        if not trees.has_others[block]:
            trees.is_chosen[block] = trees.is_chosen[block - 1]
            continue
        found = False
        for lane in range(LANES):
            tree = trees.index[block, layout.TREE, lane]
            found = found or (tree != layout.NONE and trees.chosen[tree])
        trees.is_chosen[block] = found
    for block in range(trees.span[layout.IN_TREES], trees.span[layout.STOP]):
        trees.is_chosen[block] = True


@subroutine
def solve_trees(trees, column, bias, impulse, of_chosen):
    """Solve for three numbers of each seat, from `column` on; if it is so said only the blocks that are chosen.

    `bias` and `impulse` are the first of three fields of a block: what is asked for, and where the impulses are added,
    which is NONE if nobody asks for them.
    """
    for block in range(trees.span[layout.FIRST], trees.span[layout.IN_TREES]):
        if of_chosen and not trees.is_chosen[block]:
            continue
        if trees.is_pin[block]:
            climb_pins(trees, block, column, bias)
        else:
            climb_block(trees, block, column, bias)
    descend_trees(trees, column, bias, impulse, of_chosen)


@subroutine
def descend_trees(trees, column, bias, impulse, of_chosen):
    """The second half of that: through the webs, and from the roots to the leaves."""
    first, count = trees.span[layout.FIRST], trees.span[layout.IN_TREES] - trees.span[layout.FIRST]
    if len(trees.web.body) > 0:
        solve_web(trees, column, bias, impulse)
    for upward in range(count):
        block = first + count - 1 - upward
        if of_chosen and not trees.is_chosen[block]:
            continue
        if trees.is_pin[block]:
            descend_pins(trees, block, column, bias, impulse)
        else:
            descend_block(trees, block, column, bias, impulse)
