"""What every shape answers about itself."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ecs_collide.shapes.mass import MassProperties
from ecs_collide.shapes.piece import Hull, Piece, PieceRows
from ecs_collide.validate import Vector2


class Shape(ABC):
    """Base of all shapes: frozen, hashable, equal by value, in metres (or the game's length unit) and radians."""

    __slots__ = ()

    @abstractmethod
    def pieces(self) -> tuple[Piece, ...]:
        """Return the convex pieces whose union is the shape, as new arrays in shape coordinates [m]."""

    @abstractmethod
    def mass_properties(self) -> MassProperties:
        """Return area [m²], centroid [m] and second moment of area about it [m⁴]: mass and inertia for density 1."""

    def hull(self) -> Hull | None:
        """Return what the shape's only piece is made from, None where there are several or it is not that plain.

        Many hulls are set up in one call.
        """
        return None

    def piece_rows(self) -> PieceRows:
        """Return the same as `pieces`, side by side: what is made of many pieces makes them so."""
        return PieceRows.of(self.pieces())

    def corners_alone(self) -> tuple[Vector2, ...] | None:
        """Return the corners of a polygon that is nothing else, for its mass properties; None for other shapes.

        Those of many are found in one call.
        """
        return None

    def where_nothing_moves(self) -> Shape:
        """Return what stands for the shape on a static body."""
        return self

    def can_follow(self, other: Shape) -> bool:
        """Whether the shape may take the place of another one and leave the pieces that both have."""
        return False

    @property
    def is_bounded(self) -> bool:
        """Whether the shape has an end in every direction; what has none cannot be dynamic."""
        return True

    def _store(self, **fields: object) -> None:
        """Set validated fields of a frozen instance, while it is being made."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)
