"""Collision shapes: immutable values that any number of colliders may share.

A shape knows two things about itself: the convex pieces it is made of (`Shape.pieces`) and its mass properties
(`Shape.mass_properties`), both in shape coordinates, angles counter-clockwise.
"""

from ecs_collide.shapes.box import Box
from ecs_collide.shapes.capsule import Capsule
from ecs_collide.shapes.circle import Circle
from ecs_collide.shapes.half_plane import HalfPlane
from ecs_collide.shapes.mass import MassProperties
from ecs_collide.shapes.piece import Piece, PieceKind
from ecs_collide.shapes.polygon import Polygon
from ecs_collide.shapes.segment import Segment
from ecs_collide.shapes.shape import Shape

__all__ = [
    "Box",
    "Capsule",
    "Circle",
    "HalfPlane",
    "MassProperties",
    "Piece",
    "PieceKind",
    "Polygon",
    "Segment",
    "Shape",
]
