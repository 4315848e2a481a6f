"""Kind, mass, damping and locked axes of a body; a game may change all attributes at any time.

Without a RigidBody an entity with a Velocity is dynamic, and one without is static. A body that the game moves itself
each frame should be kinematic: it pushes and carries other bodies, and nothing pushes it.
"""

from __future__ import annotations

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.components.view import View
from ecs_collide.data.bodies import MOTION
from ecs_collide.native import Field, Value
from ecs_collide.native.default_component import default_component
from ecs_collide.validate import finite, flag, member, non_negative, positive, vector2


def _kind(value: object, name: str) -> BodyKind:
    return member(value, name, BodyKind)


class RigidBody(View):
    """Kind, mass and damping of a body; optional, and everything may be changed later.

    `mass` [kg] and `inertia` [kg m^2, about the centre of mass] replace what shape and density give; a mass alone
    scales the shape's inertia along. `gravity_scale` multiplies gravity. Damping [1/s] slows by 1/(1 + h damping)
    a substep of h. A locked axis neither moves nor gives way: it acts as if the body were immovable along it.
    A `bullet` does not pass through other dynamic bodies either, however fast they are; nothing dynamic passes through
    what is static or kinematic. A body of several pieces always is a bullet. Without `can_sleep` it never falls
    asleep, nor does what touches it. `max_speed` and `max_angular_speed` limit its velocity before and after each step.
    """

    __slots__ = (
        "_bullet",
        "_can_sleep",
        "_center_of_mass",
        "_inertia",
        "_kind",
        "_lock_rotation",
        "_lock_x",
        "_lock_y",
        "_mass",
        "_max_angular_speed",
        "_max_speed",
        "_sleep_speed",
    )

    kind: Value[BodyKind] = Value(_kind, *BodyKind)
    """Kind of the body."""
    mass: Value[float | None] = Value(positive, None)
    """Mass [kg]; None: the density of the collider times the area of its shape.

        A mass without an inertia scales the inertia of the shape.
    """
    inertia: Value[float | None] = Value(positive, None)
    """Moment of inertia about the centre of mass [kg m^2]; None: it follows from shape and mass."""
    center_of_mass: Value[tuple[float, float] | None] = Value(vector2, None)
    """Centre of mass in the body's axes from its origin [m]; None: the centroid of the shape.

        It changes neither mass nor inertia: give an `inertia` that belongs to it. A static body has no use for it.
    """
    gravity_scale = Field(MOTION.GRAVITY_SCALE, finite)
    """Factor on gravity."""
    linear_damping = Field(MOTION.LINEAR_DAMPING, non_negative, 0.0)
    """Damping of the velocity [1/s]: a substep of length h divides it by 1 + h times this."""
    angular_damping = Field(MOTION.ANGULAR_DAMPING, non_negative, 0.0)
    """Damping of the angular velocity [1/s]: a substep of length h divides it by 1 + h times this."""
    lock_x = Value(flag, False, True)
    """True to keep the body from moving along x, as if it were immovable along that axis."""
    lock_y = Value(flag, False, True)
    """True to keep the body from moving along y, as if it were immovable along that axis."""
    lock_rotation = Value(flag, False, True)
    """True to keep the body from turning."""
    bullet = Value(flag, False, True)
    """True for a body that does not pass through fast dynamic bodies either.

    Without it a dynamic body does not pass through static and kinematic ones. A body of several pieces is a bullet.
    """
    can_sleep = Value(flag, True, False)
    """False for a body that never falls asleep, nor does any body that touches it."""
    sleep_speed: Value[float | None] = Value(positive, None)
    """Speed of its fastest point below which the body counts as at rest [m/s]; None: `sleep_speed` of `install`."""
    max_speed: Value[float | None] = Value(positive, None)
    """Greatest speed of the centre of mass of a dynamic body [m/s]; None: no limit."""
    max_angular_speed: Value[float | None] = Value(positive, None)
    """Greatest angular speed of a dynamic body [rad/s]; None: no limit."""

    def __init__(
        self,
        kind: BodyKind = BodyKind.DYNAMIC,
        *,
        mass: float | None = None,
        inertia: float | None = None,
        center_of_mass: tuple[float, float] | None = None,
        gravity_scale: float = 1.0,
        linear_damping: float = 0.0,
        angular_damping: float = 0.0,
        lock_x: bool = False,
        lock_y: bool = False,
        lock_rotation: bool = False,
        bullet: bool = False,
        can_sleep: bool = True,
        sleep_speed: float | None = None,
        max_speed: float | None = None,
        max_angular_speed: float | None = None,
    ) -> None:
        self._init_from(
            DEFAULT,
            kind,
            mass,
            inertia,
            center_of_mass,
            gravity_scale,
            linear_damping,
            angular_damping,
            lock_x,
            lock_y,
            lock_rotation,
            bullet,
            can_sleep,
            sleep_speed,
            max_speed,
            max_angular_speed,
        )


DEFAULT = default_component(RigidBody, MOTION.WIDTH)
