"""Files that are read only when something of theirs is needed.

In the prebuilt way `from ecs_collide.step.solver.step_bodies import step_bodies` needs nothing of that file, nor
of the files with all that it calls: the module of kernels has it. So a file with kernels is not run when it is
imported. It hands out its kernels, and is run as usual at the first look at any other name of it.

So is a file of `LATER`, of which many games need nothing: who uses it imports the file, and reads its names where they
are used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType


LATER = frozenset(
    {
        "ecs_collide.contours.shape_contour",
        "ecs_collide.step.joints.joint_sync",
        "ecs_collide.step.sync.bound_components",
        "ecs_collide.step.notify.contact",
        "ecs_collide.queries.query_results",
        "ecs_collide.queries.query_shapes",
        "ecs_collide.character.slide_result",
        "ecs_collide.character.character_rows",
        "ecs_collide.shapes.terrain",
    }
)
"""What a game needs for joints, components of its own, events, questions, characters and bitmaps."""


class _OnDemand:
    """Loads a file when a name of it is read that is no kernel."""

    def __init__(self, loader: Loader, kernels: Mapping[str, Callable[..., Any]]) -> None:
        self._loader = loader
        self._kernels = kernels

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        lock = RLock()

        def read(name: str) -> Any:
            if name in self._kernels:
                return self._kernels[name]
            if name == "__path__":  # so the import system asks every module whether it is a package
                raise AttributeError(name)
            with lock:
                if "__getattr__" in module.__dict__:
                    self._run(module)
            return getattr(module, name)

        module.__dict__.update(__getattr__=read, __dir__=lambda: (read("__doc__"), dir(module))[1])

    def _run(self, module: ModuleType) -> None:
        """Run the file; where that is broken off, by Ctrl-C for instance, the next look runs it from the start."""
        names = module.__dict__
        unread = names.copy()
        try:
            del names["__getattr__"], names["__dir__"]
            self._loader.exec_module(module)
        except BaseException:
            names.clear()
            names.update(unread)
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class FileFinder:
    """Finds the files of `LATER`, and those that hold kernels but for `algorithms`, which are only read by their users.

    Args:
        kernels: by their paths in the package, `step.notify.update_touching.update_touching`.
    """

    def __init__(self, kernels: Mapping[str, Callable[..., Any]]) -> None:
        self._kernels: dict[str, dict[str, Callable[..., Any]]] = {file: {} for file in LATER}
        for path, kernel in kernels.items():
            file, _, name = path.rpartition(".")
            if not file.startswith("algorithms."):
                self._kernels.setdefault(f"ecs_collide.{file}", {})[name] = kernel

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in self._kernels:
            return None
        finders = (finder for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in finders)), None)
        if spec and spec.loader and not spec.submodule_search_locations:
            spec.loader = cast("Loader", _OnDemand(spec.loader, self._kernels[name]))
        return spec
