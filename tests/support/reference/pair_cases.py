"""Random pairs for each row of the pair table: near each other at random, and placed so that they touch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ecs_collide.shapes import Box, Capsule, Circle, HalfPlane, Piece, PieceKind, Ring, Sector, Shape
from ecs_collide.shapes.piece import capsule_piece, circle_piece, half_plane_piece, polygon_piece
from tests.support.reference.geometry import Array, Placed, dot, length, placed, turned

GAPS = np.array([0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.0199, 0.0201, 0.1])


def regular(corners: int, radius: float = 1.0, rounding: float = 0.0) -> Piece:
    """Return the regular polygon with a corner at (radius, 0) [m]."""
    turns = 2.0 * np.pi * np.arange(corners) / corners
    return polygon_piece(radius * np.stack((np.cos(turns), np.sin(turns)), axis=1), rounding)


def box(width: float, height: float, rounding: float = 0.0) -> Piece:
    """Return a rectangle about the origin [m]."""
    x, y = 0.5 * width, 0.5 * height
    return polygon_piece(np.array([(-x, -y), (x, -y), (x, y), (-x, y)]), rounding)


def random_polygon(random: Generator) -> Piece:
    """Return a convex polygon of 3 to 40 corners on an ellipse, sometimes long and thin or rounded."""
    corners = int(random.choice([3, 4, 5, 6, 8, 12, 20, 40]))
    steps = random.uniform(0.4, 1.0, corners)
    turns = 2.0 * np.pi * np.cumsum(steps) / steps.sum() + random.uniform(0.0, 6.0)
    width = random.uniform(0.2, 2.0)
    height = width * random.choice([1.0, 0.5, 0.01])
    points = np.stack((width * np.cos(turns), height * np.sin(turns)), axis=1)
    tilt = np.full(corners, random.uniform(-3.0, 3.0))
    rounding = float(random.choice([0.0, 0.0, random.uniform(0.01, 0.5)]))
    return polygon_piece(np.ascontiguousarray(turned(points, tilt)), rounding)


def as_outline(piece: Piece) -> Piece:
    """Return a piece as an outline without arcs and without hidden edges."""
    return piece._replace(kind=PieceKind.OUTLINE)


TYPICAL: dict[PieceKind, list[Piece]] = {
    PieceKind.CIRCLE: [circle_piece((0.0, 0.0), 0.5), circle_piece((0.3, -0.2), 0.5), circle_piece((0.0, 0.0), 0.0)],
    PieceKind.CAPSULE: [
        capsule_piece((-1.0, 0.0), (1.0, 0.0), 0.3),
        capsule_piece((0.0, -0.5), (0.4, 0.5), 0.0),
        capsule_piece((0.0, -1e-6), (0.0, 1e-6), 0.5),
    ],
    PieceKind.POLYGON: [
        box(1.0, 1.0),
        box(4.0, 0.01),
        regular(3),
        regular(40),
        box(1.0, 0.6, 0.2),
        regular(5, 0.7, 0.1),
    ],
    PieceKind.OUTLINE: [
        as_outline(box(1.0, 1.0)),
        as_outline(regular(5, 0.7, 0.1)),
        as_outline(capsule_piece((0.0, 0.0), (1.0, 0.0), 0.1)),
    ],
    PieceKind.HALF_PLANE: [half_plane_piece((0.0, 1.0), 0.0), half_plane_piece((0.6, -0.8), 0.25)],
}
"""Pieces of each kind that `test_pair_table.py` holds against each other; a ring has tests of its own."""

SHAPES: dict[PieceKind, Shape] = {
    PieceKind.CIRCLE: Circle(0.5),
    PieceKind.CAPSULE: Capsule((-0.5, 0.0), (0.5, 0.0), 0.5),
    PieceKind.POLYGON: Box(1.0, 1.0),
    PieceKind.OUTLINE: Sector(0.6, 0.7, 3.4),
    PieceKind.HALF_PLANE: HalfPlane((1.0, 0.0), 0.0),
    PieceKind.RING: Ring(0.5),
}
"""A shape that consists of pieces of each kind; any two of them, put near each other, overlap."""


def random_pieces(kind: PieceKind, random: Generator, count: int = 200) -> list[Piece]:
    """Return different pieces of a kind, about a metre in size, some of them with radius zero."""
    pieces = []
    for _ in range(count):
        radius = float(random.choice([0.0, 0.01, random.uniform(0.05, 1.0), random.uniform(0.05, 1.0)]))
        center = random.uniform(-1.0, 1.0, 2) * random.choice([0.0, 1.0])
        if kind is PieceKind.CIRCLE:
            pieces.append(circle_piece((center[0], center[1]), radius))
        elif kind is PieceKind.CAPSULE:
            half = random.uniform(-1.0, 1.0, 2) * random.choice([1.0, 1.0, 0.01, 5.0])
            (ax, ay), (bx, by) = center - half, center + half
            pieces.append(capsule_piece((ax, ay), (bx, by), radius))
        elif kind is PieceKind.POLYGON:
            pieces.append(random_polygon(random))
        elif kind is PieceKind.OUTLINE:
            pieces.append(as_outline(random_polygon(random)))
        else:
            turn = random.uniform(-np.pi, np.pi)
            pieces.append(half_plane_piece((np.cos(turn), np.sin(turn)), random.uniform(-1.0, 1.0)))
    return pieces


class Cases(NamedTuple):
    """Pairs of pieces with poses (n, 3)."""

    pieces_a: list[Piece]
    pieces_b: list[Piece]
    which_a: NDArray[np.int64]
    which_b: NDArray[np.int64]
    poses_a: Array
    poses_b: Array

    @property
    def placed_a(self) -> Placed:
        """Pieces A at their poses."""
        return placed(self.pieces_a, self.which_a, self.poses_a)

    @property
    def placed_b(self) -> Placed:
        """Pieces B at their poses."""
        return placed(self.pieces_b, self.which_b, self.poses_b)

    def moved(self, offset: tuple[float, float], angle: float) -> Cases:
        """Return the cases with both bodies turned about the origin by `angle` [rad], then moved by `offset` [m]."""

        def carried(poses: Array) -> Array:
            places = turned(poses[:, :2], np.full(len(poses), angle)) + offset
            return np.column_stack((places, poses[:, 2] + angle))

        return self._replace(poses_a=carried(self.poses_a), poses_b=carried(self.poses_b))

    def swapped(self) -> Cases:
        """Return the cases with A and B exchanged."""
        return Cases(self.pieces_b, self.pieces_a, self.which_b, self.which_a, self.poses_b, self.poses_a)


def scattered_cases(kinds: tuple[PieceKind, PieceKind], count: int, random: Generator) -> Cases:
    """Return pairs at random poses, about half of which overlap."""
    pieces_a, pieces_b = random_pieces(kinds[0], random), random_pieces(kinds[1], random)
    poses_a = np.column_stack((random.uniform(-10, 10, (count, 2)), random.uniform(-4, 4, count)))
    offset = random.normal(0.0, 1.0, (count, 2))
    poses_b = np.column_stack((poses_a[:, :2] + offset, random.uniform(-4, 4, count)))
    pick_a, pick_b = random.integers(len(pieces_a), size=count), random.integers(len(pieces_b), size=count)
    return Cases(pieces_a, pieces_b, pick_a, pick_b, poses_a, poses_b)


def touching_cases(kinds: tuple[PieceKind, PieceKind], count: int, random: Generator) -> Cases:
    """Return pairs that nearly touch: corner to corner, corner to edge, or edge to edge.

    A direction u is drawn, at random or as the normal of an edge. The supports of both pieces along u get a gap from
    `GAPS` of either sign, measured between the surfaces or between the hulls.
    """
    cases = scattered_cases(kinds, count, random)
    a, b = cases.placed_a, cases.placed_b
    way = random.integers(4, size=count)
    turn = random.uniform(-np.pi, np.pi, count)
    along = np.stack((np.cos(turn), np.sin(turn)), axis=1)
    normal_a, normal_b = _some_normal(a, random), -_some_normal(b, random)
    if kinds[0] is PieceKind.HALF_PLANE:
        along = a.normal
    along = np.where((way == 1)[:, np.newaxis], normal_a, along)
    if kinds[0] is not PieceKind.HALF_PLANE:
        along = np.where((way == 2)[:, np.newaxis], normal_b, along)

    # way 3: turn B so that one of its edges faces one of A's
    flush = way == 3
    along = np.where(flush[:, np.newaxis], normal_a, along)
    wanted = np.arctan2(normal_a[:, 1], normal_a[:, 0]) - np.arctan2(normal_b[:, 1], normal_b[:, 0])
    cases.poses_b[flush, 2] += wanted[flush]
    b = cases.placed_b

    gap = random.choice(GAPS, count) * random.choice([-1.0, 1.0], count)
    radii = np.where(random.random(count) < 0.5, a.radius + b.radius, 0.0)
    support_a, support_b = _support(a, along), _support(b, -along)
    across = np.stack((-along[:, 1], along[:, 0]), axis=1)
    shift = random.choice([0.0, 1e-9, 1e-3, 0.2], count) * random.choice([-1.0, 1.0], count)
    move = support_a - support_b + (gap + radii)[:, np.newaxis] * along + shift[:, np.newaxis] * across
    cases.poses_b[:, :2] += move
    return cases


def _some_normal(piece: Placed, random: Generator) -> Array:
    """Return the normal of a random edge of each piece; any direction for a circle."""
    n, width = piece.vertices.shape[:2]
    if piece.kind is PieceKind.HALF_PLANE:
        return piece.normal
    rows = np.arange(n)
    first = random.integers(width, size=n)
    edge = piece.vertices[rows, (first + 1) % width] - piece.vertices[rows, first]
    lengths = length(edge)
    edge = np.where((lengths > 0.0)[:, np.newaxis], edge, piece.vertices[:, 1 % width] - piece.vertices[:, 0])
    edge = np.where((length(edge) > 0.0)[:, np.newaxis], edge, (0.0, 1.0))
    edge /= length(edge)[:, np.newaxis]
    return np.stack((edge[:, 1], -edge[:, 0]), axis=1)


def _support(piece: Placed, along: Array) -> Array:
    """Return the vertex that is farthest along a direction."""
    heights = dot(piece.vertices - piece.vertices[:, :1], along[:, np.newaxis])
    return np.asarray(piece.vertices[np.arange(len(along)), heights.argmax(axis=1)])
