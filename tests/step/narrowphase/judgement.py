"""Checks of a manifold against the slow geometry."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecs_collide.shapes import PieceKind
from tests.support.reference.geometry import Array, length, point_distance, signed_distance
from tests.support.reference.pair_bench import Manifolds
from tests.support.reference.pair_cases import Cases

TIE = 1e-4
"""Fraction of the reach by which the engine may miss the best axis, so that near ties do not flip."""

SLENDER = 500.0
"""Factor by which a point slides farther along a needle of 1:100 if its axis is slightly wrong."""


class Complaint(NamedTuple):
    """A rule, and the cases that break it."""

    rule: str
    cases: NDArray[np.int64]
    amount: Array


def judged(cases: Cases, found: Manifolds, reach: float, tolerance: float = 1e-9) -> list[Complaint]:
    """All that is wrong with the manifolds of the cases; `tolerance` [m] is for rounding."""
    a, b = cases.placed_a, cases.placed_b
    exact = signed_distance(a, b)
    complaints: list[Complaint] = []

    def demand(rule: str, amount: Array, limit: Array | float, where: NDArray[np.bool_]) -> None:
        bad = where & ~(amount <= limit)
        if bad.any():
            complaints.append(Complaint(rule, np.flatnonzero(bad), amount[bad]))

    has = found.count > 0
    two = found.count == 2
    both_edges = a.kind is not PieceKind.HALF_PLANE and b.kind is not PieceKind.CIRCLE
    slack = tolerance + (TIE * reach if both_edges else 0.0)
    place_slack = tolerance + (SLENDER * TIE * reach if both_edges else 0.0)
    everything = np.ones(len(exact), np.bool_)
    for name, values in zip(found._fields, found, strict=True):
        largest = np.abs(values).reshape(len(exact), -1).max(axis=1)  # NaN if any is
        demand(f"{name} is finite", largest, 1e300, everything)
    demand("nothing beyond the reach", exact, reach + tolerance, has)
    demand("a contact within the reach", -exact, tolerance - reach, ~has)
    demand("unit normal", np.abs(length(found.normal) - 1.0), 1e-12, has)
    demand("least separation is the distance", np.abs(found.lowest() - exact), slack, has)
    for k in range(2):
        used = found.count > k
        demand("no point beyond the reach", found.separation[:, k], reach + tolerance, used)
        deepest = used & (found.separation[:, k] == found.lowest())
        for name, place, piece in (("A", found.on_a(k), a), ("B", found.on_b(k), b)):
            height = point_distance(place, piece)
            demand(f"point not outside of {name}", height, place_slack, used)
            demand(f"deepest point on the surface of {name}", np.abs(height), place_slack, deepest)
            sharp = piece.radius == 0.0
            demand(f"point on the surface of {name}, which is sharp", np.abs(height), place_slack, used & sharp)
    demand("features differ", (found.feature[:, 0] == found.feature[:, 1]) * 1.0, 0.0, two)

    # moved by the separation along the normal, the two exactly touch: so the normal is right, and leads from A to B
    chosen = has
    b_back = b.moved(-found.lowest()[:, np.newaxis].clip(-1e9, 1e9) * found.normal)
    moved = np.full(len(exact), 0.0)
    moved[chosen] = signed_distance(a.take(chosen), b_back.take(chosen))
    demand("normal leads to touching", np.abs(moved), 2.0 * slack, chosen)
    return complaints


def check_judgement(cases: Cases, found: Manifolds, reach: float, tolerance: float = 1e-9) -> None:
    """Fail where anything is wrong with the manifolds of the cases."""
    complaints = judged(cases, found, reach, tolerance)
    assert not complaints, describe_complaints(complaints, cases, found)


def describe_complaints(complaints: list[Complaint], cases: Cases, found: Manifolds) -> str:
    """The complaints, each with its worst case spelt out."""
    lines = []
    for rule, which, amount in complaints:
        worst = which[int(np.argmax(np.abs(amount)))]
        piece_a, piece_b = cases.pieces_a[cases.which_a[worst]], cases.pieces_b[cases.which_b[worst]]
        lines.append(
            f"{rule}: {len(which)} cases, by {np.abs(amount).max():.3g}; worst {worst}:\n"
            f"  A {piece_a.vertices.tolist()} r={piece_a.radius!r} at {cases.poses_a[worst].tolist()}\n"
            f"  B {piece_b.vertices.tolist()} r={piece_b.radius!r} at {cases.poses_b[worst].tolist()}\n"
            f"  found {[field[worst].tolist() for field in found]}"
        )
    return "\n".join(lines)
