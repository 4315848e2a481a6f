"""Kernels that look at eight pairs at once, against plain loops over one pair after the other."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import Any

import numpy as np
import pytest

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.pairs import MANIFOLD, PAIR
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.pose import invert_pose
from ecs_collide.kernels.simd import LANES, store
from ecs_collide.shapes import Piece, PieceKind
from ecs_collide.shapes.piece import capsule_piece, circle_piece
from ecs_collide.step.narrowphase.cull_pairs import cull_pairs
from ecs_collide.step.narrowphase.eight_pairs import load_pairs, relative_poses
from ecs_collide.step.narrowphase.separating_axes import A, B, best_edges, edges_before, load_corners
from tests.support.own_kernels import kernel
from tests.support.reference.geometry import signed_distance
from tests.support.reference.pair_bench import PairBench, kinds_of
from tests.support.reference.pair_cases import Cases, box, regular, scattered_cases

REACH = 0.02
CIRCLE, CAPSULE, POLYGON, *_ = PieceKind
COUNTS = [1, 2, 7, 8, 9, 16, 30]
Pose = tuple[float, float, float]


def bench_of(cases: Cases) -> PairBench:
    bench = PairBench(cases.pieces_a, cases.pieces_b, cases.which_a, cases.which_b)
    bench.place(cases.poses_a, cases.poses_b)
    return bench


def random_piece_pairs(pieces: list[Piece], count: int, spread: float) -> Cases:
    random = np.random.default_rng(count)
    which = random.integers(len(pieces), size=(2, count))
    poses = random.uniform(-spread, spread, (2, count, 3))
    return Cases(pieces, pieces, which[0], which[1], poses[0], poses[1])


def relative(pose_a: Any, pose_b: Any) -> Pose:
    """Return the pose of B in A's axes."""
    x, y = pose_b[:2] - pose_a[:2]
    c, s = cos(pose_a[2]), sin(pose_a[2])
    return c * x + s * y, c * y - s * x, pose_b[2] - pose_a[2]


@pytest.mark.parametrize("count", COUNTS)
def test_circles(count: int) -> None:
    """Coincident centres, which take A's x axis, touching ones and padding lanes are among them."""
    circles = [circle_piece((0.0, 0.0), 0.5), circle_piece((0.3, -0.2), 0.25), circle_piece((0.0, 0.0), 0.0)]
    cases = random_piece_pairs(circles, count, 0.7)
    cases.poses_b[::5] = cases.poses_a[::5]
    cases.poses_b[::7] = cases.poses_a[::7]
    cases.poses_b[::7, 0] += 1.0
    bench = bench_of(cases)
    bench.pairs.enabled[3::9] = False
    bench.run(REACH)
    for k in range(count):
        a, b = cases.pieces_a[cases.which_a[k]], cases.pieces_b[cases.which_b[k]]
        x, y, turn = relative(cases.poses_a[k], cases.poses_b[k])
        ax, ay = a.vertices[0]
        bx, by = b.vertices[0]
        dx = x + cos(turn) * bx - sin(turn) * by - ax
        dy = y + sin(turn) * bx + cos(turn) * by - ay
        distance = sqrt(dx * dx + dy * dy)
        gap = distance - a.radius - b.radius
        manifold = bench.pairs.manifold[k]
        assert bench.pairs.index[k, PAIR.POINT_COUNT] == int(gap <= REACH and k % 9 != 3)
        if bench.pairs.index[k, PAIR.POINT_COUNT]:
            normal = np.array((dx, dy)) / distance if distance > 1e-9 else np.array((1.0, 0.0))
            on_a = a.vertices[0] + a.radius * normal
            on_b = on_a + gap * normal - (x, y)
            on_b = cos(turn) * on_b[0] + sin(turn) * on_b[1], cos(turn) * on_b[1] - sin(turn) * on_b[0]
            assert manifold[MANIFOLD.NORMAL_X : MANIFOLD.NORMAL_X + 2] == pytest.approx(normal, abs=1e-12)
            assert manifold[MANIFOLD.ANCHOR_A : MANIFOLD.ANCHOR_A + 2] == pytest.approx(on_a, abs=1e-12)
            assert manifold[MANIFOLD.ANCHOR_B : MANIFOLD.ANCHOR_B + 2] == pytest.approx(on_b, abs=1e-12)


@kernel
def axes_of(slots, bodies, pieces, pairs, out):  # type: ignore[no-untyped-def]
    load_pairs(slots, 0, pairs)
    most_a, most_b = load_corners(A, pieces, pairs), load_corners(B, pieces, pairs)
    pose = relative_poses(bodies, pairs.lanes)
    separation_a, edge_a = best_edges(pose, A, most_a, most_b, pieces, pairs)
    separation_b, edge_b = best_edges(invert_pose(pose), B, most_b, most_a, pieces, pairs)
    store(out, 0, separation_a)
    store(out, 1, edge_a)
    store(out, 2, separation_b)
    store(out, 3, edge_b)


def separation_of_edges(a: Piece, b: Piece, pose: Pose) -> list[float]:
    """Return the distance of b in front of each edge of a [m]."""
    x, y, turn = pose
    turned = np.array(((cos(turn), -sin(turn)), (sin(turn), cos(turn))))
    vertices = b.vertices @ turned.T + (x, y)
    return [min((v - start) @ normal for v in vertices) for start, normal in zip(a.vertices, a.normals)]


@pytest.mark.parametrize(
    "pieces",
    [
        [box(1.0, 1.0), box(4.0, 0.01)],
        [regular(3), box(1.0, 0.6, 0.2), regular(5, 0.7), regular(7), regular(8, 0.4)],
        [capsule_piece((-1.0, 0.0), (1.0, 0.0), 0.3), capsule_piece((0.0, -0.5), (0.4, 0.5), 0.0)],
        [regular(3), regular(40), regular(21)],
    ],
    ids=["boxes", "up to eight vertices", "capsules", "many vertices"],
)
def test_best_edges(pieces: list[Piece]) -> None:
    for count in (1, 5, 8):
        cases = random_piece_pairs(pieces, count, 1.0)
        bench = bench_of(cases)
        out = np.zeros((4, LANES))
        axes_of(bench.slots, bench.bodies, bench.pieces, bench.pairs, out)
        for k in range(count):
            a, b = cases.pieces_a[cases.which_a[k]], cases.pieces_b[cases.which_b[k]]
            pose_a, pose_b = cases.poses_a[k], cases.poses_b[k]
            for side, row in enumerate((k, count + k)):
                one, other, pose = ((a, b, relative(pose_a, pose_b)), (b, a, relative(pose_b, pose_a)))[side]
                separations = separation_of_edges(one, other, pose)
                edge = int(out[2 * side + 1, k]) - bench.pieces.index[row, PIECE.VERTEX_START]
                assert 0 <= edge < bench.pieces.index[row, PIECE.VERTEX_COUNT]
                assert out[2 * side, k] == pytest.approx(max(separations), abs=1e-12)
                assert separations[edge] == pytest.approx(max(separations), abs=1e-12)


@kernel
def edges_of(slots, bodies, pieces, pairs, out):  # type: ignore[no-untyped-def]
    load_pairs(slots, 0, pairs)
    most = load_corners(A, pieces, pairs)
    pose = relative_poses(bodies, pairs.lanes)
    separation, edge = edges_before(pose.x, pose.y, most, pieces, pairs)
    store(out, 0, separation)
    store(out, 1, edge)


def test_best_edges_for_points() -> None:
    polygons = [regular(3), box(1.0, 0.6, 0.2), regular(8, 0.4), regular(21)]
    point = [circle_piece((0.0, 0.0), 0.5)]
    for count in (1, 5, 8):
        cases = random_piece_pairs(polygons, count, 1.0)._replace(pieces_b=point, which_b=np.zeros(count, np.int64))
        bench = bench_of(cases)
        out = np.zeros((2, LANES))
        edges_of(bench.slots, bench.bodies, bench.pieces, bench.pairs, out)
        for k in range(count):
            a = cases.pieces_a[cases.which_a[k]]
            separations = separation_of_edges(a, point[0], relative(cases.poses_a[k], cases.poses_b[k]))
            edge = int(out[1, k]) - bench.pieces.index[k, PIECE.VERTEX_START]
            assert out[0, k] == pytest.approx(max(separations), abs=1e-12)
            assert separations[edge] == pytest.approx(max(separations), abs=1e-12)


def is_culled(bench: PairBench, recycle: float = 0.0, *, dynamic_alone: bool = False) -> list[int]:
    left = np.zeros(bench.count + LANES, np.int64)
    columns = bench.bodies, bench.pieces, bench.pairs
    count = cull_pairs(bench.slots, *columns, bench.span, LookAhead(REACH, 0.0, 0.0), recycle, int(dynamic_alone), left)
    return [int(slot) for slot in left[:count]]


@pytest.mark.parametrize("row", [4, 5, 6, 15, 16, 17])
def test_the_screen_keeps_all_that_could_touch_in_order(row: int) -> None:
    cases = scattered_cases(kinds_of(row), 2003, np.random.default_rng(row))
    bench = bench_of(cases)
    left = is_culled(bench)
    assert left == sorted(set(left))
    near = np.flatnonzero(signed_distance(cases.placed_a, cases.placed_b) <= REACH)
    assert set(near) <= set(left)
    assert len(left) < 0.95 * len(cases.which_a)


@pytest.mark.parametrize("count", COUNTS)
def test_culling_keeps_only_boxes_that_come_close(count: int) -> None:
    cases = random_piece_pairs([box(1.0, 1.0), box(2.0, 0.3, 0.1)], count, 2.0)
    bench = bench_of(cases)
    expected = []
    for k in range(count):
        a, b = cases.pieces_a[cases.which_a[k]], cases.pieces_b[cases.which_b[k]]
        pose_a, pose_b = cases.poses_a[k], cases.poses_b[k]
        separation = max(
            *separation_of_edges(a, b, relative(pose_a, pose_b)), *separation_of_edges(b, a, relative(pose_b, pose_a))
        )
        if separation <= a.radius + b.radius + REACH:
            expected.append(k)
    assert is_culled(bench) == expected


def test_culling_removes_the_points_of_parted_and_disabled_pairs() -> None:
    row = np.zeros(10, np.int64)
    bench = PairBench([box(1.0, 1.0)], [box(1.0, 1.0)], row, row)
    poses = np.column_stack((np.zeros(10), np.full(10, 1.0), np.zeros(10)))
    bench.place(np.zeros((10, 3)), poses)
    assert bench.run(REACH).count.tolist() == [2] * 10
    poses[[2, 9]] += (0.0, 0.003, 0.0)  # has hardly moved
    poses[[1, 8]] += (0.0, 1.0, 0.0)  # has parted
    poses[4] += (0.0, 0.01, 0.0)  # has moved
    bench.place(np.zeros((10, 3)), poses)
    bench.pairs.enabled[[0, 7]] = False
    assert is_culled(bench, recycle=0.005) == [4]
    assert bench.pairs.index[:, PAIR.POINT_COUNT].tolist() == [0, 0, 2, 2, 2, 2, 2, 0, 0, 2]


def test_with_outlines_only_two_dynamic_bodies_keep_their_manifold() -> None:
    row = np.zeros(10, np.int64)
    bench = PairBench([box(1.0, 1.0)], [box(1.0, 1.0)], row, row)
    bench.bodies.kind[[3, 9]] = BodyKind.DYNAMIC  # the others of side A are static
    bench.bodies.kind[4] = BodyKind.KINEMATIC
    poses = np.column_stack((np.zeros(10), np.full(10, 1.0), np.zeros(10)))
    bench.place(np.zeros((10, 3)), poses)
    bench.run(REACH)
    assert is_culled(bench, recycle=0.005) == []
    assert is_culled(bench, recycle=0.005, dynamic_alone=True) == [0, 1, 2, 4, 5, 6, 7, 8]
