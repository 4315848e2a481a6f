"""Which of the arguments that a game passes to `esper.process` is the time step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ecs_collide.engine.basis.settings import Settings
from ecs_collide.validate import non_negative


def step_length(settings: Settings, args: Sequence[object], kwargs: Mapping[str, object]) -> float:
    """The length of this step [s]; 0 is a pause.

    With `fixed_dt` it is that. Else `dt_argument` says where it is: a position, or a keyword. Where there is no
    such position, the keyword `dt` is taken. Raises TypeError where there is none or it is not a number, ValueError
    where it is negative or not finite.
    """
    if settings.fixed_dt is not None:
        return settings.fixed_dt
    where = settings.dt_argument
    if isinstance(where, str):
        if where in kwargs:
            return non_negative(kwargs[where], where)
    elif where < len(args):
        return non_negative(args[where], "dt")
    elif "dt" in kwargs:
        return non_negative(kwargs["dt"], "dt")
    raise TypeError(
        f"esper.process was called with args={tuple(args)!r}, kwargs={dict(kwargs)!r}, which has no dt: call "
        "esper.process(dt), or tell install which argument it is with dt_argument=, or set fixed_dt="
    )
