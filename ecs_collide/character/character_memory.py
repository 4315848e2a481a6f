"""The memory of characters: its arrays grow with the bodies, and rows of removed bodies are cleared."""

from __future__ import annotations

import numpy as np

from ecs_collide.character.floors_and_riders import NEVER, NO_BODY, REMEMBERED, Memory, forget_characters
from ecs_collide.data.state_list import list_state

EMPTY = {"floor": NO_BODY, "carrier": NO_BODY, "first_rider": NO_BODY, "next_rider": NO_BODY, "moved_at": NEVER}
"""Values of the columns for a body that was never moved as a character; those of the other columns are 0."""
CELLS = ("now", "rider_count")
"""Arrays without a row per body."""


class CharacterMemory:
    """Owns the arrays of `Memory`."""

    state_list = list_state(arrays="arrays")

    def __init__(self) -> None:
        """Make the memory of a world without characters."""
        columns = {name: np.zeros(0, np.int64) for name in Memory._fields}
        cells = {name: np.zeros(1, np.int64) for name in CELLS}
        values = np.zeros((0, REMEMBERED.WIDTH))
        self.arrays = Memory(**(columns | cells | {"values": values}))

    def make_room(self, count: int) -> None:
        """Make room for so many bodies."""
        known = len(self.arrays.floor)
        if count == known:
            return
        kept, renewed = min(count, known), {}
        for name, column in zip(Memory._fields, self.arrays):
            if name not in CELLS:
                renewed[name] = np.full((count, *column.shape[1:]), EMPTY.get(name, 0), dtype=column.dtype)
                renewed[name][:kept] = column[:kept]
        self.arrays = self.arrays._replace(**renewed)

    def forget(self, rows: list[int]) -> None:
        """Clear the rows of removed bodies, which other bodies may get."""
        if len(self.arrays.floor):
            forget_characters(np.array(rows, np.int64), self.arrays)

    def riders_of(self, row: int) -> list[int]:
        """Return the rows of all characters that stand on one, on these, and so on."""
        arrays, found = self.arrays, [row]
        for carrier in found:
            rider = arrays.first_rider.item(carrier)
            while rider != NO_BODY:
                found.append(rider)
                rider = arrays.next_rider.item(rider)
        return found[1:]

    def copy(self) -> tuple[np.ndarray, ...]:
        """Return a copy of all arrays."""
        return tuple(column.copy() for column in self.arrays)

    def restore(self, copy: tuple[np.ndarray, ...]) -> None:
        """Return to a copy."""
        for column, former in zip(self.arrays, copy, strict=True):
            column[:] = former
