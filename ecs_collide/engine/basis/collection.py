"""Python's garbage collector waits while many objects come that all stay.

It goes through what is new after each 700 objects, and from time to time through all: for a world that comes at once,
a third of the time, and nothing is ever found.
"""

from __future__ import annotations

import gc


class Uncollected:
    """A block in which there is no automatic collection."""

    __slots__ = ("_was_enabled",)

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *exception: object) -> None:
        if self._was_enabled:
            gc.enable()
