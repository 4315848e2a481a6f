"""Decorators for kernels, and the two ways to run them.

    prebuilt   machine code from the extension module `ecs_collide._kernels`
    plain      the Python source, for a debugger and for coverage: with NUMBA_DISABLE_JIT=1

Both ways give the same bits, and neither imports numba. The build of the module also imports the package in the plain
way and then compiles the functions that the decorators have collected (`build_kernels/`).

    @kernel      a function that Python calls
    @device      a building block of kernels, always inlined
    @subroutine  a long building block that the compiler may leave as a function of its own

Kernels declare the types of their parameters (`signature.py`). A kernel makes no array: its caller passes scratch
space.
The environment variable ECS_COLLIDE_CPU selects one of the module's instruction sets, for example x86-64-v3. Without it
the best one is used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import Enum
from typing import Any

from ecs_collide.kernels import module
from ecs_collide.kernels.lazy_files import FileFinder


class KernelMode(Enum):
    """Mode in which kernels run in this process."""

    PREBUILT = "prebuilt"
    PLAIN = "plain Python"


def _choose_mode() -> KernelMode:
    """Return the mode that the environment selects; ImportError if the module of kernels is missing or outdated."""
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("NUMBA_DISABLE_JIT", "ECS_COLLIDE_BUILDING")):
        return KernelMode.PLAIN
    module.check()
    return KernelMode.PREBUILT


KERNEL_MODE = _choose_mode()

KERNELS: dict[str, Callable[..., Any]] = {}
"""Python functions of the kernels that were imported, by name; empty in prebuilt mode."""

BUILDING_BLOCKS: dict[Callable[..., Any], bool] = {}
"""Python functions of the building blocks that were imported, and True for those that are always inlined."""


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the machine code of a function that Python calls, or the function itself in plain mode."""
    name = module.kernel_name(function)
    if KERNEL_MODE is KernelMode.PREBUILT:
        return module.kernel_named(name)
    KERNELS[name] = function
    return function


def device(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a building block of kernels that is always inlined.

    The compiler alone would leave some of them as calls, and it vectorises no loop around a call.
    """
    BUILDING_BLOCKS[function] = True
    return function


def subroutine(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a long building block of kernels, for which a call costs less than copies of its code."""
    BUILDING_BLOCKS[function] = False
    return function


if KERNEL_MODE is KernelMode.PREBUILT:
    sys.meta_path.insert(0, FileFinder(module.kernels()))
