"""numpy as on machines with 32-bit addresses, for instance in a browser: its default integers and indices are int32.

`narrow()` replaces numpy's functions for the rest of the process; call it before anything else imports them. Arrays
that are declared int64 stay int64. Kernels take int64, so they refuse an array whose type somebody forgot to declare.
Bundles are checked here, because no kernel checks their arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

INDICES = (
    "flatnonzero",
    "argsort",
    "lexsort",
    "nonzero",
    "argwhere",
    "searchsorted",
    "argmax",
    "argmin",
    "argpartition",
)
"""Functions that return indices."""
OWN_INTEGERS = ("array", "asarray", "full", "arange", "ones", "zeros", "tile", "cumsum", "sum", "prod", "cumprod")
"""Functions that convert Python's and narrower integers to numpy's default integers."""
COUNTS = {"repeat": 1, "bincount": 0}
"""Position of the argument that must consist of numpy's default integers."""


def narrow() -> None:
    """Make numpy's default integers and indices int32 in this process."""
    for name in INDICES:
        setattr(np, name, _returning(getattr(np, name), lambda args, named: False))
    for name in OWN_INTEGERS:
        setattr(np, name, _returning(getattr(np, name), _is_said))
    for name, place in COUNTS.items():
        setattr(np, name, _counting(getattr(np, name), place))
    np.unique = _unique(np.unique)
    np.intp = np.int32  # type: ignore[assignment]
    _look_at_bundles()


def _is_said(args: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Return True if the call names a type of integers, or takes int64."""
    return named.get("dtype") is not None or any(_is_wide(arg) or isinstance(arg, type) for arg in args)


def _is_wide(value: Any) -> bool:
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return isinstance(value, np.ndarray | np.generic) and value.dtype == np.int64


def _narrowed(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_narrowed, value))
    is_wide = isinstance(value, np.ndarray | np.generic) and value.dtype == np.int64
    return value.astype(np.int32) if is_wide else value


def _returning(function: Callable[..., Any], is_said: Callable[..., bool]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        found = function(*args, **named)
        return found if is_said(args, named) else _narrowed(found)

    return call


def _counting(function: Callable[..., Any], place: int) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        if isinstance(args[place], np.ndarray) and args[place].dtype == np.int64:
            raise TypeError(f"{function.__name__}: cannot cast array data from int64 to int32 according to 'safe'")
        found = function(*args, **named)
        return found if place else _narrowed(found)

    return call


def _unique(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(values: Any, *args: Any, **named: Any) -> Any:
        found = function(values, *args, **named)
        return (found[0], *map(_narrowed, found[1:])) if isinstance(found, tuple) else found

    return call


def _look_at_bundles() -> None:
    from ecs_collide.kernels.bundle import Bundle
    from tests.support.declared_fields import refuse_other_types

    make = Bundle.__new__

    def checked(kind: type[Bundle], /, *args: Any, **named: Any) -> Any:
        bundle = make(kind, *args, **named)
        refuse_other_types(kind.__name__, bundle, kind)
        return bundle

    Bundle.__new__ = checked  # type: ignore[assignment]
