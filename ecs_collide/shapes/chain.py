"""Straight lines joined at their ends, without thickness.

At the point between two links, the chain turns left or right. Only on the outer side of the turn can a body touch the
corner. The corner's normals there lie between those of the two links. On the inner side the surface is concave. At an
end of an open chain, the normals turn by half a revolution, from one side of the link to the other.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.shapes import mass, outline as of_outline
from ecs_collide.shapes.corner_normals import Corner, corner, exposed_edge, outline_piece, turn_between
from ecs_collide.shapes.piece import Piece, edge_normals
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, flag, vector2_sequence


@dataclass(frozen=True, slots=True, init=False)
class Chain(Shape):
    """A polyline without thickness, which collides on both sides and may cross itself.

    Points that repeat the one before are removed. A chain has no area: the density of a collider counts as mass per
    length [kg/m].

    Args:
        points: ends of the links [m] (n, 2).
        loop: True if a link joins the last point to the first.

    Raises:
        ValueError: fewer than two different points, or three for a loop.
    """

    points: tuple[Vector2, ...]
    """Ends of the links [m] (n, 2)."""
    loop: bool
    """True if a link joins the last point to the first."""

    def __init__(self, points: ArrayLike, loop: bool = False) -> None:
        given = vector2_sequence(points, "Chain.points")
        closed = flag(loop, "Chain.loop")
        kept = [point for index, point in enumerate(given) if index == 0 or point != given[index - 1]]
        if closed and len(kept) > 1 and kept[-1] == kept[0]:
            kept.pop()
        fewest = 3 if closed else 2
        if len(kept) < fewest:
            raise ValueError(
                f"Chain.points must hold at least {fewest} points that differ from the one before, got {len(kept)}"
            )
        self._store(points=tuple(kept), loop=closed)

    def pieces(self) -> tuple[Piece, ...]:
        links = self._links()
        normals = [edge_normals(np.array(link)) for link in links]
        tangents = [(-y, x) for x, y in (of_link[0].tolist() for of_link in normals)]
        joints = [_joint(tangent, following) for tangent, following in zip(tangents, [*tangents[1:], tangents[0]])]
        starts = [joints[-1] if self.loop else _end(_opposite(tangents[0])), *joints[:-1]]
        stops = [*joints[:-1], joints[-1] if self.loop else _end(tangents[-1])]
        pieces = []
        for link, of_link, start, stop in zip(links, normals, starts, stops, strict=True):
            (right_start, left_stop, first), (right_stop, left_start, second) = start, stop
            edges = (exposed_edge(right_start, right_stop), exposed_edge(left_start, left_stop))
            pieces.append(outline_piece(np.array(link), of_link, edges, (first, second)))
        return tuple(pieces)

    def mass_properties(self) -> mass.MassProperties:
        """Return length [m] as area, centroid [m] and second moment of length [m³], as `Segment` does."""
        return mass.combine(mass.rod(a, b) for a, b in self._links())

    def _links(self) -> list[tuple[Vector2, Vector2]]:
        """Return the two ends [m] of each link."""
        following = [*self.points[1:], self.points[0]]
        links = list(zip(self.points, following, strict=True))
        return links if self.loop else links[:-1]


def _joint(incoming: Vector2, outgoing: Vector2) -> tuple[Corner, Corner, Corner]:
    """Return the corners of the right and left side between two unit tangents, and the convex one of these."""
    turn = turn_between(incoming, outgoing)
    right = corner(incoming, outgoing, turn)
    left = corner(_opposite(outgoing), _opposite(incoming), -turn)
    return right, left, right if right.end == of_outline.CONVEX else left


def _end(incoming: Vector2) -> tuple[Corner, Corner, Corner]:
    """Return the right, left and convex corner at a free end; `incoming` is the direction towards the end."""
    end = corner(incoming, _opposite(incoming), math.pi)
    return end, end, end


def _opposite(direction: Vector2) -> Vector2:
    """Return the opposite direction."""
    return -direction[0], -direction[1]
