"""A check that the arrays of a bundle are what its class declares: machine code would misread anything else."""

from __future__ import annotations

from typing import Any

import numpy as np

from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.signature import ITEMS, SCALARS, items_of, letters, name_of

_SCALARS = SCALARS | {np.float64: "d", np.int64: "q", np.bool_: "?"}
_ITEMS = {np.dtype(item): letter for item, letter in ITEMS.items()}


def letters_of(value: Any) -> str:
    """Return the type of a value in the letters of `signature.py`, or in words if no kernel takes that type."""
    if isinstance(value, np.ndarray):
        flags = value.flags
        if value.dtype not in _ITEMS or not (flags.c_contiguous and flags.aligned):
            return f"{value.dtype} array of {value.ndim} axes, {'' if flags.c_contiguous else 'not '}contiguous"
        return f"{'' if flags.writeable else 'r'}{value.ndim}{_ITEMS[value.dtype]}"
    if isinstance(value, Bundle):
        return name_of(type(value))
    if isinstance(value, tuple):
        return f"t{chr(ord('0') + len(value))}{''.join(map(letters_of, value))}"
    return _SCALARS.get(type(value), type(value).__name__)


def refuse_other_types(what: str, value: Any, hint: Any) -> None:
    """Raise TypeError, naming `what`, for a value that is not what an annotation declares."""
    given, wanted = letters_of(value), letters(hint)
    if given not in (wanted, wanted.removeprefix("r")):
        raise TypeError(f"{what} must be {wanted}, got {given} (see ecs_collide/kernels/signature.py)")
    if isinstance(value, Bundle):
        for name, field, field_hint in zip(value._fields, value, items_of(hint), strict=True):
            refuse_other_types(f"{what}.{name}", field, field_hint)
