"""The life of a manifold: what follows a pair from step to step, and what must not."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ecs_collide.data.pairs import IMPULSE, MANIFOLD, PAIR
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE
from tests.support.processes import run_script
from tests.support.reference.pair_bench import PairBench, kinds_of, manifolds
from tests.support.reference.pair_cases import box, scattered_cases

UNIT = box(1.0, 1.0)


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
            bench.pairs.impulse[0, IMPULSE.NORMAL : IMPULSE.NORMAL + 2] = found.feature[0]
            bench.pairs.impulse[0, IMPULSE.TANGENT : IMPULSE.TANGENT + 2] = -found.feature[0]
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
    assert bench.pairs.manifold[0, MANIFOLD.MADE_X] == 0.0
    assert kept.separation[0] == pytest.approx([-0.003, -0.003], abs=1e-15), "the separation follows all the same"
    bench.place(home, np.array([(0.006, 0.997, 0.0)]))
    bench.run(0.02, recycle)
    assert bench.pairs.manifold[0, MANIFOLD.MADE_X] == 0.006
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
    assert bench.pairs.index[0, PAIR.POINT_COUNT] == 0


def test_the_history_of_a_pair_changes_nothing() -> None:
    """The answer must be that of a pair seen for the first time."""
    random = np.random.default_rng(4)
    for number in (4, 5, 6):
        cases = scattered_cases(kinds_of(number), 2000, random)
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
        cases = scattered_cases(kinds_of(row), 60, np.random.default_rng(500 + row))
        result.append([float(x) for field in manifolds(*cases, 0.1) for x in np.ravel(field)])
    return result


def test_the_same_results_without_the_compiler() -> None:
    script = "from tests.step.narrowphase.test_manifolds import sample; import json; print(json.dumps(sample()))"
    plain = json.loads(run_script(script, NUMBA_DISABLE_JIT="1"))
    for row, (one, other) in enumerate(zip(sample(), plain, strict=True)):
        assert np.abs(np.array(one) - np.array(other)).max() < 1e-12, PAIR_TABLE[row]
