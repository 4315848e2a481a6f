"""Comparison of a body with the row that it continues."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import Bodies
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.component_columns import INTEGERS, NUMBERS


def has_filter_of(integers: np.ndarray, numbers: np.ndarray, row: int, bodies: Bodies) -> bool:
    """Return True if a body has the filter and the one-way direction of a row.

    `integers` and `numbers` are its rows of the tables of `read_components`.
    """
    of_filter, of_one_way = (
        integers[INTEGERS.FILTER : INTEGERS.RULE],
        numbers[NUMBERS.ONE_WAY : NUMBERS.SURFACE],
    )
    return bool((of_filter == bodies.filter[row]).all() and (of_one_way == bodies.one_way[row]).all())


def has_surface_of(body: Body, bodies: Bodies) -> bool:
    """Return True if a body has the surface and the combine rules of its row."""
    collider = body.parts.collider
    return (
        collider is not None
        and bodies.surface[body.row].tolist() == list(collider._surface)
        and bodies.rule[body.row].tolist() == list(collider._rule)
    )
