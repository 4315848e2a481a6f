"""Ctrl-C at a chosen line of the engine, raised by a trace function."""

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
"""Files with lines that run only the first time that a kind of object is used; they are not counted."""


def interrupted(act: Callable[[], object], line: int, files: tuple[str, ...] = ENGINE) -> bool:
    """Call a function with a real Ctrl-C before line number `line` of those that run; return True if it ran so far.

    Only lines in `files` count, given as beginnings of paths; the first line has number 1. Lines that esper runs in the
    middle of a change of its own do not count, because Ctrl-C there damages esper with or without the plugin.
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
