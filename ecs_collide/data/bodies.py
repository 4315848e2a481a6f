"""Body columns: one row for each entity that has a `Transform` and takes part in physics.

An entity gets a row when the physics adopts it, and keeps it until its body is removed. Freed rows are used again.
Kernels compute with the centre of mass, not with the entity's origin: `frame` holds it.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data.dirty_rows import DirtyRows
from ecs_collide.data.growth import RowPool, grown, is_spacious, new_columns, next_capacity, shrunk
from ecs_collide.data.host_names import HostNames
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.arrays import Flags, Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.native import ColumnRef

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
)

MATERIAL = layout(
    "body material",
    FRICTION="coefficient of friction",
    RESTITUTION="coefficient of restitution",
)

RULE = layout(
    "combine rules of a body, each a `Combine`",
    FRICTION="rule that combines the frictions of two bodies",
    RESTITUTION="rule that combines the restitutions of two bodies",
)

LIMIT = layout(
    "body limits",
    SPEED="greatest speed of the centre of mass [m/s]; 0 without a limit",
    SPIN="greatest angular speed [rad/s]; 0 without a limit",
    SLEEP_SPEED="speed below which it counts as at rest [m/s]; 0 for that of the world",
)

SURFACE = layout("body surface", SPEED="surface speed [m/s]", ROLLING_RESISTANCE="coefficient of rolling resistance")

BODY_SPAN = layout(
    "body span",
    CORE="radius of the circle about the centre of mass that is solid all round [m]",
    EXTENT="distance from the centre of mass to the farthest point [m]",
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

RARE = layout(
    "rare properties of bodies, whose calls a step leaves out if no body has them",
    ONE_WAY="number of bodies with a one-way collider",
    SURFACE="number of bodies with a surface that moves, resists rolling, or has a combine rule of its own",
    BULLET="number of dynamic bodies that are bullets, awake or not",
    SPEED_LIMIT="number of bodies with a greatest speed or angular speed",
)

ATTACHED_PLACE = layout(
    "place on a body",
    X="origin of the collider in the body's axes from its origin, x [m]",
    Y="origin of the collider in the body's axes from its origin, y [m]",
    ANGLE="angle of the collider in the body's axes [rad]",
)


class AttachedRows(Bundle):
    """The attached colliders of a world.

    Each has a row of the body columns for its filter, material and place. Its pieces belong to the row of its body. Its
    own row counts as static: its pose and its frame follow the body.
    """

    collider: Ints
    """Row of each attached collider (k,) int64."""
    body: Ints
    """Row of the body that each belongs to (k,) int64."""
    place: FloatTable = rows_of(ATTACHED_PLACE)
    """Place of each on its body, columns of `ATTACHED_PLACE` (k, 3)."""


def attached_rows(colliders: list[int], bodies: list[int], places: list[tuple[float, float, float]]) -> AttachedRows:
    """Return the rows of attached colliders and of their bodies, and their places [m, m, rad]."""
    return AttachedRows(
        collider=np.array(colliders, np.int64),
        body=np.array(bodies, np.int64),
        place=np.array(places, np.float64).reshape(-1, ATTACHED_PLACE.WIDTH),
    )


NONE_ATTACHED = attached_rows([], [], [])


class Bodies(Bundle):
    """The body columns that kernels take; every array has one row per body."""

    pose: FloatTable = rows_of(POSE)
    """Entity origin and angle, columns of `POSE` (n, 3)."""
    velocity: FloatTable = rows_of(VELOCITY)
    """Velocity of the centre of mass, columns of `VELOCITY` (n, 3)."""
    force: FloatTable = rows_of(FORCE)
    """Constant external force, the `Force` component, columns of `FORCE` (n, 3)."""
    push: FloatTable = rows_of(FORCE)
    """Force of this step only, from `apply_force`, columns of `FORCE` (n, 3)."""
    frame: FloatTable = rows_of(FRAME)
    """Centre of mass and rotation, columns of `FRAME` (n, 5)."""
    mass: FloatTable = rows_of(MASS)
    """Inverse masses and local centre of mass, columns of `MASS` (n, 5)."""
    motion: FloatTable = rows_of(MOTION)
    """Gravity scale and damping, columns of `MOTION` (n, 3)."""
    material: FloatTable = rows_of(MATERIAL)
    """Friction and restitution of the collider, columns of `MATERIAL` (n, 2)."""
    rule: IntTable = rows_of(RULE)
    """Rules that combine friction and restitution with another body's, columns of `RULE` (n, 2) int64."""
    surface: FloatTable = rows_of(SURFACE)
    """Surface speed and rolling resistance of the collider, columns of `SURFACE` (n, 2)."""
    limit: FloatTable = rows_of(LIMIT)
    """Greatest speeds, and the speed that counts as rest, columns of `LIMIT` (n, 3)."""
    filter: IntTable = rows_of(FILTER)
    """Collision filter of the collider, columns of `FILTER` (n, 6) int64."""
    one_way: FloatTable = rows_of(2)
    """Unit vector in the body's axes to the side that is solid; (0, 0) if all sides are (n, 2)."""
    kind: Ints
    """`BodyKind` (n,) int64."""
    entity: Ints
    """Entity id of esper, 0 in a free row (n,) int64."""
    solver_row: Ints
    """Row in the solver's state, 0 for a body that does not move (n,) int64."""
    is_bullet: Flags
    """True if no dynamic body may pass through the body, at any speed (n,) bool."""
    can_sleep: Flags
    """True if the body may fall asleep (n,) bool."""
    rest_time: Floats
    """Time for which the body has been at rest [s] (n,)."""
    island: Ints
    """Island of a sleeping body, 0 if it is awake (n,) int64."""
    settled: Flags
    """True if the last step did not move the body, and nothing added or moved it since (n,) bool."""


@device
def sleep_speed_of(body, bodies, usual):
    """Return the speed [m/s] below which a body counts as at rest: its own one, or the `usual` one of the world."""
    own = bodies.limit[body, LIMIT.SLEEP_SPEED]
    return own if own > 0.0 else usual


@device
def count_rare(row, change, bodies, rare_count):
    """Add `change` to the count of each rare property that a body has. Writes rare_count, columns `RARE` (4,)."""
    if is_used(bodies.one_way, row):
        rare_count[RARE.ONE_WAY] += change
    if is_used(bodies.surface, row) or is_used(bodies.rule, row):
        rare_count[RARE.SURFACE] += change
    if bodies.is_bullet[row]:
        rare_count[RARE.BULLET] += change
    if bodies.limit[row, LIMIT.SPEED] > 0.0 or bodies.limit[row, LIMIT.SPIN] > 0.0:
        rare_count[RARE.SPEED_LIMIT] += change


@device
def is_used(table, row):
    """Return True if any number of a row is not 0."""
    for column in range(table.shape[1]):
        if table[row, column] != 0:
            return True
    return False


@kernel
def clear_bodies(rows: Ints, bodies: Bodies, span: FloatTable, relocated: Flags, rare_count: Ints):
    """Fill rows of all columns with zeros, and count the rare properties of these bodies no more."""
    for row in rows:
        count_rare(row, -1, bodies, rare_count)
        bodies.pose[row, :] = 0.0
        bodies.velocity[row, :] = 0.0
        bodies.force[row, :] = 0.0
        bodies.push[row, :] = 0.0
        bodies.frame[row, :] = 0.0
        bodies.mass[row, :] = 0.0
        bodies.motion[row, :] = 0.0
        bodies.material[row, :] = 0.0
        bodies.rule[row, :] = 0
        bodies.surface[row, :] = 0.0
        bodies.limit[row, :] = 0.0
        bodies.filter[row, :] = 0
        bodies.one_way[row, :] = 0.0
        span[row, :] = 0.0
        bodies.kind[row], bodies.entity[row], bodies.solver_row[row], bodies.island[row] = 0, 0, 0, 0
        bodies.rest_time[row], bodies.settled[row] = 0.0, False
        bodies.is_bullet[row], bodies.can_sleep[row], relocated[row] = False, False, False


class BodyColumns:
    """Owns the body arrays, their growth, and the `ColumnRef` through which components read and write."""

    state_list = list_state(
        arrays="arrays span relocated attached rare_count",
        objects="rows teleported written moved_statics hosts",
        left_out="pose velocity force motion material",
    )

    def __init__(self, capacity: int = 64) -> None:
        self.arrays = Bodies(**new_columns(Bodies, Bodies._fields, capacity))
        self.span = np.zeros((capacity, BODY_SPAN.WIDTH))
        """Lengths that sweeps need, columns of `BODY_SPAN` (n, 2)."""
        self.relocated = np.zeros(capacity, np.bool_)
        """True for static bodies whose moves kernels apply, see `step/broadphase/relocated_pieces.py` (n,) bool."""
        self.rare_count = np.zeros(RARE.WIDTH, np.int64)
        """Numbers of bodies with rare properties, columns of `RARE` (4,) int64."""
        self.attached = NONE_ATTACHED
        """The attached colliders."""
        self.hosts = HostNames()
        """Entities of the bodies to which attached colliders belong."""
        self.rows = RowPool()
        self.teleported = DirtyRows(capacity)
        """Rows whose `Transform` was written through the component since the last step."""
        self.written = DirtyRows(capacity)
        """Rows whose other components were written since the last step, or that are to wake."""
        self.moved_statics = DirtyRows(capacity)
        """Rows of static bodies that were moved, until Broadphase has updated their boxes."""
        self.pose, self.velocity, self.force = ColumnRef(POSE.WIDTH), ColumnRef(VELOCITY.WIDTH), ColumnRef(FORCE.WIDTH)
        self.motion, self.material = ColumnRef(MOTION.WIDTH), ColumnRef(MATERIAL.WIDTH)
        self.reconnect()

    @property
    def has_one_way(self) -> bool:
        """True if any body has a one-way collider."""
        return self.rare_count.item(RARE.ONE_WAY) > 0

    @property
    def has_surfaces(self) -> bool:
        """True if contacts read surfaces and materials from the rows of colliders.

        So they do if the surface of any body moves, resists rolling, or has a combine rule of its own, or if any
        collider is attached.
        """
        return self.rare_count.item(RARE.SURFACE) > 0 or len(self.attached.collider) > 0

    @property
    def has_bullets(self) -> bool:
        """True if any dynamic body is a bullet, awake or not."""
        return self.rare_count.item(RARE.BULLET) > 0

    @property
    def has_speed_limits(self) -> bool:
        """True if any body has a greatest speed or angular speed."""
        return self.rare_count.item(RARE.SPEED_LIMIT) > 0

    def host_rows(self, rows: np.ndarray) -> np.ndarray:
        """Return rows of bodies, those of attached colliders replaced by the rows of their bodies."""
        attached = self.attached
        if len(attached.collider) == 0:
            return rows
        host = np.arange(self.rows.high, dtype=np.int64)
        host[attached.collider] = attached.body
        replaced: np.ndarray = host[rows]
        return replaced

    def allocate_rows(self, count: int) -> list[int]:
        """Allocate rows; the arrays grow as needed."""
        rows = self.rows.allocate(count)
        capacity = len(self.arrays.kind)
        if self.rows.high > capacity:
            capacity = next_capacity(capacity, self.rows.high)
            self.arrays = Bodies(*(grown(column, capacity) for column in self.arrays))
            self.span, self.relocated = grown(self.span, capacity), grown(self.relocated, capacity)
            self._renew_views()
        return rows

    def free_rows(self, rows: list[int]) -> None:
        """Clear rows and free them."""
        freed = np.array(rows, np.int64)
        clear_bodies(freed, self.arrays, self.span, self.relocated, self.rare_count)
        for marked in (self.teleported, self.written, self.moved_statics):
            marked.discard(freed)
        self.rows.release(rows)

    def shrink(self) -> None:
        """Release memory if little of it is in use; no row changes its place."""
        if is_spacious(len(self.arrays.kind), self.rows.high):
            capacity = 2 * self.rows.high + 64
            self.arrays = Bodies(*(shrunk(column, capacity) for column in self.arrays))
            self.span, self.relocated = shrunk(self.span, capacity), shrunk(self.relocated, capacity)
            self._renew_views()

    def _renew_views(self) -> None:
        """Connect the column references of components, and dirty rows, with the present arrays."""
        for dirty in (self.teleported, self.written, self.moved_statics):
            dirty.resize(len(self.arrays.kind))
        self.reconnect()

    def reconnect(self) -> None:
        """Connect the column references of components with the present arrays."""
        for name in ("pose", "velocity", "force", "motion", "material"):
            dirty = self.teleported if name == "pose" else self.written
            getattr(self, name).set_arrays(getattr(self.arrays, name), dirty.marks, dirty.marked, dirty.count)
