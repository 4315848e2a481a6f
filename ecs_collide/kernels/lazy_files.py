"""Files that run when a name of them is first read, and not when they are imported.

In prebuilt mode, `from ecs_collide.step.solver.step_bodies import step_bodies` reads neither that file nor those of its
callees: the module of kernels has the machine code. So importing a file with kernels only makes its kernels available.
The first access to any other name runs the file.

The files of `LAZY_FILES` are treated alike, because many games need nothing of them. Code that uses such a file imports
the file, and reads its names where it uses them.
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


LAZY_FILES = frozenset(
    {
        "ecs_collide.contours.shape_contour",
        "ecs_collide.step.joints.joint_sync",
        "ecs_collide.step.sync.bound_components",
        "ecs_collide.step.notify.contact",
        "ecs_collide.queries.query_results",
        "ecs_collide.queries.query_shapes",
        "ecs_collide.character.slide_result",
        "ecs_collide.character.character_rows",
        "ecs_collide.character.loads",
        "ecs_collide.character.shoves",
        "ecs_collide.shapes.terrain",
        "ecs_collide.snapshots.take_and_restore",
    }
)
"""Files for joints, bound components, events, queries, characters, bitmaps and snapshots."""


class _OnDemand:
    """A loader that runs a file when a name of it is read that is not a kernel.

    While a thread runs the file, other threads wait if they read a name that is not there yet, as in an import. The
    thread itself gets an AttributeError. Each file has a lock of its own. A thread that runs a file waits only for
    files that this one imports, so threads cannot block each other without a circle of imports.
    """

    def __init__(self, loader: Loader, kernels: Mapping[str, Callable[..., Any]]) -> None:
        self._loader = loader
        self._kernels = kernels

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        lock, names = RLock(), module.__dict__
        is_running = False

        def run() -> None:
            """Run the file, unless it was run, or is being run by this thread."""
            nonlocal is_running
            with lock:
                if is_running or "__getattr__" not in names:
                    return
                unread = names.copy()
                try:
                    is_running = True
                    self._loader.exec_module(module)
                except BaseException:  # Ctrl-C, for example: the next access runs the file again
                    for name in names.keys() - unread.keys():
                        del names[name]
                    names.update(unread)
                    raise
                finally:
                    is_running = False
                del names["__getattr__"], names["__dir__"]

        def read(name: str) -> Any:
            if name in self._kernels:
                return self._kernels[name]
            if name != "__path__":  # which the import system reads from every module to see if it is a package
                run()
                if name in names:
                    return names[name]
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

        def list_names() -> list[str]:
            run()
            return sorted(names)

        names.update(__getattr__=read, __dir__=list_names)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)


class FileFinder:
    """A finder of `LAZY_FILES` and of files with kernels, except `algorithms`, which only their users import.

    Args:
        kernels: by their paths in the package, for example `step.notify.update_touching.update_touching`.
    """

    def __init__(self, kernels: Mapping[str, Callable[..., Any]]) -> None:
        self._kernels: dict[str, dict[str, Callable[..., Any]]] = {file: {} for file in LAZY_FILES}
        for path, kernel in kernels.items():
            file, _, name = path.rpartition(".")
            if not file.startswith("algorithms."):
                self._kernels.setdefault(f"ecs_collide.{file}", {})[name] = kernel

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return the specification of a file that runs on demand; None for other modules."""
        if name not in self._kernels:
            return None
        finders = (finder for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in finders)), None)
        if spec and spec.loader and not spec.submodule_search_locations:
            spec.loader = cast("Loader", _OnDemand(spec.loader, self._kernels[name]))
        return spec
