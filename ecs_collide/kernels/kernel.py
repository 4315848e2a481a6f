"""Kernels, and which of three ways they run.

    prebuilt   as machine code, out of the extension module `ecs_collide._kernels`: nothing is ever compiled
    compiled   by numba, when first called: with ECS_COLLIDE_JIT=1 or NUMBA_BOUNDSCHECK=1, where there is no such
               module, and in a checkout whose sources have changed since it was built
    plain      as the Python that they are, for the debugger: with ECS_COLLIDE_JIT=0 or NUMBA_DISABLE_JIT=1

All three give the same bits. numba is imported for the second only.

    @kernel      entry points: called from Python, or both from Python and from other kernels
    @stage       entry points of a step: called from Python always with the same types
    @device      building blocks: called from kernels and stages only, and made a part of them
    @subroutine  long ones, which stay functions of their own

Kernels and stages declare what they take (`signature.py`). None may make an array: scratch space is passed in.
ECS_COLLIDE_CPU names the instruction set that is used of those in the module, such as x86-64-v3; else it is the best.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import Enum
from typing import Any, TypeAlias

from ecs_collide.kernels import module
from ecs_collide.kernels.lazy_files import FileFinder

Decorator: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]


class Way(Enum):
    """How kernels run in this process; `BUILDING` is that in which the module is built."""

    PREBUILT = "prebuilt"
    COMPILED = "compiled by numba"
    PLAIN = "plain Python"
    BUILDING = "building"

    @property
    def uses_numba(self) -> bool:
        return self in (Way.COMPILED, Way.BUILDING)


def _chosen() -> Way:
    asked = os.environ.get("ECS_COLLIDE_JIT", "")
    if asked == "build":
        return Way.BUILDING
    if asked == "0" or _is_set("NUMBA_DISABLE_JIT"):
        return Way.PLAIN
    wants_numba = asked == "1" or _is_set("NUMBA_BOUNDSCHECK")
    return Way.COMPILED if wants_numba or not module.is_usable() else Way.PREBUILT


def _is_set(variable: str) -> bool:
    return os.environ.get(variable, "0") not in ("", "0")


WAY = _chosen()


def _decorators() -> tuple[Decorator, Decorator, Decorator, Decorator]:
    """`kernel`, `stage`, `device` and `subroutine`, as the way wants them."""
    if WAY is Way.PREBUILT:
        sys.meta_path.insert(0, FileFinder(module.kernels()))
        return _prebuilt, _prebuilt, _building_block, _building_block
    if WAY is Way.PLAIN:
        return _as_it_is, _as_it_is, _building_block, _building_block
    try:
        from ecs_collide.kernels import jit
    except ModuleNotFoundError as error:
        raise ImportError(
            f"{_why_numba()}, and {error.name}, which would compile them, is missing: install ecs_collide[jit]"
        ) from error
    if WAY is Way.BUILDING:
        return jit.declare, jit.declare, jit.device, jit.subroutine
    return jit.kernel, jit.stage, jit.device, jit.subroutine


def _why_numba() -> str:
    for variable in ("ECS_COLLIDE_JIT", "NUMBA_BOUNDSCHECK"):
        if asked := os.environ.get(variable):
            return f"{variable}={asked} has numba compile the kernels of ecs_collide"
    if module.is_there():
        return "kernels of ecs_collide were edited since `make build`"
    return "ecs_collide has no module of kernels, which an installation makes where it finds a C compiler"


def _prebuilt(function: Callable[..., Any]) -> Callable[..., Any]:
    return module.kernel_named(module.kernel_name(function))


BUILDING_BLOCKS: list[Callable[..., Any]] = []
"""The devices and subroutines of all files that were run, as the Python that they are; `for_numba` wants them."""


def _building_block(function: Callable[..., Any]) -> Callable[..., Any]:
    BUILDING_BLOCKS.append(function)
    return function


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


kernel, stage, device, subroutine = _decorators()
