"""Numbers that objects have in attributes, as arrays.

`_attributes.c` does the same in C; this is what it means, and what serves where it was not built.
"""

from __future__ import annotations

import sys
from functools import reduce
from typing import Any

import numpy as np

from ecs_collide.kernels.extension import is_wanted

Path = tuple[str, ...]
"""An attribute, or an attribute of an attribute: ("x",), ("position", "x")."""


def path_of(names: str) -> Path:
    """The path that is written "position.x"; its names are interned, as looking them up is quickest so."""
    return tuple(map(sys.intern, names.split(".")))


def read_numbers(objects: list[Any], paths: tuple[Path, ...], out: np.ndarray, which: np.ndarray | None = None) -> bool:
    """Read the number at each path of each object into `out` (objects, paths); return whether all are floats.

    Where `which` (objects, paths) bool is given, only those that it says. Where neighbouring paths only differ in their
    last names, what is before these may be read once for all of them. The objects must not change their number
    meanwhile. Raises what reading raises, and TypeError for what is no number. All arrays are C-contiguous.
    """
    places = [(one, path) for one in objects for path in paths]
    meant = range(len(places)) if which is None else np.flatnonzero(which).tolist()
    values = [reduce(getattr, path, one) for one, path in (places[k] for k in meant)]
    out.put(meant, np.fromiter(map(_as_float, values), np.float64, len(values)))
    return all(type(value) is float for value in values)


def write_numbers(
    objects: list[Any], paths: tuple[Path, ...], values: np.ndarray, which: np.ndarray | None = None
) -> None:
    """Write a number (objects, paths) to each path of each object, or, where `which` is given, those that it says."""
    places = [(one, path) for one in objects for path in paths]
    numbers = values.ravel().tolist()
    for k in range(len(places)) if which is None else np.flatnonzero(which).tolist():
        one, path = places[k]
        setattr(reduce(getattr, path[:-1], one), path[-1], numbers[k])


def _as_float(value: Any) -> float:
    if isinstance(value, str):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return float(value)


IN_PYTHON = read_numbers, write_numbers
"""For tests, which hold those in C against them."""

if is_wanted("ecs_collide.data._attributes"):
    from ecs_collide.data._attributes import read_numbers, write_numbers  # type: ignore[import-not-found, no-redef]
