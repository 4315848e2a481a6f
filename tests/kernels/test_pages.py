"""Memory of large arrays of zeros: pages of their own on Linux."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from ecs_collide.kernels.simd import CACHE_LINE, lane_array

SIZE = 1 << 25  # [bytes]
SLACK = 1 << 21  # [bytes]; other things that the process allocates meanwhile

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or KERNEL_MODE is not KernelMode.PREBUILT,
    reason="the prebuilt module maps pages on Linux alone",
)


def resident() -> int:
    """Return the resident memory of this process [bytes]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_pages_take_memory_from_the_first_write_until_the_array_is_freed() -> None:
    before = resident()
    array = lane_array((SIZE // 64, 8))
    assert not array.any()
    assert resident() - before < SLACK
    array[: len(array) // 2] = 1.0
    assert abs(resident() - before - SIZE // 2) < SLACK
    part = array[1:, 2]
    del array
    assert part.sum() == SIZE // 128 - 1
    del part
    assert resident() - before < SLACK


def test_large_arrays_are_like_small_ones() -> None:
    for dtype, items in ((np.float64, 1 << 15), (np.int64, 1 << 20), (np.bool_, 1 << 18)):
        array = lane_array((items // 4, 4), dtype)
        assert array.shape == (items // 4, 4) and array.dtype == dtype
        assert array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
        assert array.ctypes.data % CACHE_LINE == 0
        array[-1, -1] = 1
        assert np.count_nonzero(array) == 1
        assert array.copy().tobytes() == array.tobytes()


def test_a_forked_process_writes_to_pages_of_its_own() -> None:
    array = lane_array((SIZE // 8,))
    child = os.fork()
    if child == 0:
        array[:] = 1.0
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert not array.any()
