"""The files of the package: all, for what has to know all kernels, or those that a game may need in play."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import ecs_collide
from ecs_collide.kernels.lazy_files import LATER


def run_all() -> None:
    """Run every file but the demos', also those that would only be run on demand."""
    for room in pkgutil.iter_modules(ecs_collide.__path__, "ecs_collide."):
        if room.ispkg and room.name != "ecs_collide.demos":
            for file in pkgutil.walk_packages(import_module(room.name).__path__, f"{room.name}."):
                dir(import_module(file.name))


def run_later_ones() -> None:
    """Run the files that are run at the first look at a name of theirs, such as a game's first joint."""
    for name in ecs_collide.__all__:
        getattr(ecs_collide, name)
    for file in sorted(LATER):
        dir(import_module(file))
