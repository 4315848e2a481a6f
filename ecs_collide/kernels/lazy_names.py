"""Names of a package whose files are run when they are first asked for: a game without joints starts without theirs.

A package says where such names stand, once in import statements, which type checkers, editors and those who freeze
games read, and once in a table:

    if TYPE_CHECKING:
        from ecs_collide.shapes.ring import Ring

    __getattr__, __dir__ = later(__name__, {"ecs_collide.shapes.ring": "Ring"})
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def later(package: str, names: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package.

    Args:
        package: its name.
        names: what it has out of each file, in words, by the file's full name. A file of its own is a name too.
    """
    files = {name: file for file, its in names.items() for name in its.split()}

    def read(name: str) -> Any:
        if f"{package}.{name}" in names:
            return import_module(f"{package}.{name}")
        if name not in files:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(files[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return read, lambda: sorted({*vars(sys.modules[package]), *files})
