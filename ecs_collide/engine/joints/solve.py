"""Solve the trees, and the webs that they hang on: the impulses at all joints at once, exactly.

With e = J_c v_c - J_p v_p + b, from the leaves to the root, or to a web (`web.py`), and back

    up    v_p <- v_p + G e
    down  lambda = -N e          v_c <- v_c + H lambda

so that afterwards J_c v_c - J_p v_p + Gamma lambda + b = 0 at every joint. The same passes serve velocities, movements
(where b is how far a joint gapes), and what a single impulse does to the whole tree (b = 0).
"""

from __future__ import annotations

from ecs_collide.compiled.kernels import device, subroutine
from ecs_collide.compiled.simd import gather4, load, scatter4, store
from ecs_collide.engine.joints.algebra import Symmetric, Triple, error_of, load_triple, times
from ecs_collide.engine.joints.forest import layout
from ecs_collide.engine.joints.web import solve_web


@device
def applied(field, at, motion, amounts):
    """A motion with three columns of factors added, each so many times."""
    a, b, c = load_triple(field, at), load_triple(field, at + 3), load_triple(field, at + 6)
    return Triple(
        motion.x + (a.x * amounts.x + b.x * amounts.y + c.x * amounts.z),
        motion.y + (a.y * amounts.x + b.y * amounts.y + c.y * amounts.z),
        motion.z + (a.z * amounts.x + b.z * amounts.y + c.z * amounts.z),
    )


@subroutine
def solve_trees(trees, table, bias, impulse):
    """Solve for the first three columns of `table`, which has a row for each body of the solver's.

    `bias` and `impulse` are the first of three fields of a block: what is asked for, and where the impulses are added.
    """
    index, count = trees.index, trees.counts[layout.IN_TREES]
    for block in range(count):
        field = trees.field[block]
        x, y, w, _ = gather4(table, 0, index, (block, layout.CHILD))
        child = Triple(x, y, w)
        x, y, w, behind = gather4(table, 0, index, (block, layout.PARENT))
        parent = Triple(x, y, w)
        moved = applied(field, layout.G, parent, error_of(field, child, parent, bias))
        scatter4(table, 0, index, (block, layout.PARENT), moved.x, moved.y, moved.z, behind)
    if len(trees.web.body) > 0:
        solve_web(trees, table, bias, impulse)
    for upward in range(count):
        block = count - 1 - upward
        field = trees.field[block]
        x, y, w, behind = gather4(table, 0, index, (block, layout.CHILD))
        child = Triple(x, y, w)
        x, y, w, _ = gather4(table, 0, index, (block, layout.PARENT))
        e = error_of(field, child, Triple(x, y, w), bias)
        n = Symmetric(
            load(field, layout.N),
            load(field, layout.N + 1),
            load(field, layout.N + 2),
            load(field, layout.N + 3),
            load(field, layout.N + 4),
            load(field, layout.N + 5),
        )
        pushed = times(n, e)
        given = Triple(-pushed.x, -pushed.y, -pushed.z)
        moved = applied(field, layout.H, child, given)
        scatter4(table, 0, index, (block, layout.CHILD), moved.x, moved.y, moved.z, behind)
        store(field, impulse, load(field, impulse) + given.x)
        store(field, impulse + 1, load(field, impulse + 1) + given.y)
        store(field, impulse + 2, load(field, impulse + 2) + given.z)
