"""What bodies have in their columns beside the numbers of their components."""

from __future__ import annotations

from math import inf, nan

from ecs_collide.columns import bodies as of_body
from ecs_collide.columns.bodies import Bodies
from ecs_collide.compiled.arrays import FloatTable, Ints, IntTable
from ecs_collide.compiled.kernels import device, stage

# whole
ENTITY, KIND, PARTS, STATE, FILTER = 0, 1, 2, 3, 4
FILTER_WIDTH = 6

ARRIVES, IS_STRANGER = 1, 2
"""Bits of `STATE`: it is a new body; and it does not go on as the one before, but is another entity with an id used
again."""

COLLIDER, RIGID_BODY, FORCE, BULLET = 1, 2, 4, 8
"""Bits of `PARTS`: which components there are; what the others would say stands in the columns. And whether it is a
bullet: what is made of several pieces counts as one. Once it is deep in another such body, each piece's way out may lie
through the next one, and nothing would part them."""

# numbers
MASS, ONE_WAY, SURFACE = 0, 5, 7
MASS_WIDTH = 5


@stage
def fill_bodies(rows: Ints, whole: IntTable, numbers: FloatTable, bodies: Bodies, span: FloatTable):
    """Fill rows of bodies; return whether any has a one-way collider, and whether any has a surface that acts.

    Of those that arrive `whole` (n, 10) says who they are and what they meet. `numbers` (n, 9) are the rows of their
    columns side by side. Their pieces are still to come.
    """
    has_one_way, has_surface = False, False
    for k in range(len(rows)):
        row = rows[k]
        if whole[k, STATE] & ARRIVES != 0:
            bodies.entity[row], bodies.kind[row] = whole[k, ENTITY], whole[k, KIND]
            for field in range(FILTER_WIDTH):
                bodies.filter[row, field] = whole[k, FILTER + field]
            bodies.one_way[row, 0], bodies.one_way[row, 1] = numbers[k, ONE_WAY], numbers[k, ONE_WAY + 1]
            bodies.frame[row, of_body.FRAME_ANGLE] = nan
            span[row, of_body.CORE] = inf if whole[k, PARTS] & COLLIDER != 0 else 0.0
            span[row, of_body.EXTENT] = 0.0
        if whole[k, STATE] & IS_STRANGER != 0:
            for axis in range(3):
                bodies.velocity[row, axis] = 0.0
                bodies.push[row, axis] = 0.0
        for field in range(MASS_WIDTH):
            bodies.mass[row, field] = numbers[k, MASS + field]
        for field in range(2):
            bodies.surface[row, field] = numbers[k, SURFACE + field]
            has_surface = has_surface or numbers[k, SURFACE + field] != 0.0
            has_one_way = has_one_way or numbers[k, ONE_WAY + field] != 0.0
        span[row, of_body.BULLET] = 1.0 if whole[k, PARTS] & BULLET != 0 else 0.0
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
