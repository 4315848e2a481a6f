"""Added mass: light bodies of joint trees that support heavy bodies.

Trees and contacts are solved in turn. A contact passes the fraction m / (M + m) of the momentum of a body of mass M to
a body of mass m, and the joints take it from there. If m is very small, the rounds end long before the joints bear the
load. The rest accumulates in the impulses from substep to substep, as in an undamped spring, and throws the heavy body
back.

So a body of a touched tree that touches a body of more than a hundred times its mass gets the mass of a hundredth of
that load, in the tree and in its contacts. Its inertia grows in proportion. Its acceleration by gravity stays.
"""

from __future__ import annotations

from ecs_collide.data.bodies import MASS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import gather4, load, maximum, minimum, store
from ecs_collide.step.joints.trees.tree_rows import BATCH, LANE, LANE_INDEX
from ecs_collide.step.solver.solver_rows import BODY

GREATEST_RATIO = 100.0
"""Load, in masses of a body of a tree, above which the body gets more mass."""


@device
def add_masses(trees, bodies, contacts, contact_count, solver):
    """Write the masses of the body lanes with what they support. Reads body_mass. Writes lanes, solver_body (LOAD)."""
    if not find_tree_loads(trees, bodies, contacts, contact_count, solver):
        return
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes = trees.lanes[s]
        _, _, _, supported = gather4(solver.body, BODY.CENTER_X, trees.lane_index, (s, LANE_INDEX.SOLVER_ROW))
        mass_x, mass_y, own_inertia = load(lanes, LANE.MASS_X), load(lanes, LANE.MASS_Y), load(lanes, LANE.OWN_INERTIA)
        share = 1.0 / maximum(supported * maximum(mass_x, mass_y) / GREATEST_RATIO, 1.0)
        store(lanes, LANE.MASS_X, share * mass_x)
        store(lanes, LANE.MASS_Y, share * mass_y)
        store(lanes, LANE.OWN_INERTIA, share * own_inertia)
        store(lanes, LANE.INERTIA, minimum(load(lanes, LANE.INERTIA), share * own_inertia))


@device
def find_tree_loads(trees, bodies, contacts, contact_count, solver):
    """Find the greatest mass that touches each body of a tree; return True if any of them is a large load.

    Reads body_mass, body_solver_row. Writes solver_body (LOAD).
    """
    mass, any_large = bodies.mass, False
    for row in range(contact_count):
        if not contacts.enabled[row] or contacts.missed[row]:
            continue
        for side in range(2):
            body, other = contacts.body[row, side], contacts.body[row, 1 - side]
            if trees.tree_of_body[body] < 0:
                continue
            inverse = max(mass[body, MASS.INVERSE_X], mass[body, MASS.INVERSE_Y])
            inverse_of_other = max(mass[other, MASS.INVERSE_X], mass[other, MASS.INVERSE_Y])
            if inverse > GREATEST_RATIO * inverse_of_other > 0.0:
                solver_row = bodies.solver_row[body]
                solver.body[solver_row, BODY.LOAD] = max(solver.body[solver_row, BODY.LOAD], 1.0 / inverse_of_other)
                any_large = True
    return any_large
