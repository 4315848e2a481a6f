"""Kernels compiled before anything calls them: what a loading screen asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from ecs_collide.kernels.all_files import run_all, run_later_ones
from ecs_collide.kernels.kernel import WAY

Progress: TypeAlias = Callable[[int, int, str], object]
"""Told how many kernels are ready, how many there are, and which one is next, "" at the end."""


def compile(progress: Progress = lambda done, total, name: None) -> None:
    """Get ready what a game may need in play: load the files of all that it has not used yet, and compile all kernels.

    Where kernels come prebuilt there is nothing to compile, and it takes a tenth of a second. Where numba compiles
    them, that takes minutes the first time. They are stored, so that it takes seconds later. The documented algorithms
    are left out: each compiles when it is first called.

    Args:
        progress: called with the number of kernels that are ready, that of all, and the name of the next one; at the
            end with an empty name. Where nothing is to be compiled it is called once, with (0, 0, "").
    """
    run_later_ones()
    if not WAY.uses_numba:
        progress(0, 0, "")
        return
    from ecs_collide.kernels import jit

    run_all()
    compile_ahead(sorted(name for name in jit.KERNELS if not name.startswith("algorithms.")), progress)


def compile_ahead(names: Iterable[str], progress: Progress) -> None:
    """Compile kernels of files that were run, for the types that they declare, or take them from where they are stored.

    Their first call compiles nothing then.
    """
    from ecs_collide.kernels import jit
    from ecs_collide.kernels.numba_types import numba_type
    from ecs_collide.kernels.signature import declared

    chosen = list(names)
    for done, name in enumerate(chosen):
        progress(done, len(chosen), name)
        dispatcher = jit.KERNELS[name]
        dispatcher.compile(tuple(map(numba_type, declared(dispatcher.py_func).values())))
    progress(len(chosen), len(chosen), "")
