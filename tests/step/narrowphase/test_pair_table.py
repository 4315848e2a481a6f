"""Every row of the pair table against the slow geometry."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.shapes import Piece, PieceKind
from ecs_collide.step.narrowphase.pair_table import IMPOSSIBLE, PAIR_TABLE, kind_rows
from tests.step.narrowphase.judgement import check_judgement
from tests.support.reference.geometry import length, signed_distance, turned
from tests.support.reference.pair_bench import Manifolds, PairBench, kinds_of, manifolds
from tests.support.reference.pair_cases import TYPICAL, Cases, random_pieces, scattered_cases, touching_cases

REACH = 0.02
CASES = 5_000

rows = pytest.mark.parametrize(
    "row",
    [
        pytest.param(number, id=f"{row.kind_a.name}-{row.kind_b.name}".lower())
        for number, row in enumerate(PAIR_TABLE)
        if row.kind_a is not PieceKind.RING  # has another geometry: see test_ring_convex.py
    ],
)


def found(cases: Cases, reach: float = REACH) -> Manifolds:
    return manifolds(*cases, reach)


def every_combination(kinds: tuple[PieceKind, PieceKind], poses_b: list[tuple[float, float, float]]) -> Cases:
    """Each typical piece of the one kind at the origin with each of the other at each pose."""
    a, b = TYPICAL[kinds[0]], TYPICAL[kinds[1]]
    picks = [(i, j, pose) for i in range(len(a)) for j in range(len(b)) for pose in poses_b]
    which_a, which_b = np.array([pick[0] for pick in picks]), np.array([pick[1] for pick in picks])
    return Cases(a, b, which_a, which_b, np.zeros((len(picks), 3)), np.array([pick[2] for pick in picks]))


def test_every_two_kinds_have_a_row_or_a_reason() -> None:
    table = kind_rows()
    for a in PieceKind:
        for b in PieceKind:
            low, high = sorted((a, b))
            assert (table[high, low] >= 0) != ((high, low) in IMPOSSIBLE)
            if low != high:
                assert table[low, high] == -1, "the greater kind is A"


@rows
@pytest.mark.parametrize("reach", [REACH, 0.5])
def test_random_pairs(row: int, reach: float) -> None:
    cases = scattered_cases(kinds_of(row), CASES, np.random.default_rng(row))
    check_judgement(cases, found(cases, reach), reach)


@rows
def test_nearly_touching_pairs(row: int) -> None:
    """Corner to corner, edge to corner and edge to edge, with surfaces or hulls 1e-12 m to 10 cm apart or inside."""
    cases = touching_cases(kinds_of(row), CASES, np.random.default_rng(100 + row))
    check_judgement(cases, found(cases), REACH)


@rows
def test_far_from_the_origin(row: int) -> None:
    near = scattered_cases(kinds_of(row), 3000, np.random.default_rng(200 + row))
    far = near.moved((1e4, -1e4), 1.0)
    check_judgement(far, found(far), REACH, tolerance=1e-8)
    same_as_moved(found(near), found(far), near, 1.0, (1e4, -1e4), 1e-8)


@rows
def test_turning_and_moving_both_bodies_turns_and_moves_the_contact(row: int) -> None:
    cases = scattered_cases(kinds_of(row), 3000, np.random.default_rng(300 + row))
    for angle, offset in ((0.5 * np.pi, (0.0, 0.0)), (2.5, (30.0, -7.0)), (0.0, (-50.0, 3.0))):
        same_as_moved(found(cases), found(cases.moved(offset, angle)), cases, angle, offset, 1e-10)


def same_as_moved(
    near: Manifolds, far: Manifolds, cases: Cases, angle: float, offset: tuple[float, float], tolerance: float
) -> None:
    """The second manifolds are the first, carried along; exact ties between two answers may fall the other way."""
    angles = np.full(len(near.count), angle)
    same = near.count == far.count
    same &= length(turned(near.normal, angles) - far.normal) < 1e3 * tolerance
    for k in range(2):
        used = near.count > k
        place = length(turned(near.point[:, k], angles) + offset - far.point[:, k])
        same &= ~used | ((place < 1e3 * tolerance) & (near.feature[:, k] == far.feature[:, k]))
        same &= ~used | (np.abs(near.separation[:, k] - far.separation[:, k]) < 1e2 * tolerance)
    assert np.count_nonzero(~same) <= 0.001 * len(same), np.flatnonzero(~same)[:10]


@rows
def test_swapping_the_bodies_turns_the_contact_round(row: int) -> None:
    kinds = kinds_of(row)
    if kinds[0] is not kinds[1]:
        pytest.skip("the kinds decide which is A: see test_collect.py")
    cases = scattered_cases(kinds, CASES, np.random.default_rng(400 + row))
    one, other = found(cases), found(cases.swapped())
    assert (one.count > 0).tolist() == (other.count > 0).tolist()
    has = one.count > 0
    assert np.abs(one.lowest()[has] - other.lowest()[has]).max() < 3e-6  # near ties prefer A's edge
    opposite = length(one.normal + other.normal) < 1e-9
    assert np.count_nonzero(~opposite) <= 0.002 * CASES
    mirrored = has & opposite & (one.count == other.count)
    assert np.count_nonzero(has & ~mirrored) <= 0.002 * CASES
    for k in range(2):
        places = [length(one.point[:, k] - other.point[:, m]) for m in range(2)]
        nearest = np.where(one.count == 2, np.minimum(*places), places[0])
        assert np.count_nonzero(mirrored & (one.count > k) & (nearest > 1e-9)) <= 0.002 * CASES


@rows
def test_origins_at_one_place(row: int) -> None:
    cases = every_combination(kinds_of(row), [(0.0, 0.0, angle) for angle in (0.0, 0.25 * np.pi, 0.5 * np.pi, 1.0)])
    check_judgement(cases, found(cases), REACH)


@rows
def test_one_piece_with_itself(row: int) -> None:
    kinds = kinds_of(row)
    if kinds[0] is not kinds[1]:
        pytest.skip("two kinds")
    pieces = random_pieces(kinds[0], np.random.default_rng(7))
    every = np.arange(len(pieces))
    poses = np.column_stack((every, -every, 0.1 * every)).astype(float)
    cases = Cases(pieces, pieces, every, every, poses, poses)
    check_judgement(cases, found(cases), REACH)


@rows
def test_one_inside_the_other(row: int) -> None:
    """B, a thousand times smaller, anywhere in A; then the other way round."""
    kinds = kinds_of(row)
    random = np.random.default_rng(8)
    if kinds[0] is PieceKind.HALF_PLANE:
        poses = [(float(x), float(y), float(x)) for x, y in random.uniform(-50.0, -2.0, (30, 2))]
        cases = every_combination(kinds, poses)
        check_judgement(cases, found(cases), REACH)
        return

    def shrunk(piece: Piece, scale: float) -> Piece:
        return piece._replace(vertices=piece.vertices * scale, radius=piece.radius * scale)

    count = 500
    for scale_a, scale_b in ((10.0, 0.01), (0.01, 10.0)):
        a = [shrunk(piece, scale_a) for piece in TYPICAL[kinds[0]]]
        b = [shrunk(piece, scale_b) for piece in TYPICAL[kinds[1]]]
        which_a, which_b = random.integers(len(a), size=count), random.integers(len(b), size=count)
        poses_a = np.column_stack((random.uniform(-2.0, 2.0, (count, 2)), random.uniform(-4.0, 4.0, count)))
        poses_b = np.column_stack((random.uniform(-2.0, 2.0, (count, 2)), random.uniform(-4.0, 4.0, count)))
        cases = Cases(a, b, which_a, which_b, poses_a, poses_b)
        check_judgement(cases, found(cases), REACH)


@rows
def test_exact_touching_on_round_numbers(row: int) -> None:
    """On a grid of halves and quarter turns nearly everything touches, is flush or aligned."""
    grid = [-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0]
    poses = [(x, y, angle) for x in grid for y in grid for angle in (0.0, 0.5 * np.pi, np.pi)]
    cases = every_combination(kinds_of(row), poses)
    check_judgement(cases, found(cases), REACH)


@rows
def test_a_gap_counts_up_to_the_reach(row: int) -> None:
    cases = scattered_cases(kinds_of(row), 400, np.random.default_rng(9))
    gaps = signed_distance(cases.placed_a, cases.placed_b)
    bench = PairBench(cases.pieces_a, cases.pieces_b, cases.which_a, cases.which_b)
    bench.place(cases.poses_a, cases.poses_b)
    apart = np.flatnonzero(gaps > 0.001)
    assert len(apart) > 40
    for k in apart[:60]:
        assert bench.run(float(gaps[k]) - 1e-9).count[k] == 0
        contact = bench.run(float(gaps[k]) + 1e-9)
        assert contact.count[k] > 0
        assert contact.lowest()[k] == pytest.approx(gaps[k], abs=1e-9)


@rows
def test_features_last_through_small_motion(row: int) -> None:
    cases = scattered_cases(kinds_of(row), CASES, np.random.default_rng(10))
    before = found(cases)
    random = np.random.default_rng(11)
    motion = 1e-9 * random.uniform(-1.0, 1.0, (CASES, 3))
    after = found(cases._replace(poses_b=cases.poses_b + motion))
    same = before.count == after.count
    for k in range(2):
        used = (before.count > k) & same
        place = length(before.point[:, k] - after.point[:, k])
        same &= ~used | ((before.feature[:, k] == after.feature[:, k]) & (place < 1e-5))
    assert np.count_nonzero(~same) <= 0.0005 * CASES


@rows
def test_a_circle_of_radius_zero_is_a_point(row: int) -> None:
    kinds = kinds_of(row)
    pieces = [
        [piece._replace(radius=0.0) for piece in random_pieces(kind, np.random.default_rng(12))] for kind in kinds
    ]
    cases = touching_cases(kinds, 2000, np.random.default_rng(13))
    cases = cases._replace(pieces_a=pieces[0], pieces_b=pieces[1])
    check_judgement(cases, found(cases), REACH)


@rows
def test_very_large_and_very_small_numbers(row: int) -> None:
    """Nothing overflows into NaN, up to the largest coordinates; what is far apart does not touch."""
    kinds = kinds_of(row)
    spots = [(1e50, 0.0, 0.0), (-1e50, 1e50, 2.0), (1e9, 1e9, 1.0), (1e-300, -1e-300, 0.0), (5e-324, 0.0, 1e-300)]
    cases = every_combination(kinds, spots)
    contact = found(cases)
    for field in contact:
        assert np.isfinite(field[contact.count > 0]).all()
    far = np.abs(cases.poses_b[:, 0]) > 1e3
    if kinds[0] is not PieceKind.HALF_PLANE:
        assert not contact.count[far].any()
    assert (contact.count[~far] > 0).any()
