"""The files of the package, for what has to know all kernels: the build, and games with kernels of their own."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import ecs_collide


def run_all() -> None:
    """Run every file but the demos', also those that would only be run on demand."""
    for room in pkgutil.iter_modules(ecs_collide.__path__, "ecs_collide."):
        if room.ispkg and room.name != "ecs_collide.demos":
            for file in pkgutil.walk_packages(import_module(room.name).__path__, f"{room.name}."):
                dir(import_module(file.name))
