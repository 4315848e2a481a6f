"""Python's garbage collector waits while many objects come that all stay.

The collector looks through the new objects after each 700 of them, and from time to time through all. Where a whole
world comes at once, that takes a third of the time and never finds anything.
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
