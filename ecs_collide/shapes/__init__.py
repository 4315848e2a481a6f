"""Collision shapes: immutable values that any number of colliders may share.

A shape has convex pieces (`Shape.pieces`) and mass properties (`Shape.mass_properties`). Both are in shape coordinates,
with angles counter-clockwise.
"""

from typing import TYPE_CHECKING

from ecs_collide.kernels.lazy_names import names_on_demand
from ecs_collide.shapes.circle import Circle
from ecs_collide.shapes.mass import MassProperties
from ecs_collide.shapes.piece import Piece, PieceKind
from ecs_collide.shapes.shape import Shape

if TYPE_CHECKING:
    from ecs_collide.shapes.arc_polygon import ArcPolygon
    from ecs_collide.shapes.bitmap import Bitmap
    from ecs_collide.shapes.box import Box
    from ecs_collide.shapes.capsule import Capsule
    from ecs_collide.shapes.chain import Chain
    from ecs_collide.shapes.compound import Compound
    from ecs_collide.shapes.half_plane import HalfPlane
    from ecs_collide.shapes.material import Material
    from ecs_collide.shapes.polygon import Polygon
    from ecs_collide.shapes.ring import Ring
    from ecs_collide.shapes.sector import Sector
    from ecs_collide.shapes.segment import Segment
else:  # a type checker would take every name for one of the package
    __getattr__, __dir__ = names_on_demand(
        __name__,
        {
            "ecs_collide.shapes.arc_polygon": "ArcPolygon",
            "ecs_collide.shapes.bitmap": "Bitmap",
            "ecs_collide.shapes.box": "Box",
            "ecs_collide.shapes.capsule": "Capsule",
            "ecs_collide.shapes.chain": "Chain",
            "ecs_collide.shapes.compound": "Compound",
            "ecs_collide.shapes.half_plane": "HalfPlane",
            "ecs_collide.shapes.material": "Material",
            "ecs_collide.shapes.polygon": "Polygon",
            "ecs_collide.shapes.ring": "Ring",
            "ecs_collide.shapes.sector": "Sector",
            "ecs_collide.shapes.segment": "Segment",
        },
    )

__all__ = [
    "ArcPolygon",
    "Bitmap",
    "Box",
    "Capsule",
    "Chain",
    "Circle",
    "Compound",
    "HalfPlane",
    "MassProperties",
    "Material",
    "Piece",
    "PieceKind",
    "Polygon",
    "Ring",
    "Sector",
    "Segment",
    "Shape",
]
