"""Filling the columns of bodies, except the numbers of their components.

A number that few bodies have is written only where it differs. So the pages of a column that is zero for all bodies are
never written, and the system gives them no memory.
"""

from __future__ import annotations

from math import inf, nan

from ecs_collide.components.body_kind import DYNAMIC, STATIC
from ecs_collide.data.bodies import BODY_SPAN, FILTER, FRAME, LIMIT, MASS, MOTION, RULE, SURFACE, Bodies, count_rare
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.step.sync import component_columns as of_component
from ecs_collide.step.sync.component_columns import INTEGERS, NUMBERS

IS_NEW, IS_SEVERAL, HAS_ATTACHED = 1, 2, 4
"""Bits of a body's state.

IS_NEW: the body is new, or collides with other bodies than before. IS_SEVERAL: it has several pieces, those of attached
colliders included. Such a body counts as a bullet: if it were deep in another one, each piece's way out might lead
through the next one, and nothing would separate them. HAS_ATTACHED: it has attached colliders.
"""

FILLED = layout(
    "bodies to fill",
    ROW="row of the body",
    ENTITY="entity",
    STATE="bits of its state, see above",
)


@kernel
def fill_bodies(
    filled: IntTable,
    integers: IntTable,
    numbers: FloatTable,
    masses: FloatTable,
    bodies: Bodies,
    span: FloatTable,
    rare_count: Ints,
):
    """Fill the rows of bodies, and count their rare properties. Pieces are still to come.

    Args:
        filled: rows of `FILLED`, a column for each body (3, n).
        integers: from `read_components` (n, ...).
        numbers: from `read_components` (n, ...).
        masses: from `compute_body_masses` (n, 5).
        bodies: written.
        span: written (rows, 2).
        rare_count: written, columns of `RARE` (4,).
    """
    for k in range(filled.shape[1]):
        row, state, present = filled[FILLED.ROW, k], filled[FILLED.STATE, k], integers[k, INTEGERS.PRESENT]
        count_rare(row, -1, bodies, rare_count)
        if state & IS_NEW != 0:
            bodies.entity[row], bodies.kind[row] = filled[FILLED.ENTITY, k], integers[k, INTEGERS.KIND]
            for field in range(FILTER.WIDTH):
                bodies.filter[row, field] = integers[k, INTEGERS.FILTER + field]
            for field in range(2):
                write_if_other(bodies.one_way, row, field, numbers[k, NUMBERS.ONE_WAY + field])
            bodies.frame[row, FRAME.ANGLE] = nan
            bodies.solver_row[row] = 0  # it may have had one in the last step, and be static now
            has_pieces = present & of_component.HAS_COLLIDER != 0 or state & HAS_ATTACHED != 0
            span[row, BODY_SPAN.CORE] = inf if has_pieces else 0.0
            span[row, BODY_SPAN.EXTENT] = 0.0
        if state & IS_NEW != 0 and bodies.kind[row] == STATIC:
            for axis in range(3):
                bodies.velocity[row, axis] = 0.0
                write_if_other(bodies.push, row, axis, 0.0)
        bodies.rest_time[row] = 0.0
        for field in range(MASS.WIDTH):
            bodies.mass[row, field] = masses[k, field]
        for field in range(SURFACE.WIDTH):
            write_if_other(bodies.surface, row, field, numbers[k, NUMBERS.SURFACE + field])
        for field in range(RULE.WIDTH):
            write_if_other(bodies.rule, row, field, integers[k, INTEGERS.RULE + field])
        for field in range(LIMIT.WIDTH):
            limit = numbers[k, NUMBERS.LIMIT + field]
            write_if_other(bodies.limit, row, field, limit if limit > 0.0 else 0.0)  # NaN is no limit
        is_bullet = present & of_component.IS_BULLET != 0 or state & IS_SEVERAL != 0
        bodies.is_bullet[row] = is_bullet and bodies.kind[row] == DYNAMIC
        bodies.can_sleep[row] = present & of_component.STAYS_AWAKE == 0
        fill_defaults(row, present, bodies)
        count_rare(row, 1, bodies, rare_count)


@device
def fill_defaults(row, present, bodies):
    """Write the defaults of components that a body does not have."""
    if present & of_component.HAS_COLLIDER == 0:
        bodies.material[row, :] = 0.0
    if present & of_component.HAS_RIGID_BODY == 0:
        bodies.motion[row, :] = 0.0
        bodies.motion[row, MOTION.GRAVITY_SCALE] = 1.0
    if present & of_component.HAS_FORCE == 0:
        for axis in range(3):
            write_if_other(bodies.force, row, axis, 0.0)


@device
def write_if_other(column, row, field, number):
    """Write a number to a column unless it holds an equal one."""
    if column[row, field] != number:
        column[row, field] = number
