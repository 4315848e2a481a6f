"""The material of a piece: what its part of the shape gives, else the values of its collider."""

from __future__ import annotations

from ecs_collide.data.bodies import SURFACE
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes.material import MATERIAL_VALUE
from ecs_collide.shapes.measure import FORM_PART


@device
def value_of(piece, column, usual, pieces):
    """Return a value of a piece, a column of `MATERIAL_VALUE`, or `usual` if its material does not give it."""
    return pieces.material[piece, column] if (pieces.part[piece, FORM_PART.GIVEN] >> column) & 1 != 0 else usual


@device
def surface_speed_of(collider, piece, bodies, pieces):
    """Return the speed of the surface of a piece of a collider [m/s]."""
    return value_of(piece, MATERIAL_VALUE.SPEED, bodies.surface[collider, SURFACE.SPEED], pieces)
