"""Loading of files that are otherwise read on demand: all of the package, or those that a game may need in play."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import TypeAlias

import ecs_collide
from ecs_collide.kernels.lazy_files import LAZY_FILES

Progress: TypeAlias = Callable[[int, int, str], object]
"""A function of the number of kernels that are ready, the number of all kernels, and the name of the next one."""


WITHOUT_KERNELS = {f"ecs_collide.{room}" for room in ("commands", "demos", "draw", "from_data", "recording", "testing")}
"""Rooms without kernels, which need libraries that are not there while kernels are built."""


def run_all() -> None:
    """Run every file of the rooms that may have kernels."""
    for room in pkgutil.iter_modules(ecs_collide.__path__, "ecs_collide."):
        if room.ispkg and room.name not in WITHOUT_KERNELS:
            for file in pkgutil.walk_packages(import_module(room.name).__path__, f"{room.name}."):
                dir(import_module(file.name))


def run_lazy_files() -> None:
    """Run the files that otherwise run when a game first uses a name of theirs, such as its first joint."""
    for name in ecs_collide.__all__:
        getattr(ecs_collide, name)
    for file in sorted(LAZY_FILES):
        dir(import_module(file))


def compile(progress: Progress = lambda done, total, name: None) -> None:
    """Load everything that a game may need in play, for example while it shows a loading screen.

    Kernels come prebuilt, so nothing is compiled, and the call takes a tenth of a second.

    Args:
        progress: called once, with (0, 0, "").
    """
    run_lazy_files()
    progress(0, 0, "")
