"""How an entity takes part in the physics, where the defaults do not serve."""

from __future__ import annotations

from typing import Any

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.components.view import View
from ecs_collide.validate import finite, flag, member, non_negative, positive


class RigidBody(View):
    """Kind, mass and damping of a body; optional, and everything may be changed later.

    `mass` [kg] and `inertia` [kg m^2, about the centre of mass] replace what shape and density give; a mass alone
    scales the shape's inertia along. `gravity_scale` multiplies gravity. Damping [1/s] slows by 1/(1 + h damping)
    a substep of h. A locked axis neither moves nor gives way: it acts as if the body were immovable along it.
    A `bullet` does not pass through other dynamic bodies either, however fast they are; nothing dynamic passes through
    what is static or kinematic. A body of several pieces always is a bullet. Without `can_sleep` it never falls
    asleep, nor does what touches it.
    """

    __slots__ = ("_bullet", "_inertia", "_kind", "_lock_rotation", "_lock_x", "_lock_y", "_mass")

    def __init__(
        self,
        kind: BodyKind = BodyKind.DYNAMIC,
        *,
        mass: float | None = None,
        inertia: float | None = None,
        gravity_scale: float = 1.0,
        linear_damping: float = 0.0,
        angular_damping: float = 0.0,
        lock_x: bool = False,
        lock_y: bool = False,
        lock_rotation: bool = False,
        bullet: bool = False,
        can_sleep: bool = True,
    ) -> None:
        super().__init__([0.0, 0.0, 0.0, 0.0])
        self.kind = kind
        self.mass = mass
        self.inertia = inertia
        self.gravity_scale = gravity_scale
        self.linear_damping = linear_damping
        self.angular_damping = angular_damping
        self.lock_x = lock_x
        self.lock_y = lock_y
        self.lock_rotation = lock_rotation
        self.bullet = bullet
        self.can_sleep = can_sleep

    @property
    def kind(self) -> BodyKind:
        return self._kind

    @kind.setter
    def kind(self, value: BodyKind) -> None:
        self._kind = self._checked(_kind, value, "kind")
        self._restructured()

    @property
    def mass(self) -> float | None:
        """Mass given by the user [kg], None where it comes from the collider."""
        return self._mass

    @mass.setter
    def mass(self, value: float | None) -> None:
        self._mass = None if value is None else self._checked(positive, value, "mass")
        self._restructured()

    @property
    def inertia(self) -> float | None:
        """Inertia given by the user [kg m^2], None where it comes from the collider."""
        return self._inertia

    @inertia.setter
    def inertia(self, value: float | None) -> None:
        self._inertia = None if value is None else self._checked(positive, value, "inertia")
        self._restructured()

    @property
    def gravity_scale(self) -> float:
        return self._read(0)

    @gravity_scale.setter
    def gravity_scale(self, value: float) -> None:
        self._write(0, self._checked(finite, value, "gravity_scale"), "gravity_scale")

    @property
    def linear_damping(self) -> float:
        return self._read(1)

    @linear_damping.setter
    def linear_damping(self, value: float) -> None:
        self._write(1, self._checked(non_negative, value, "linear_damping"), "linear_damping")

    @property
    def angular_damping(self) -> float:
        return self._read(2)

    @angular_damping.setter
    def angular_damping(self, value: float) -> None:
        self._write(2, self._checked(non_negative, value, "angular_damping"), "angular_damping")

    @property
    def lock_x(self) -> bool:
        return self._lock_x

    @lock_x.setter
    def lock_x(self, value: bool) -> None:
        self._lock_x = self._checked(flag, value, "lock_x")
        self._restructured()

    @property
    def lock_y(self) -> bool:
        return self._lock_y

    @lock_y.setter
    def lock_y(self, value: bool) -> None:
        self._lock_y = self._checked(flag, value, "lock_y")
        self._restructured()

    @property
    def lock_rotation(self) -> bool:
        return self._lock_rotation

    @lock_rotation.setter
    def lock_rotation(self, value: bool) -> None:
        self._lock_rotation = self._checked(flag, value, "lock_rotation")
        self._restructured()

    @property
    def bullet(self) -> bool:
        return self._bullet

    @bullet.setter
    def bullet(self, value: bool) -> None:
        self._bullet = self._checked(flag, value, "bullet")
        self._restructured()

    @property
    def can_sleep(self) -> bool:
        return self._read(3) != 0.0

    @can_sleep.setter
    def can_sleep(self, value: bool) -> None:
        self._write(3, float(self._checked(flag, value, "can_sleep")), "can_sleep")

    def _arguments(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "mass": self.mass,
            "inertia": self.inertia,
            "gravity_scale": self.gravity_scale,
            "linear_damping": self.linear_damping,
            "angular_damping": self.angular_damping,
            "lock_x": self.lock_x,
            "lock_y": self.lock_y,
            "lock_rotation": self.lock_rotation,
            "bullet": self.bullet,
            "can_sleep": self.can_sleep,
        }


def _kind(value: object, name: str) -> BodyKind:
    return member(value, name, BodyKind)
