"""Situations whose manifold is known by looking at them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ecs_collide.columns.pairs import MADE_X, NORMAL_IMPULSE, POINT_COUNT, TANGENT_IMPULSE
from ecs_collide.engine.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.shapes import Piece
from ecs_collide.shapes.piece import capsule_piece, circle_piece, half_plane_piece, polygon_piece
from tests.support.reference.pair_bench import Manifolds, PairBench, kinds_of, manifold, manifolds
from tests.support.reference.pair_cases import box, regular, scattered

UNIT = box(1.0, 1.0)
GROUND = half_plane_piece((0.0, 1.0), 0.0)
ROD = capsule_piece((-1.0, 0.0), (1.0, 0.0), 0.25)
LINE = capsule_piece((-1.0, 0.0), (1.0, 0.0), 0.0)
BALL = circle_piece((0.0, 0.0), 0.5)

Pose = tuple[float, float, float]


def points(found: Manifolds) -> list[tuple[float, float]]:
    """The points on A, from left to right, then from below."""
    places = [tuple(np.round(found.on_a(k)[0], 12).tolist()) for k in range(int(found.count[0]))]
    return sorted(places)


@pytest.mark.parametrize(
    ("a", "b", "pose_b", "normal", "expected", "separation"),
    [
        (UNIT, UNIT, (0.25, 0.99, 0.0), (0, 1), [(-0.25, 0.5), (0.5, 0.5)], -0.01),
        (UNIT, UNIT, (0.25, 1.01, 0.0), (0, 1), [(-0.25, 0.5), (0.5, 0.5)], 0.01),
        (UNIT, UNIT, (-0.99, 0.1, np.pi), (-1, 0), [(-0.5, -0.4), (-0.5, 0.5)], -0.01),
        (box(4.0, 1.0), UNIT, (1.0, 1.0, 0.5 * np.pi), (0, 1), [(0.5, 0.5), (1.5, 0.5)], 0.0),
        (UNIT, box(4.0, 1.0), (1.0, 1.0, 0.0), (0, 1), [(-0.5, 0.5), (0.5, 0.5)], 0.0),
        (box(1.0, 1.0, 0.1), box(1.0, 1.0, 0.2), (0.2, 1.29, 0.0), (0, 1), [(-0.3, 0.6), (0.5, 0.6)], -0.01),
        (UNIT, ROD, (0.0, 0.75, 0.0), (0, 1), [(-0.5, 0.5), (0.5, 0.5)], 0.0),
        (box(4.0, 1.0), ROD, (0.0, 0.74, 0.0), (0, 1), [(-1.0, 0.5), (1.0, 0.5)], -0.01),
        (UNIT, LINE, (0.0, -0.49, 0.0), (0, -1), [(-0.5, -0.5), (0.5, -0.5)], -0.01),
        (ROD, ROD, (0.5, 0.5, 0.0), (0, 1), [(-0.5, 0.25), (1.0, 0.25)], 0.0),
        (ROD, ROD, (0.5, -0.49, np.pi), (0, -1), [(-0.5, -0.25), (1.0, -0.25)], -0.01),
        (GROUND, UNIT, (3.0, 0.49, 0.0), (0, 1), [(2.5, 0.0), (3.5, 0.0)], -0.01),
        (GROUND, UNIT, (3.0, 0.5, 0.5 * np.pi), (0, 1), [(2.5, 0.0), (3.5, 0.0)], 0.0),
        (GROUND, ROD, (0.0, 0.26, 0.0), (0, 1), [(-1.0, 0.0), (1.0, 0.0)], 0.01),
        (GROUND, box(1.0, 1.0, 0.25), (0.0, 0.75, 0.0), (0, 1), [(-0.5, 0.0), (0.5, 0.0)], 0.0),
    ],
)
def test_flush_faces_touch_at_the_ends_of_their_common_part(
    a: Piece,
    b: Piece,
    pose_b: Pose,
    normal: tuple[float, float],
    expected: list[tuple[float, float]],
    separation: float,
) -> None:
    found = manifold(a, b, pose_b)
    assert found.count[0] == 2
    assert found.normal[0] == pytest.approx(normal, abs=1e-12)
    assert np.array(points(found)) == pytest.approx(np.array(expected), abs=1e-12)
    assert found.separation[0] == pytest.approx([separation, separation], abs=1e-12)


def test_boxes_of_a_grid_touch_their_neighbours_only() -> None:
    assert manifold(UNIT, UNIT, (1.0, 0.0, 0.0)).count[0] == 2
    assert manifold(UNIT, UNIT, (1.1, 0.0, 0.0)).count[0] == 0
    diagonal = manifold(UNIT, UNIT, (1.0, 1.0, 0.0))
    assert diagonal.lowest()[0] == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("distance", [0.3, 0.5, 1.0, 1.49, 1.5, 1.515])
@pytest.mark.parametrize("angle", [0.0, np.pi, 1e-17, 1e-9])
@pytest.mark.parametrize("height", [0.0, 1e-17, -1e-12])
def test_capsules_in_line_meet_with_their_ends(distance: float, angle: float, height: float) -> None:
    """Two rods rolling towards each other on flat ground: no edge normal parts them."""
    a = capsule_piece((-0.5, 0.0), (0.5, 0.0), 0.25)
    found = manifold(a, a, (distance, height, angle))
    assert found.count[0] > 0
    if distance > 1.0:
        assert found.count[0] == 1
        assert found.separation[0, 0] == pytest.approx(distance - 1.5, abs=1e-9)
        assert found.normal[0] == pytest.approx((1.0, 0.0), abs=1e-7)
    else:
        assert found.lowest()[0] == pytest.approx(-0.5, abs=1e-9)
        assert abs(found.normal[0, 1]) == pytest.approx(1.0, abs=1e-7)


def test_a_capsule_in_line_with_an_edge_meets_its_corner() -> None:
    found = manifold(box(2.0, 1.0), capsule_piece((0.0, 0.0), (1.0, 0.0), 0.25), (1.1, 0.5, 0.0))
    assert found.count[0] == 1
    assert found.separation[0, 0] == pytest.approx(-0.15, abs=1e-12)
    assert found.normal[0] == pytest.approx((1.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.0, 2.0, np.pi])
@pytest.mark.parametrize("along", np.linspace(-0.9, 0.9, 7))
def test_a_ball_on_the_axis_of_a_capsule_goes_out_sideways(along: float, turn: float) -> None:
    x, y = along * np.cos(turn), along * np.sin(turn)
    found = manifold(ROD, BALL, (x, y, 0.0), (0.0, 0.0, turn))
    assert found.separation[0, 0] == pytest.approx(-0.75, abs=1e-12)
    assert found.normal[0] @ (np.cos(turn), np.sin(turn)) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("angle", [0.0, 0.2, 0.5 * np.pi])
def test_crosses_without_a_corner_inside(angle: float) -> None:
    """OC's point-in-shape test is blind to them: two long boxes, a box and a capsule, two capsules."""
    flat, thin = box(6.0, 0.5), capsule_piece((-3.0, 0.0), (3.0, 0.0), 0.1)
    upright = (0.4, 0.1, 0.5 * np.pi - 0.3 * angle)
    for a, b, depth in ((flat, flat, 0.5), (flat, thin, 0.35), (thin, thin, 0.2)):
        found = manifold(a, b, upright)
        assert found.count[0] > 0
        assert found.lowest()[0] <= -depth
        assert np.isfinite(found.point).all()


def test_a_corner_on_a_face_is_one_point() -> None:
    found = manifold(UNIT, UNIT, (0.1, 0.5 + np.sqrt(0.5) - 0.01, 0.25 * np.pi))
    assert found.count[0] == 1
    assert found.normal[0] == pytest.approx((0.0, 1.0), abs=1e-12)
    assert found.point[0, 0] == pytest.approx((0.1, 0.495), abs=1e-12)
    assert found.separation[0, 0] == pytest.approx(-0.01, abs=1e-12)


def test_two_corners_are_parted_along_the_line_between_them() -> None:
    found = manifold(UNIT, UNIT, (1.006, 1.008, 0.0))
    assert found.count[0] == 1
    assert found.normal[0] == pytest.approx((0.6, 0.8), abs=1e-12)
    assert found.separation[0, 0] == pytest.approx(0.01, abs=1e-12)


def test_a_polygon_of_forty_corners_is_nearly_a_circle() -> None:
    found = manifold(regular(40, 0.5), regular(40, 0.5), (0.999, 0.0, np.pi / 40))
    assert found.normal[0, 0] > 0.99
    assert found.lowest()[0] == pytest.approx(-0.001, abs=0.002)


def test_needles() -> None:
    needle = polygon_piece(np.array([(-5.0, 0.0), (5.0, -1e-4), (5.0, 1e-4)]), 0.0)
    found = manifold(needle, needle, (0.0, 0.0, 1.0))
    assert found.count[0] > 0
    assert found.lowest()[0] == pytest.approx(-5.0 * np.sin(1.0), abs=1e-3), "out by the tip"
    side = manifold(needle, needle, (0.0, 1e-4, 0.0))
    assert side.lowest()[0] == pytest.approx(0.0, abs=1e-4)
    assert np.isfinite(found.point).all()


def test_coincident_circles_part_along_a_fixed_direction_of_a() -> None:
    found = manifold(BALL, BALL, (2.0, 3.0, 1.0), (2.0, 3.0, 0.7))
    assert found.separation[0, 0] == -1.0
    assert found.normal[0] == pytest.approx((np.cos(0.7), np.sin(0.7)), abs=1e-15)


def test_features_and_impulses_follow_a_box_that_slides() -> None:
    """The points keep their names, also when the upper box comes to stand out over the end of the lower one."""
    zero = np.zeros(1, np.int64)
    bench = PairBench([box(4.0, 1.0)], [UNIT], zero, zero)
    home = np.zeros((1, 3))
    names = None
    for step in range(140):
        bench.place(home, np.array([(-1.4 + 0.028 * step, 0.995, 1e-5 * (-1) ** step)]))
        found = bench.run(0.02)
        assert found.count[0] == 2
        if names is None:
            names = set(found.feature[0].tolist())
            bench.pairs.impulse[0, NORMAL_IMPULSE : NORMAL_IMPULSE + 2] = found.feature[0]
            bench.pairs.impulse[0, TANGENT_IMPULSE : TANGENT_IMPULSE + 2] = -found.feature[0]
        assert set(found.feature[0].tolist()) == names
        assert bench.pairs.impulse[0].tolist() == [*found.feature[0], *(-found.feature[0])], "impulses keep to features"


def test_a_new_contact_starts_without_impulses() -> None:
    zero = np.zeros(1, np.int64)
    bench = PairBench([UNIT], [UNIT], zero, zero)
    home = np.zeros((1, 3))
    bench.place(home, np.array([(0.0, 1.0, 0.0)]))
    bench.run(0.02)
    bench.pairs.impulse[0] = 7.0
    bench.place(home, np.array([(0.0, 1.2, 0.0)]))
    assert bench.run(0.02).count[0] == 0
    bench.place(home, np.array([(0.0, 1.0, 0.0)]))
    assert bench.run(0.02).count[0] == 2
    assert not bench.pairs.impulse[0].any()


def test_a_resting_pair_keeps_its_manifold_until_it_moves_too_far() -> None:
    zero = np.zeros(1, np.int64)
    bench = PairBench([box(4.0, 1.0)], [UNIT], zero, zero)
    home = np.zeros((1, 3))
    recycle = 0.005
    bench.place(home, np.array([(0.0, 1.0, 0.0)]))
    bench.run(0.02, recycle)
    bench.place(home, np.array([(0.003, 0.997, 0.0)]))
    kept = bench.run(0.02, recycle)
    assert bench.pairs.manifold[0, MADE_X] == 0.0
    assert kept.separation[0] == pytest.approx([-0.003, -0.003], abs=1e-15), "the separation follows all the same"
    bench.place(home, np.array([(0.006, 0.997, 0.0)]))
    bench.run(0.02, recycle)
    assert bench.pairs.manifold[0, MADE_X] == 0.006
    bench.place(home, np.array([(0.006, 0.997, 0.02)]))
    bench.run(0.02, recycle)
    assert bench.run(0.02, recycle).separation[0, 0] != bench.run(0.02, recycle).separation[0, 1], "a turn counts too"


def test_a_turn_by_half_is_not_taken_for_rest() -> None:
    zero = np.zeros(1, np.int64)
    bench = PairBench([box(4.0, 1.0)], [box(1.0, 1.0)], zero, zero)
    home = np.zeros((1, 3))
    bench.place(home, np.array([(0.0, 1.0, 0.0)]))
    before = bench.run(0.02, 0.005).feature[0].tolist()
    bench.place(home, np.array([(0.0, 1.0, np.pi)]))
    assert set(bench.run(0.02, 0.005).feature[0].tolist()).isdisjoint(before)


def test_a_pair_that_is_switched_off_has_no_contact() -> None:
    zero = np.zeros(1, np.int64)
    bench = PairBench([UNIT], [UNIT], zero, zero)
    bench.place(np.zeros((1, 3)), np.array([(0.0, 1.0, 0.0)]))
    assert bench.run(0.02).count[0] == 2
    bench.pairs.enabled[0] = False
    assert bench.run(0.02).count[0] == 0
    assert bench.pairs.index[0, POINT_COUNT] == 0


def test_what_a_pair_was_before_changes_nothing() -> None:
    """The answer must be that of a pair seen for the first time."""
    random = np.random.default_rng(4)
    for number in (4, 5, 6):
        cases = scattered(kinds_of(number), 2000, random)
        bench = PairBench(cases.pieces_a, cases.pieces_b, cases.which_a, cases.which_b)
        poses = cases.poses_b.copy()
        for _ in range(12):
            bench.place(cases.poses_a, poses)
            found = bench.run(0.02)
            fresh = manifolds(*cases[:5], poses, 0.02)
            for field, expected in zip(found, fresh, strict=True):
                if field is not found.feature:
                    assert (field == expected).all()
            poses += random.normal(0.0, 0.15, poses.shape)


def sample() -> list[list[float]]:
    """A small sample of every row, as plain numbers."""
    result = []
    for row in range(len(PAIR_TABLE)):
        cases = scattered(kinds_of(row), 60, np.random.default_rng(500 + row))
        result.append([float(x) for field in manifolds(*cases, 0.1) for x in np.ravel(field)])
    return result


def test_the_same_results_without_the_compiler() -> None:
    script = "from tests.engine.narrowphase.test_manifolds import sample; import json; print(json.dumps(sample()))"
    root = Path(__file__).resolve().parents[3]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    plain = json.loads(done.stdout)
    for row, (one, other) in enumerate(zip(sample(), plain, strict=True)):
        assert np.abs(np.array(one) - np.array(other)).max() < 1e-12, PAIR_TABLE[row]
