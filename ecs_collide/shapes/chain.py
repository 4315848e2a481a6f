"""Straight lines joined at their ends, without thickness.

At the point between two links, the chain turns left or right. Only on the outer side of the turn can a body touch the
corner. The corner's normals there lie between those of the two links. On the inner side the surface is concave. At an
end of an open chain, the normals turn by half a revolution, from one side of the link to the other.

A one-sided chain has only the surface to the right of its links. At a free end its normals turn by a right angle, from
that of the link to the direction in which the chain ends. A ghost vertex is the far end of a link that would follow
there: it decides the corner, and nothing touches that link.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.shapes import mass, outline as of_outline
from ecs_collide.shapes.corner_normals import (
    BACK_EDGE,
    Corner,
    corner,
    exposed_edge,
    outline_piece,
    right_of,
    turn_between,
)
from ecs_collide.shapes.material import Material, check_materials
from ecs_collide.shapes.piece import Piece, edge_normals
from ecs_collide.shapes.points import read_corners
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import Vector2, flag, vector2

NO_GHOSTS = None, None


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Chain(Shape):
    """A polyline without thickness, which collides on both sides, or on one, and may cross itself.

    Points that repeat the one before are removed. A chain has no area: the density of a collider counts as mass per
    length [kg/m].

    A one-sided chain is solid to the right of its links, as seen along them from point to point, as in Box2D v3. So
    ground is listed from right to left. A loop listed counter-clockwise is an island, and one listed clockwise a room.
    A body that comes from the back passes until it is out again, and a ray or cast from there hits nothing. A body
    whose middle is behind a link counts as behind it. Overlap queries and sensors find the line from both sides.

    Nothing catches at the points between links. An open end is a ledge, unless a ghost vertex continues it: a body then
    slides on as if a link led there. Other static shapes that touch an end continue it without one.

    Args:
        points: ends of the links [m] (n, 2).
        loop: True if a link joins the last point to the first.
        one_sided: True if only the right side of the links is solid.
        ghosts: ghost vertices before the first point and after the last one of an open one-sided chain [m]; None for a
            ledge.
        materials: material of each link, None for that of the collider; empty if all links have that.

    Raises:
        TypeError: an argument has a wrong type.
        ValueError: fewer than two different points, or three for a loop. A ghost vertex is at the end that it
            continues, or the chain is a loop or two-sided. The number of materials is not that of the links.
    """

    points: tuple[Vector2, ...]
    """Ends of the links [m] (n, 2)."""
    loop: bool = False
    """True if a link joins the last point to the first."""
    one_sided: bool = False
    """True if only the right side of the links is solid."""
    ghosts: tuple[Vector2 | None, Vector2 | None] = NO_GHOSTS
    """Ghost vertices before the first point and after the last one [m]; None for a ledge."""
    materials: tuple[Material | None, ...] = ()
    """Material of each link, None for that of the collider; empty if all links have that."""

    def __init__(
        self,
        points: ArrayLike,
        loop: bool = False,
        *,
        one_sided: bool = False,
        ghosts: Sequence[Vector2 | None] = NO_GHOSTS,
        materials: Sequence[Material | None] = (),
    ) -> None:
        given = read_corners(points, "Chain.points")
        closed = flag(loop, "Chain.loop")
        kept = [point for index, point in enumerate(given) if index == 0 or point != given[index - 1]]
        if closed and len(kept) > 1 and kept[-1] == kept[0]:
            kept.pop()
        fewest = 3 if closed else 2
        if len(kept) < fewest:
            raise ValueError(
                f"Chain.points must hold at least {fewest} points that differ from the one before, got {len(kept)}"
            )
        has_front = flag(one_sided, "Chain.one_sided")
        self._store(
            points=tuple(kept),
            loop=closed,
            one_sided=has_front,
            ghosts=_check_ghosts(ghosts, kept, has_front and not closed),
            materials=check_materials(materials, len(kept) - (not closed), "Chain.materials", "links"),
        )

    def pieces(self) -> tuple[Piece, ...]:
        links = self._links()
        normals = [edge_normals(np.array(link)) for link in links]
        tangents = [(-y, x) for x, y in (of_link[0].tolist() for of_link in normals)]
        make = self._one_sided_pieces if self.one_sided else self._two_sided_pieces
        materials = self.materials or (None,) * len(links)
        return tuple(
            piece._replace(part=number, material=material)
            for number, (piece, material) in enumerate(zip(make(links, normals, tangents), materials, strict=True))
        )

    def mass_properties(self) -> mass.MassProperties:
        """Return length [m] as area, centroid [m] and second moment of length [m³], as `Segment` does."""
        return mass.combine(mass.rod(a, b) for a, b in self._links())

    def _links(self) -> list[tuple[Vector2, Vector2]]:
        """Return the two ends [m] of each link."""
        following = [*self.points[1:], self.points[0]]
        links = list(zip(self.points, following, strict=True))
        return links if self.loop else links[:-1]

    def _two_sided_pieces(
        self, links: list[tuple[Vector2, Vector2]], normals: list[np.ndarray], tangents: list[Vector2]
    ) -> list[Piece]:
        """Return the links as pieces with two exposed edges."""
        joints = [_joint(tangent, following) for tangent, following in zip(tangents, [*tangents[1:], tangents[0]])]
        starts = [joints[-1] if self.loop else _end(_opposite(tangents[0])), *joints[:-1]]
        stops = [*joints[:-1], joints[-1] if self.loop else _end(tangents[-1])]
        pieces = []
        for link, of_link, start, stop in zip(links, normals, starts, stops, strict=True):
            (right_start, left_stop, first), (right_stop, left_start, second) = start, stop
            edges = (exposed_edge(right_start, right_stop), exposed_edge(left_start, left_stop))
            pieces.append(outline_piece(np.array(link), of_link, edges, (first, second)))
        return pieces

    def _one_sided_pieces(
        self, links: list[tuple[Vector2, Vector2]], normals: list[np.ndarray], tangents: list[Vector2]
    ) -> list[Piece]:
        """Return the links as pieces with an exposed right edge and a back."""
        before, after = self.ghosts
        joints = [_front_corner(tangent, following) for tangent, following in itertools.pairwise(tangents)]
        if self.loop:
            first = last = _front_corner(tangents[-1], tangents[0])
        else:
            lead = right_of(tangents[0]) if before is None else _tangent(before, self.points[0])
            follow = _opposite(right_of(tangents[-1])) if after is None else _tangent(self.points[-1], after)
            first = _end_corner(lead, tangents[0])
            last = _end_corner(tangents[-1], follow)
        starts, stops = [first, *joints], [*joints, last]
        return [
            outline_piece(np.array(link), of_link, (exposed_edge(start, stop), BACK_EDGE), (start, stop))
            for link, of_link, start, stop in zip(links, normals, starts, stops, strict=True)
        ]


def _check_ghosts(
    ghosts: Sequence[Vector2 | None], points: list[Vector2], may_have: bool
) -> tuple[Vector2 | None, Vector2 | None]:
    """Return the ghost vertices of a chain. Raises TypeError or ValueError for anything else."""
    if not isinstance(ghosts, Sequence) or isinstance(ghosts, str):
        raise TypeError(f"Chain.ghosts must be a pair of points or None, got {ghosts!r}")
    if len(ghosts) != 2:
        raise ValueError(f"Chain.ghosts must be a pair of points or None, got {ghosts!r}")
    before, after = (
        None if ghost is None else vector2(ghost, f"Chain.ghosts[{index}]") for index, ghost in enumerate(ghosts)
    )
    if not may_have and (before, after) != NO_GHOSTS:
        raise ValueError(f"Chain.ghosts are for open chains with one_sided=True, got {ghosts!r}")
    for index, (ghost, end) in enumerate(((before, points[0]), (after, points[-1]))):
        if ghost == end:
            raise ValueError(f"Chain.ghosts[{index}] must differ from the end of the chain, got {ghost!r}")
    return before, after


def _tangent(a: Vector2, b: Vector2) -> Vector2:
    """Return the unit vector from a to b."""
    x, y = edge_normals(np.array((a, b)))[0].tolist()
    return -y, x


def _front_corner(incoming: Vector2, outgoing: Vector2) -> Corner:
    """Return the corner of the right side between two unit tangents."""
    return corner(incoming, outgoing, turn_between(incoming, outgoing))


def _end_corner(incoming: Vector2, outgoing: Vector2) -> Corner:
    """Return the corner of the right side at an end of a chain.

    Where the surface is flat no other link bears a body past the end, so the form is that of a concave corner.
    """
    found = _front_corner(incoming, outgoing)
    return Corner(of_outline.CONCAVE) if found.end == of_outline.FLAT else found


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
