"""The interface of all shapes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import is_dataclass

from ecs_collide.hints import Hinting
from ecs_collide.shapes.mass import MassProperties
from ecs_collide.shapes.piece import Hull, Piece, PieceRows
from ecs_collide.shapes.short_repr import short_field_repr
from ecs_collide.validate import Vector2


class Shape(Hinting, ABC):
    """Base of all shapes: frozen, hashable, equal by value.

    Lengths are in metres, or in the length unit of the game, and angles in radians. A shape needs two methods, `pieces`
    and `mass_properties`.
    """

    __slots__ = ()

    @abstractmethod
    def pieces(self) -> tuple[Piece, ...]:
        """Return the convex pieces whose union is the shape, as new arrays in shape coordinates [m]."""

    @abstractmethod
    def mass_properties(self) -> MassProperties:
        """Return area [m²], centroid [m] and second moment of area about it [m⁴].

        These are mass, centre of mass and inertia for density 1.
        """

    def hull(self) -> Hull | None:
        """Return the hull of the only piece, or None if there are several pieces or the piece has arcs.

        Many hulls are stored in one call.
        """
        return None

    def piece_rows(self) -> PieceRows:
        """Return the pieces as columns, which is faster for shapes with many pieces."""
        return PieceRows.of(self.pieces())

    def plain_corners(self) -> tuple[Vector2, ...] | None:
        """Return the corners of a plain polygon [m], None for other shapes.

        The mass properties of many plain polygons are found in one call.
        """
        return None

    def static_shape(self) -> Shape:
        """Return the shape that takes the place of this one on a static body."""
        return self

    def can_replace(self, other: Shape) -> bool:
        """Return True if the shape may replace another one and keep the pieces that both have."""
        return False

    @property
    def is_bounded(self) -> bool:
        """True if the shape is bounded; an unbounded shape cannot be dynamic."""
        return True

    def __repr__(self) -> str:
        """Return the call that makes an equal shape, without defaults; a class that is no dataclass may replace it."""
        return short_field_repr(self) if is_dataclass(self) else super().__repr__()

    def _store(self, **fields: object) -> None:
        """Set validated fields of a frozen instance during its construction."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)
