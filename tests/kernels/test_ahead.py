"""`ec.compile`: a loading screen's progress, and nothing that compiles afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import ecs_collide as ec
from ecs_collide.kernels.kernel import WAY

SOME = """
import numpy as np
from ecs_collide.kernels.ahead import compile_ahead
from ecs_collide.kernels.jit import KERNELS, compile_statistics
from ecs_collide.step.sleep.islands import time_rest
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.shapes.measure import measure_areas

names = ["step.sleep.islands.time_rest", "shapes.measure.measure_areas"]
assert set(names) <= set(KERNELS), list(KERNELS)
told = []
compile_ahead(names, lambda *progress: told.append(progress))
assert told == [(0, 2, names[0]), (1, 2, names[1]), (2, 2, "")], told
count = compile_statistics().kernel_count
columns = BodyColumns()
assert time_rest(np.zeros(0, np.int64), columns.arrays, columns.span, 0.1, 1.0, 1.0) == 0
areas = np.zeros((1, 4))
# the corners may be read-only, and are not
measure_areas(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]), np.full((1, 4), 3, np.int64), areas)
assert areas[0, 0] == 2.0
assert compile_statistics().kernel_count == count, "it compiled again when it was called"
print(count)
"""


@pytest.mark.skipif(WAY.uses_numba, reason="kernels are not prebuilt in this run")
def test_where_kernels_are_prebuilt_there_is_nothing_to_do_and_it_says_so() -> None:
    told: list[tuple[int, int, str]] = []
    ec.compile(progress=lambda *progress: told.append(progress))
    assert told == [(0, 0, "")]
    ec.compile()


@pytest.mark.skipif(find_spec("numba") is None, reason="numba is not there")
def test_kernels_compiled_ahead_do_not_compile_when_called_and_are_stored(tmp_path: Path) -> None:
    own = {"ECS_COLLIDE_JIT": "1", "ECS_COLLIDE_CACHE": str(tmp_path), "ECS_COLLIDE_QUIET": "1"}
    counts = []
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", SOME], env=os.environ | own, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        counts.append(int(done.stdout))
    assert counts[0] >= 2 and counts[1] == 0
