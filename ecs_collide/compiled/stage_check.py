"""What a stage is given must have the form of its first call: machine code would read it wrong without a word.

The form of an array is its type of item, its number of dimensions, and that it is contiguous, aligned and may be
written; that of a tuple, such as a bundle of arrays, the forms of its fields. In the first call of each stage arrays
must be contiguous, which is looked at always. All later calls are looked at only where the environment variable
ECS_COLLIDE_CHECK is set: that takes about a microsecond an array, and a tenth of it for a bundle seen before.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

Form: TypeAlias = "str | tuple[Any, ...]"

USUAL = ("c_contiguous", "aligned", "writeable")

_SAME_IN_KERNELS = {np.float64: "float", np.int64: "int", np.bool_: "bool"}


def form_of(value: Any) -> Form:
    """What decides how a kernel reads a value."""
    if isinstance(value, np.ndarray):
        flaws = [] if value.flags.carray else [f"not {flag}" for flag in USUAL if not getattr(value.flags, flag)]
        return " ".join([f"{value.dtype} array of {value.ndim} dimensions", *flaws])
    if isinstance(value, tuple):
        return (type(value).__name__, *map(form_of, value))
    return _SAME_IN_KERNELS.get(type(value), type(value).__name__)


def check_first_call(function: Callable[..., Any], args: Sequence[Any]) -> None:
    """Raise TypeError where an array in a stage's first call is not contiguous: all others are."""
    for name, value in zip(inspect.signature(function).parameters, args, strict=True):
        form = form_of(value)
        if "not c_contiguous" in repr(form):
            raise TypeError(f"{function.__name__}: {name} is not contiguous: {form}")


def checked(entry: Callable[..., Any], function: Callable[..., Any], first_args: Sequence[Any]) -> Callable[..., Any]:
    """A stage's entry that raises TypeError for arguments whose form is another than in the first call."""
    names, forms = tuple(inspect.signature(function).parameters), tuple(map(form_of, first_args))
    seen = list(first_args)
    """Bundles and other tuples never change, so those of the last call need not be looked at."""

    def check_and_enter(*args: Any) -> Any:
        if len(args) != len(forms):
            raise TypeError(f"{function.__name__} takes {len(forms)} arguments, got {len(args)}")
        for k, value in enumerate(args):
            is_tuple = isinstance(value, tuple)
            if is_tuple and value is seen[k]:
                continue
            form = form_of(value)
            if form != forms[k]:
                raise TypeError(f"{function.__name__}: {names[k]} was {forms[k]} in the first call, now it is {form}")
            if is_tuple:
                seen[k] = value
        return entry(*args)

    return check_and_enter
