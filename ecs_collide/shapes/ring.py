"""Everything outside a disk: the wall around a round arena."""

import math
from dataclasses import dataclass

from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.shapes import mass
from ecs_collide.shapes.piece import Piece, ring_piece
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, positive, vector2

WEDGES = 16
"""Number of pieces of a ring; a body inside meets only those near it."""


@dataclass(frozen=True, slots=True, repr=False)
class Ring(Shape):
    """The points farther than `radius` from `center`, unbounded outwards: bodies stay inside the circle.

    Args:
        radius: radius of the arena, above 0 [m].
        center: centre of the arena [m].

    Raises:
        ValueError: the radius is not positive, or a number is not finite.
    """

    radius: float
    center: Vector2 = (0.0, 0.0)

    def __post_init__(self) -> None:
        self._store(radius=positive(self.radius, "Ring.radius"), center=vector2(self.center, "Ring.center"))

    def pieces(self) -> tuple[Piece, ...]:
        """Return the wedges in counter-clockwise order.

        Each wedge begins at exactly the direction at which the one before ends.
        """
        angles = [2.0 * math.pi * index / WEDGES for index in range(WEDGES)]
        directions = [cosine_and_sine(angle) for angle in angles]
        return tuple(
            ring_piece(self.center, self.radius, first, last)
            for first, last in zip(directions, [*directions[1:], directions[0]], strict=True)
        )

    def mass_properties(self) -> mass.MassProperties:
        """Return infinite area and second moment: a ring cannot be dynamic."""
        return mass.MassProperties(math.inf, (0.0, 0.0), math.inf)

    @property
    def is_bounded(self) -> bool:
        return False
