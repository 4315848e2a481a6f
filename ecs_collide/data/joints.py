"""Joint columns: one row for each joint that works.

A joint's own numbers are cells, which its component looks at; `place` is what was computed from them and from the
bodies when it was adopted. Anchors are local to the entities' origins, so a new centre of mass changes nothing here.
The world, where a joint hangs on it, is a body that stands at the origin. Row 0 is no joint's: it is what the solver's
empty lanes read and write.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data.dirty_rows import DirtyRows
from ecs_collide.data.growth import RowPool, grown, next_capacity
from ecs_collide.data.native import Cells
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.validate import LARGEST

# joint_numbers: what a component has. LOWER and UPPER bound the free coordinate of a kind, which is POSITION; REST is
# its rest length. From FORCE on: what the last step says.
BREAK_FORCE, BREAK_TORQUE, HERTZ, DAMPING_RATIO, LOWER, UPPER, MOTOR_SPEED, MAX_MOTOR, REST = range(9)
MAX_FORCE, TARGET_X, TARGET_Y = 9, 10, 11
FORCE, TORQUE, POSITION, SPEED = 12, 13, 14, 15
NUMBERS_WIDTH = 16

ENDLESS = LARGEST
"""What a bound or limit is that there is none of."""

# joint_index
KIND, BODY_A, BODY_B, ENTITY = 0, 1, 2, 3
WORLD = -1
"""`BODY_A` of a joint with the world: the joint of a component that has no `b` turns and moves its `a`."""

# joint_place: anchors in each body's axes from its origin, an axis in those of A, the angle of B against A that counts
# as none
ANCHOR_A_X, ANCHOR_A_Y, ANCHOR_B_X, ANCHOR_B_Y, AXIS_X, AXIS_Y, REFERENCE = range(7)
PLACE_WIDTH = 7

# joint_load: what each of a joint's rows bore in the last substep, on B [N, N m]; from MEAN on what the joint bore in
# the last steps along x and y [N]; and how long that substep was [s]
MEAN = 3
SUBSTEP = 5
LOAD_WIDTH = 6


class Joints(Bundle):
    """The joint columns as kernels take them; every array has one row per joint."""

    index: IntTable  # type: ignore[assignment]  # hides tuple.index, which nobody needs
    """Kind, body rows of A and B, entity (n, 4) int64."""
    numbers: FloatTable
    """What the component says, and what the last step says of it (n, 16)."""
    place: FloatTable
    """Anchors [m], axis, reference angle [rad] (n, 7)."""
    load: FloatTable
    """What each row bore in the last substep, and the joint of late [N, N m], in how long a substep [s] (n, 6)."""
    lane: Ints
    """8 times the joint's block, and its lane there; -1 where it is in none (n,) int64."""


_SHAPES: dict[str, tuple[tuple[int, ...], type]] = {
    "index": ((4,), np.int64),
    "numbers": ((NUMBERS_WIDTH,), np.float64),
    "place": ((PLACE_WIDTH,), np.float64),
    "load": ((LOAD_WIDTH,), np.float64),
    "lane": ((), np.int64),
}


class JointColumns:
    """Owns the joint arrays, their growth, and the `Cells` that joints look through."""

    def __init__(self, capacity: int = 16) -> None:
        self.arrays = Joints(**{name: np.zeros((capacity, *shape), dtype) for name, (shape, dtype) in _SHAPES.items()})
        self.rows = RowPool()
        self.rows.take(1)
        self.written = DirtyRows(capacity)
        """Rows whose components were written since the last step."""
        self.numbers = Cells(NUMBERS_WIDTH)
        self._renew_views()

    def take_row(self) -> int:
        (row,) = self.rows.take(1)
        capacity = len(self.arrays.lane)
        if self.rows.high > capacity:
            capacity = next_capacity(capacity, self.rows.high)
            self.arrays = Joints(*(grown(column, capacity) for column in self.arrays))
            self.written.resize(capacity)
            self._renew_views()
        self.arrays.lane[row] = -1
        return row

    def free_row(self, row: int) -> None:
        for column in self.arrays:
            column[row] = 0
        self.arrays.lane[row] = -1
        self.written.discard([row])
        self.rows.give_back([row])

    def _renew_views(self) -> None:
        dirty = self.written
        self.numbers.look_at(self.arrays.numbers, dirty.marks, dirty.marked, dirty.count)
