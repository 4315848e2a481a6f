"""numpy as it is where addresses have 32 bits, as in a browser: its own integers, and its indices, are int32.

`narrow()` puts that in place of numpy's functions for the rest of the process, before anything else has taken them.
What is said to be int64 stays so. Kernels take int64, so they refuse what somebody forgot to say; bundles, whose arrays
no kernel looks at, are looked at here.
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
"""What returns indices."""
OWN_INTEGERS = ("array", "asarray", "full", "arange", "ones", "zeros", "tile", "cumsum", "sum", "prod", "cumprod")
"""What makes numpy's own integers of Python's, and of what is narrower."""
COUNTS = {"repeat": 1, "bincount": 0}
"""Which argument has to be of numpy's own integers."""


def narrow() -> None:
    """Let numpy be so."""
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
    """Whether the call says of what kind the integers are, or takes int64."""
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
