"""Ctrl-C at a line of the engine, as a tracer can bring it about."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import ecs_collide
from ecs_collide.step.sync.watched_sets import WatchedSet

_TOP = Path(ecs_collide.__file__).parents[1]
ENGINE = tuple(str(_TOP / folder) for folder in ("ecs_collide", "systems", "components"))
_FIRST_MET = (
    "kernels/signature.py",
    "kernels/bundle.py",
    "shapes",
)
_UNCOUNTED = tuple(str(_TOP / "ecs_collide" / name) for name in _FIRST_MET)
"""Lines that are only run the first time that something is met."""


def interrupted(act: Callable[[], object], line: int, files: tuple[str, ...] = ENGINE) -> bool:
    """Do something with a real Ctrl-C before the line of that number among those run; return whether it came so far.

    Only lines in `files` count, given as the beginnings of their paths; the first one is number 1. Those that esper
    runs in the middle of a change of its own do not: Ctrl-C there tears esper, with the plugin or without.
    """
    left = [line]

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        name = frame.f_code.co_filename
        if not name.startswith(files) or name.startswith(_UNCOUNTED):
            return None
        if frame.f_code.co_qualname.startswith(WatchedSet.__qualname__):
            return None
        if event == "line":
            left[0] -= 1
            if left[0] == 0:
                sys.settrace(None)
                signal.raise_signal(signal.SIGINT)
        return trace

    # A process that a shell starts in the background ignores Ctrl-C, and so do all that it starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.settrace(trace)
    try:
        act()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(None)
        signal.signal(signal.SIGINT, before)
    return left[0] <= 0
