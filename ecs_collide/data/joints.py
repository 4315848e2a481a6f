"""Joint columns: one row for each active joint.

`numbers` are those that the joint's component reads and writes. `anchors` are computed from the component and from the
bodies when the joint is adopted. They are relative to the entities' origins, so a new centre of mass does not change
them. A joint with the world is attached to a body at the origin. Row 0 belongs to no joint: unused lanes of the solver
read and write it.
"""

from __future__ import annotations

from ecs_collide.data.dirty_rows import DirtyRows
from ecs_collide.data.growth import RowPool, grown, new_columns, next_capacity
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.arrays import FloatTable, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout
from ecs_collide.native import ColumnRef
from ecs_collide.validate import LARGEST

NUMBERS = layout(
    "joint numbers",
    BREAK_FORCE="force at which the joint breaks [N]",
    BREAK_TORQUE="torque at which the joint breaks [N m]",
    FORCE_THRESHOLD="force above which an event is sent [N]",
    TORQUE_THRESHOLD="torque above which an event is sent [N m]",
    HERTZ="frequency of the spring [Hz]",
    DAMPING_RATIO="damping ratio of the spring",
    LOWER="lower limit of the free coordinate [m or rad]",
    UPPER="upper limit of the free coordinate [m or rad]",
    MOTOR_SPEED="speed of the motor [m/s or rad/s]",
    MAX_MOTOR="greatest force or torque of the motor [N or N m]",
    REST="rest length, or reference angle [m or rad]",
    MAX_FORCE="greatest force of the joint, `NO_LIMIT` for none [N]",
    TARGET_X="target point, or first fixed point of a pulley, x [m]",
    TARGET_Y="target point, or first fixed point of a pulley, y [m]",
    STIFFNESS="stiffness of the spring in place of its frequency [N/m or N m/rad]",
    DAMPING="damping of the spring in place of its ratio [N s/m or N m s/rad]",
    MAX_TORQUE="greatest torque of the joint, `NO_LIMIT` for none [N m]",
    LINEAR_HERTZ="frequency of the spring between the anchors of a weld [Hz]",
    LINEAR_DAMPING_RATIO="damping ratio of that spring",
    LINEAR_STIFFNESS="stiffness of that spring in place of its frequency [N/m]",
    LINEAR_DAMPING="damping of that spring in place of its ratio [N s/m]",
    RATIO="ratio of a gear or a pulley; angle between two teeth of a ratchet [rad]",
    SECOND_X="second fixed point of a pulley, x [m]",
    SECOND_Y="second fixed point of a pulley, y [m]",
    FORCE="force in the last step [N]",
    TORQUE="torque in the last step [N m]",
    POSITION="free coordinate after the last step [m or rad]",
    SPEED="speed of the free coordinate after the last step [m/s or rad/s]",
    GAP="distance from where the joint holds its bodies, after the last step [m]",
    ANGLE_GAP="angle from where the joint holds its bodies, after the last step [rad]",
)

NO_LIMIT = LARGEST
"""Value of a limit or bound that does not exist."""

JOINT = layout("joint", KIND="kind", BODY_A="body row of A, or `WORLD`", BODY_B="body row of B", ENTITY="entity")
WORLD = -1
"""`JOINT.BODY_A` of a joint with the world. The `a` of a component without `b` is then body B."""

ANCHORS = layout(
    "anchors and axis of a joint",
    A_X="anchor in A's axes from its origin, x [m]",
    A_Y="anchor in A's axes from its origin, y [m]",
    B_X="anchor in B's axes from its origin, x [m]",
    B_Y="anchor in B's axes from its origin, y [m]",
    AXIS_X="axis in A's axes, x",
    AXIS_Y="axis in A's axes, y",
)

LOAD = layout(
    "joint load",
    ROWS=("force or torque of each of the joint's rows on B in the last substep [N or N m]", 3),
    MEAN=("mean force on B in the last steps, x and y [N]", 2),
    SUBSTEP="length of the last substep [s]; 0 for a joint that has made no step",
    LAST=("rest length or reference angle, lower and upper limit in the last step [m or rad]", 3),
    RATE=("how fast they move in this step, see `moving_limits.py` [m/s or rad/s]", 3),
    CHANGE=("how fast these three changed at the last step [m/s or rad/s]", 3),
    SLIP="direction of the impulse of a motor that slips, -1 or 1; 0 if it holds, see `tree_motors.py`",
)
MOVING = (NUMBERS.REST, NUMBERS.LOWER, NUMBERS.UPPER)
"""Numbers that move within a step, in the order of LOAD.LAST."""


class Joints(Bundle):
    """The joint columns that kernels take; every array has one row per joint."""

    index: IntTable = rows_of(JOINT)  # type: ignore[assignment]  # hides tuple.index, which is not used
    """Columns of `JOINT` (n, 4) int64."""
    numbers: FloatTable = rows_of(NUMBERS)
    """Settings of the component and results of the last step, columns of `NUMBERS` (n, 30)."""
    anchors: FloatTable = rows_of(ANCHORS)
    """Anchors and axis, columns of `ANCHORS` (n, 6)."""
    load: FloatTable = rows_of(LOAD)
    """Loads of the last substep, their mean, and the motion of limits, columns of `LOAD` (n, 16)."""


class JointColumns:
    """Owns the joint arrays, their growth, and the `ColumnRef` through which joints read and write."""

    state_list = list_state(arrays="arrays", objects="rows written", left_out="numbers")

    def __init__(self, capacity: int = 16) -> None:
        self.arrays = Joints(**new_columns(Joints, Joints._fields, capacity))
        self.rows = RowPool()
        self.rows.allocate(1)
        self.written = DirtyRows(capacity)
        """Rows whose components were written since the last step."""
        self.numbers = ColumnRef(NUMBERS.WIDTH)
        self.reconnect()

    def allocate_row(self) -> int:
        """Allocate a row; the arrays grow as needed."""
        (row,) = self.rows.allocate(1)
        capacity = len(self.arrays.index)
        if self.rows.high > capacity:
            capacity = next_capacity(capacity, self.rows.high)
            self.arrays = Joints(*(grown(column, capacity) for column in self.arrays))
            self.written.resize(capacity)
            self.reconnect()
        return row

    def free_row(self, row: int) -> None:
        """Clear a row and free it."""
        for column in self.arrays:
            column[row] = 0
        self.written.discard([row])
        self.rows.release([row])

    def reconnect(self) -> None:
        """Connect the column references of components with the present arrays."""
        dirty = self.written
        self.numbers.set_arrays(self.arrays.numbers, dirty.marks, dirty.marked, dirty.count)
