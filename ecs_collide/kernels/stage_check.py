"""What a stage is given must be what it declares: machine code would read anything else wrong without a word.

The first call of each stage is looked at always. All later calls are looked at only where the environment variable
ECS_COLLIDE_CHECK is set: that takes about a microsecond an array, and a tenth of it for a bundle seen before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.signature import ITEMS, SCALARS, declared, items_of, letters, name_of

_SCALARS = SCALARS | {np.float64: "d", np.int64: "q", np.bool_: "?"}
_ITEMS = {np.dtype(item): letter for item, letter in ITEMS.items()}


def letters_of(value: Any) -> str:
    """What a value is, in the letters of `signature.py`; what no kernel takes is described in words."""
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


def refuse(what: str, value: Any, hint: Any) -> None:
    """Raise TypeError, naming `what`, for a value that is not what an annotation declares."""
    given, wanted = letters_of(value), _letters(hint)
    if given not in (wanted, wanted.removeprefix("r")):
        raise TypeError(f"{what} must be {wanted}, got {given} (see ecs_collide/kernels/signature.py)")
    if isinstance(value, Bundle):
        for name, field, field_hint in zip(value._fields, value, _items_of(hint), strict=True):
            refuse(f"{what}.{name}", field, field_hint)


_letters, _items_of = cache(letters), cache(items_of)


def check(function: Callable[..., Any], args: Sequence[Any]) -> None:
    """Raise TypeError for arguments other than a function declares."""
    hints = declared(function)
    if len(args) != len(hints):
        raise TypeError(f"{function.__name__} takes {len(hints)} arguments, got {len(args)}")
    for value, (name, hint) in zip(args, hints.items(), strict=True):
        refuse(f"{function.__name__}: {name}", value, hint)


def checked(entry: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """A stage's entry that looks at the arguments of every call."""
    hints = declared(function)
    seen: list[Any] = [None] * len(hints)
    """Bundles and other tuples never change, so those of the last call need not be looked at."""

    def check_and_enter(*args: Any) -> Any:
        if len(args) != len(hints):
            raise TypeError(f"{function.__name__} takes {len(hints)} arguments, got {len(args)}")
        for k, (name, hint) in enumerate(hints.items()):
            is_tuple = isinstance(args[k], tuple)
            if not is_tuple or args[k] is not seen[k]:
                refuse(f"{function.__name__}: {name}", args[k], hint)
            if is_tuple:
                seen[k] = args[k]
        return entry(*args)

    return check_and_enter
