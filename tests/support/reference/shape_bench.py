"""All contacts of two shapes, piece against piece, in many poses at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecs_collide.shapes import Piece, Shape
from tests.support.reference.geometry import Array
from tests.support.reference.pair_bench import PairBench


class Points(NamedTuple):
    """Contact points of shape A and shape B, one row each; normals lead from A to B."""

    case: NDArray[np.int64]
    normal: Array
    point: Array
    """Contact points half way between the surfaces [m] (p, 2)."""
    separation: Array
    pieces: NDArray[np.int64]
    """Numbers of the pieces of A and of B (p, 2)."""

    def lowest(self, cases: int) -> Array:
        """Return the least separation of each case [m] (cases,), infinite without a contact."""
        result = np.full(cases, np.inf)
        np.minimum.at(result, self.case, self.separation)
        return result

    def on_a(self) -> Array:
        """Return the places on A's surface [m] (p, 2)."""
        return self.point - 0.5 * self.separation[:, np.newaxis] * self.normal

    def on_b(self) -> Array:
        """Return the places on B's surface [m] (p, 2)."""
        return self.point + 0.5 * self.separation[:, np.newaxis] * self.normal


def contact_points(a: Shape, b: Shape, poses_a: Array, poses_b: Array, reach: float) -> Points:
    """Return the contacts that the kernels find between every two pieces; a pose is that of a body's origin."""
    found = [
        _of_pieces(piece_a, piece_b, poses_a, poses_b, reach, (i, j))
        for i, piece_a in enumerate(a.pieces())
        for j, piece_b in enumerate(b.pieces())
    ]
    return Points(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def _of_pieces(
    piece_a: Piece, piece_b: Piece, poses_a: Array, poses_b: Array, reach: float, numbers: tuple[int, int]
) -> Points:
    count = len(poses_a)
    zeros = np.zeros(count, np.int64)
    swapped = piece_a.kind < piece_b.kind
    if swapped:
        piece_a, piece_b, poses_a, poses_b = piece_b, piece_a, poses_b, poses_a
    bench = PairBench([piece_a], [piece_b], zeros, zeros)
    bench.place(poses_a, poses_b)
    found = bench.run(reach)
    sign = -1.0 if swapped else 1.0
    parts = []
    for k in range(2):
        cases = np.flatnonzero(found.count > k)
        parts.append((cases, sign * found.normal[cases], found.point[cases, k], found.separation[cases, k]))
    cases, normal, point, separation = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Points(cases, normal, point, separation, np.tile(numbers, (len(cases), 1)))


def placed_points(points: Array, pose: Array) -> Array:
    """Return points (m, 2) of a body at a pose x [m], y [m], angle [rad], in the world."""
    c, s = np.cos(pose[2]), np.sin(pose[2])
    return np.asarray(points @ np.array([(c, s), (-s, c)]) + pose[:2])


def local_points(points: Array, pose: Array) -> Array:
    """Return points (m, 2) of the world in the axes of a body at a pose."""
    c, s = np.cos(pose[2]), np.sin(pose[2])
    return np.asarray((points - pose[:2]) @ np.array([(c, -s), (s, c)]))
