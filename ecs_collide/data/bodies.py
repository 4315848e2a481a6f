"""Body columns: one row for each entity that has a `Transform` and takes part in physics.

A row is given when the entity is adopted and kept until it leaves; freed rows are used again.
The centre of mass, not the entity's origin, is what the kernels compute with: `frame` holds it.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data.dirty_rows import DirtyRows
from ecs_collide.data.growth import RowPool, grown, is_spacious, next_capacity, run_of, shrunk
from ecs_collide.data.native import Cells
from ecs_collide.kernels.arrays import Flags, Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import stage
from ecs_collide.kernels.layout import layout

POSE = layout("body pose", X="entity origin, x [m]", Y="entity origin, y [m]", ANGLE="angle [rad]")

VELOCITY = layout(
    "body velocity",
    X="velocity of the centre of mass, x [m/s]",
    Y="velocity of the centre of mass, y [m/s]",
    ANGULAR="angular velocity [rad/s]",
)

FORCE = layout("body force", X="force along x [N]", Y="force along y [N]", TORQUE="torque [N m]")

FRAME = layout(
    "body frame",
    CENTER_X="centre of mass, x [m]",
    CENTER_Y="centre of mass, y [m]",
    COS="cosine of the angle",
    SIN="sine of the angle",
    ANGLE="angle that the cosine and sine were computed from [rad]",
)

MASS = layout(
    "body mass",
    INVERSE_X="inverse mass along x, 0 if locked or immovable [1/kg]",
    INVERSE_Y="inverse mass along y, 0 if locked or immovable [1/kg]",
    INVERSE_INERTIA="inverse moment of inertia about the centre of mass, 0 if locked or immovable [1/(kg m^2)]",
    LOCAL_X="centre of mass in the body's axes from its origin, x [m]",
    LOCAL_Y="centre of mass in the body's axes from its origin, y [m]",
)

MOTION = layout(
    "body motion",
    GRAVITY_SCALE="factor on gravity",
    LINEAR_DAMPING="damping of the linear velocity [1/s]",
    ANGULAR_DAMPING="damping of the angular velocity [1/s]",
    CAN_SLEEP="1 if the body may fall asleep",
)

MATERIAL = layout(
    "body material",
    FRICTION="coefficient of friction",
    RESTITUTION="coefficient of restitution",
    FRICTION_RULE="rule that combines the frictions of two bodies, a `Combine`",
    RESTITUTION_RULE="rule that combines the restitutions of two bodies, a `Combine`",
)

SURFACE = layout("body surface", SPEED="surface speed [m/s]", ROLLING_RESISTANCE="coefficient of rolling resistance")

BODY_SPAN = layout(
    "body span",
    CORE="radius of the circle about the centre of mass that is solid all round [m]",
    EXTENT="distance from the centre of mass to the farthest point [m]",
    BULLET="1 if the body is a bullet",
)

FILTER = layout(
    "body filter",
    LAYER="bit of the collider's layer",
    MASK="bits of the layers that the collider collides with",
    GROUP="collision group",
    SENSOR="1 if the collider is a sensor",
    DETECT="1 if the collider detects sensors",
    SENSOR_MASK="bits of the layers that the collider detects as a sensor",
)


class Bodies(Bundle):
    """The body columns as kernels take them; every array has one row per body."""

    pose: FloatTable
    """Entity origin and angle [m, m, rad] (n, 3)."""
    velocity: FloatTable
    """Velocity of the centre of mass [m/s, m/s, rad/s] (n, 3)."""
    force: FloatTable
    """Constant external force, the `Force` component [N, N, N m] (n, 3)."""
    push: FloatTable
    """Force of this step only, from `apply_force` [N, N, N m] (n, 3)."""
    frame: FloatTable
    """Centre of mass [m], cosine, sine and angle [rad] of the rotation (n, 5)."""
    mass: FloatTable
    """Inverse masses [1/kg], inverse inertia [1/(kg m^2)], local centre of mass [m] (n, 5)."""
    motion: FloatTable
    """Gravity scale, linear and angular damping [1/s], 1 where the body may sleep (n, 4)."""
    material: FloatTable
    """The collider's friction and restitution, and the combine rule of each (n, 4)."""
    surface: FloatTable
    """The collider's surface speed [m/s] and rolling resistance (n, 2)."""
    filter: IntTable
    """The collider's layer, mask, group, sensor flag, detect flag and sensor mask (n, 6) int64."""
    one_way: FloatTable
    """The side from which the collider is solid, a unit vector in the body's axes; (0, 0): from all sides (n, 2)."""
    kind: Ints
    """`BodyKind` (n,) int64."""
    entity: Ints
    """esper entity id, 0 in a free row (n,) int64."""
    solver_row: Ints
    """Row in the solver's state, 0 for bodies that do not move (n,) int64."""
    still: Floats
    """How long a body has been at rest [s] (n,)."""
    island: Ints
    """The island that a sleeping body belongs to, 0 for those awake (n,) int64."""
    settled: Flags
    """Whether a step left the body where it is: it is not new, nor put elsewhere since, nor shifted by it (n,) bool."""


_SHAPES: dict[str, tuple[tuple[int, ...], type]] = {
    "pose": ((POSE.WIDTH,), np.float64),
    "velocity": ((VELOCITY.WIDTH,), np.float64),
    "force": ((FORCE.WIDTH,), np.float64),
    "push": ((FORCE.WIDTH,), np.float64),
    "frame": ((FRAME.WIDTH,), np.float64),
    "mass": ((MASS.WIDTH,), np.float64),
    "motion": ((MOTION.WIDTH,), np.float64),
    "material": ((MATERIAL.WIDTH,), np.float64),
    "surface": ((SURFACE.WIDTH,), np.float64),
    "filter": ((FILTER.WIDTH,), np.int64),
    "one_way": ((2,), np.float64),
    "kind": ((), np.int64),
    "entity": ((), np.int64),
    "solver_row": ((), np.int64),
    "still": ((), np.float64),
    "island": ((), np.int64),
    "settled": ((), np.bool_),
}


@stage
def clear_bodies(rows: Ints, bodies: Bodies, span: FloatTable):
    """Fill rows of all columns with zeros."""
    for row in rows:
        bodies.pose[row, :] = 0.0
        bodies.velocity[row, :] = 0.0
        bodies.force[row, :] = 0.0
        bodies.push[row, :] = 0.0
        bodies.frame[row, :] = 0.0
        bodies.mass[row, :] = 0.0
        bodies.motion[row, :] = 0.0
        bodies.material[row, :] = 0.0
        bodies.surface[row, :] = 0.0
        bodies.filter[row, :] = 0
        bodies.one_way[row, :] = 0.0
        span[row, :] = 0.0
        bodies.kind[row], bodies.entity[row], bodies.solver_row[row], bodies.island[row] = 0, 0, 0, 0
        bodies.still[row], bodies.settled[row] = 0.0, False


class BodyColumns:
    """Owns the body arrays, their growth, and the `Cells` that components look through."""

    def __init__(self, capacity: int = 64) -> None:
        self.arrays = Bodies(**{name: np.zeros((capacity, *shape), dtype) for name, (shape, dtype) in _SHAPES.items()})
        self.span = np.zeros((capacity, BODY_SPAN.WIDTH))
        """For sweeps: the radius that is solid all round, the farthest point [m], 1 for a bullet (n, 3)."""
        self.one_way_count = 0
        """Number of bodies with a one-way collider."""
        self.surface_count = 0
        """Number of bodies with a `surface` other than (0, 0)."""
        self.rows = RowPool()
        self.touched = DirtyRows(capacity)
        """Rows whose `Transform` was written through the component since the last step."""
        self.written = DirtyRows(capacity)
        """Rows whose other components were written since the last step, or that are to wake for another reason."""
        self.pose, self.velocity, self.force = Cells(POSE.WIDTH), Cells(VELOCITY.WIDTH), Cells(FORCE.WIDTH)
        self.motion, self.material = Cells(MOTION.WIDTH), Cells(MATERIAL.WIDTH)
        self._renew_views()

    def take_rows(self, count: int) -> list[int]:
        rows = self.rows.take(count)
        capacity = len(self.arrays.kind)
        if self.rows.high > capacity:
            capacity = next_capacity(capacity, self.rows.high)
            self.arrays = Bodies(*(grown(column, capacity) for column in self.arrays))
            self.span = grown(self.span, capacity)
            self._renew_views()
        return rows

    @property
    def has_one_way(self) -> bool:
        """True if any body has a one-way collider."""
        return self.one_way_count > 0

    @property
    def has_surfaces(self) -> bool:
        """True if the surface of any body moves or resists rolling."""
        return self.surface_count > 0

    def free_rows(self, rows: list[int]) -> None:
        freed, gone = run_of(rows), np.array(rows, np.int64)
        if self.one_way_count:
            self.one_way_count -= int(np.count_nonzero(self.arrays.one_way[gone].any(axis=1)))
        if self.surface_count:
            self.surface_count -= int(np.count_nonzero(self.arrays.surface[gone].any(axis=1)))
        clear_bodies(gone, self.arrays, self.span)
        self.touched.discard(freed)
        self.written.discard(freed)
        self.rows.give_back(rows)

    def shrink(self) -> None:
        """Give memory back where little of it is in use; no row changes its place."""
        if is_spacious(len(self.arrays.kind), self.rows.high):
            capacity = 2 * self.rows.high + 64
            self.arrays = Bodies(*(shrunk(column, capacity) for column in self.arrays))
            self.span = shrunk(self.span, capacity)
            self._renew_views()

    def _renew_views(self) -> None:
        for dirty in (self.touched, self.written):
            dirty.resize(len(self.arrays.kind))
        for name in ("pose", "velocity", "force", "motion", "material"):
            dirty = self.touched if name == "pose" else self.written
            getattr(self, name).look_at(getattr(self.arrays, name), dirty.marks, dirty.marked, dirty.count)
