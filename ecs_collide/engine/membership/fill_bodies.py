"""What bodies have in their columns beside the numbers of their components."""

from __future__ import annotations

from math import nan

from ecs_collide.columns import bodies as of_body
from ecs_collide.columns.bodies import Bodies
from ecs_collide.compiled.arrays import FloatTable, Ints, IntTable
from ecs_collide.compiled.kernels import device, stage

# whole
ENTITY, KIND, PARTS, ARRIVES, IS_STRANGER, FILTER = 0, 1, 2, 3, 4, 5
FILTER_WIDTH = 6

COLLIDER, RIGID_BODY, FORCE = 1, 2, 4
"""Bits of `PARTS`: which components there are; what the others would say stands in the columns."""

# numbers
MASS, ONE_WAY, SURFACE, SPAN = 0, 5, 7, 9
MASS_WIDTH, SPAN_WIDTH = 5, 3


@stage
def fill_bodies(rows: Ints, whole: IntTable, numbers: FloatTable, bodies: Bodies, span: FloatTable):
    """Fill rows of bodies; return whether any has a one-way collider, and whether any has a surface that acts.

    Of those that arrive `whole` (n, 11) says who they are and what they meet. A stranger is another entity with an id
    used again, and does not go on as the one before. `numbers` (n, 12) are the rows of their columns side by side.
    """
    has_one_way, has_surface = False, False
    for k in range(len(rows)):
        row = rows[k]
        if whole[k, ARRIVES] != 0:
            bodies.entity[row], bodies.kind[row] = whole[k, ENTITY], whole[k, KIND]
            for field in range(FILTER_WIDTH):
                bodies.filter[row, field] = whole[k, FILTER + field]
            bodies.one_way[row, 0], bodies.one_way[row, 1] = numbers[k, ONE_WAY], numbers[k, ONE_WAY + 1]
            bodies.frame[row, of_body.FRAME_ANGLE] = nan
        if whole[k, IS_STRANGER] != 0:
            for axis in range(3):
                bodies.velocity[row, axis] = 0.0
                bodies.push[row, axis] = 0.0
        for field in range(MASS_WIDTH):
            bodies.mass[row, field] = numbers[k, MASS + field]
        for field in range(2):
            bodies.surface[row, field] = numbers[k, SURFACE + field]
            has_surface = has_surface or numbers[k, SURFACE + field] != 0.0
            has_one_way = has_one_way or numbers[k, ONE_WAY + field] != 0.0
        for field in range(SPAN_WIDTH):
            span[row, field] = numbers[k, SPAN + field]
        fill_defaults(row, whole[k, PARTS], bodies)
    return has_one_way, has_surface


@device
def fill_defaults(row, parts, bodies):
    """Write what components say that a body does not have."""
    if parts & COLLIDER == 0:
        for field in range(4):
            bodies.material[row, field] = 0.0
    if parts & RIGID_BODY == 0:
        for field in range(4):
            bodies.motion[row, field] = 0.0
        bodies.motion[row, of_body.GRAVITY_SCALE] = bodies.motion[row, of_body.CAN_SLEEP] = 1.0
    if parts & FORCE == 0:
        for axis in range(3):
            bodies.force[row, axis] = 0.0
