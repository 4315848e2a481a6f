"""Everything on one side of a straight line."""

import math
from dataclasses import dataclass

from ecs_collide.shapes import mass
from ecs_collide.shapes.piece import Piece, half_plane_piece
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, finite, positive, vector2


@dataclass(frozen=True, slots=True, repr=False)
class HalfPlane(Shape):
    """The points p with normal·p <= offset, for unbounded ground and walls.

    `normal` points out of the solid and may have any length except 0. Both fields are divided by that length, so that
    `offset` is stored in metres along the unit normal.

    Args:
        normal: outward normal.
        offset: distance of the line from the origin along the normal [m].

    Raises:
        ValueError: the normal has no length, or a number is not finite.
    """

    normal: Vector2 = (0.0, 1.0)
    offset: float = 0.0

    def __post_init__(self) -> None:
        x, y = vector2(self.normal, "HalfPlane.normal")
        offset = finite(self.offset, "HalfPlane.offset")
        length = positive(math.hypot(x, y), "the length of HalfPlane.normal")
        if math.isclose(length, 1.0, rel_tol=1e-15):
            length = 1.0  # so that a stored normal, passed again, is not changed by rounding
        self._store(
            normal=(x / length, y / length),
            offset=finite(offset / length, "HalfPlane.offset over the length of HalfPlane.normal"),
        )

    def pieces(self) -> tuple[Piece, ...]:
        return (half_plane_piece(self.normal, self.offset),)

    def mass_properties(self) -> mass.MassProperties:
        """Return infinite area and second moment: a half-plane cannot be dynamic."""
        return mass.MassProperties(math.inf, (0.0, 0.0), math.inf)

    @property
    def is_bounded(self) -> bool:
        return False
