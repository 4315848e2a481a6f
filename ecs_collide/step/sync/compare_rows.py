"""Comparison of bodies with the rows that they continue."""

from __future__ import annotations

from ecs_collide.data.bodies import FILTER, Bodies
from ecs_collide.kernels.arrays import Flags, FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import kernel
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.component_columns import INTEGERS, NUMBERS


@kernel
def compare_filters(rows: Ints, integers: IntTable, numbers: FloatTable, bodies: Bodies, is_equal: Flags):
    """Write to `is_equal` (n,) whether each body has the filter and the one-way direction of a row; not below row 0.

    `integers` and `numbers` are the tables of `read_components`. Reads body_filter, body_one_way.
    """
    for k in range(len(rows)):
        is_equal[k] = rows[k] >= 0
        if is_equal[k]:
            for field in range(FILTER.WIDTH):
                is_equal[k] &= integers[k, INTEGERS.FILTER + field] == bodies.filter[rows[k], field]
            for field in range(2):
                is_equal[k] &= numbers[k, NUMBERS.ONE_WAY + field] == bodies.one_way[rows[k], field]


def has_surface_of(body: Body, bodies: Bodies) -> bool:
    """Return True if a body has the surface and the combine rules of its row."""
    collider = body.components.collider
    return (
        collider is not None
        and bodies.surface[body.row].tolist() == list(collider._surface)
        and bodies.rule[body.row].tolist() == list(collider._rule)
    )
