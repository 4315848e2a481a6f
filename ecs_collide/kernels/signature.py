"""The types that a kernel takes, from the annotations of its parameters, as a word of letters.

q d ?     an int, a float, a bool
2d        an array (`arrays.py`) of so many axes, items q d ? or i (int32); r2d where a read-only one will do
{name}    a `Bundle`, by the full name of its class
t2q1d     a tuple of so many ('0' + 2) of these, also a NamedTuple
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np

from ecs_collide.kernels.arrays import Axes
from ecs_collide.kernels.bundle import Bundle

ITEMS = {np.float64: "d", np.int64: "q", np.int32: "i", np.bool_: "?"}
SCALARS = {float: "d", int: "q", bool: "?"}


def declared_types(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of a function's parameters, by name; TypeError if one is missing."""
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    if missing := [name for name in names if name not in hints]:
        raise TypeError(f"{function.__module__}.{function.__qualname__} does not declare {', '.join(missing)}")
    return {name: hints[name] for name in names}


def items_of(hint: Any) -> list[Any]:
    """Return the annotations of the items of a tuple, or of the fields of a class of named tuples or bundles."""
    if get_origin(hint) is tuple:
        return list(get_args(hint))
    hints = get_type_hints(hint, include_extras=True)
    return [hints[name] for name in hint._fields]


def name_of(bundle: type[Bundle]) -> str:
    """Return the full name of a bundle's class, in braces."""
    return f"{{{bundle.__module__}.{bundle.__qualname__}}}"


def letters(hint: Any) -> str:
    """Return the letters of an annotation; TypeError if no kernel takes such a value."""
    if hint in SCALARS:
        return SCALARS[hint]
    if get_origin(hint) is Annotated:
        kind, *details = get_args(hint)
        if not isinstance(details[-1], Axes):
            return letters(kind)
        item, axes = details
        return f"{'r' if axes.may_be_read_only else ''}{axes.number}{ITEMS[item]}"
    if isinstance(hint, type) and issubclass(hint, Bundle):
        return name_of(hint)
    if get_origin(hint) is tuple or hasattr(hint, "_fields"):
        items = items_of(hint)
        return f"t{chr(ord('0') + len(items))}{''.join(map(letters, items))}"
    raise TypeError(f"no kernel takes {hint!r}")
