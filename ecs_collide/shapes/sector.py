"""A slice of a disk.

The corner between a radial edge and the arc is a right angle. A slice of more than half a disk is not convex and is cut
into two along its middle. These have no corner at the apex or where the cut meets the arc.

Half a disk has no apex: its two radial edges are one edge. Otherwise, a body that lies on it would touch neither.
"""

import math
from dataclasses import dataclass

import numpy as np

from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.shapes import corner_normals as corners, mass, outline as of_outline
from ecs_collide.shapes.corner_normals import Corner
from ecs_collide.shapes.piece import Piece
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, finite, positive

IN_LINE = 1e-9
"""Angle between the radial edges and a straight line that is ignored [rad]."""


@dataclass(frozen=True, slots=True, repr=False)
class Sector(Shape):
    """A slice of a disk around the origin. Use `Compound` to put the apex elsewhere.

    Args:
        radius: radius of the disk, above 0 [m].
        half_angle: angle to each side of `direction`, in (0, π]; π is the whole disk [rad].
        direction: direction of the middle of the slice, counter-clockwise from x [rad].

    Raises:
        ValueError: the radius or the half angle is out of range, or a number is not finite.
    """

    radius: float
    half_angle: float
    direction: float = 0.0

    def __post_init__(self) -> None:
        self._store(
            radius=positive(self.radius, "Sector.radius"),
            half_angle=positive(self.half_angle, "Sector.half_angle"),
            direction=finite(self.direction, "Sector.direction"),
        )
        if self.half_angle > math.pi:
            raise ValueError(f"Sector.half_angle must be at most π, got {self.half_angle}")

    def pieces(self) -> tuple[Piece, ...]:
        first = _unit(self.direction - self.half_angle)
        last = _unit(self.direction + self.half_angle)
        has_sides = self.half_angle < math.pi
        if self.half_angle <= 0.5 * math.pi:
            return (self._wedge(first, last, has_sides, has_sides),)
        middle = _unit(self.direction)
        return self._wedge(first, middle, has_sides, False), self._wedge(middle, last, False, has_sides)

    def mass_properties(self) -> mass.MassProperties:
        return mass.sector((0.0, 0.0), self.radius, self.direction, self.half_angle)

    def _wedge(self, first: Vector2, last: Vector2, has_first_side: bool, has_last_side: bool) -> Piece:
        """Return the piece from the direction `first` to `last`.

        The flags say which of its sides are radial edges of the sector.
        """
        inward = (-last[0], -last[1])
        apex = corners.corner(inward, first, math.pi - 2.0 * self.half_angle)
        arc = Corner(end=of_outline.CONVEX, first=first, last=last, radius=self.radius)
        start = Corner(of_outline.CONVEX, corners.right_of(first), first) if has_first_side else corners.NO_CORNER
        stop = Corner(of_outline.CONVEX, last, corners.right_of(inward)) if has_last_side else corners.NO_CORNER
        if has_first_side and has_last_side and 0.5 * math.pi - self.half_angle <= IN_LINE:
            vertices = np.array([first, (0.0, 0.0), last]) * self.radius
            normals = np.array([first, last, corners.right_of(inward)])
            return corners.outline_piece(
                vertices,
                normals,
                (corners.ZERO_LENGTH_EDGE, corners.ZERO_LENGTH_EDGE, corners.exposed_edge(stop, start)),
                (start, arc, stop),
            )
        edges = (
            corners.exposed_edge(apex, start) if has_first_side else corners.HIDDEN_EDGE,
            corners.ZERO_LENGTH_EDGE,
            corners.ZERO_LENGTH_EDGE,
            corners.exposed_edge(stop, apex) if has_last_side else corners.HIDDEN_EDGE,
        )
        vertices = np.array([(0.0, 0.0), first, (0.0, 0.0), last]) * self.radius
        normals = np.array([corners.right_of(first), first, last, corners.right_of(inward)])
        return corners.outline_piece(vertices, normals, edges, (apex, start, arc, stop))


def _unit(angle: float) -> Vector2:
    """Return the unit vector of an angle [rad]."""
    cosine, sine = cosine_and_sine(angle)
    return cosine, sine
