"""Everything outside a disc: the wall around a round arena, whose inside is the disc."""

import math
from dataclasses import dataclass

from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.shapes import mass
from ecs_collide.shapes.piece import Piece, ring_piece
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, positive, vector2

WEDGES = 16
"""How many pieces a ring has: what moves inside meets those near it only."""


@dataclass(frozen=True, slots=True)
class Ring(Shape):
    """The points further than `radius` [m] from `center` [m], without end outwards: bodies stay inside the circle."""

    radius: float
    center: Vector2 = (0.0, 0.0)

    def __post_init__(self) -> None:
        self._store(radius=positive(self.radius, "Ring.radius"), center=vector2(self.center, "Ring.center"))

    def pieces(self) -> tuple[Piece, ...]:
        """Return the wedges in counter-clockwise order; each begins with the very numbers the one before ends with."""
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
