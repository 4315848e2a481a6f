"""A pause of Python's garbage collector while many lasting objects are created.

The collector searches the new objects after each 700 of them, and at times all objects. While a whole world is created,
this takes a large part of the time and never finds anything.
"""

from __future__ import annotations

import gc


class GcPause:
    """A block without automatic garbage collection."""

    __slots__ = ("_was_enabled",)

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *exception: object) -> None:
        if self._was_enabled:
            gc.enable()
