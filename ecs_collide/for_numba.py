"""Support for games with numba kernels of their own, which may call the kernels of this package.

After `import ecs_collide.for_numba`, a function under `numba.njit` may call

    the documented algorithms, `ecs_collide.algorithms`, with numbers
    the building blocks of the kernels, such as all of `ecs_collide.geometry`
    the functions on eight numbers at once, `ecs_collide.kernels.simd`

It may also take bundles (`ecs_collide.kernels.bundle`) as arguments and read their fields by name. numba compiles all
of these as parts of the game's function, with IEEE division as in the package's kernels: 1 / 0 is infinite. They check
neither domains nor indices. This module needs numba: `pip install ecs_collide[jit]`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.extending import overload

import ecs_collide.kernels.numba_types
import ecs_collide.kernels.simd_lowering  # noqa: F401  # both register our types with numba
from ecs_collide import algorithms
from ecs_collide.kernels.all_files import run_all
from ecs_collide.kernels.kernel import BUILDING_BLOCKS


def _offer(function: Callable[..., Any], source: Callable[..., Any]) -> None:
    """Let numba compile `source` for calls of `function` in compiled functions."""
    overload(function, jit_options={"error_model": "numpy"}, strict=False)(lambda *args, **kwargs: source)


run_all()
for function in BUILDING_BLOCKS:
    _offer(function, function)
for function in vars(algorithms).values():
    if callable(function) and hasattr(function, "kernel"):
        _offer(function, function.__wrapped__)
