"""Names of a package whose files run when a name is first read: a game without joints starts without their files.

A package lists such names in import statements, which type checkers, editors and tools that freeze games read, and in
a table. `tests/kernels/test_lazy_names.py` compares the two, and `__all__`.

    if TYPE_CHECKING:
        from ecs_collide.shapes.ring import Ring

    __getattr__, __dir__ = names_on_demand(__name__, {"ecs_collide.shapes.ring": "Ring"})
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ecs_collide.hints import hint


def names_on_demand(
    package: str, names: Mapping[str, str], modules: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a package. The latter lists public names, and those of Python's own.

    Args:
        package: the name of the package.
        names: by the full name of each file, the names that the package has from it, with spaces between. A file of the
            package itself is a name too, and may have no others.
        modules: public modules of the package, with spaces between, which `__dir__` lists beside `__all__`.
    """
    files = {name: file for file, its in names.items() for name in its.split()}

    def read(name: str) -> Any:
        if f"{package}.{name}" in names:
            return import_module(f"{package}.{name}")
        if name not in files:
            is_searched = name.startswith("_") or find_spec(f"{package}.{name}")  # `from package import file`
            advice = "" if is_searched else hint(name, {*vars(sys.modules[package]), *files})
            raise AttributeError(f"module {package!r} has no attribute {name!r}{advice}")
        found = getattr(import_module(files[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    def listed() -> list[str]:
        present = vars(sys.modules[package])
        return sorted(
            {
                *present.get("__all__", ()),
                *files,
                *modules.split(),
                *(name for name in present if name.startswith("__")),
            }
        )

    return read, listed
