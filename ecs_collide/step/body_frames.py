"""Update the frames of bodies that the game has moved, and find the static ones among them."""

from __future__ import annotations

import numpy as np

from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.errors import PhysicsError
from ecs_collide.step.broadphase.boxes import update_frames
from ecs_collide.step.sleep.sleepers import Sleepers
from ecs_collide.validate import LARGEST, LARGEST_ANGLE

NO_ROWS = np.zeros(0, np.int64)
NOT_MADE = "The step was not made"


class BodyFrames:
    """Updates frames in Python, with an error that names a bad number. An unchanged step updates them in its calls."""

    def __init__(self, bodies: BodyColumns, sleepers: Sleepers) -> None:
        self._bodies = bodies
        self._sleepers = sleepers

    def update(self, rows: np.ndarray, outcome: str = NOT_MADE) -> None:
        """Update the frames of bodies to their poses. Raises PhysicsError, with nothing done, for a bad number."""
        bad_row = update_frames(rows, self._bodies.arrays)
        if bad_row >= 0:
            raise self.bad_number(bad_row, outcome)

    def update_teleported(self, outcome: str) -> None:
        """Update the frames of all bodies whose `Transform` was written, as `update` does."""
        teleported = self._bodies.teleported
        self._sleepers.sort_moves()
        self.update(teleported.marked[: len(teleported)], outcome)

    @property
    def has_unplaced_statics(self) -> bool:
        """True if static bodies were moved whose moves kernels do not apply."""
        statics = self.moved_statics()
        return len(statics) > 0 and not self._bodies.relocated[statics].all()

    def moved_statics(self) -> np.ndarray:
        """Return the rows of the static bodies that were moved since Broadphase last looked."""
        moved = self._bodies.moved_statics
        if not moved:
            return NO_ROWS
        rows = moved.rows()
        statics: np.ndarray = rows[self._bodies.arrays.kind[rows] == BodyKind.STATIC]
        return statics

    def pop_moved_statics(self) -> np.ndarray:
        """Return the rows of static bodies that the game moved, and forget them."""
        rows = self.moved_statics()
        self._bodies.moved_statics.clear()
        return rows

    def bad_number(self, row: int, outcome: str = NOT_MADE) -> PhysicsError:
        """Return the error that names the invalid number of a body."""
        bodies = self._bodies.arrays
        fields = (
            ("Transform", ("x", "y", "angle"), bodies.pose),
            ("Velocity", ("x", "y", "angular"), bodies.velocity),
            ("Force", ("x", "y", "torque"), bodies.force),
            ("apply_force's", ("x", "y", "torque"), bodies.push),
        )
        bad = [
            f"{component}.{name} is {column[row, k]}"
            for component, names, column in fields
            for k, name in enumerate(names)
            if not abs(column[row, k]) <= (LARGEST_ANGLE if name == "angle" else LARGEST)
        ]
        return PhysicsError(
            f"entity {bodies.entity[row]}: {', '.join(bad)}; numbers must be finite and "
            f"not exceed {LARGEST:g}, angles {LARGEST_ANGLE:g}. {outcome}"
        )
