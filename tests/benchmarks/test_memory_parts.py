"""Where the memory of a body goes."""

from __future__ import annotations

import numpy as np

from benchmarks.memory_parts import OWNERS, PAGE, allocated, bytes_by_part, report_parts, written_bytes
from benchmarks.scenes.gas import gas
from ecs_collide import Transform
from ecs_collide.kernels.simd import lane_array


def test_parts_of_a_body() -> None:
    parts = bytes_by_part(gas(200))
    assert set(OWNERS.values()) < set(parts)
    columns = 3 * 8 * 2 + 5 * 8 * 2 + 6 * 8  # at least poses, velocities, frames, masses and filters
    assert columns < parts["body columns"] < 10 * columns
    assert 3 * 64 < parts["components"] < 400
    assert 200 < parts["esper's dictionaries and sets"] < 600


def test_pages_without_numbers_do_not_count() -> None:
    table = lane_array((100, PAGE // 8))
    assert written_bytes(table) == 0
    table[7, 3] = table[8, 0] = table[99, -1] = 1.0
    assert written_bytes(table) == 3 * PAGE
    assert written_bytes(np.zeros(PAGE // 8 + 5)) == 5 * 8


def test_a_component_of_a_world_takes_64_bytes() -> None:
    assert allocated(Transform()) == 64


def test_the_table_has_a_column_for_each_scene() -> None:
    lines = report_parts({"gas": gas}, (20, 30)).splitlines()
    assert lines[0].split()[-4:] == ["gas", "20", "gas", "30"]
    assert len({len(line) for line in lines}) == 1
