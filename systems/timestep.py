"""The time step among the arguments that a game passes to `esper.process`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from ecs_collide.common.settings import Settings
from ecs_collide.validate import LARGEST, non_negative

ADVICE = (
    "call esper.process(dt), or tell install which argument it is with dt_argument= (a position or a keyword), or set "
    "fixed_dt="
)


def step_length(settings: Settings, args: Sequence[object], kwargs: Mapping[str, object]) -> float:
    """Return the length of this step [s]; 0 is a pause.

    `dt_argument` is its position or keyword. If there is no such position, the keyword `dt` is used. Raises TypeError
    if it is missing or not a number, ValueError if it is negative or not finite.
    """
    if args and settings.dt_argument == 0 and type(dt := args[0]) is float and 0.0 <= dt <= LARGEST:
        return dt + 0.0  # as in most games
    found = _found(settings.dt_argument, args, kwargs)
    if found is None:
        raise TypeError(
            f"esper.process was called with args={tuple(args)!r}, kwargs={dict(kwargs)!r}, which has no dt: {ADVICE}"
        )
    try:
        return non_negative(*found)
    except TypeError as error:
        raise TypeError(f"{error}: {ADVICE}") from None


def frame_length(settings: Settings, args: Sequence[object], kwargs: Mapping[str, object]) -> float | None:
    """Return the length of this frame [s] of a world with `fixed_dt`; None if `esper.process` got no number for it.

    Raises ValueError if it is negative or not finite.
    """
    found = _found(settings.dt_argument, args, kwargs)
    if found is None or not isinstance(found[0], Real) or isinstance(found[0], bool):
        return None
    return non_negative(*found)


def _found(where: int | str, args: Sequence[object], kwargs: Mapping[str, object]) -> tuple[Any, str] | None:
    """Return the argument that should be dt and its name, if it is there."""
    if isinstance(where, str):
        return (kwargs[where], where) if where in kwargs else None
    if where < len(args):
        return args[where], "dt"
    return (kwargs["dt"], "dt") if "dt" in kwargs else None
