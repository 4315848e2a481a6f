"""The error for a world that failed."""

from __future__ import annotations

from typing import Any


class WorldError(Exception):
    """A world of `map` failed: its function raised an error, or its worker died.

    Attributes:
        seed: seed of the world.
        traceback: text of the error with its traceback in the worker, or what is known about the end of the worker.
    """

    def __init__(self, seed: Any, traceback: str) -> None:
        super().__init__(seed, traceback)
        self.seed = seed
        self.traceback = traceback

    def __str__(self) -> str:
        return f"the world of seed {self.seed!r} failed\n{self.traceback}"
